//! Errors as programs see them: one JSON object where the answer would be, words on standard error, the status as ever.

mod common;

use common::{Said, tabiya};
use serde_json::{Value, json};

/// The error object; the same question without JSON leaves standard output empty.
fn error(words: &[&str], status: i32) -> Value {
    let plain = tabiya(words);
    assert_eq!((plain.status, plain.out.as_str()), (status, ""), "{words:?}");
    let said = tabiya(&[words, &["--format", "json"]].concat());
    // How the verb is used, below the first line, may name what was given.
    let first = |said: &Said| said.err.lines().next().map(str::to_owned);
    assert_eq!((said.status, first(&said)), (status, first(&plain)), "{words:?}");
    let answer = said.json();
    assert_eq!(answer.as_object().map(serde_json::Map::len), Some(1), "{answer}");
    let message = answer["error"]["message"].as_str().expect("a message");
    assert!(plain.err.starts_with(&format!("error: {message}")), "{message}\n{}", plain.err);
    answer["error"].clone()
}

#[test]
fn every_verb_tells_its_errors_as_data() {
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
fn a_choice_that_a_game_does_not_offer_is_a_wrong_question() {
    let said = |words: &[&str]| error(&[&["show", "enochian"], words].concat(), 2)["message"].clone();
    let array = said(&["--array", "Fyre of Fire"]);
    let array = array.as_str().expect("a text");
    assert!(
        array.starts_with("`enochian` has no array `Fyre of Fire`; did you mean `Fire of Fire`?\n"),
        "{array}"
    );
    assert!(
        array.contains("`Tablet of Earth`") && array.contains("`Earth of Air, widdershins`"),
        "all: {array}"
    );
    let both = said(&["--rules", "zalewsky", "--option", "SHARIN=NEVER", "--option", "SHARING=SOMETIMES"]);
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
fn names_of_arrays_are_found_in_upper_and_lower_case() {
    let show = |array: &str| tabiya(&["show", "enochian", "--array", array, "--format", "json"]).out;
    assert_eq!(show("water of fire"), show("Water of Fire"));
    assert_ne!(show("water of fire"), show("Fire of Fire"));
}

#[test]
fn the_format_may_stand_anywhere() {
    for words in [&["--format", "json", "fly"][..], &["--format=json", "show"], &["show", "--format=json"]] {
        let said = tabiya(words);
        assert_eq!(said.status, 2, "{words:?}");
        assert!(said.json()["error"]["message"].is_string(), "{words:?}");
    }
}

#[test]
fn reasons_against_a_state_are_a_list() {
    for verb in [&["show"][..], &["moves"], &["play"]] {
        let found = error(&[verb, &["chess", "--state", "xxx/8/8/8 q - - 0 1"]].concat(), 2);
        assert_eq!(found["message"], "not a valid state of this game");
        assert!(found["reasons"].as_array().is_some_and(|reasons| reasons.len() >= 2), "{found}");
    }
}

#[test]
fn faults_of_a_game_are_the_same_as_those_of_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.json");
    std::fs::write(&file, "{ \"name\": \"BAD\",\n  \"bord\": {} }").expect("written");
    let file = file.to_str().expect("a plain name");
    let checked = tabiya(&["check", file, "--format", "json"]).json();
    for words in [&["show", file][..], &["explain", file], &["perft", file, "1"], &["play", file]] {
        let found = error(words, 1);
        assert_eq!(found["diagnostics"], checked["files"][0]["diagnostics"]);
        assert_eq!(found["message"], json!(format!("`{file}` cannot be played")));
    }
}
