//! Conditions: each once true and once nearly true.

use serde_json::{Value, json};

use crate::game::{Game, quiet, rook, step, with};
use crate::table::Table;

/// Returns a game with a conditional double step of a white scout on c1, a waiting move, and a black rook.
#[expect(clippy::needless_pass_by_value, reason = "the calls read better")]
pub(crate) fn scout(condition: Value, white: &str, black: &str) -> Table {
    leaper(step(0, 0, 2), &json!([condition]), white, black)
}

fn leaper(definition: Value, conditions: &Value, white: &str, black: &str) -> Table {
    let definition = with(definition, json!({ "conditions": conditions }));
    let game = Game::new(5, 5, "WHITE BLACK").gaps("e1").position("GOAL", "", &[("WHITE", "c3")]);
    let game = game.kind("SCOUT", [definition, quiet(1, -1, 0)]).kind("ROOK", rook());
    game.stand("WHITE SCOUT", "c1").stand("WHITE ROOK", white).stand("BLACK ROOK", black).table()
}

/// Returns whether the scout may make its double step.
pub(crate) fn may(table: &Table) -> bool {
    table.numbered("c1").contains("#0")
}

#[test]
fn first_move() {
    let table = scout(json!({ "condition": "FIRST_MOVE" }), "", "e5");
    assert!(may(&table));
    assert!(!may(&table.moved("c1")));
}

#[test]
fn piece_first_move_needs_an_unmoved_piece() {
    let condition = json!({ "condition": "PIECE_FIRST_MOVE", "position": [1, 0] });
    assert!(may(&scout(condition.clone(), "d1", "e5")));
    assert!(may(&scout(condition.clone(), "", "d1")), "any owner");
    assert!(!may(&scout(condition.clone(), "d1", "e5").moved("d1")));
    assert!(!may(&scout(condition, "", "e5")), "an empty square");
    for nowhere in [[2, 0], [9, 0]] {
        let condition = json!({ "condition": "PIECE_FIRST_MOVE", "position": nowhere });
        assert!(!may(&scout(condition, "d1", "e5")), "{nowhere:?} does not exist");
    }
    let itself = scout(json!({ "condition": "PIECE_FIRST_MOVE", "position": [0, 0] }), "", "e5");
    assert!(may(&itself) && !may(&itself.moved("c1")));
}

#[test]
fn rook_first_move_holds_without_a_piece() {
    let condition = json!({ "condition": "ROOK_FIRST_MOVE", "position": [1, 0] });
    assert!(may(&scout(condition.clone(), "d1", "e5")));
    assert!(may(&scout(condition.clone(), "", "e5")), "an empty square");
    assert!(!may(&scout(condition, "d1", "e5").moved("d1")));
    for nowhere in [[2, 0], [9, 0]] {
        let condition = json!({ "condition": "ROOK_FIRST_MOVE", "position": nowhere });
        assert!(may(&scout(condition, "d1", "e5")), "{nowhere:?} does not exist");
    }
}

#[test]
fn path_empty_walks_the_smallest_whole_step() {
    let check = |x, y, blocker: &str, expected: bool| {
        let path_empty = json!([{ "condition": "PATH_EMPTY" }]);
        assert_eq!(may(&leaper(step(0, x, y), &path_empty, "", blocker)), expected, "[{x},{y}] {blocker}");
    };
    check(0, 3, "c3", false);
    check(0, 3, "d2", true);
    check(0, 3, "c4", true); // the target is not in between
    check(-1, 2, "b2", true); // a knight passes between pieces
    check(-2, 4, "b3", false); // two knight steps, blocked in the middle
    check(-2, 4, "b2", true);
    check(-2, 2, "b2", false);
}

#[test]
fn path_empty_is_blocked_by_a_hole() {
    let path_empty = with(step(0, 0, 2), json!({ "conditions": [{ "condition": "PATH_EMPTY" }] }));
    let game = |gap: &str| {
        let game = Game::new(2, 3, "WHITE BLACK").gaps(gap).kind("SCOUT", [path_empty.clone()]);
        game.stand("WHITE SCOUT", "a1").stand("BLACK SCOUT", "b3").table()
    };
    assert_eq!(game("b1").moves("a1"), "a3");
    assert_eq!(game("a2").moves("a1"), "");
}

#[test]
fn path_empty_checks_the_whole_slide() {
    let conditions = json!([{ "condition": "PATH_EMPTY" }]);
    let definition = with(step(0, 0, 1), json!({ "repeat": { "loop": true, "until": "ALLY" } }));
    assert_eq!(leaper(definition.clone(), &conditions, "", "c3").moves("c1"), "b1 c2 c3");
    assert_eq!(leaper(definition, &json!([]), "", "c3").moves("c1"), "b1 c2 c3 c4 c5");
}

#[test]
fn not_attacked_checks_only_the_target() {
    let condition = json!({ "condition": "NOT_ATTACKED" });
    assert!(!may(&scout(condition.clone(), "", "a3")));
    assert!(may(&scout(condition.clone(), "", "a2")), "on the way");
    assert!(may(&scout(condition, "b3", "a3")), "behind another piece");
}

