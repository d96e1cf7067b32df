//! Squares that a repeated step reaches.

use serde_json::{Value, json};

use crate::game::{Game, quiet, slide, step, taking, with};
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

#[test]
fn a_slide_over_hurdles_lands_behind_them() {
    let hop = |more: Value| with(json!({ "loop": true, "hurdles": 1 }), more);
    check(hop(json!({})), "", "", "");
    check(hop(json!({})), "a3", "", "a4 a5 a6 a7 a8");
    check(hop(json!({})), "", "a2 a5 a7", "a3 a4 a5");
    check(hop(json!({})), "a6", "a3", "a4 a5");
    check(hop(json!({})), "", "a8", "");
    check(hop(json!({ "hurdles": 2 })), "a3", "a5 a7", "a6 a7");
    check(hop(json!({ "hurdles": 2 })), "a2 a3", "", "a4 a5 a6 a7 a8");
    check(hop(json!({ "hurdles": 2 })), "a3", "", "");
}

#[test]
fn min_and_times_count_all_steps_of_a_hop() {
    check(json!({ "times": 4, "hurdles": 1 }), "a3", "", "a4 a5");
    check(json!({ "times": 4, "hurdles": 1 }), "a5", "", "");
    check(json!({ "loop": true, "min": 5, "hurdles": 1 }), "a3", "", "a6 a7 a8");
    check(json!({ "loop": true, "min": 5, "hurdles": 1 }), "a3", "a5", "");
}

#[test]
fn beyond_limits_the_steps_after_the_last_hurdle() {
    let near = |beyond: i32| json!({ "loop": true, "hurdles": 1, "beyond": beyond });
    check(near(1), "a4", "", "a5");
    check(near(1), "", "a4 a5", "a5");
    check(near(1), "a4 a5", "", "");
    check(near(2), "a4", "", "a5 a6");
    check(json!({ "loop": true, "hurdles": 2, "beyond": 1 }), "a3 a6", "", "a7");
    check(json!({ "loop": true, "hurdles": 1, "beyond": 1, "min": 5 }), "a4", "", "");
}

#[test]
fn over_limits_the_hurdles() {
    let over = |over: Value| json!({ "loop": true, "hurdles": 1, "over": over });
    check(over(json!({ "owner": "OWN" })), "a3", "", "a4 a5 a6 a7 a8");
    check(over(json!({ "owner": "OWN" })), "a4", "a3", "");
    check(over(json!({ "owner": "ENEMY" })), "a6", "a3", "a4 a5");
    check(over(json!({ "owner": "TEAM" })), "a3", "a6", "a4 a5 a6");
    check(over(json!({ "piece": ["RUNNER"] })), "a3", "a6", "");
    check(over(json!({ "not_piece": ["STONE"] })), "", "a6", "");
    check(over(json!({ "not_piece": ["RUNNER"] })), "", "a3 a6", "a4 a5 a6");
}

#[test]
fn until_applies_behind_the_last_hurdle() {
    let until = |word: &str| json!({ "loop": true, "hurdles": 1, "until": word });
    check(until("EMPTY"), "", "a3 a4", "a4 a5");
    check(until("ENEMY"), "a3 a5", "a7", "a4 a6 a7");
    check(until("FIFTH"), "a2", "", "a3 a4 a5");
    check(until("FIFTH"), "a6", "", "a7 a8");
}

#[test]
fn hurdles_decide_checks_in_every_way() {
    let hop = |id: i32, x: i32, y: i32, more: Value| {
        let repeat = with(json!({ "loop": true, "hurdles": 1 }), more);
        with(taking(id, x, y), json!({ "repeat": repeat }))
    };
    let all = |more: &Value| {
        let ways = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let hops = ways.map(|(x, y)| hop(10 + 3 * x + y, x, y, more.clone()));
        crate::game::rook()
            .map(|slide| with(slide, json!({ "actions": [{ "state": "EMPTY", "action": "MOVE" }] })))
            .into_iter()
            .chain(hops)
            .collect::<Vec<Value>>()
    };
    for more in [
        json!({}),
        json!({ "beyond": 1 }),
        json!({ "over": { "not_piece": ["CANNON"] } }),
        json!({ "hurdles": 2 }),
    ] {
        let game =
            Game::new(5, 5, "WHITE BLACK").kind("KING", crate::game::king()).says("leader", json!("KING"));
        let game = game.kind("CANNON", all(&more)).kind("ROOK", crate::game::rook());
        let game = game.stand("WHITE KING", "c1").stand("WHITE ROOK", "c2").stand("WHITE CANNON", "a3");
        game.stand("BLACK KING", "c5").stand("BLACK ROOK", "d4").stand("BLACK CANNON", "c4 e3").agrees(3);
    }
}
