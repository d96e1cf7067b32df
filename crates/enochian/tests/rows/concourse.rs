//! Concourse: four bishops or four queens, one of each army, in a block of two by two squares.

use crate::table::{BOTH, Table, game, prototype};

/// Blue's bishop moves from b2 to d4 and completes the central block.
const BISHOPS: &str = ".K6k/7t/8/3.B.b3/4b3/8/1B6/2K4.k blue - -";

fn block(table: &Table, squares: [&str; 4]) -> String {
    squares.map(|square| table.at(square)).join(", ")
}

/// Returns the FEN placement of pieces on squares.
fn board(pieces: &[(&str, &str)]) -> String {
    let piece = |square: String| pieces.iter().find(|(at, _)| **at == square).map_or("1", |(_, piece)| piece);
    let rank = |rank: char| ('a'..='h').map(|file| piece(format!("{file}{rank}"))).collect::<String>();
    let text = ('1'..='8').rev().map(rank).collect::<Vec<_>>().join("/");
    (2..=8).rev().fold(text, |text, empty| text.replace(&"1".repeat(empty), &empty.to_string()))
}

const MIDDLE: [&str; 4] = ["d4", "e4", "d5", "e5"];

/// Concourse is off under `document`, in five blocks under `zalewski`, and anywhere by option.
#[test]
fn d16_concourse() {
    let done = "BLUE BISHOP, -, BLUE BISHOP, -";
    let not = "BLUE BISHOP, RED BISHOP, BLACK BISHOP, YELLOW BISHOP";
    let after = |table: Table| block(&table.set(BISHOPS).play("b2d4"), MIDDLE);
    assert_eq!(after(prototype("document")), not);
    assert_eq!(after(prototype("zalewski")), done);
    assert_eq!(after(game("document", "", "CONCOURSE=BLOCKS")), done);
    assert_eq!(after(game("zalewski", "", "CONCOURSE=OFF")), not);
    // One file further is not one of the five blocks: the centres of the board and of each quarter.
    let beside = ".K6k/7t/8/4.B.b2/5b2/8/2B5/1K5.k blue - -";
    let aside = |table: Table| block(&table.set(beside).play("c2e4"), ["e4", "f4", "e5", "f5"]);
    assert_eq!(aside(prototype("zalewski")), not);
    assert_eq!(aside(game("zalewski", "", "CONCOURSE=ANYWHERE")), done);
    // All five blocks and two others; Blue's bishop comes from the lower left.
    for (first, from, fires) in [
        ("b2", "a1", true),
        ("f2", "e1", true),
        ("b6", "a5", true),
        ("f6", "e5", true),
        ("d4", "c3", true),
        ("c2", "b1", false),
        ("f5", "e4", false),
    ] {
        let at = |x: u8, y: u8| {
            let [file, rank] = [first.as_bytes()[0], first.as_bytes()[1]];
            format!("{}{}", char::from(file + x), char::from(rank + y))
        };
        let squares = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
        let pieces = [(from, "B"), (&squares[1], "b"), (&squares[2], ".B"), (&squares[3], ".b")];
        let others = [("a3", "K"), ("h8", "k"), ("a8", ".K"), ("h1", ".k"), ("h4", "t")];
        let table =
            prototype("zalewski").set(&format!("{} blue - -", board(&[&pieces[..], &others].concat())));
        let after = table.play(&format!("{from}{first}"));
        let expected = if fires { done } else { not };
        assert_eq!(block(&after, squares.each_ref().map(String::as_str)), expected, "{first}");
    }
}

/// The moved piece completes the block. Enemy pieces are captured, the ally's joins the mover's army. None may be frozen.
#[test]
fn d43_effects_of_a_concourse() {
    let zalewski = prototype("zalewski");
    let not = "BLUE BISHOP, RED BISHOP, BLACK BISHOP, YELLOW BISHOP";
    // The ally's bishop now moves on Blue's turns.
    let after = zalewski.set(BISHOPS).play("b2d4 h8g8 a8b8 h1g1");
    after.legal("d5c6");
    // The same holds for queens, but not for a mix of both kinds.
    let queens = zalewski.set(".K6k/7t/8/3.Q.q3/4q3/8/1Q6/2K4.k blue - -").play("b2d4");
    assert_eq!(block(&queens, MIDDLE), "BLUE QUEEN, -, BLUE QUEEN, -");
    let mixed = zalewski.set(".K6k/7t/8/3.Q.b3/4b3/8/1B6/2K4.k blue - -").play("b2d4");
    assert_eq!(block(&mixed, MIDDLE), "BLUE BISHOP, RED BISHOP, BLACK QUEEN, YELLOW BISHOP");
    // Not with two pieces of one army, a frozen piece, or another piece's move.
    let twice = zalewski.set(".K6k/7t/8/3B.b3/4b3/8/1B6/2K4.k blue - -").play("b2d4");
    assert_eq!(block(&twice, MIDDLE), "BLUE BISHOP, RED BISHOP, BLUE BISHOP, YELLOW BISHOP");
    let frozen = zalewski.set("7k/7t/8/3.B.b3/4b3/8/1B6/2K4.k blue - - captive=black:r").play("b2d4");
    assert_eq!(block(&frozen, MIDDLE), not);
    let other = zalewski.set(".K6k/7t/8/3.B.b3/3Bb3/8/8/2K4.k blue - -").play("c1d1");
    assert_eq!(block(&other, MIDDLE), not, "it stood there before");
    // These captures count for bare kings and reset the quiet count.
    let bare = zalewski.set(&BISHOPS.replace("7t", "8")).play("b2d4");
    assert_eq!(bare.end(), "draw bare_kings");
    let before = zalewski.set(BISHOPS);
    let played = before.play("b2d4");
    let bishop =
        before.rules.kinds().find(|kind| before.rules.kind(*kind).code == "BISHOP").expect("a bishop");
    assert!(before.rules.is_zeroing(&before.position, bishop, &played.position));
    for rules in BOTH {
        assert_eq!(prototype(rules).set(BISHOPS).play("b2a3").at("d5"), "BLACK BISHOP", "{rules}");
    }
}
