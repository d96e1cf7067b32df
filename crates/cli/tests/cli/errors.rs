//! Errors with `--format json`: an object on standard output, the message on standard error, the same status.

use crate::common::{CliOutput, Folder, tabiya};
use serde_json::{Value, json};

/// Returns the error object, and checks that the text output has the same message on standard error only.
fn error(words: &[&str], status: i32) -> Value {
    let plain = tabiya(words);
    assert_eq!((plain.status, plain.stdout.as_str()), (status, ""), "{words:?}");
    let run = tabiya(&[words, &["--format", "json"]].concat());
    // The usage below the first line may quote the arguments.
    let first = |run: &CliOutput| run.stderr.lines().next().map(str::to_owned);
    assert_eq!((run.status, first(&run)), (status, first(&plain)), "{words:?}");
    let answer = run.json();
    assert_eq!(answer.as_object().map(serde_json::Map::len), Some(1), "{answer}");
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(plain.stderr.starts_with(&format!("error: {message}")), "{message}\n{}", plain.stderr);
    answer["error"].clone()
}

#[test]
fn every_verb_prints_errors_as_json() {
    for verb in ["show", "moves", "explain", "play"] {
        error(&[verb, "ches"], 2);
        error(&[verb], 2);
        error(&[verb, "chess", "--fly"], 2);
    }
    error(&["games", "chess"], 2);
    error(&["perft", "ches", "3"], 2);
    error(&["perft", "chess", "65"], 2);
    error(&["check", "--explain", "nonsense"], 2);
    error(&["check"], 2);
    error(&["fly"], 2);
    error(&["play", "chess", "--seat", "BLAK=random"], 2);
    error(&["play", "chess", "--load", "nowhere.json"], 2);
}

#[test]
fn an_unknown_choice_is_a_usage_error() {
    let run = |words: &[&str]| error(&[&["show", "enochian"], words].concat(), 2)["message"].clone();
    let array = run(&["--array", "Fyre of Fire"]);
    let array = array.as_str().expect("a text");
    assert!(
        array.starts_with("`enochian` has no array `Fyre of Fire`; did you mean `Fire of Fire`?\n"),
        "{array}"
    );
    assert!(
        array.contains("`Tablet of Earth`") && array.contains("`Earth of Air, widdershins`"),
        "all: {array}"
    );
    let both = run(&["--rules", "zalewsky", "--option", "SHARIN=NEVER", "--option", "SHARING=SOMETIMES"]);
    assert_eq!(
        both.as_str().map(|text| text.lines().step_by(2).collect::<Vec<_>>()),
        Some(vec![
            "`enochian` has no rules `zalewsky`; did you mean `zalewski`?",
            "`enochian` has no option `SHARIN`; did you mean `SHARING`?",
            "the option `SHARING` of `enochian` has no value `SOMETIMES`",
        ])
    );
    let none = error(&["perft", "chess", "1", "--array", "Fire"], 2)["message"].clone();
    assert_eq!(none, "`chess` has no array `Fire`\nIt has no arrays.");
    for verb in [&["verify", "README.md", "--game", "enochian"][..], &["judge", "--game", "enochian"]] {
        error(&[verb, &["--rules", "old"]].concat(), 2);
    }
    error(&["match", "player:random", "player:random", "--game", "enochian", "--game-option", "DIE=1"], 2);
}

#[test]
fn array_names_ignore_letter_case() {
    let show = |array: &str| tabiya(&["show", "enochian", "--array", array, "--format", "json"]).stdout;
    assert_eq!(show("water of fire"), show("Water of Fire"));
    assert_ne!(show("water of fire"), show("Fire of Fire"));
}

#[test]
fn the_format_flag_may_be_anywhere() {
    for words in [&["--format", "json", "fly"][..], &["--format=json", "show"], &["show", "--format=json"]] {
        let run = tabiya(words);
        assert_eq!(run.status, 2, "{words:?}");
        assert!(run.json()["error"]["message"].is_string(), "{words:?}");
    }
}

#[test]
fn an_invalid_state_lists_its_reasons() {
    for verb in [&["show"][..], &["moves"], &["play"]] {
        let found = error(&[verb, &["chess", "--state", "xxx/8/8/8 q - - 0 1"]].concat(), 2);
        assert_eq!(found["message"], "not a valid state of this game");
        assert!(found["reasons"].as_array().is_some_and(|reasons| reasons.len() >= 2), "{found}");
    }
}

#[test]
fn every_verb_reports_the_diagnostics_of_check() {
    let folder = Folder::new();
    let file = &folder.write("bad.json", "{ \"name\": \"BAD\",\n  \"bord\": {} }");
    let checked = tabiya(&["check", file, "--format", "json"]).json();
    for words in [&["show", file][..], &["explain", file], &["perft", file, "1"], &["play", file]] {
        let found = error(words, 1);
        assert_eq!(found["diagnostics"], checked["files"][0]["diagnostics"]);
        assert_eq!(found["message"], json!(format!("`{file}` cannot be played")));
    }
}