#[test]
fn path_not_attacked_checks_source_path_and_target() {
    let condition = json!({ "condition": "PATH_NOT_ATTACKED" });
    for rook in ["a3", "a2", "a1"] {
        assert!(!may(&scout(condition.clone(), "", rook)), "{rook}");
    }
    assert!(may(&scout(condition, "", "a4")));
}

#[test]
fn path_not_attacked_ignores_holes() {
    let conditions = json!({ "conditions": [{ "condition": "PATH_NOT_ATTACKED" }] });
    let game = |gap: &str| {
        let game = Game::new(3, 3, "WHITE BLACK").gaps(gap).kind("ROOK", rook());
        let game = game.kind("SCOUT", [with(step(0, 0, 2), conditions.clone())]);
        game.stand("WHITE SCOUT", "c1").stand("BLACK ROOK", "a2").table()
    };
    assert_eq!(game("c2").moves("c1"), "c3");
    assert_eq!(game("b1").moves("c1"), "");
}

#[test]
fn a_position_condition_checks_the_target() {
    assert!(may(&scout(json!({ "condition": "GOAL" }), "", "e5")));
    let table = leaper(step(0, 1, 2), &json!([{ "condition": "GOAL" }]), "", "e5");
    assert!(!may(&table));
}

#[test]
fn a_position_condition_uses_the_list_of_the_mover() {
    let definition = with(step(0, 0, 1), json!({ "conditions": [{ "condition": "GOAL" }] }));
    let game = |goal: &str| {
        let game = Game::new(2, 4, "WHITE BLACK").position("GOAL", "", &[(goal, "a2")]);
        game.kind("SCOUT", [definition.clone()]).stand("WHITE SCOUT", "a1").stand("BLACK SCOUT", "b4").table()
    };
    assert_eq!(game("WHITE").moves("a1"), "a2");
    assert_eq!(game("BLACK").moves("a1"), "");
}

#[test]
fn depends_on_needs_a_target_of_the_other_move() {
    let depends = json!({ "conditions": [{ "condition": "DEPENDS_ON", "move_id": 5 }] });
    let game = |blocker: &str| {
        let game = Game::new(2, 4, "WHITE BLACK")
            .kind("PAWN", [with(quiet(0, 0, 2), depends.clone()), quiet(5, 0, 1)]);
        game.stand("WHITE PAWN", "a1").stand("BLACK PAWN", blocker).table()
    };
    assert_eq!(game("b4").moves("a1"), "a2 a3");
    assert_eq!(game("a2").moves("a1"), "");
    assert_eq!(game("a3").moves("a1"), "a2");
}

#[test]
fn depends_on_checks_conditions_and_effects_but_not_self_check() {
    let depends = json!({ "conditions": [{ "condition": "DEPENDS_ON", "move_id": 1 }] });
    let game = |other: Value| {
        let game = Game::new(3, 4, "WHITE BLACK")
            .leader("KING")
            .kind("ROOK", rook())
            .kind("STONE", [quiet(0, 9, 9)]);
        let game = game.kind("KING", [with(quiet(0, 1, 0), depends.clone()), with(quiet(1, 0, 1), other)]);
        game.stand("WHITE KING", "a1").stand("WHITE STONE", "b2 c4").stand("BLACK ROOK", "c2").table()
    };
    assert_eq!(game(json!({})).moves("a1"), "a2 b1");
    assert_eq!(game(json!({})).without("b2").moves("a1"), "b1", "a2 is attacked, and still a landing");
    let first = json!({ "conditions": [{ "condition": "FIRST_MOVE" }] });
    assert_eq!(game(first).moved("a1").moves("a1"), "");
    let blocked = |to: [i32; 2]| json!({ "side_effects": [{ "action": "MOVE", "from": [2, 3], "to": to }] });
    assert_eq!(game(blocked([1, 3])).moves("a1"), "a2 b1");
    assert_eq!(game(blocked([1, 1])).moves("a1"), "");
}

#[test]
fn conditions_of_an_action_apply_to_it_alone() {
    let first = json!([{ "condition": "FIRST_MOVE" }]);
    let actions = json!({ "actions": [
        { "state": "EMPTY", "action": "MOVE", "conditions": first },
        { "state": "ENEMY", "action": "CAPTURE" },
    ] });
    let table = |black: &str| leaper(with(step(0, 0, 2), actions.clone()), &json!([]), "", black);
    assert!(may(&table("e5")));
    assert!(!may(&table("e5").moved("c1")));
    assert!(may(&table("c3").moved("c1")));
}

#[test]
fn an_action_may_capture_an_ally() {
    let eats = |state: &str| {
        let actions = json!({ "actions": [{ "state": state, "action": "CAPTURE" }] });
        leaper(with(step(0, 0, 2), actions), &json!([]), "c3", "e5")
    };
    assert!(may(&eats("ALLY")));
    assert!(!may(&eats("ENEMY")));
    assert_eq!(eats("ALLY").play("c1c3").at("c3"), "WHITE SCOUT");
}
