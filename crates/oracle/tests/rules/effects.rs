//! Side effects of moves, and moves that blocked side effects make impossible.

use serde_json::{Value, json};

use crate::game::{Game, king, quiet, slide, with};
use crate::table::Table;

/// Returns a game in which a white actor steps from c3 to c4 with these side effects of the action and of the move.
fn actor(of_action: &Value, of_move: &Value, white: &str, black: &str) -> Table {
    let actions = json!([{ "state": "EMPTY", "action": "MOVE", "side_effects": of_action }]);
    let definition = with(quiet(0, 0, 1), json!({ "actions": actions, "side_effects": of_move }));
    let game = Game::new(5, 5, "WHITE BLACK").gaps("a3").kind("ACTOR", [definition]).kind("STONE", king());
    game.stand("WHITE ACTOR", "c3").stand("WHITE STONE", white).stand("BLACK STONE", black).table()
}

fn capture(x: i32, y: i32) -> Value {
    json!({ "action": "CAPTURE", "target": [x, y] })
}

fn shift(from: [i32; 2], to: [i32; 2]) -> Value {
    json!({ "action": "MOVE", "from": from, "to": to })
}

fn flag(name: &str) -> Value {
    json!({ "action": "SET_STATE", "state": name })
}

#[test]
fn set_state_marks_the_moved_piece() {
    let table = actor(&json!([flag("HOT")]), &json!([flag("ICY")]), "a1", "e5").play("c3c4");
    assert_eq!(table.at("c4"), "WHITE ACTOR HOT ICY");
}

#[test]
fn capture_removes_any_piece() {
    let at = |x, y, white: &str| actor(&json!([capture(x, y)]), &json!([]), white, "b3").play("c3c4");
    assert_eq!(at(-1, 0, "a1").at("b3"), "-");
    assert_eq!(at(1, 0, "a1").at("b3"), "BLACK STONE unmoved");
    assert_eq!(at(1, 0, "d3").at("d3"), "-", "one's own as well");
    for (x, y) in [(0, 0), (1, 1), (-2, 0), (9, 9)] {
        assert_eq!(at(x, y, "a1").state.pieces.len(), 3, "nothing at {x}, {y}");
    }
}

#[test]
fn move_relocates_an_own_piece() {
    let table = actor(&json!([]), &json!([shift([1, 0], [1, 2])]), "d3", "e5").play("c3c4");
    assert_eq!(table.at("d3"), "-");
    assert_eq!(table.at("d5"), "WHITE STONE", "it has moved now");
    let table = actor(&json!([]), &json!([shift([1, 0], [1, 2])]), "a1", "d3").play("c3c4");
    assert_eq!(table.at("d3"), "BLACK STONE unmoved", "not an enemy");
}

#[test]
fn move_respects_its_filter() {
    let filtered = |kind: &str| json!([with(shift([1, 0], [1, 2]), json!({ "piece": kind }))]);
    assert_eq!(actor(&json!([]), &filtered("STONE"), "d3", "e5").play("c3c4").at("d5"), "WHITE STONE");
    assert_eq!(
        actor(&json!([]), &filtered("ACTOR"), "d3", "e5").play("c3c4").at("d3"),
        "WHITE STONE unmoved"
    );
}

#[test]
fn a_blocked_move_effect_blocks_the_whole_move() {
    let check = |to: [i32; 2], expected: &str| {
        let table = actor(&json!([]), &json!([shift([1, 0], to)]), "d3 b1", "e5");
        assert_eq!(table.moves("c3"), expected, "{to:?}");
    };
    check([1, 2], "c4");
    check([-1, -2], ""); // an ally
    check([2, 2], ""); // an enemy
    check([-2, 0], ""); // a hole
    check([1, 3], ""); // off the board
    check([0, 1], ""); // the actor's target
    check([0, 0], "c4"); // the actor's source
    check([1, 0], ""); // the relocated piece itself
}

#[test]
fn without_a_piece_to_relocate_nothing_is_blocked() {
    let table = actor(&json!([]), &json!([shift([1, 0], [2, 2])]), "a1", "e5");
    assert_eq!(table.moves("c3"), "c4");
}

