//! Moves that are illegal because of the own leader.

use serde_json::{Value, json};

use crate::game::{Game, king, quiet, rook, slide, step, taking, with};

fn game(order: &str) -> Game {
    Game::new(5, 5, order).leader("KING").kind("KING", king()).kind("ROOK", rook())
}

#[test]
fn a_leader_may_not_be_left_attacked() {
    let table = game("WHITE BLACK").stand("WHITE KING", "a1").stand("BLACK ROOK", "b5 e3").table();
    assert_eq!(table.moves("a1"), "a2");
    let pinned =
        game("WHITE BLACK").stand("WHITE KING", "a1").stand("WHITE ROOK", "a3").stand("BLACK ROOK", "a5");
    assert_eq!(pinned.table().moves("a3"), "a2 a4 a5");
}

#[test]
fn without_a_leader_all_moves_are_legal() {
    let game = Game::new(5, 5, "WHITE BLACK").kind("KING", king()).kind("ROOK", rook());
    let table = game.stand("WHITE KING", "a1").stand("BLACK ROOK", "b5 e3").table();
    assert_eq!(table.moves("a1"), "a2 b1 b2");
}

#[test]
fn any_of_several_leaders_counts() {
    let table = game("WHITE BLACK").stand("WHITE KING", "a1 e1").stand("BLACK ROOK", "e5").table();
    assert_eq!(table.moves("a1"), "", "the other one stands attacked");
    assert_eq!(table.moves("e1"), "d1 d2");
}

#[test]
fn a_player_without_a_leader_is_never_in_check() {
    let table = game("WHITE BLACK").stand("WHITE ROOK", "a1").stand("BLACK ROOK", "a2").table();
    assert_eq!(table.moves("a1"), "a2 b1 c1 d1 e1");
}

#[test]
fn a_player_may_not_remove_its_own_leader() {
    let burns =
        |x: i32| with(quiet(0, 0, 1), json!({ "side_effects": [{ "action": "CAPTURE", "target": [x, 0] }] }));
    let burner = |x: i32| {
        let game = game("WHITE BLACK").kind("BURNER", [burns(x)]).stand("WHITE KING", "a1 e1");
        game.stand("WHITE BURNER", "b1").stand("BLACK KING", "e5").table()
    };
    assert_eq!(burner(-1).moves("b1"), "", "by a side effect, though another leader is left");
    assert_eq!(burner(1).moves("b1"), "b2");
    let eater = |leader: &str| {
        let actions = json!({ "actions": [{ "state": "ALLY", "action": "CAPTURE" }] });
        let game = Game::new(5, 5, "WHITE BLACK").leader(leader).kind("KING", king()).kind("ROOK", rook());
        let game = game.kind("EATER", [with(step(0, 0, 1), actions)]).stand("WHITE EATER", "b1");
        game.stand("WHITE KING", "b2").stand("BLACK KING", "e5").stand("BLACK ROOK", "e4").table()
    };
    assert_eq!(eater("KING").moves("b1"), "", "by the action itself");
    assert_eq!(eater("ROOK").moves("b1"), "b2");
}

#[test]
fn a_leader_may_not_remove_itself() {
    let dies = with(quiet(8, 0, 2), json!({ "side_effects": [{ "action": "CAPTURE", "target": [0, 2] }] }));
    let game = |leader: &str| {
        let game =
            Game::new(5, 5, "WHITE BLACK").leader(leader).kind("ROOK", rook()).kind("MARTYR", [dies.clone()]);
        game.stand("WHITE MARTYR", "a1").stand("BLACK ROOK", "e5").table()
    };
    assert_eq!(game("MARTYR").moves("a1"), "");
    assert_eq!(game("ROOK").moves("a1"), "a3");
}

#[test]
fn a_leader_that_is_promoted_is_not_removed() {
    let abdicates = json!({ "modifiers": [{ "action": "TRANSFORM", "options": ["ROOK"] }] });
    let game = Game::new(5, 5, "WHITE BLACK").leader("KING").kind("KING", [with(step(0, 0, 1), abdicates)]);
    let table = game.kind("ROOK", rook()).stand("WHITE KING", "a1").stand("BLACK ROOK", "e5 e2").table();
    assert_eq!(table.moves("a1"), "a2=ROOK");
}

#[test]
fn the_army_of_a_captured_leader_no_longer_gives_check() {
    let table = |king: &str| {
        let game = game("WHITE BLACK RED").stand("WHITE KING", "a1").stand("WHITE ROOK", "c2");
        game.stand("BLACK KING", "e5").stand("RED KING", king).stand("RED ROOK", "a5").table()
    };
    assert_eq!(table("c4").moves("c2"), "a2 c4", "interpose, or capture the leader of the rook");
    assert_eq!(table("d4").moves("c2"), "a2");
}

#[test]
fn flags_are_counted_down_before_legality_is_judged() {
    let armed = json!({ "conditions": [{ "condition": "CHECK_STATE", "state": "HOT", "position": [0, 0] }] });
    let arms = |turns: i32| {
        let effect: Value = json!([{ "action": "SET_STATE", "state": "HOT", "duration": turns }]);
        with(quiet(0, 0, 1), json!({ "side_effects": effect }))
    };
    let table = |turns: i32| {
        let game = game("WHITE BLACK").kind("CANNON", [arms(turns), with(taking(1, 0, 2), armed.clone())]);
        let game = game.stand("WHITE KING", "a2").stand("WHITE ROOK", "e1").stand("BLACK CANNON", "a5");
        game.table().play("e1e2 a5a4")
    };
    assert!(table(1).oracle().in_check(&table(1).state, "WHITE"));
    assert!(table(1).moves("e2").contains("e1"), "the flag ends with this turn");
    assert_eq!(table(2).moves("e2"), "", "the flag outlasts this turn");
}

#[test]
fn a_leader_cannot_flee_along_the_line_of_attack() {
    let game =
        Game::new(5, 5, "WHITE BLACK").leader("KING").kind("KING", king()).kind("LANCE", [slide(0, 0, 1)]);
    let table = game.stand("WHITE KING", "c3").stand("BLACK LANCE", "c5").table();
    assert_eq!(table.moves("c3"), "b2 b3 b4 d2 d3 d4");
}
