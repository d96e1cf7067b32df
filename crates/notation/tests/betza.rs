//! Compares the moves of Betza words with Fairy-Stockfish (`pyffish`), on an empty and on a crowded board.
//!
//! `cargo xtask test` installs pyffish and sets `TABIYA_PYTHON`. Without it the test prints a note and passes.
#![allow(clippy::print_stderr, reason = "reports a skipped test")]

mod support;

use std::collections::BTreeSet;

use support::python;
use tabiya_notation::{legal_moves_uci, parse_state};
use tabiya_players::SplitMix;

/// Reads `WORD FEN` lines and prints the legal moves of the piece on d4 for each.
const SCRIPT: &str = "\
import sys, pyffish
for number, line in enumerate(sys.stdin):
    word, fen = line.strip().split('|')
    name = 'betza%d' % number
    pyffish.load_variant_config('[%s:chess]\\ncustomPiece1 = a:%s\\n' % (name, word))
    moves = pyffish.legal_moves(name, fen, [])
    print(' '.join(sorted(move for move in moves if move.startswith('d4'))))
";

/// Every leap, slide and hop, in every direction and modality.
fn words() -> Vec<String> {
    let mut words = Vec::new();
    for atom in ["W", "F", "D", "A", "H", "G", "R", "B", "WW", "W3", "F2", "R4", "B5"] {
        for modifier in ["", "f", "b", "s", "v", "l", "r", "m", "c", "fm", "bc", "fr", "bl"] {
            words.push(format!("{modifier}{atom}"));
        }
    }
    for atom in ["N", "C", "Z", "NN"] {
        for modifier in [
            "", "f", "b", "ff", "fs", "fh", "bh", "rh", "lh", "fr", "rf", "lb", "bl", "s", "v", "hr", "hl",
            "mf", "c",
        ] {
            words.push(format!("{modifier}{atom}"));
        }
    }
    for atom in
        ["pR", "gR", "pB", "gB", "pQ", "gQ", "pW", "gF", "pK", "gK", "pR2", "pR3", "pB4", "pQ5", "pW3"]
    {
        for modifier in ["", "f", "b", "s", "v", "l", "r", "m", "c", "fm", "bc", "fr", "bl"] {
            words.push(format!("{modifier}{atom}"));
        }
    }
    words.extend(
        ["mRcpR", "RcpR", "mBcpB", "mQcgQ", "pRN", "gRgB", "RpR", "pRgB", "mpRcB", "KgQ"].map(String::from),
    );
    words.extend(["nD", "nA", "nN", "nZ", "fnN", "cnD"].map(String::from));
    words.extend(
        [
            "K", "Q", "fK", "bQ", "Q2", "KN", "BN", "RN", "QN", "FfW", "WfF", "RF", "BW", "mNcB", "mBcN",
            "mRcN", "mNcR",
        ]
        .map(String::from),
    );
    words.extend(
        ["fsW", "FA", "WA", "fbNF", "ADGH", "NC", "FWDsN", "B2ND", "F2N", "B3vND", "fmWfF"].map(String::from),
    );
    words
}

/// Returns the placement of a board with our piece on d4, a king in each corner, and other pieces at random.
fn crowded(seed: u64) -> String {
    let mut random = SplitMix::new(seed);
    let cell = |x: usize, y: usize, random: &mut SplitMix| match (x, y) {
        (3, 3) => 'A',
        (7, 0) => 'K',
        (0, 7) => 'k',
        // No pawn on a last rank, and none that attacks a king.
        (_, 0 | 7) | (0..=2, 5..) | (5.., 0..=2) => '1',
        _ => ['1', '1', 'p', 'P'][random.below(4)],
    };
    let mut ranks = Vec::new();
    for y in (0..8).rev() {
        let cells: String = (0..8).map(|x| cell(x, y, &mut random)).collect();
        let runs = (2..=8).rev().fold(cells, |text, run| text.replace(&"1".repeat(run), &run.to_string()));
        ranks.push(runs);
    }
    ranks.join("/")
}

fn ours(word: &str, placement: &str) -> BTreeSet<String> {
    let spec = serde_json::json!({
        "name": "Word", "leader": "KING", "board": { "dimensions": [8, 8] },
        "setup": placement,
        "pieces": [
            { "code": "KING", "betza": "K" },
            { "code": "PAWN", "betza": "fmWfcF" },
            { "code": "A", "betza": word },
        ],
    });
    let loaded = tabiya_spec::load(spec.to_string().as_bytes());
    let rules = loaded.game.unwrap_or_else(|| panic!("{word}: {:#?}", loaded.diagnostics)).rules;
    let state = parse_state(&rules, &format!("{placement} w - -")).expect("a state");
    let moves = legal_moves_uci(&rules, &state.position).into_iter();
    moves.map(|(_, text)| text).filter(|text| text.starts_with("d4")).collect()
}

#[test]
fn betza_words_mean_what_they_mean_elsewhere() {
    if python("import pyffish", "").is_none() {
        eprintln!("skipped: pyffish is not installed");
        return;
    }
    let words = words();
    assert!(words.len() >= 200, "{}", words.len());
    let empty = "k7/8/8/8/3A4/8/8/7K".to_owned();
    let cases: Vec<(String, String)> = words
        .iter()
        .enumerate()
        .flat_map(|(index, word)| [(word.clone(), empty.clone()), (word.clone(), crowded(index as u64))])
        .collect();
    let lines: Vec<String> =
        cases.iter().map(|(word, placement)| format!("{word}|{placement} w - - 0 1")).collect();
    let input = lines.join("\n") + "\n";
    let answer = python(SCRIPT, &input).expect("pyffish answers");
    let answers: Vec<&str> = answer.lines().collect();
    assert_eq!(answers.len(), cases.len());
    let mut different = Vec::new();
    for ((word, placement), answer) in cases.iter().zip(answers) {
        let theirs: BTreeSet<String> = answer.split_ascii_whitespace().map(str::to_owned).collect();
        let ours = ours(word, placement);
        if ours != theirs {
            different.push(format!("{word} on {placement}: {ours:?}, there {theirs:?}"));
        }
    }
    assert!(different.is_empty(), "{} differ:\n{}", different.len(), different.join("\n"));
}
