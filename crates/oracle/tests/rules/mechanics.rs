//! Teams, attackable leaders, frozen and controlled armies, shared squares, figures and reactions. The engine also plays
//! each small game completely and must agree.

use serde_json::{Value, json};

use crate::game::{Game, king, quiet, step, taking, with};

fn leader(keys: Value) -> Value {
    with(json!({ "piece": "KING" }), keys)
}

/// Returns a king's step to the right and back, without captures.
fn walker() -> [Value; 2] {
    [quiet(0, 1, 0), quiet(1, -1, 0)]
}

#[test]
fn a_leader_captured_by_a_figure_eliminates_its_owner() {
    let game = Game::new(4, 1, "WHITE BLACK")
        .says("leader", leader(json!({ "exposure": "ALLOWED" })))
        .says("figures", json!([{ "piece": "KING", "shape": [[0, 0], [1, 0]] }]))
        .kind("KING", walker())
        .stand("WHITE KING", "a1")
        .stand("BLACK KING", "d1");
    assert_eq!(game.table().play("a1b1 d1c1").outcome(), "leader_captured BLACK");
    game.agrees(3);
}

#[test]
fn control_ends_with_the_controlling_leader() {
    let game = Game::new(3, 3, "WHITE BLACK RED")
        .says("leader", leader(json!({ "exposure": "ALLOWED" })))
        .says("teams", json!([{ "name": "SKY", "players": ["WHITE", "RED"] }]))
        .position("THRONE", "", &[("RED", "b1")])
        .says("control", json!({ "in": "THRONE", "thaws": true }))
        .kind("KING", king())
        .stand("WHITE KING", "a1")
        .stand("BLACK KING", "b2")
        .stand("RED KING", "c3");
    let table = game.table().play("a1b1");
    assert_eq!(table.state.control.get("RED").map(String::as_str), Some("WHITE"));
    let table = table.play("b2b1");
    assert!(table.state.control.is_empty(), "{:?}", table.state.control);
    game.agrees(3);
}

#[test]
fn side_effects_do_not_capture_frozen_pieces() {
    let beater = with(quiet(0, 0, 1), json!({ "side_effects": [{ "action": "CAPTURE", "target": [1, 0] }] }));
    let game = Game::new(4, 3, "WHITE UPPER RED")
        .says("leader", leader(json!({ "exposure": "ALLOWED", "captured": "FREEZES" })))
        .kind("KING", [step(0, 1, 0)])
        .kind("TROOPER", [beater])
        .stand("WHITE KING", "a3")
        .stand("RED KING", "b3")
        .stand("UPPER KING", "d3")
        .stand("UPPER TROOPER", "a1")
        .stand("RED TROOPER", "b1");
    assert_eq!(game.table().play("a3b3 a1a2").at("b1"), "RED TROOPER unmoved");
    game.agrees(3);
}

#[test]
fn pieces_that_cannot_capture_the_victim_do_not_attack_it() {
    let careful = with(step(0, 0, 1), json!({ "conditions": [{ "condition": "NOT_ATTACKED" }] }));
    let picky = json!({ "actions": [{ "state": "ENEMY", "action": "CAPTURE", "not_piece": ["TROOPER"] }] });
    let game = Game::new(2, 2, "WHITE UPPER")
        .leader("KING")
        .kind("KING", [])
        .kind("TROOPER", [careful])
        .kind("GUARD", [with(taking(0, -1, 0), picky)])
        .stand("WHITE KING", "b1")
        .stand("WHITE TROOPER", "a1")
        .stand("UPPER GUARD", "b2");
    assert_eq!(game.table().moves("a1"), "a2", "the guard takes a king, but not a trooper");
    game.agrees(2);
}

#[test]
fn a_piece_keeps_its_tag_on_other_squares() {
    let careful = with(step(0, 0, 1), json!({ "conditions": [{ "condition": "NOT_ATTACKED" }] }));
    let same = json!({ "actions": [{ "state": "ENEMY", "action": "CAPTURE", "same_tag": true }] });
    let values = json!({ "RAM": [[0, 0]], "CRAB": [[1, 1]] });
    let game = Game::new(2, 2, "WHITE UPPER")
        .says("tag", json!({ "code": "SIGN", "pieces": ["TROOPER", "GUARD"], "values": values }))
        .kind("TROOPER", [careful])
        .kind("GUARD", [with(taking(0, -1, 0), same)])
        .stand("WHITE TROOPER", "a1")
        .stand("UPPER GUARD", "b2");
    assert_eq!(game.table().moves("a1"), "a2", "a ram is not taken by a crab");
    game.agrees(2);
}

