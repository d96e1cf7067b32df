//! `tabiya tune`, and players with the values that it wrote.

mod common;

use std::fs;

use common::{tabiya, tabiya_reading};

#[test]
fn what_is_learned_is_written_and_played_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("values.json");
    let path = file.to_str().expect("a path");
    let words = ["tune", "gardner", "--games", "6", "--nodes", "40", "--proof", "2", "--format", "json"];
    let said = tabiya(&[&words[..], &["--out", path]].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    let answer: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert!(answer["lessons"].as_u64().is_some_and(|lessons| lessons > 20), "{answer}");
    let proof = &answer["proof"];
    let games = ["won", "drawn", "lost"].map(|it| proof[it].as_u64().expect("a count")).iter().sum::<u64>();
    assert_eq!(games, 2);
    let written: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&file).expect("it is written")).expect("JSON");
    assert_eq!(written, answer["values"]);
    assert!(written["pieces"]["QUEEN"]["value"].as_i64().is_some_and(|value| value > 100));
    // The same seed learns the same, on one thread as on several.
    let again = tabiya(&[&words[..], &["--threads", "1"]].concat());
    assert_eq!(again.out, said.out);
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
    assert_eq!(played.status, 0, "{}", played.err);
    let agent = tabiya_reading(&["agent", "--game", "gardner", "--values", path], "");
    assert_eq!(agent.status, 0, "{}", agent.err);
}

#[test]
fn a_bad_file_of_values_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("values.json");
    let path = file.to_str().expect("a path");
    fs::write(&file, r#"{"pieces":{"QUEN":{"value":9}},"position":{"shelter":"much"}}"#).expect("written");
    for words in [&["tune", "chess", "--games", "1"][..], &["play", "chess"], &["agent"]] {
        let said = tabiya(&[words, &["--values", path]].concat());
        assert_eq!(said.status, 2, "{words:?}: {}", said.err);
        assert!(said.err.contains("QUEN") && said.err.contains("position.shelter"), "{}", said.err);
    }
    for (path, why) in [("/dev/zero", "not a regular file"), ("/", "a directory")] {
        let said = tabiya(&["play", "chess", "--values", path]);
        assert_eq!(said.status, 2, "{}", said.err);
        assert!(said.err.contains(why), "{}", said.err);
    }
    let said = tabiya(&["tune", "chess", "--values", "/nowhere/at/all.json"]);
    assert_eq!(said.status, 2);
    assert!(said.err.contains("/nowhere/at/all.json"), "{}", said.err);
}
