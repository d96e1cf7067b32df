//! `tabiya games`, and behaviour that all verbs share.

use crate::common::{Folder, tabiya};

#[test]
fn the_library_is_a_table() {
    let run = tabiya(&["games"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let chess = run.stdout.lines().find(|line| line.starts_with("chess ")).expect("chess is there");
    assert!(chess.contains(" 2 ") && chess.contains("8×8") && chess.contains("FIDE"), "{chess}");
    assert!(run.stdout.lines().any(|line| line.starts_with("fourplayer ") && line.contains("14×14")));
}

#[test]
fn the_library_is_a_list() {
    let run = tabiya(&["games", "--format", "json"]);
    let games = run.json();
    let games = games.as_array().expect("a list");
    let chess = games.iter().find(|game| game["name"] == "chess").expect("chess is there");
    assert_eq!(chess["players"], serde_json::json!(["WHITE", "BLACK"]));
    assert_eq!(chess["board"], serde_json::json!([8, 8]));
    assert_eq!(chess["pieces"].as_array().map(Vec::len), Some(6));
}

#[test]
fn every_library_game_works_with_show_moves_and_perft() {
    let games = tabiya(&["games", "--format", "json"]).json();
    for game in games.as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        assert_eq!(tabiya(&["show", name]).status, 0, "{name}");
        let moves = tabiya(&["moves", name, "--format", "json"]).json();
        let counted = tabiya(&["perft", name, "1", "--format", "json"]).json();
        // There is no legal move before the die is thrown; perft ignores the die.
        if name != "chaturaji" {
            let listed = moves.as_array().expect("a list").len() as u64;
            assert_eq!(Some(listed), counted["nodes"].as_u64(), "{name}");
        }
        let state = tabiya(&["show", name, "--format", "json"]).stdout;
        let again = tabiya(&["show", name, "--state", &state, "--format", "json"]).stdout;
        assert_eq!(state, again, "{name}");
    }
}

#[test]
fn an_unknown_game_is_a_usage_error() {
    for verb in ["show", "moves", "explain", "play"] {
        let run = tabiya(&[verb, "ches"]);
        assert_eq!(run.status, 2, "{verb}");
        assert!(
            run.stderr.contains("did you mean `chess`?") && run.stderr.contains("fourplayer"),
            "{}",
            run.stderr
        );
        assert_eq!(run.stdout, "");
    }
    assert_eq!(tabiya(&["show", "/"]).status, 2);
}

#[test]
fn an_invalid_game_is_rejected_with_its_diagnostics() {
    let folder = Folder::new();
    let file = &folder.write("bad.json", "{ \"name\": \"BAD\",\n  \"bord\": {} }");
    let run = tabiya(&["show", file]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("bad.json:2:3: error[unknown-key]"), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `board`?"), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[test]
fn a_game_may_be_a_file() {
    let folder = Folder::new();
    let file = folder.write("mine.json", tabiya_spec::library::find("chess").expect("chess").json);
    let run = tabiya(&["perft", &file, "2", "--format", "json"]);
    assert_eq!(run.json()["nodes"], 400);
}

#[test]
fn unknown_words_are_usage_errors_and_help_is_not() {
    assert_eq!(tabiya(&[]).status, 2);
    assert_eq!(tabiya(&["fly"]).status, 2);
    assert_eq!(tabiya(&["games", "--format", "xml"]).status, 2);
    for verb in ["games", "check", "explain", "show", "moves", "perft", "play"] {
        let run = tabiya(&[verb, "--help"]);
        assert_eq!(run.status, 0);
        assert!(
            run.stdout.contains("Examples:\n  tabiya ") && run.stdout.contains("--format"),
            "{}",
            run.stdout
        );
    }
    assert!(tabiya(&["--version"]).stdout.starts_with("tabiya "));
}

#[test]
fn closing_the_pipe_early_is_not_an_error() {
    use std::process::{Command, Stdio};
    // Long output, so that the pipe is closed before all of it is written.
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