#[test]
fn effects_of_the_action_come_first() {
    let (clear, fill) = (json!([capture(1, 2)]), json!([shift([1, 0], [1, 2])]));
    let table = actor(&clear, &fill, "d3", "d5");
    assert_eq!(table.play("c3c4").at("d5"), "WHITE STONE");
    assert_eq!(actor(&fill, &clear, "d3", "d5").moves("c3"), "", "the place is not yet free");
}

#[test]
fn effects_of_one_list_keep_their_order() {
    let (clear, fill) = (capture(1, 2), shift([1, 0], [1, 2]));
    assert_eq!(actor(&json!([]), &json!([clear, fill]), "d3", "d5").moves("c3"), "c4");
    assert_eq!(actor(&json!([]), &json!([fill, clear]), "d3", "d5").moves("c3"), "");
    assert_eq!(actor(&json!([]), &json!([fill, clear]), "d3", "e5").play("c3c4").at("d5"), "-");
}

#[test]
fn a_capture_on_the_landing_removes_the_mover() {
    let effects = json!([capture(0, 1), flag("HOT")]);
    let table = actor(&json!([]), &effects, "a1", "e5").play("c3c4");
    assert_eq!((table.at("c3"), table.at("c4")), ("-".into(), "-".into()));
    let effects = json!([flag("HOT"), capture(0, 0)]);
    let table = actor(&json!([]), &effects, "a1", "e5").play("c3c4");
    assert_eq!(table.at("c4"), "WHITE ACTOR HOT", "its source is empty by then");
}

#[test]
fn the_mover_is_tracked_when_an_effect_relocates_it() {
    let effects = json!([shift([0, 1], [1, 2]), flag("HOT")]);
    let table = actor(&json!([]), &effects, "a1", "e5").play("c3c4");
    assert_eq!((table.at("c4"), table.at("d5")), ("-".into(), "WHITE ACTOR HOT".into()));
    let effects = json!([shift([0, 1], [1, 2]), capture(1, 2), flag("HOT")]);
    let table = actor(&json!([]), &effects, "a1", "e5").play("c3c4");
    assert_eq!(table.state.pieces.len(), 2, "and removed there");
}

#[test]
fn a_piece_on_the_square_of_a_removed_mover_is_not_the_mover() {
    let effects = json!([capture(0, 1), shift([1, 0], [0, 1]), flag("HOT")]);
    let table = actor(&json!([]), &effects, "d3", "e5").play("c3c4");
    assert_eq!(table.at("c4"), "WHITE STONE");
}

#[test]
fn a_relocated_piece_keeps_its_flags() {
    let table = actor(&json!([]), &json!([flag("HOT"), shift([0, 1], [1, 2])]), "a1", "e5").play("c3c4");
    assert_eq!(table.at("d5"), "WHITE ACTOR HOT");
}

#[test]
fn offsets_count_from_the_source_of_a_slide() {
    let slider = with(slide(0, 0, 1), json!({ "side_effects": [capture(1, 0)] }));
    let game = Game::new(3, 5, "WHITE BLACK").kind("ACTOR", [slider]).kind("STONE", king());
    let table = game.stand("WHITE ACTOR", "a1").stand("BLACK STONE", "b1 b4 c5").table().play("a1a4");
    assert_eq!((table.at("b1"), table.at("b4")), ("-".into(), "BLACK STONE unmoved".into()));
}

#[test]
fn offsets_are_turned_for_the_player() {
    let definition = with(quiet(0, 0, 1), json!({ "side_effects": [capture(1, 0)] }));
    let game = Game::new(3, 5, "WHITE BLACK").kind("ACTOR", [definition]).kind("STONE", king());
    let table = game.stand("WHITE STONE", "a5 c5 a1").stand("BLACK ACTOR", "b5").table().play("a1a2 b5b4");
    assert_eq!((table.at("a5"), table.at("c5")), ("-".into(), "WHITE STONE unmoved".into()));
}
