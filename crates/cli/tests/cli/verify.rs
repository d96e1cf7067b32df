//! `tabiya verify`: changes in a record or PGN file are found and reported with their place.

use std::fs;

use crate::common::{CliOutput, Folder, tabiya};
use serde_json::{Value, json};

/// Plays a match of two games; returns the folder, and the path and contents of the journal.
fn record() -> (Folder, String, String) {
    let folder = Folder::new();
    let out = folder.path("match");
    let words =
        ["match", "player:random", "player:random", "--max-plies", "30", "--tc", "9+0.1", "--out", &out];
    assert_eq!(tabiya(&words).status, 0);
    let file = format!("{out}/games.jsonl");
    let text = fs::read_to_string(&file).expect("the journal");
    (folder, file, text)
}

fn verify(file: &str) -> (CliOutput, Value) {
    let run = tabiya(&["verify", file]);
    let as_json = tabiya(&["verify", file, "--format", "json"]);
    assert_eq!(run.status, as_json.status);
    let json = as_json.json();
    (run, json)
}

#[test]
fn changes_in_a_record_are_found() {
    let (_folder, file, good) = record();
    assert_eq!(verify(&file).0.status, 0);
    let changes = [
        ("\"verdict\":\"move\"", "\"verdict\":\"claim\"", "verdict is claim and should be move"),
        ("\"ply\":7,", "\"ply\":9,", "ply is 9 and should be 7"),
        ("\"left_us\":9", "\"left_us\":8", "left_us is 8"),
        (
            "\"reason\":\"max_plies\"",
            "\"reason\":\"checkmate\"",
            "reason is checkmate and should be max_plies",
        ),
        ("\"winners\":[]", "\"winners\":[\"WHITE\"]", "winners is [\"WHITE\"] and should be []"),
        ("sha256:", "sha256:0", "its rules are not in the library"),
        ("\"forgiven\":false", "\"forgiven\":0", "invalid type"),
        ("\"line\":\"answer\"", "\"line\":\"answr\"", "unknown variant `answr`"),
    ];
    for (from, to, what) in changes {
        let line = 1 + good[..good.find(from).expect(from)].matches('\n').count();
        fs::write(&file, good.replacen(from, to, 1)).expect("written");
        let (run, json) = verify(&file);
        assert_eq!(run.status, 1, "{what}");
        let first = &json["differences"][0];
        assert_eq!(first["line"], line, "{what}: {json}");
        assert!(first["what"].as_str().is_some_and(|found| found.contains(what)), "{what}: {json}");
        assert!(run.stdout.starts_with(&format!("{file}:{line}:")), "{}", run.stdout);
    }
}

#[test]
fn unfinished_games_are_not_a_difference() {
    let (_folder, file, good) = record();
    let lines: Vec<&str> = good.lines().collect();
    fs::write(&file, lines[..lines.len() - 5].join("\n") + "\n").expect("written");
    let (run, json) = verify(&file);
    assert_eq!((run.status, &json["games"], &json["unfinished"]), (0, &json!(1), &json!([2])));
    assert!(run.stdout.starts_with("1 game not over.\n1 game, "), "{}", run.stdout);
}

#[test]
fn void_attempts_are_not_counted_as_games() {
    let folder = Folder::new();
    let out = folder.path("match");
    // No server listens there.
    let words = ["match", "http:http://127.0.0.1:1/", "player:random", "--games", "1", "--move-time", "0.2"];
    assert_eq!(tabiya(&[&words[..], &["--out", &out]].concat()).status, 0);
    for file in ["games.jsonl", "games.pgn"] {
        let (run, json) = verify(&format!("{out}/{file}"));
        assert_eq!((run.status, &json["games"], &json["void"]), (0, &json!(0), &json!(3)), "{json}");
        assert!(
            run.stdout.contains(", 3 void attempts not counted: everything is correct."),
            "{}",
            run.stdout
        );
    }
}

#[test]
fn custom_games_need_their_file() {
    let folder = Folder::new();
    let json = tabiya_spec::library::find("gardner").expect("a game").json;
    let mine = folder.write("mine.json", json.replacen("\"name\": \"", "\"name\": \"My ", 1));
    let out = folder.path("match");
    let words =
        ["match", "player:random", "player:greedy", "--game", &mine, "--max-plies", "20", "--out", &out];
    assert_eq!(tabiya(&words).status, 0);
    for file in ["games.jsonl", "games.pgn"] {
        let file = format!("{out}/{file}");
        let (run, _) = verify(&file);
        assert!(run.status == 1 && run.stdout.contains("name the game file with --game"), "{}", run.stdout);
        assert_eq!(tabiya(&["verify", &file, "--game", &mine]).status, 0);
        assert_eq!(tabiya(&["verify", &file, "--game", "chess"]).status, 1);
    }
}

fn pgn(text: &str) -> (i32, Value) {
    let folder = Folder::new();
    let (run, json) = verify(&folder.write("games.pgn", text));
    (run.status, json)
}

#[test]
fn results_must_fit_the_moves() {
    let good = "[Termination \"checkmate\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 1-0\n\n1. e4 *\n";
    let (status, json) = pgn(good);
    assert_eq!((status, &json["games"], &json["moves"]), (0, &json!(3), &json!(7)), "{json}");
    let bad = [
        ("1. f3 e5 2. g4 Qh4# 1-0\n", "by checkmate it should be a win for BLACK"),
        ("1. f3 e5 2. g4 Qh4# *\n", "the result is open"),
        ("[Termination \"stalemate\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n", "Termination should be checkmate"),
        ("[Termination \"fivefold_repetition\"]\n\n1. e4 e5 1/2-1/2\n", "did not end that way"),
        ("[Termination \"agreement\"]\n\n1. e4 e5 1-0\n", "by agreement it should be a draw"),
        ("1. e4 e5 2. Ke3 *\n", "the KING cannot move"),
        ("[Variant \"checkers\"]\n\n*\n", "`checkers` is not in the library"),
        ("", "there is no game in it"),
        ("hello", "has no result"),
    ];
    for (text, what) in bad {
        let (status, json) = pgn(text);
        assert_eq!(status, 1, "{text}");
        assert!(
            json["differences"][0]["what"].as_str().is_some_and(|found| found.contains(what)),
            "{text}: {json}"
        );
    }
}

#[test]
fn claims_are_verified() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ";
    let tag = "[Termination \"threefold_repetition\"]\n\n";
    // The starting position occurs for the third time, or will after the announced move.
    for moves in
        [shuffle.repeat(2), shuffle.repeat(2).replace("Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", "Ng1 Ng8 Nf3 Nf6 Ng1")]
    {
        assert_eq!(pgn(&format!("{tag}{moves} 1/2-1/2\n")).0, 0, "{moves}");
    }
    assert_eq!(pgn(&format!("{tag}{shuffle} 1/2-1/2\n")).0, 1);
    let long = format!("[Termination \"fivefold_repetition\"]\n\n{} 1/2-1/2\n", shuffle.repeat(4));
    assert_eq!(pgn(&long).0, 0);
}

#[test]
fn unreadable_files_are_reported() {
    for file in ["nowhere.jsonl", "/"] {
        let run = tabiya(&["verify", file]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{file}");
    }
    let folder = Folder::new();
    for (bytes, status) in [(&b"{"[..], 1), (b"{}\n{}\n", 1), (b"\xff\xfe", 2), (b"{\"line\":\"start\"}", 1)]
    {
        let file = folder.write("x", bytes);
        assert_eq!(tabiya(&["verify", &file]).status, status, "{bytes:?}");
    }
}
