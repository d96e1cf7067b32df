//! `tabiya games`, and what every verb has in common.

mod common;

use common::tabiya;

#[test]
fn the_library_is_a_table() {
    let said = tabiya(&["games"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let chess = said.out.lines().find(|line| line.starts_with("chess ")).expect("chess is there");
    assert!(chess.contains(" 2 ") && chess.contains("8×8") && chess.contains("FIDE"), "{chess}");
    assert!(said.out.lines().any(|line| line.starts_with("fourplayer ") && line.contains("14×14")));
}

#[test]
fn the_library_is_a_list() {
    let said = tabiya(&["games", "--format", "json"]);
    let games = said.json();
    let games = games.as_array().expect("a list");
    let chess = games.iter().find(|game| game["name"] == "chess").expect("chess is there");
    assert_eq!(chess["players"], serde_json::json!(["WHITE", "BLACK"]));
    assert_eq!(chess["board"], serde_json::json!([8, 8]));
    assert_eq!(chess["pieces"].as_array().map(Vec::len), Some(6));
}

#[test]
fn every_game_of_the_library_is_shown_moved_and_counted() {
    let games = tabiya(&["games", "--format", "json"]).json();
    for game in games.as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        assert_eq!(tabiya(&["show", name]).status, 0, "{name}");
        let moves = tabiya(&["moves", name, "--format", "json"]).json();
        let counted = tabiya(&["perft", name, "1", "--format", "json"]).json();
        // Before the die is thrown nothing can be moved; counts leave it out of account.
        if name != "chaturaji" {
            let listed = moves.as_array().expect("a list").len() as u64;
            assert_eq!(Some(listed), counted["nodes"].as_u64(), "{name}");
        }
        let state = tabiya(&["show", name, "--format", "json"]).out;
        let again = tabiya(&["show", name, "--state", &state, "--format", "json"]).out;
        assert_eq!(state, again, "{name}");
    }
}

#[test]
fn an_unknown_game_is_wrong_usage() {
    for verb in ["show", "moves", "explain", "play"] {
        let said = tabiya(&[verb, "ches"]);
        assert_eq!(said.status, 2, "{verb}");
        assert!(
            said.err.contains("did you mean `chess`?") && said.err.contains("fourplayer"),
            "{}",
            said.err
        );
        assert_eq!(said.out, "");
    }
    assert_eq!(tabiya(&["show", "/"]).status, 2);
}

#[test]
fn a_game_with_errors_is_refused_with_its_faults() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.json");
    std::fs::write(&file, "{ \"name\": \"BAD\",\n  \"bord\": {} }").expect("written");
    let file = file.to_str().expect("a plain name");
    let said = tabiya(&["show", file]);
    assert_eq!(said.status, 1);
    assert!(said.err.contains("bad.json:2:3: error[unknown-key]"), "{}", said.err);
    assert!(said.err.contains("did you mean `board`?"), "{}", said.err);
    assert_eq!(said.out, "");
}

#[test]
fn a_game_may_be_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.json");
    std::fs::write(&file, tabiya_spec::library::find("chess").expect("chess").json).expect("written");
    let said = tabiya(&["perft", file.to_str().expect("a plain name"), "2", "--format", "json"]);
    assert_eq!(said.json()["nodes"], 400);
}

#[test]
fn wrong_words_are_wrong_usage_and_help_is_not() {
    assert_eq!(tabiya(&[]).status, 2);
    assert_eq!(tabiya(&["fly"]).status, 2);
    assert_eq!(tabiya(&["games", "--format", "xml"]).status, 2);
    for verb in ["games", "check", "explain", "show", "moves", "perft", "play"] {
        let said = tabiya(&[verb, "--help"]);
        assert_eq!(said.status, 0);
        assert!(said.out.contains("Examples:\n  tabiya ") && said.out.contains("--format"), "{}", said.out);
    }
    assert!(tabiya(&["--version"]).out.starts_with("tabiya "));
}

#[test]
fn a_reader_who_leaves_early_is_no_failure() {
    use std::process::{Command, Stdio};
    // Enough output that the pipe is closed before all of it is written.
    let play = ["play", "chess", "--seat", "WHITE=random", "--seat", "BLACK=random", "--format", "json"];
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("tabiya"))
        .args(play)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}
