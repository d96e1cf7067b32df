//! Durations of flags.

use serde_json::{Value, json};

use crate::game::{Game, quiet, with};
use crate::table::Table;

/// Returns a game in which every player has two pawns that can always step; the step sets a flag.
fn race(order: &str, duration: &Value) -> Table {
    let mut effect = json!({ "action": "SET_STATE", "state": "HOT" });
    if !duration.is_null() {
        effect["duration"] = duration.clone();
    }
    let marks = with(quiet(0, 0, 1), json!({ "side_effects": [effect] }));
    let game = Game::new(9, 9, order).kind("PAWN", [marks]).kind("WALKER", [quiet(0, 0, 1)]);
    let mut game = game.stand("WHITE PAWN", "b2").stand("WHITE WALKER", "c2").stand("BLACK WALKER", "h8");
    if order.contains("RED") {
        game = game.stand("RED WALKER", "a5").stand("GOLD WALKER", "i6");
    }
    game.table()
}

/// Plays the moves and compares the pawn after each.
fn check(mut table: Table, steps: &[(&str, &str, &str)]) {
    for (text, square, expected) in steps {
        table = table.play(text);
        assert_eq!(table.at(square), *expected, "after {text}");
    }
}

#[test]
fn a_flag_of_one_turn_lasts_for_the_next_turn_only() {
    let steps = [("b2b3", "b3", "WHITE PAWN HOT:1"), ("h8h7", "b3", "WHITE PAWN")];
    check(race("WHITE BLACK", &json!(1)), &steps);
}

#[test]
fn turns_of_the_slot_that_set_it_do_not_count() {
    let steps = [
        ("b2b3", "b3", "WHITE PAWN HOT:2"),
        ("h8h7", "b3", "WHITE PAWN HOT:1"),
        ("c2c3", "b3", "WHITE PAWN HOT:1"),
        ("h7h6", "b3", "WHITE PAWN"),
    ];
    check(race("WHITE BLACK", &json!(2)), &steps);
}

#[test]
fn the_second_turn_of_a_player_is_another_slot() {
    let steps = [("b2b3", "b3", "WHITE PAWN HOT:1"), ("c2c3", "b3", "WHITE PAWN")];
    check(race("WHITE WHITE BLACK", &json!(1)), &steps);
    let steps = [
        ("c2c3", "b2", "WHITE PAWN unmoved"),
        ("b2b3", "b3", "WHITE PAWN HOT:1"),
        ("h8h7", "b3", "WHITE PAWN"),
    ];
    check(race("WHITE WHITE BLACK", &json!(1)), &steps);
}

#[test]
fn with_four_players_three_turns_last_one_round() {
    let steps = [
        ("b2b3", "b3", "WHITE PAWN HOT:3"),
        ("h8h7", "b3", "WHITE PAWN HOT:2"),
        ("a5b5", "b3", "WHITE PAWN HOT:1"),
        ("i6h6", "b3", "WHITE PAWN"),
    ];
    check(race("WHITE BLACK RED GOLD", &json!(3)), &steps);
}

#[test]
fn setting_a_flag_again_restarts_it() {
    let steps = [
        ("b2b3", "b3", "WHITE PAWN HOT:2"),
        ("h8h7", "b3", "WHITE PAWN HOT:1"),
        ("b3b4", "b4", "WHITE PAWN HOT:2"),
    ];
    check(race("WHITE BLACK", &json!(2)), &steps);
}

#[test]
fn a_flag_without_duration_is_permanent() {
    let steps = [
        ("b2b3", "b3", "WHITE PAWN HOT"),
        ("h8h7", "b3", "WHITE PAWN HOT"),
        ("c2c3", "b3", "WHITE PAWN HOT"),
    ];
    check(race("WHITE BLACK", &Value::Null), &steps);
    let table = race("WHITE BLACK", &Value::Null).play("b2b3");
    assert_eq!(table.state.pieces[&(1, 2)].flags["HOT"].slot, None);
}

#[test]
fn an_elimination_is_not_a_turn() {
    let marks = json!({ "side_effects": [{ "action": "SET_STATE", "state": "HOT", "duration": 1 }] });
    let game = Game::new(5, 5, "WHITE BLACK RED").kind("PAWN", [with(quiet(0, 0, 1), marks)]);
    let game = game.stand("WHITE PAWN", "a1").stand("BLACK PAWN", "b2").stand("RED PAWN", "a5");
    let table = game.table().play("a1a2 b2b1 a5b5 a2a3");
    assert_eq!(table.turn(), "RED without BLACK");
    assert_eq!(table.at("a3"), "WHITE PAWN HOT:1");
    assert_eq!(table.play("b5c5").at("a3"), "WHITE PAWN");
}

#[test]
fn check_state_holds_while_the_flag_lasts() {
    let marks = json!({ "side_effects": [{ "action": "SET_STATE", "state": "HOT", "duration": 1 }] });
    let hot = |flag: &str| json!({ "conditions": [{ "condition": "CHECK_STATE", "state": flag, "position": [1, 0] }] });
    let game = |flag: &str| {
        let game = Game::new(3, 6, "WHITE BLACK").kind("RUNNER", [with(quiet(0, 0, 2), marks.clone())]);
        let game = game.kind("HUNTER", [with(quiet(0, 0, 1), hot(flag))]).kind("PAWN", [quiet(0, 0, 1)]);
        let game = game.stand("WHITE RUNNER", "a1").stand("WHITE PAWN", "c1").stand("BLACK HUNTER", "b3");
        game.stand("BLACK PAWN", "c6").table()
    };
    assert_eq!(game("HOT").play("a1a3").moves("b3"), "b2");
    assert_eq!(game("HOT").play("c1c2").moves("b3"), "", "no piece there");
    assert_eq!(game("ICY").play("a1a3").moves("b3"), "", "another flag");
    assert_eq!(game("HOT").play("a1a3 c6c5 c1c2").moves("b3"), "", "too late");
}
