//! The endings that a game lists.

use serde_json::{Value, json};
use tabiya_oracle::{Moment, Ply};
use tabiya_spec::model::Trigger;

use crate::game::{Game, king, rook};
use crate::table::{Table, at};

/// Returns a game in which White has two rooks and Black one on their home squares.
fn game(endings: Value) -> Game {
    let game = Game::new(5, 5, "WHITE BLACK").leader("KING").kind("KING", king()).kind("ROOK", rook());
    let game = game.stand("WHITE KING", "c1").stand("BLACK KING", "c5");
    let game = game.stand("WHITE ROOK", "a1 e1").stand("BLACK ROOK", "a5");
    game.position("HOME", "", &[("WHITE", "a1 b1 c1 d1 e1"), ("BLACK", "a5 b5 c5 d5 e5")])
        .says("endings", endings)
}

/// Returns a game with one ending with one condition.
fn asking(clause: &Value) -> Table {
    game(json!([{ "code": "END", "when": [clause] }])).table()
}

/// Returns the ending that holds: `END`, `END for WHITE`, or `-`.
fn ending(table: &Table, by: Trigger, own: &str, (repetitions, quiet): (u32, u32)) -> String {
    let cannot_win = |player: &str| player == "BLACK";
    let moment = Moment { repetitions, quiet, cannot_win: &cannot_win, ..Moment::plain(&table.state, own) };
    match table.oracle().ending(&moment, by, None) {
        None => "-".into(),
        Some(ending) if ending.winners.is_empty() => ending.code,
        Some(ending) => format!("{} for {}", ending.code, ending.winners.join(" ")),
    }
}

fn holds(clause: &Value) -> bool {
    ending(&asking(clause), Trigger::Rule, "WHITE", (2, 7)) == "END"
}

#[test]
fn counts() {
    for (clause, expected) in [
        (json!({ "min": 3, "max": 3 }), true),
        (json!({ "min": 4 }), false),
        (json!({ "max": 2 }), false),
        (json!({ "owner": "OWN", "min": 2, "max": 2 }), true),
        (json!({ "owner": "ENEMY", "min": 1, "max": 1 }), true),
        (json!({ "piece": ["KING", "ROOK"], "owner": "ANY", "min": 5, "max": 5 }), true),
        (json!({ "piece": ["KING", "KING"], "min": 3 }), false),
        (json!({ "in": "HOME", "min": 3, "max": 3 }), true),
    ] {
        let mut whole = json!({ "condition": "COUNT" });
        whole.as_object_mut().expect("an object").extend(clause.as_object().expect("an object").clone());
        assert_eq!(holds(&whole), expected, "{clause}");
    }
}

#[test]
fn each_piece_is_looked_up_in_the_list_of_its_owner() {
    let table = asking(&json!({ "condition": "COUNT", "piece": ["ROOK"], "in": "HOME", "max": 2 }));
    assert_eq!(ending(&table, Trigger::Rule, "WHITE", (1, 0)), "-");
    // The white rook stands on a home square of Black.
    let away = table.play("e1e5");
    assert_eq!(ending(&away, Trigger::Rule, "BLACK", (1, 0)), "END");
}

#[test]
fn repetition_quiet_turns_and_proofs() {
    assert!(holds(&json!({ "condition": "REPETITION", "times": 2 })));
    assert!(!holds(&json!({ "condition": "REPETITION", "times": 3 })));
    assert!(holds(&json!({ "condition": "QUIET", "turns": 7 })));
    assert!(!holds(&json!({ "condition": "QUIET", "turns": 8 })));
    assert!(holds(&json!({ "condition": "CANNOT_WIN", "owner": "ENEMY" })));
    assert!(!holds(&json!({ "condition": "CANNOT_WIN", "owner": "OWN" })));
    assert!(!holds(&json!({ "condition": "CANNOT_WIN" })));
}

#[test]
fn nested_clauses() {
    let (yes, no) =
        (json!({ "condition": "QUIET", "turns": 7 }), json!({ "condition": "QUIET", "turns": 8 }));
    assert!(holds(&json!({ "condition": "ANY", "of": [[no], [yes]] })));
    assert!(!holds(&json!({ "condition": "ANY", "of": [[no], [yes, no]] })));
    assert!(holds(&json!({ "condition": "NOT", "of": [no] })));
    assert!(!holds(&json!({ "condition": "NOT", "of": [yes] })));
    assert!(holds(&json!({ "condition": "NOT", "of": [yes, no] })), "not all of it holds");
}

#[test]
fn the_first_matching_ending_counts() {
    let quiet = |turns: u32| json!([{ "condition": "QUIET", "turns": turns }]);
    let table = game(json!([
        { "code": "LATE", "when": quiet(20) },
        { "code": "LOST", "result": "LOSS", "when": quiet(10) },
        { "code": "DRAWN", "when": quiet(5) },
        { "code": "CLAIMED", "by": "CLAIM", "result": "WIN", "when": quiet(1) },
        { "code": "FELL", "by": "FLAG", "when": quiet(1) },
    ]))
    .table();
    let rule = |quiet| ending(&table, Trigger::Rule, "WHITE", (1, quiet));
    assert_eq!([rule(4), rule(5), rule(10), rule(20)], ["-", "DRAWN", "LOST for BLACK", "LATE"]);
    assert_eq!(ending(&table, Trigger::Claim, "WHITE", (1, 20)), "CLAIMED for WHITE");
    assert_eq!(ending(&table, Trigger::Flag, "BLACK", (1, 20)), "FELL");
}

#[test]
fn eliminated_players_are_not_counted() {
    let game = Game::new(5, 5, "WHITE BLACK RED").leader("KING").kind("KING", king()).kind("ROOK", rook());
    let game = game.stand("WHITE ROOK", "a5").stand("BLACK KING", "e5").stand("BLACK ROOK", "e4");
    let count = json!([{ "condition": "COUNT", "owner": "ENEMY", "max": 1 }]);
    let game = game.says("endings", json!([{ "code": "FEW", "result": "LOSS", "when": count }]));
    let table = game.stand("RED KING", "a1").stand("RED ROOK", "b1").table();
    assert_eq!(ending(&table, Trigger::Rule, "WHITE", (1, 0)), "-", "two rooks");
    let without_black = table.play("a5e5");
    assert_eq!(without_black.turn(), "RED without BLACK");
    assert_eq!(ending(&without_black, Trigger::Rule, "WHITE", (1, 0)), "FEW for RED", "one of them is dead");
}

#[test]
fn moves_that_reset_the_quiet_count() {
    let is_loud = |quiet: Option<Value>, text: &str| {
        let game = game(json!([]));
        let before = match quiet {
            Some(words) => game.says("quiet", json!({ "reset_by": words })),
            None => game,
        }
        .table();
        let after = before.clone().play(text);
        let (from, to) = (at(&text[..2]), at(&text[2..]));
        before.oracle().is_loud(&before.state, &Ply { from, to, id: 0, ..Ply::default() }, &after.state)
    };
    assert!(is_loud(None, "a1a5") && !is_loud(None, "a1a4"));
    assert!(is_loud(Some(json!(["CAPTURE", "KING"])), "c1c2") && !is_loud(Some(json!(["CAPTURE"])), "c1c2"));
    assert!(is_loud(Some(json!(["ROOK"])), "a1a2") && !is_loud(Some(json!(["KING"])), "a1a5"));
    assert!(!is_loud(Some(json!([])), "a1a5"));
}
