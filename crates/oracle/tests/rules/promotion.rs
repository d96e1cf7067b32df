//! Promotion.

use serde_json::{Value, json};

use crate::game::{Game, king, quiet, rook, step, with};
use crate::table::Table;

/// Returns a game with a white pawn on a3 of a board with four ranks; the last is its goal.
fn pawn(modifiers: &Value, keys: Value) -> Table {
    let definition = with(with(step(0, 0, 1), json!({ "modifiers": modifiers })), keys);
    let game = Game::new(4, 4, "WHITE BLACK").position("LAST", "a4 b4", &[("BLACK", "a1")]);
    let game = game.kind("PAWN", [definition]).kind("ROOK", rook()).kind("KING", king());
    game.stand("WHITE PAWN", "a3 c1").stand("WHITE KING", "d1").stand("BLACK KING", "d4").table()
}

fn becomes(conditions: &Value, options: &[&str]) -> Value {
    json!({ "action": "TRANSFORM", "conditions": conditions, "options": options })
}

fn last(options: &[&str]) -> Value {
    becomes(&json!([{ "condition": "LAST" }]), options)
}

#[test]
fn each_option_is_a_move() {
    let table = pawn(&json!([last(&["ROOK", "KING"])]), json!({}));
    assert_eq!(table.moves("a3"), "a4=KING a4=ROOK");
    assert_eq!(table.moves("c1"), "c2", "not on the last row");
}

#[test]
fn the_promoted_piece_is_new() {
    let flagged = json!({ "side_effects": [{ "action": "SET_STATE", "state": "HOT" }] });
    let table = pawn(&json!([last(&["ROOK", "PAWN"])]), flagged);
    assert_eq!(table.clone().play("a3a4=ROOK").at("a4"), "WHITE ROOK unmoved");
    assert_eq!(table.clone().play("a3a4=PAWN").at("a4"), "WHITE PAWN unmoved");
    assert_eq!(table.play("c1c2").at("c2"), "WHITE PAWN HOT");
}

#[test]
fn only_the_first_matching_modifier_applies() {
    let moved = json!([{ "condition": "LAST" }, { "condition": "FIRST_MOVE" }]);
    let modifiers = json!([becomes(&moved, &["KING"]), last(&["ROOK"])]);
    let table = pawn(&modifiers, json!({}));
    assert_eq!(table.moves("a3"), "a4=KING");
    assert_eq!(table.moved("a3").moves("a3"), "a4=ROOK");
}

#[test]
fn conditions_are_checked_before_the_move() {
    let beside = json!([{ "condition": "SQUARE", "position": [0, 0], "piece": ["PAWN"], "unmoved": true }]);
    let table = pawn(&json!([becomes(&beside, &["ROOK"])]), json!({}));
    assert_eq!(table.moves("a3"), "a4=ROOK");
    let landed =
        json!([{ "condition": "SQUARE", "position": [0, 0], "anchor": "TARGET", "piece": ["PAWN"] }]);
    let table = pawn(&json!([becomes(&landed, &["ROOK"])]), json!({}));
    assert_eq!(table.moves("a3"), "a4");
}

#[test]
fn the_piece_is_promoted_on_its_final_square() {
    let carried = json!({ "side_effects": [{ "action": "MOVE", "from": [0, 1], "to": [2, 1] }] });
    let table = pawn(&json!([last(&["ROOK"])]), carried).play("a3a4=ROOK");
    assert_eq!((table.at("a4"), table.at("c4")), ("-".into(), "WHITE ROOK unmoved".into()));
    let burnt = json!({ "side_effects": [{ "action": "CAPTURE", "target": [0, 1] }] });
    let table = pawn(&json!([last(&["ROOK", "KING"])]), burnt);
    assert_eq!(table.moves("a3"), "a4=KING a4=ROOK");
    assert_eq!(table.play("a3a4=ROOK").at("a4"), "-");
}

#[test]
fn legality_is_judged_with_the_promoted_piece() {
    let game = |option: &str| {
        let become_any = json!({ "modifiers": [becomes(&json!([]), &[option])] });
        let game = Game::new(4, 4, "WHITE BLACK").leader("KING").kind("KING", king()).kind("ROOK", rook());
        let game = game.kind("PAWN", [with(quiet(0, 0, 1), become_any)]);
        game.stand("WHITE PAWN", "a3").stand("BLACK ROOK", "d4").table()
    };
    assert_eq!(game("ROOK").moves("a3"), "a4=ROOK");
    assert_eq!(game("KING").moves("a3"), "", "a king would stand attacked");
}
