//! Unmoved pieces count for identity if a rule can still ask about them.

use serde_json::{Value, json};

use crate::game::{Game, king, quiet, rook, step, with};
use crate::table::Table;

#[test]
fn definitions_that_are_not_rooted_may_ask_about_any_square() {
    let asks = |condition: Value| with(quiet(0, 0, 1), json!({ "conditions": [condition] }));
    let game = |condition: Value| {
        let game = Game::new(5, 5, "WHITE BLACK").kind("ASKER", [asks(condition)]).kind("ROOK", rook());
        game.stand("WHITE ASKER", "a1").stand("WHITE ROOK", "e1").stand("BLACK ROOK", "e5").table()
    };
    for word in ["PIECE_FIRST_MOVE", "ROOK_FIRST_MOVE"] {
        let table = game(json!({ "condition": word, "position": [1, 0] }));
        assert!(!table.same(&table.clone().moved("e5")), "{word}");
        assert!(!table.same(&table.clone().moved("a1")), "{word} may look at the asker, too");
    }
    let table =
        game(json!({ "condition": "SQUARE", "position": [1, 0], "piece": ["ROOK"], "unmoved": false }));
    assert!(!table.same(&table.clone().moved("e5")));
    assert!(table.same(&table.clone().moved("a1")), "it looks at rooks only");
    let table = game(json!({ "condition": "SQUARE", "position": [1, 0], "piece": ["ROOK"] }));
    assert!(table.same(&table.clone().moved("e5")), "it does not ask about moves");
}

#[test]
fn rooted_definitions_ask_about_fixed_squares() {
    let asks = |condition: Value| {
        with(quiet(0, 0, 1), json!({ "conditions": [{ "condition": "FIRST_MOVE" }, condition] }))
    };
    let game = |condition: Value| {
        let game = Game::new(5, 5, "WHITE BLACK").kind("ASKER", [asks(condition)]).kind("ROOK", rook());
        game.stand("WHITE ASKER", "a1").stand("WHITE ROOK", "b1 c1").stand("BLACK ROOK", "e5").table()
    };
    let table = game(json!({ "condition": "PIECE_FIRST_MOVE", "position": [1, 0] }));
    assert!(!table.same(&table.clone().moved("b1")));
    assert!(table.same(&table.clone().moved("c1 e5")));
    assert!(table.clone().moved("b1").same(&table.clone().moved("a1")), "either way it is lost");
    let table = game(json!({ "condition": "ROOK_FIRST_MOVE", "position": [1, 0] }));
    assert!(!table.clone().moved("b1").same(&table.clone().moved("a1")), "b1 may become empty");
    let beside = json!({ "condition": "SQUARE", "anchor": "TARGET", "position": [1, 0], "unmoved": true });
    assert!(!game(beside.clone()).same(&game(beside).moved("e5")), "from the landing: any square");
}

#[test]
fn first_move_counts_in_actions_and_modifiers_too() {
    let first = json!([{ "condition": "FIRST_MOVE" }]);
    let in_action = json!({ "actions": [{ "state": "EMPTY", "action": "MOVE", "conditions": first }] });
    let in_modifier =
        json!({ "modifiers": [{ "action": "TRANSFORM", "conditions": first, "options": ["ROOK"] }] });
    for (keys, expected) in [(in_action, false), (in_modifier, false), (json!({}), true)] {
        let game = Game::new(5, 5, "WHITE BLACK")
            .kind("PAWN", [with(quiet(0, 0, 1), keys.clone())])
            .kind("ROOK", rook());
        let table = game.stand("WHITE PAWN", "a1").stand("BLACK ROOK", "e5").table();
        assert_eq!(table.same(&table.clone().moved("a1")), expected, "{keys}");
    }
}

#[test]
fn eliminated_players_have_no_first_move() {
    let double = with(quiet(0, 0, 2), json!({ "conditions": [{ "condition": "FIRST_MOVE" }] }));
    let game = Game::new(5, 5, "WHITE BLACK RED").kind("PAWN", [double]).kind("KING", king());
    let game = game.stand("WHITE KING", "a1").stand("BLACK KING", "e5").stand("BLACK PAWN", "c5");
    let mut table = game.stand("RED KING", "a5").table();
    assert!(!table.same(&table.clone().moved("c5")));
    table.state.eliminated.insert("BLACK".into());
    assert!(table.same(&table.clone().moved("c5")));
}

/// Returns a game in which a move of the white king requires an unmoved white rook at this distance, and pawns have these
/// modifiers.
fn castle(distance: i32, goals: &[(&str, &str)], options: &[&str], keys: Value) -> Table {
    let castles = json!({ "conditions": [
        { "condition": "FIRST_MOVE" },
        { "condition": "SQUARE", "position": [distance, 0], "state": "ALLY", "piece": ["ROOK"], "unmoved": true },
    ] });
    let in_goal =
        json!([{ "action": "TRANSFORM", "conditions": [{ "condition": "GOAL" }], "options": options }]);
    let pawn = with(with(step(0, 0, 1), json!({ "modifiers": in_goal })), keys);
    let game = Game::new(5, 5, "WHITE BLACK").position("GOAL", "", goals).kind("ROOK", rook());
    let game = game.kind("PAWN", [pawn]).kind("KING", [with(quiet(0, 0, 1), castles)]);
    game.stand("WHITE KING", "a1").stand("WHITE ROOK", "c1").stand("BLACK PAWN", "c4").table()
}

#[test]
fn a_new_piece_may_renew_a_lost_right() {
    let revives = |distance: i32, goals: &[(&str, &str)], options: &[&str], keys: Value| {
        let lost = castle(distance, goals, options, keys).moved("c1");
        !lost.same(&lost.clone().moved("a1"))
    };
    assert!(!revives(2, &[("WHITE", "c5")], &["ROOK"], json!({})), "never on c1");
    assert!(!revives(2, &[("BLACK", "c1")], &["ROOK"], json!({})), "only an enemy");
    assert!(revives(2, &[("WHITE", "c1")], &["PAWN", "ROOK"], json!({})));
    assert!(!revives(2, &[("WHITE", "c1")], &["PAWN"], json!({})), "never a rook");
    let carried = json!({ "side_effects": [{ "action": "MOVE", "from": [0, 1], "to": [0, -1] }] });
    assert!(revives(2, &[("WHITE", "c5")], &["ROOK"], carried), "carried to another square");
    let anywhere = json!({ "modifiers": [{ "action": "TRANSFORM", "options": ["ROOK"] }] });
    assert!(revives(2, &[], &["ROOK"], anywhere.clone()));
    assert!(!revives(-2, &[], &["ROOK"], anywhere), "there is no such square");
}

#[test]
fn a_promoted_piece_may_ask_about_others() {
    let table = |options: &[&str]| castle(2, &[("WHITE", "a5")], options, json!({})).moved("a1");
    assert!(table(&["ROOK"]).same(&table(&["ROOK"]).moved("c1")), "the king has moved");
    assert!(!table(&["KING"]).same(&table(&["KING"]).moved("c1")), "another king may come");
}
