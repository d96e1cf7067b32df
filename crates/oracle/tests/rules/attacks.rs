//! Attacked squares.

use serde_json::{Value, json};

use crate::game::{Game, king, quiet, rook, slide, step, taking, with};
use crate::table::{Table, at};

/// Returns whether the piece on one square would be attacked on another.
fn attacked(table: &Table, square: &str, by_view_of: &str) -> bool {
    table.oracle().attacked(&table.state, at(square), at(by_view_of))
}

/// Returns a game with a white king on e1 and a black hunter on d4.
fn hunted<const N: usize>(moves: [Value; N]) -> Game {
    let game = Game::new(6, 6, "WHITE BLACK").leader("KING").kind("KING", king()).kind("HUNTER", moves);
    game.kind("ROOK", rook()).stand("WHITE KING", "e1").stand("BLACK HUNTER", "d4")
}

#[test]
fn captures_attack_and_moves_do_not() {
    let table = hunted([quiet(0, 0, 1), taking(1, 1, 1)]).table();
    assert!(attacked(&table, "c3", "e1"));
    assert!(!attacked(&table, "d3", "e1"));
    assert!(!attacked(&table, "e3", "e1"));
}

#[test]
fn the_square_of_a_defended_piece_is_attacked() {
    let table = hunted([slide(0, 0, 1)]).stand("BLACK ROOK", "d2").table();
    assert!(attacked(&table, "d2", "e1"));
    assert!(!attacked(&table.without("d4"), "d2", "e1"), "a piece does not defend itself");
}

#[test]
fn a_piece_does_not_block_its_own_attackers() {
    let table = hunted([slide(0, 0, 1)]).stand("WHITE ROOK", "d3").table();
    assert!(attacked(&table, "d1", "d3"));
    assert!(!attacked(&table, "d1", "e1"), "behind the rook");
    assert!(attacked(&table, "d3", "d3"));
}

#[test]
fn conditions_of_the_attacker_count() {
    let first = json!({ "conditions": [{ "condition": "FIRST_MOVE" }] });
    let table = hunted([with(taking(0, 0, 1), first)]).table();
    assert!(attacked(&table, "d3", "e1"));
    assert!(!attacked(&table.moved("d4"), "d3", "e1"));
}

#[test]
fn conditions_of_the_capturing_action_count() {
    let guided = json!([{ "condition": "SQUARE", "position": [2, 0], "state": "ENEMY" }]);
    let actions = json!([{ "state": "ENEMY", "action": "CAPTURE", "conditions": guided }]);
    let hunter = || hunted([with(step(0, 0, 1), json!({ "actions": actions }))]);
    assert!(attacked(&hunter().stand("WHITE ROOK", "b4").table(), "d3", "e1"));
    assert!(!attacked(&hunter().stand("BLACK ROOK", "b4").table(), "d3", "e1"), "no enemy of the attacker");
    assert!(!attacked(&hunter().stand("WHITE ROOK", "f4").table(), "d3", "e1"), "Black looks the other way");
}

#[test]
fn the_victim_is_placed_on_the_square() {
    let beside = json!({ "conditions": [
        { "condition": "SQUARE", "anchor": "TARGET", "position": [0, 0], "piece": ["ROOK"], "unmoved": true },
    ] });
    let table = hunted([with(taking(0, 0, 1), beside)]).stand("WHITE ROOK", "a1").table();
    assert!(attacked(&table, "d3", "a1"));
    assert!(!attacked(&table, "d3", "e1"), "a king");
    assert!(!attacked(&table.moved("a1"), "d3", "a1"), "a rook that has moved");
}

#[test]
fn an_attacker_ignores_attacks_on_itself() {
    for word in ["NOT_ATTACKED", "PATH_NOT_ATTACKED"] {
        let careful = json!({ "conditions": [{ "condition": word }] });
        let table = hunted([with(step(0, 0, 1), careful)]).stand("WHITE ROOK", "a3 a4").table();
        assert!(attacked(&table, "d3", "e1"), "{word}");
        let table = table.play("e1f1");
        assert_eq!(table.moves("d4"), "", "it would not go there itself");
    }
}

#[test]
fn an_attacker_ignores_attack_conditions_it_depends_on() {
    let depends = json!({ "conditions": [{ "condition": "DEPENDS_ON", "move_id": 1 }] });
    let careful = json!({ "conditions": [{ "condition": "NOT_ATTACKED" }] });
    let game = |blocker: &str| {
        let moves = [with(taking(0, 0, 1), depends.clone()), with(quiet(1, 1, 0), careful.clone())];
        hunted(moves).stand("WHITE ROOK", "c1").stand("BLACK ROOK", blocker).table()
    };
    assert!(attacked(&game("f6"), "d3", "e1"), "c4 is attacked by a rook");
    assert!(!attacked(&game("c4"), "d3", "e1"), "c4 is taken");
}

#[test]
fn an_attacker_may_be_pinned() {
    let game = hunted([taking(0, 0, 1), quiet(1, 1, 0)]).stand("BLACK KING", "d6").stand("WHITE ROOK", "d1");
    let table = game.table();
    assert!(attacked(&table, "d3", "e1"));
    let table = table.play("e1f1");
    assert_eq!(table.moves("d4"), "", "it cannot leave the file of its king");
}

#[test]
fn a_capture_with_a_blocked_side_effect_does_not_attack() {
    let pulls = json!({ "side_effects": [{ "action": "MOVE", "from": [-1, 0], "to": [-1, 1] }] });
    let game = |extra: &str| {
        let game = hunted([with(taking(0, 0, 1), pulls.clone())]).stand("BLACK ROOK", "e4");
        game.stand("WHITE ROOK", extra).table()
    };
    assert!(attacked(&game(""), "d3", "e1"));
    assert!(!attacked(&game("e3"), "d3", "e1"));
    assert!(attacked(&game("c3"), "d3", "e1"));
    assert!(attacked(&game("e3").without("e4"), "d3", "e1"), "nothing to pull");
}

#[test]
fn pieces_removed_by_side_effects_are_not_attacked() {
    let burns = json!({ "side_effects": [{ "action": "CAPTURE", "target": [1, 1] }] });
    let table = hunted([with(step(0, 0, 1), burns)]).table();
    assert!(attacked(&table, "d3", "e1"));
    assert!(!attacked(&table, "c3", "e1"));
}

#[test]
fn captures_of_allies_do_not_attack() {
    let eats = |state: &str| {
        let actions = json!({ "actions": [{ "state": state, "action": "CAPTURE" }] });
        hunted([with(step(0, 0, 1), actions)]).table()
    };
    assert!(attacked(&eats("ENEMY"), "d3", "e1"));
    assert!(!attacked(&eats("ALLY"), "d3", "e1"));
}

#[test]
fn own_pieces_and_eliminated_players_do_not_attack() {
    let table = hunted([step(0, 0, 1)]).stand("WHITE HUNTER", "a1").table();
    assert!(attacked(&table, "d3", "e1"));
    assert!(!attacked(&table, "a2", "e1"));
    let mut table = table;
    table.state.eliminated.insert("BLACK".into());
    assert!(!attacked(&table, "d3", "e1"));
}

#[test]
fn missing_pieces_and_squares_are_not_attacked() {
    let table = hunted([step(0, 0, 1), step(1, 0, 5)]).table();
    assert!(!attacked(&table, "d3", "a6"));
    assert!(!table.oracle().attacked(&table.state, (3, -1), at("e1")));
}
