//! Illegal slides over other pieces are explained, and legal ones are written like other moves.

mod support;

use support::game;
use tabiya_engine::{IllegalMove, Rules};
use tabiya_notation::{explain_illegal_move, parse_state, parse_uci, san};

/// Returns the reason why a move between two squares is illegal, as data and in English.
fn reason(rules: &Rules, state: &str, from: &str, to: &str) -> (IllegalMove, String) {
    let position = parse_state(rules, state).unwrap_or_else(|error| panic!("{state}: {error}")).position;
    let square = |name: &str| rules.board().parse(name).expect("a square");
    let (from, to) = (square(from), square(to));
    let reason = rules.why_illegal(&position, from, to);
    let spot = rules.closest_mover(&position, from, to);
    let text = explain_illegal_move(rules, &position, spot, to, &reason);
    (reason, text)
}

fn check(rules: &Rules, state: &str, from: &str, to: &str, expected: &str) {
    let (reason, text) = reason(rules, state, from, to);
    assert!(text.ends_with(expected), "{state} {from}{to}: {text} ({reason:?})");
}

#[test]
fn a_cannon_needs_a_piece_to_jump_over() {
    let rules = game("shako").rules;
    let open = "k9/10/4p5/10/10/10/4C5/10/10/9K w - -";
    check(&rules, open, "e4", "e8", "from e4 to e8: there is no piece in between to jump over");
    assert_eq!(reason(&rules, open, "e4", "e8").0, IllegalMove::NoHurdle { needed: 1, met: 0 });
    let two = "k9/10/4p5/4p5/4P5/10/4C5/10/10/9K w - -";
    check(&rules, two, "e4", "e8", "from e4 to e8: it is blocked on e7");
    let one = "k9/10/4p5/10/4P5/10/4C5/10/10/9K w - -";
    check(&rules, one, "e4", "e7", "from e4 to e7, which is empty");
    check(&rules, one, "e4", "e9", "from e4 to e9: it is blocked on e6");
    check(&rules, one, "e4", "f6", "from e4 to f6");
}

#[test]
fn a_grasshopper_lands_behind_the_piece() {
    let rules = game("grasshopper").rules;
    let state = "k7/8/8/3p4/8/3G4/8/7K w - -";
    check(&rules, state, "d3", "d7", "from d3 to d7: it lands on the square behind d5");
    check(&rules, state, "d3", "d4", "from d3 to d4: there is no piece in between to jump over");
    check(&rules, state, "d3", "d5", "from d3 to d5: there is no piece in between to jump over");
    check(&rules, state, "d3", "h3", "from d3 to h3: there is no piece in between to jump over");
}

#[test]
fn some_pieces_cannot_be_jumped_over() {
    let file = r#"{ "name": "Cannons", "leader": "KING", "board": { "dimensions": [8, 8] },
        "setup": "k7/8/8/8/8/8/8/CC5K", "pieces": [{ "code": "KING", "betza": "K" },
        { "code": "CANNON", "moves": [{ "step": [0, 1], "turned": "ROTATED", "repeat":
            { "loop": true, "hurdles": 2, "beyond": 2, "over": { "not_piece": ["CANNON"] } } }] },
        { "code": "PAWN", "betza": "fW" }] }"#;
    let rules = tabiya_spec::load(file.as_bytes()).game.expect("a game").rules;
    let state = "k7/8/8/8/8/8/8/CC5K w - -";
    check(&rules, state, "a1", "d1", "from a1 to d1: the piece on b1 cannot be jumped over");
    let pawns = "k7/8/8/8/8/8/8/CP1P3K w - -";
    check(&rules, pawns, "a1", "c1", "it must jump over 2 pieces, and there is 1 in between");
    check(&rules, pawns, "a1", "g1", "from a1 to g1: it lands at most 2 steps behind d1");
}

#[test]
fn hops_are_written_like_other_moves() {
    let rules = game("shako").rules;
    let position = parse_state(&rules, "k9/10/4p5/10/4P5/10/4C5/10/10/9K w - -").expect("a state").position;
    let played = parse_uci(&rules, &position, "e4e8").expect("a legal move");
    assert_eq!(san(&rules, &position, played), "Cxe8");
}
