//! Hands, drops and counters through the commands.

use serde_json::json;

use crate::common::{Folder, tabiya, tabiya_with_input};

/// Chess with hands and a counter of checks.
const GAME: &str = r#"{ "name": "Drops", "extends": "chess", "hands": { "captured_to": "CAPTOR" },
    "endings": [{ "code": "DEAD_POSITION", "remove": true }, { "code": "FLAG_FALL_DRAW", "remove": true }],
    "counters": { "CHECKS": { "max": 3 } },
    "triggers": [{ "on": "CHECK", "effects": [{ "action": "ADD", "counter": "CHECKS" }] }] }"#;

/// White has a pawn in hand, black a knight.
const STATE: &str = "4k3/8/8/8/8/8/8/4K3[Pn] w - - 0 1 counters=CHECKS:w:2";

#[test]
fn show_and_moves_list_hands() {
    let folder = Folder::new();
    let game = folder.write("drops.json", GAME);
    let shown = tabiya(&["show", &game, "--state", STATE]);
    for line in [
        "WHITE has in hand: 1 PAWN (P).",
        "BLACK has in hand: 1 KNIGHT (N).",
        "CHECKS: WHITE 2, BLACK 0 of 3.",
    ] {
        assert!(shown.stdout.contains(line), "{}{}", shown.stdout, shown.stderr);
    }
    assert!(shown.stdout.contains(STATE), "{}", shown.stdout);
    let listed = tabiya(&["moves", &game, "--state", STATE]);
    assert!(listed.stdout.contains("P@a1 P@b1"), "{}", listed.stdout);
    let json = tabiya(&["moves", &game, "--state", STATE, "--format", "json"]).json();
    let moves = json["moves"].as_array().or_else(|| json.as_array()).expect("a list");
    let drop = moves.iter().find(|played| played["text"] == "P@e5").expect("a drop");
    assert_eq!((&drop["from"], &drop["drop"], &drop["to"]), (&json!(null), &json!("PAWN"), &json!([4, 4])));
}

#[test]
fn a_person_drops_pieces() {
    let folder = Folder::new();
    let game = folder.write("drops.json", GAME);
    let lines = "P@\nN@\nQ@e4\nP@e5\ndrop n e3\nstate\nquit";
    let run = tabiya_with_input(&["play", &game, "--state", STATE], lines);
    assert!(run.stdout.contains("PAWN in hand: P@a1, P@b1"), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("There is no KNIGHT in your hand."), "{}", run.stdout);
    assert!(run.stdout.contains("No: there is no QUEEN in your hand"), "{}", run.stdout);
    assert!(run.stdout.contains("4k3/8/8/4P3/8/4n3/8/4K3[] w"), "{}", run.stdout);
    let events = tabiya_with_input(&["play", &game, "--state", STATE, "--format", "json"], "P@e5").lines();
    let moved = events.iter().find(|event| event["event"] == "move").expect("a move");
    assert_eq!(
        (&moved["from"], &moved["drop"], &moved["text"]),
        (&json!(null), &json!("PAWN"), &json!("P@e5"))
    );
}

#[test]
fn engines_and_referees_understand_drops() {
    let folder = Folder::new();
    let game = folder.write("drops.json", GAME);
    let commands =
        format!("position fen {STATE} moves P@e7\ngo nodes 2000\nposition fen {STATE}\ngo nodes 2000\n");
    let run = tabiya_with_input(&["uci", &game], commands);
    assert_eq!(run.stdout.matches("bestmove").count(), 2, "{}{}", run.stdout, run.stderr);
    let out = folder.path("match");
    let words =
        ["match", "player:greedy", "player:random", "--game", &game, "--max-plies", "60", "--out", &out];
    let played = tabiya(&words);
    assert_eq!(played.status, 0, "{}{}", played.stdout, played.stderr);
    let verified = tabiya(&["verify", &format!("{out}/games.jsonl"), "--game", &game]);
    assert_eq!(verified.status, 0, "{}{}", verified.stdout, verified.stderr);
}
