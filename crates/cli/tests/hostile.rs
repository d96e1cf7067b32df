//! Damaged records and games through the real binary: `tabiya verify` tells what is wrong, or finds that nothing is.

mod common;

use std::fs;

use common::tabiya;
use tabiya_players::SplitMix;
use tempfile::TempDir;

/// A text with a byte changed, a line lost, doubled or moved, or its end cut off.
fn damaged(text: &str, dice: &mut SplitMix) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.as_bytes().split_inclusive(|byte| *byte == b'\n').collect();
    let (at, other) = (dice.below(lines.len()), dice.below(lines.len()));
    match dice.below(6) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at]),
        2 => lines.swap(at, other),
        _ => {}
    }
    let mut bytes = lines.concat();
    let at = dice.below(bytes.len());
    match dice.below(5) {
        0 => bytes.truncate(at),
        1 => bytes[at] = dice.next_u64() as u8,
        2 => drop(bytes.remove(at)),
        3 => bytes.splice(at..at, [b'7'; 40]).for_each(drop),
        _ => {}
    }
    bytes
}

#[test]
fn damage_is_told() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a plain name").to_owned();
    let (out, bad) = (path("match"), path("bad"));
    let words = ["match", "player:greedy", "player:random", "--max-plies", "40", "--tc", "9+0.1"];
    assert_eq!(tabiya(&[&words[..], &["--out", &out]].concat()).status, 0);
    let mut dice = SplitMix::new(51);
    for name in ["games.jsonl", "games.pgn"] {
        let good = fs::read_to_string(format!("{out}/{name}")).expect("a good file");
        let mut told = 0;
        for round in 0..30 {
            fs::write(&bad, damaged(&good, &mut dice)).expect("written");
            let said = tabiya(&["verify", &bad]);
            assert!(said.status <= 2, "{name}, {round}: {}", said.err);
            assert_eq!(said.status == 0, said.out.ends_with("everything is correct.\n"), "{name}, {round}");
            assert!(!said.out.replace('\n', "").contains(char::is_control), "{name}, {round}");
            told += usize::from(said.status > 0);
        }
        assert!(told > 10, "{name}: {told}");
    }
}
