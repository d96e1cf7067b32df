//! Castling from the arrays of Chess960, compared with Fairy-Stockfish (`pyffish`).
//!
//! `cargo xtask test` installs pyffish and sets `TABIYA_PYTHON`. Without it the test prints a note and passes.
//! `TABIYA_CHESS960=960` compares all arrays, each 40th otherwise.
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "reports a skipped test, and figures")]

mod support;

use support::python;
use tabiya_engine::Rules;
use tabiya_notation::parse_state;

/// Reads FENs and prints the numbers of move paths of length 3.
const SCRIPT: &str = "\
import sys, pyffish
def count(fen, moves, depth):
    legal = pyffish.legal_moves('chess', fen, moves, True)
    return len(legal) if depth == 1 else sum(count(fen, moves + [move], depth - 1) for move in legal)
for line in sys.stdin:
    print(count(line.strip(), [], 3))
";

/// Returns the array with a number, by Scharnagl's method.
fn array(number: usize) -> String {
    let mut pieces = [' '; 8];
    let (number, light) = (number / 4, number % 4);
    let (number, dark) = (number / 4, number % 4);
    pieces[2 * light + 1] = 'B';
    pieces[2 * dark] = 'B';
    let (knights, queen) = (number / 6, number % 6);
    let free = |pieces: &[char; 8], index: usize| {
        let mut empty = (0..8).filter(|file| pieces[*file] == ' ');
        empty.nth(index).expect("a free file")
    };
    pieces[free(&pieces, queen)] = 'Q';
    let pairs = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    let (first, second) = pairs[knights];
    let (first, second) = (free(&pieces, first), free(&pieces, second));
    (pieces[first], pieces[second]) = ('N', 'N');
    for piece in ['R', 'K', 'R'] {
        pieces[free(&pieces, 0)] = piece;
    }
    pieces.into_iter().collect()
}

/// Returns the FEN of an array with the files of the rooks as castling rights.
fn fen(array: &str) -> String {
    let rooks: String = array
        .char_indices()
        .filter(|(_, piece)| *piece == 'R')
        .map(|(file, _)| (b'A' + file as u8) as char)
        .rev()
        .collect();
    let black = array.to_lowercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{array} w {rooks}{} - 0 1", rooks.to_lowercase())
}

fn numbers() -> Vec<usize> {
    let all = std::env::var("TABIYA_CHESS960").is_ok_and(|count| count == "960");
    (0..960).step_by(if all { 1 } else { 40 }).chain([518]).collect()
}

#[test]
fn arrays_count_as_in_fairy_stockfish() {
    assert_eq!(array(518), "RNBQKBNR");
    assert_eq!((array(0).as_str(), array(959).as_str()), ("BBQNNRKR", "RKRNNQBB"));
    let chess = tabiya_spec::library::load("chess").expect("a library game").rules;
    let own_file = |array: &str| -> std::sync::Arc<Rules> {
        let setup = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{array}", array.to_lowercase());
        let text = format!(r#"{{ "name": "Array", "extends": "chess", "setup": "{setup}" }}"#);
        tabiya_spec::load(text.as_bytes()).game.expect("a playable game").rules
    };
    let arrays: Vec<String> = numbers().into_iter().map(array).collect();
    let ours: Vec<u64> = arrays
        .iter()
        .map(|array| {
            let state = parse_state(&chess, &fen(array)).unwrap_or_else(|error| panic!("{array}: {error}"));
            let count = chess.perft(&state.position, 3);
            let other = own_file(array);
            assert_eq!(other.perft(&other.start(), 3), count, "{array} as a file and as a position");
            count
        })
        .collect();
    let fens: Vec<String> = arrays.iter().map(|array| fen(array)).collect();
    let Some(theirs) = python(SCRIPT, &fens.join("\n")) else {
        eprintln!("skipped: pyffish is not installed");
        return;
    };
    let theirs: Vec<u64> = theirs.lines().map(|line| line.trim().parse().expect("a number")).collect();
    assert_eq!(theirs.len(), ours.len());
    for ((array, ours), theirs) in arrays.iter().zip(&ours).zip(&theirs) {
        assert_eq!(ours, theirs, "{array}");
    }
    println!("{} arrays, {} games, all equal to depth 3", arrays.len(), arrays.len());
}