#[test]
fn a_player_who_still_holds_at_the_next_turn_wins_alone() {
    let game = Game::new(4, 2, "WHITE UPPER")
        .leader("KING")
        .position("PTAH", "", &[("WHITE", "a1"), ("UPPER", "d1")])
        .says("hold", json!({ "in": "PTAH", "code": "PTAH" }))
        .kind("KING", [])
        .kind("TROOPER", [quiet(0, 1, 0), quiet(1, -1, 0)])
        .stand("WHITE KING", "a1")
        .stand("WHITE TROOPER", "a2")
        .stand("UPPER KING", "d1")
        .stand("UPPER TROOPER", "d2");
    assert_eq!(game.table().play("a2b2 d2c2").outcome(), "ptah WHITE");
    game.agrees(3);
}

#[test]
fn a_promotion_may_depend_on_another_move() {
    let depends = json!([{ "condition": "DEPENDS_ON", "move_id": 1 }]);
    let modifier = json!([{ "action": "TRANSFORM", "conditions": depends, "options": ["STONE"] }]);
    let game = Game::new(2, 2, "WHITE UPPER")
        .kind("TROOPER", [with(quiet(0, 0, 1), json!({ "modifiers": modifier })), quiet(1, 1, 0)])
        .kind("STONE", [])
        .stand("WHITE TROOPER", "a1")
        .stand("UPPER STONE", "b2");
    assert_eq!(game.table().moves("a1"), "a2=STONE b1");
    game.agrees(2);
}

#[test]
fn a_leader_with_a_guest_is_attacked_by_pieces_that_may_capture_the_guest() {
    let picky = json!({ "actions": [{ "state": "ENEMY", "action": "CAPTURE", "not_piece": ["KING"] }] });
    let game = Game::new(3, 2, "WHITE UPPER")
        .leader("KING")
        .position("THRONE", "b1", &[])
        .says("sharing", json!({ "in": "THRONE", "join": "ALLOWED" }))
        .kind("KING", [quiet(0, 0, 1)])
        .kind("TROOPER", [quiet(0, 1, 0)])
        .kind("GUARD", [with(taking(0, -1, 0), picky)])
        .stand("WHITE KING", "b1")
        .stand("WHITE TROOPER", "a1")
        .stand("UPPER KING", "a2")
        .stand("UPPER GUARD", "c1");
    assert_eq!(game.table().moves("a1"), "", "the guard would take both");
    game.agrees(2);
}

#[test]
fn exposure_is_judged_after_reactions() {
    let reaction = json!([{ "captured": ["TROOPER"], "piece": "TROOPER", "to": "GUARD" }]);
    let game = Game::new(3, 2, "WHITE UPPER")
        .leader("KING")
        .says("reactions", reaction)
        .kind("KING", [quiet(0, 0, 1)])
        .kind("TROOPER", [step(0, 0, 1)])
        .kind("GUARD", [step(0, -1, 0)])
        .stand("WHITE KING", "b1")
        .stand("WHITE TROOPER", "a1")
        .stand("UPPER TROOPER", "a2 c1");
    assert_eq!(game.table().moves("a1"), "", "the other trooper becomes a guard, and attacks");
    game.agrees(2);
}

/// Returns a game in which White's king and another piece share a square; that piece may step ahead if its neighbour is
/// unmoved.
fn couple() -> Game {
    let asks = json!({ "conditions": [{ "condition": "PIECE_FIRST_MOVE", "position": [1, 0] }] });
    Game::new(3, 2, "WHITE UPPER")
        .leader("KING")
        .position("THRONE", "a1", &[])
        .says("sharing", json!({ "in": "THRONE", "join": "NEVER" }))
        .kind("KING", [])
        .kind("TROOPER", [with(quiet(0, 0, 1), asks)])
        .kind("STONE", [])
        .stand("WHITE KING", "a1")
        .stand("WHITE TROOPER", "a1")
        .stand("WHITE STONE", "b1")
        .stand("UPPER KING", "c2")
}

#[test]
fn a_guest_is_counted() {
    let when = json!([{ "condition": "COUNT", "piece": ["TROOPER"], "max": 0 }]);
    let game = couple().says("endings", json!([{ "code": "NO_MAN", "stops": true, "when": when }]));
    assert_eq!(game.table().outcome(), "-");
    game.agrees(1);
}

#[test]
fn memories_that_a_guest_needs_are_kept() {
    let table = couple().table();
    assert_eq!(table.moves("a1"), "a2");
    assert!(!table.same(&table.clone().moved("b1")));
    couple().agrees(1);
}
