//! `tabiya verify` on damaged records and PGN files: it reports the damage and does not crash.

use std::fs;

use crate::common::{Folder, tabiya};
use tabiya_players::SplitMix;

/// Returns a text with a byte changed, a line removed, repeated or moved, or its end cut off.
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
fn damage_is_reported() {
    let folder = Folder::new();
    let (out, bad) = (folder.path("match"), folder.path("bad"));
    let words = ["match", "player:greedy", "player:random", "--max-plies", "40", "--tc", "9+0.1"];
    assert_eq!(tabiya(&[&words[..], &["--out", &out]].concat()).status, 0);
    let mut dice = SplitMix::new(51);
    for name in ["games.jsonl", "games.pgn"] {
        let good = fs::read_to_string(format!("{out}/{name}")).expect("a good file");
        let mut reported = 0;
        for round in 0..30 {
            fs::write(&bad, damaged(&good, &mut dice)).expect("written");
            let run = tabiya(&["verify", &bad]);
            assert!(run.status <= 2, "{name}, {round}: {}", run.stderr);
            assert_eq!(run.status == 0, run.stdout.ends_with("everything is correct.\n"), "{name}, {round}");
            assert!(!run.stdout.replace('\n', "").contains(char::is_control), "{name}, {round}");
            reported += usize::from(run.status > 0);
        }
        assert!(reported > 10, "{name}: {reported}");
    }
}
