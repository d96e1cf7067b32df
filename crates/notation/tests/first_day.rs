//! Nine games of a designer's first day (`crates/spec/tests/first_day`): short, valid, and with the right moves.
//!
//! Fairy-Stockfish (`pyffish`) judges the moves of the games that it knows, and our oracle those of the others.
//! `cargo xtask test` installs pyffish and sets `TABIYA_PYTHON`. Without it the comparison prints a note and passes.
#![allow(clippy::print_stderr, reason = "reports a skipped test")]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use support::python;
use tabiya_notation::parse_state;
use tabiya_oracle::compare;
use tabiya_spec::Game;

const LINES: usize = 25;
const DEPTH: u32 = 3;

/// Games that Fairy-Stockfish knows: the file, its variant, and a FEN, or nothing for the start of that variant.
const KNOWN: [(&str, &str, &str); 12] = [
    ("breakthrough", "breakthrough", ""),
    ("breakthrough", "breakthrough", "8/1P4p1/8/3p4/4P3/8/2p4P/8 w - - 0 1"),
    ("chess960", "chess", "brnqnkrb/pppppppp/8/8/8/8/PPPPPPPP/BRNQNKRB w GBgb - 0 1"),
    ("courier", "courier", ""),
    ("courier", "courier", "5k6/3P8/8f3/2e9/8w3/4M7/6p5/5K6 w - - 0 1"),
    ("kingofthehill", "kingofthehill", ""),
    ("kingofthehill", "kingofthehill", "8/8/3k4/8/8/4K3/P7/8 w - - 0 1"),
    ("knightmate", "knightmate", ""),
    ("makruk", "makruk", ""),
    ("makruk", "makruk", "4k3/8/8/2P5/4S1p1/8/3s4/3K4 w - - 0 1"),
    ("mini", "losalamos", ""),
    ("mini", "losalamos", "3k2/P5/2n3/3N2/1p4/2K3 w - - 0 1"),
];

/// The other games, with their numbers of move paths.
const UNKNOWN: [(&str, u64); 2] = [("racingkings", 12_690), ("teams", 216)];

/// Reads depths, variants and FENs, and prints numbers of move paths.
const SCRIPT: &str = "\
import sys, pyffish
def count(variant, fen, moves, depth):
    legal = pyffish.legal_moves(variant, fen, moves, True)
    return len(legal) if depth == 1 else sum(count(variant, fen, moves + [move], depth - 1) for move in legal)
for line in sys.stdin:
    depth, variant, fen = line.rstrip('\\n').split(';')
    print(count(variant, fen or pyffish.start_fen(variant), [], int(depth)))
";

/// Returns the files with their names, in alphabetical order.
fn files() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/tests/first_day");
    let entries =
        fs::read_dir(folder).expect("the folder exists").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    let mut files: Vec<_> =
        entries.map(|path| (name(&path), fs::read_to_string(&path).expect("text"))).collect();
    files.sort();
    files
}

fn game(name: &str) -> Game {
    let (_, text) = files().into_iter().find(|(found, _)| found == name).expect("a file of this name");
    tabiya_spec::load(text.as_bytes()).game.expect("a playable game")
}

#[test]
fn every_game_has_a_judge() {
    let known = KNOWN.iter().map(|known| known.0);
    let mut judged: Vec<&str> = known.chain(UNKNOWN.iter().map(|unknown| unknown.0)).collect();
    judged.sort_unstable();
    judged.dedup();
    assert_eq!(files().into_iter().map(|(name, _)| name).collect::<Vec<_>>(), judged);
}

#[test]
fn games_are_short_and_valid() {
    for (name, text) in files() {
        assert!(text.lines().count() <= LINES, "{name} has more than {LINES} lines");
        let diagnostics = tabiya_spec::check_all(text.as_bytes()).diagnostics;
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    }
}

#[test]
fn formatting_changes_nothing() {
    for (name, text) in files() {
        let formatted = tabiya_spec::format(text.as_bytes()).expect("a game without errors");
        assert_eq!(formatted.trim_end(), text.trim_end(), "{name}: run `tabiya fmt`");
    }
}

#[test]
fn moves_are_those_of_fairy_stockfish() {
    let mut input = String::new();
    for (_, variant, fen) in KNOWN {
        writeln!(input, "{DEPTH};{variant};{fen}").expect("a string");
    }
    let Some(theirs) = python(SCRIPT, &input) else {
        eprintln!("skipped: pyffish is not installed");
        return;
    };
    let theirs: Vec<u64> = theirs.lines().map(|line| line.trim().parse().expect("a number")).collect();
    assert_eq!(theirs.len(), KNOWN.len());
    for ((name, _, fen), theirs) in KNOWN.into_iter().zip(theirs) {
        let rules = game(name).rules;
        let position = if fen.is_empty() {
            rules.start()
        } else {
            parse_state(&rules, fen).unwrap_or_else(|error| panic!("{name} {fen}: {error}")).position
        };
        assert_eq!(rules.perft(&position, DEPTH), theirs, "{name} {fen}");
    }
}

#[test]
fn moves_are_those_of_the_oracle() {
    for (name, count) in UNKNOWN {
        let game = game(name);
        assert_eq!(game.rules.perft(&game.rules.start(), DEPTH), count, "{name}");
        compare::compare(&game, DEPTH, 4, 1).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// The game that `docs/for-designers.md` shows in both formats has the same moves in both.
#[test]
fn the_documented_variant_is_the_same_game() {
    const SCRIPT: &str = "\
import sys, pyffish
pyffish.load_variant_config(sys.stdin.read())
def count(moves, depth):
    legal = pyffish.legal_moves('outpost', pyffish.start_fen('outpost'), moves)
    return len(legal) if depth == 1 else sum(count(moves + [move], depth - 1) for move in legal)
print(count([], 3))
";
    let document = include_str!("../../../docs/for-designers.md");
    let block = |fence: &str| {
        let (_, rest) = document.split_once(fence).expect("a block");
        rest.split_once("\n```").expect("its end").0
    };
    let rules = tabiya_spec::load(block("```json game\n").as_bytes()).game.expect("a playable game").rules;
    let Some(theirs) = python(SCRIPT, block("```ini\n")) else {
        eprintln!("skipped: pyffish is not installed");
        return;
    };
    assert_eq!(theirs.trim(), rules.perft(&rules.start(), DEPTH).to_string());
}
