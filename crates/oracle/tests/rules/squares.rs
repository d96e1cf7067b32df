//! The condition `SQUARE`.

use serde_json::{Value, json};

use crate::conditions::{may, scout};
use crate::game::with;

#[test]
fn square_requires_everything_it_names() {
    let check = |keys: Value, white: &str, black: &str, expected: bool| {
        let condition = with(json!({ "condition": "SQUARE", "position": [1, 0] }), keys.clone());
        assert_eq!(may(&scout(condition, white, black)), expected, "{keys} {white:?} {black:?}");
    };
    check(json!({ "state": "EMPTY" }), "", "e5", true);
    check(json!({ "state": "EMPTY" }), "d1", "e5", false);
    check(json!({ "state": "NOT_EMPTY" }), "", "d1", true);
    check(json!({ "state": "NOT_EMPTY" }), "", "e5", false);
    check(json!({ "state": "ALLY" }), "d1", "e5", true);
    check(json!({ "state": "ALLY" }), "", "d1", false);
    check(json!({ "state": "ENEMY" }), "", "d1", true);
    check(json!({ "state": "ENEMY" }), "d1", "e5", false);
    check(json!({ "piece": ["SCOUT", "ROOK"] }), "d1", "e5", true);
    check(json!({ "piece": ["SCOUT"] }), "d1", "e5", false);
    check(json!({ "piece": ["ROOK"] }), "", "e5", false);
    check(json!({ "unmoved": true }), "d1", "e5", true);
    check(json!({ "unmoved": true }), "", "e5", false);
    check(json!({ "unmoved": false }), "", "e5", false);
    check(json!({ "unmoved": false }), "d1", "e5", false);
    check(json!({ "state": "ENEMY", "piece": ["ROOK"], "unmoved": true }), "", "d1", true);
    check(json!({ "state": "ALLY", "piece": ["ROOK"], "unmoved": true }), "", "d1", false);
}

#[test]
fn square_distinguishes_moved_from_unmoved() {
    let unmoved = |value: bool| json!({ "condition": "SQUARE", "position": [1, 0], "unmoved": value });
    assert!(!may(&scout(unmoved(true), "d1", "e5").moved("d1")));
    assert!(may(&scout(unmoved(false), "d1", "e5").moved("d1")));
}

#[test]
fn square_counts_from_source_or_target_and_must_exist() {
    let at = |x: i32, anchor: &str, state: &str| json!({ "condition": "SQUARE", "position": [x, 0], "anchor": anchor, "state": state });
    assert!(may(&scout(at(1, "TARGET", "ENEMY"), "", "d3")));
    assert!(!may(&scout(at(1, "TARGET", "ENEMY"), "", "d1")));
    assert!(may(&scout(at(1, "SOURCE", "ENEMY"), "", "d1")));
    assert!(may(&scout(at(0, "SOURCE", "ALLY"), "", "e5")), "the mover is on its source");
    assert!(may(&scout(at(0, "TARGET", "EMPTY"), "", "e5")));
    assert!(!may(&scout(at(2, "SOURCE", "EMPTY"), "", "e5")), "e1 is disabled");
    assert!(!may(&scout(at(3, "TARGET", "EMPTY"), "", "e5")), "off the board");
}
