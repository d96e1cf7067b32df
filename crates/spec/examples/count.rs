//! x
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let e = tabiya_spec::library::find(&a[1]).unwrap();
    let l = tabiya_spec::load(e.json.as_bytes());
    for d in &l.diagnostics { println!("{}:{} {} {} {}", d.line, d.column, d.code, d.pointer, d.message); }
    let g = l.game.unwrap();
    let t = std::time::Instant::now();
    let s = g.rules.start();
    println!("{}", std::mem::size_of_val(&s));
    for d in 1..=a[2].parse().unwrap() { println!("{d} {} {:?}", g.rules.perft(&s, d), t.elapsed()); }
}
