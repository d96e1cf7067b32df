//! `tabiya tune`, and players that use its values.

use std::fs;

use crate::common::{Folder, tabiya, tabiya_with_input};

#[test]
fn learned_values_are_written_and_used() {
    let folder = Folder::new();
    let path = &folder.path("values.json");
    let words = ["tune", "gardner", "--games", "6", "--nodes", "40", "--proof", "2", "--format", "json"];
    let run = tabiya(&[&words[..], &["--out", path]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let answer: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert!(answer["lessons"].as_u64().is_some_and(|lessons| lessons > 10), "{answer}");
    let proof = &answer["proof"];
    let games = ["won", "drawn", "lost"].map(|it| proof[it].as_u64().expect("a count")).iter().sum::<u64>();
    assert_eq!(games, 2);
    let written: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(path).expect("it is written")).expect("JSON");
    assert_eq!(written, answer["values"]);
    assert!(written["pieces"]["QUEEN"]["value"].as_i64().is_some_and(|value| value > 100));
    // The result does not depend on the number of threads.
    let again = tabiya(&[&words[..], &["--threads", "1"]].concat());
    assert_eq!(again.stdout, run.stdout);
    let played = tabiya(&[
        "play",
        "gardner",
        "--seat",
        "WHITE=search",
        "--seat",
        "BLACK=greedy",
        "--max-plies",
        "6",
        "--values",
        path,
    ]);
    assert_eq!(played.status, 0, "{}", played.stderr);
    let agent = tabiya_with_input(&["agent", "--game", "gardner", "--values", path], "");
    assert_eq!(agent.status, 0, "{}", agent.stderr);
}

#[test]
fn an_invalid_values_file_is_rejected() {
    let folder = Folder::new();
    let values = r#"{"pieces":{"QUEN":{"value":9}},"position":{"shelter":"much"}}"#;
    let path = &folder.write("values.json", values);
    for words in [&["tune", "chess", "--games", "1"][..], &["play", "chess"], &["agent"]] {
        let run = tabiya(&[words, &["--values", path]].concat());
        assert_eq!(run.status, 2, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains("QUEN") && run.stderr.contains("position.shelter"), "{}", run.stderr);
    }
    for (path, why) in [("/dev/zero", "not a regular file"), ("/", "a directory")] {
        let run = tabiya(&["play", "chess", "--values", path]);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
    let run = tabiya(&["tune", "chess", "--values", "/nowhere/file.json"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("/nowhere/file.json"), "{}", run.stderr);
}
