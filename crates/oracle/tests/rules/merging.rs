//! Definitions that lead to the same square.

use serde_json::{Value, json};

use crate::game::{Game, quiet, rook, slide, step, with};
use crate::table::Table;

fn twofold(first: Value, second: Value) -> Table {
    let game = Game::new(4, 4, "WHITE BLACK").kind("PAWN", [first, second]).kind("ROOK", rook());
    game.stand("WHITE PAWN", "a1").stand("WHITE ROOK", "d1").stand("BLACK PAWN", "d4").table()
}

fn marks(definition: Value, duration: i32) -> Value {
    let effect = json!([{ "action": "SET_STATE", "state": "HOT", "duration": duration }]);
    with(definition, json!({ "side_effects": effect }))
}

fn promotes(definition: Value, options: &[&str]) -> Value {
    with(definition, json!({ "modifiers": [{ "action": "TRANSFORM", "options": options }] }))
}

#[test]
fn equal_moves_are_merged_into_the_first() {
    let table = twofold(quiet(7, 0, 2), with(slide(3, 0, 1), json!({ "repeat": { "times": 3 } })));
    assert_eq!(table.numbered("a1"), "a3#7 a2#3 a4#3");
    assert_eq!(table.clone().play("a1a3").at("a3"), "WHITE PAWN");
    let other = tabiya_oracle::Ply { from: (0, 0), to: (0, 2), id: 3, ..tabiya_oracle::Ply::default() };
    assert_eq!(table.oracle().play(&table.state, &other), None, "its number went with it");
}

#[test]
fn moves_that_differ_in_a_flag_stay_separate() {
    assert_eq!(twofold(quiet(0, 0, 1), marks(quiet(1, 0, 1), 1)).numbered("a1"), "a2#0 a2#1");
    assert_eq!(twofold(marks(quiet(0, 0, 1), 2), marks(quiet(1, 0, 1), 1)).numbered("a1"), "a2#0 a2#1");
    assert_eq!(twofold(marks(quiet(0, 0, 1), 1), marks(quiet(1, 0, 1), 1)).numbered("a1"), "a2#0");
}

#[test]
fn moves_that_differ_in_moved_pieces_stay_separate() {
    let there_and_back = json!({ "side_effects": [
        { "action": "MOVE", "from": [3, 0], "to": [3, 1] }, { "action": "MOVE", "from": [3, 1], "to": [3, 0] },
    ] });
    let table = twofold(quiet(0, 0, 1), with(quiet(1, 0, 1), there_and_back));
    assert_eq!(table.numbered("a1"), "a2#0 a2#1");
    assert_eq!(table.clone().moved("d1").numbered("a1"), "a2#0", "the rook had moved before");
    assert_eq!(table.play("a1a2#1").at("d1"), "WHITE ROOK");
}

#[test]
fn promotions_are_merged_individually() {
    let table = twofold(promotes(quiet(0, 0, 1), &["ROOK"]), promotes(quiet(1, 0, 1), &["PAWN", "ROOK"]));
    assert_eq!(table.numbered("a1"), "a2=ROOK#0 a2=PAWN#1");
    let table = twofold(promotes(quiet(0, 0, 1), &["PAWN"]), quiet(1, 0, 1));
    assert_eq!(table.numbered("a1"), "a2=PAWN#0 a2#1", "a fresh pawn is not the old one");
}

#[test]
fn inapplicable_definitions_hide_nothing() {
    let first = with(step(0, 0, 1), json!({ "conditions": [{ "condition": "FIRST_MOVE" }] }));
    let table = twofold(first, quiet(1, 0, 1));
    assert_eq!(table.numbered("a1"), "a2#0");
    assert_eq!(table.moved("a1").numbered("a1"), "a2#1");
}
