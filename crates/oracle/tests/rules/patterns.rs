//! Squares that a repeated step reaches.

use serde_json::{Value, json};

use crate::game::{Game, quiet, slide, step, with};
use crate::table::Table;

/// Returns a game with a runner on a1 of a single column, with allies or enemies ahead.
fn column(definition: Value, white: &str, black: &str) -> Table {
    let game = Game::new(1, 8, "WHITE BLACK").position("FIFTH", "a5", &[]);
    let game = game.kind("RUNNER", [definition]).kind("STONE", [quiet(0, 0, 9)]);
    game.stand("WHITE RUNNER", "a1").stand("WHITE STONE", white).stand("BLACK STONE", black).table()
}

#[expect(clippy::needless_pass_by_value, reason = "the calls read better")]
fn check(repeat: Value, white: &str, black: &str, expected: &str) {
    let table = column(with(step(0, 0, 1), json!({ "repeat": repeat })), white, black);
    assert_eq!(table.moves("a1"), expected, "{repeat}, white {white:?}, black {black:?}");
}

#[test]
fn a_single_step_goes_one_square() {
    assert_eq!(column(step(0, 0, 1), "", "").moves("a1"), "a2");
    assert_eq!(column(step(0, 0, 1), "", "a2").moves("a1"), "a2");
    assert_eq!(column(step(0, 0, 1), "a2", "").moves("a1"), "");
}

#[test]
fn a_slide_ends_on_the_first_piece() {
    check(json!({ "loop": true }), "", "", "a2 a3 a4 a5 a6 a7 a8");
    check(json!({ "loop": true }), "", "a4 a6", "a2 a3 a4");
    check(json!({ "loop": true }), "a4", "a6", "a2 a3");
}

#[test]
fn times_is_a_maximum() {
    check(json!({ "times": 2 }), "", "", "a2 a3");
    check(json!({ "times": 2 }), "", "a2", "a2");
    check(json!({}), "", "", "a2");
}

#[test]
fn min_skips_the_first_squares_but_not_their_pieces() {
    check(json!({ "times": 2, "min": 2 }), "", "", "a3");
    check(json!({ "times": 2, "min": 2 }), "", "a2", "");
    check(json!({ "loop": true, "min": 3 }), "", "a6", "a4 a5 a6");
}

#[test]
fn until_determines_what_ends_a_slide() {
    check(json!({ "loop": true, "until": "ENEMY" }), "a3", "a5", "a2 a4 a5");
    check(json!({ "loop": true, "until": "ALLY" }), "a5", "a3", "a2 a3 a4");
    check(json!({ "loop": true, "until": "EMPTY" }), "", "a2 a3", "a2 a3 a4");
    check(json!({ "loop": true, "until": "EMPTY" }), "", "", "a2");
    check(json!({ "loop": true, "until": "FIFTH" }), "a3", "a4", "a2 a4 a5");
}

#[test]
fn a_square_without_an_action_does_not_end_the_slide() {
    let only_fifth = json!({ "repeat": { "loop": true }, "conditions": [{ "condition": "FIFTH" }] });
    assert_eq!(column(with(step(0, 0, 1), only_fifth.clone()), "", "").moves("a1"), "a5");
    assert_eq!(column(with(step(0, 0, 1), only_fifth), "", "a4").moves("a1"), "");
}

#[test]
fn a_hole_ends_a_slide_but_not_a_leap() {
    let game = |definition| {
        let game = Game::new(1, 8, "WHITE BLACK").gaps("a4").kind("RUNNER", [definition]);
        game.stand("WHITE RUNNER", "a1").stand("BLACK RUNNER", "a8").table()
    };
    assert_eq!(game(slide(0, 0, 1)).moves("a1"), "a2 a3");
    assert_eq!(game(step(0, 0, 4)).moves("a1"), "a5");
    assert_eq!(game(step(0, 0, 3)).moves("a1"), "");
}

#[test]
fn a_step_is_a_row_times_the_matrix() {
    let game = Game::new(5, 5, "WHITE BLACK RED GOLD").kind("PAWN", [step(0, 0, 1), step(1, 1, 2)]);
    let game = game.stand("WHITE PAWN", "b1").stand("BLACK PAWN", "d5").stand("RED PAWN", "a4");
    let table = game.stand("GOLD PAWN", "e2").table();
    assert_eq!(table.moves("b1"), "b2 c3");
    let table = table.play("b1b2");
    assert_eq!(table.moves("d5"), "c3 d4");
    let table = table.play("d5d4");
    assert_eq!(table.moves("a4"), "b4 c3", "to the right, and its own right is down");
    assert_eq!(table.play("a4b4").moves("e2"), "c3 d2", "to the left, and its own right is up");
}
