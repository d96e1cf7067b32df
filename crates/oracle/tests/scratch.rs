use tabiya_oracle::Oracle;
#[test]
fn all() {
    for entry in std::fs::read_dir("../../games").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "json") || path.ends_with("schema.json") {
            continue;
        }
        let checked = tabiya_spec::check(&std::fs::read(&path).unwrap());
        let Some(spec) = checked.spec else {
            println!("{path:?} {:?}", checked.diagnostics);
            continue;
        };
        let o = Oracle::new(&spec);
        let t = std::time::Instant::now();
        let s = o.start();
        print!("{} {} {} {} ", path.display(), o.perft(&s, 1), o.perft(&s, 2), o.perft(&s, 3));
        println!("{:?}", t.elapsed());
        // random play + identity
        let mut seed = 12345u64;
        for _game in 0..3 {
            let mut s = o.start();
            let mut n = 0;
            for _ in 0..150 {
                let l = o.legal(&s);
                if l.is_empty() {
                    break;
                }
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                let id = o.identity(&s);
                assert_eq!(o.legal(&id), l);
                assert_eq!(o.identity(&id), id);
                s = o.play(&s, &l[(seed % l.len() as u64) as usize]).unwrap();
                let s2 = o.play(&id, &l[(seed % l.len() as u64) as usize]).unwrap();
                assert_eq!(o.identity(&s), o.identity(&s2));
                n += 1;
            }
            println!("   {n} plies {:?}", o.outcome(&s));
        }
    }
}
