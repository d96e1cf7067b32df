//! Saved games: written whole, read back, and refused for a reason.

mod common;

use std::fs;

use common::{tabiya, tabiya_reading};
use serde_json::{Value, json};
use tempfile::TempDir;

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("a plain name").to_owned()
}

fn play(lines: &[String]) -> String {
    let said = tabiya_reading(&["play", "chess"], lines.join("\n"));
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    said.out
}

fn lines(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Saves a game of three moves.
fn saved(folder: &TempDir) -> (String, Value) {
    let file = path(folder, "game.json");
    let out = play(&[lines(&["e2e4", "e7e5", "g1f3"]), vec![format!("save {file}")]].concat());
    assert!(out.contains("Saved in "), "{out}");
    let value = serde_json::from_str(&fs::read_to_string(&file).expect("it is there")).expect("JSON");
    (file, value)
}

#[test]
fn a_game_is_saved_and_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, value) = saved(&folder);
    assert_eq!(value["tabiya"], 1);
    assert_eq!(value["game"], "chess");
    assert!(value["spec"].as_str().is_some_and(|spec| spec.starts_with("sha256:")));
    assert_eq!(value["start"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(value["moves"], json!(["e2e4", "e7e5", "g1f3"]));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing else is left behind");

    let state = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let loaded = play(&[format!("load {file}"), "state".into()]);
    assert!(loaded.contains(state), "{loaded}");
    let said = tabiya_reading(&["play", "chess", "--load", &file], "state\nundo\nstate");
    assert!(said.out.contains(state) && said.out.contains("1 turn taken back."), "{}", said.out);
}

#[test]
fn a_resignation_is_saved_as_well() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = path(&folder, "game.json");
    play(&[lines(&["e2e4", "resign"]), vec![format!("save {file}")]].concat());
    let said = tabiya_reading(&["play", "chess", "--load", &file], "");
    assert!(said.out.contains("Resignation: WHITE wins."), "{}", said.out);
}

#[test]
fn other_files_are_not_overwritten_by_accident() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = saved(&folder);
    assert!(play(&[format!("save {file}")]).contains("Saved in "), "a saved game is replaced");
    let letter = path(&folder, "letter.txt");
    fs::write(&letter, "Dear Anne").expect("written");
    let refused = play(&[format!("save {letter}")]);
    assert!(refused.contains("save! "), "{refused}");
    assert_eq!(fs::read_to_string(&letter).expect("it is there"), "Dear Anne");
    assert!(play(&[format!("save! {letter}")]).contains("Saved in "));
    let here = folder.path().display();
    let never =
        play(&[format!("save! {here}"), "save! /dev/null".into(), format!("save {here}/no/such/x.json")]);
    assert_eq!(never.matches("No: ").count(), 3, "{never}");
    assert!(never.contains(&format!("the folder `{here}/no/such` does not exist")), "{never}");
}

#[test]
fn what_does_not_fit_is_refused_and_the_game_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, good) = saved(&folder);
    let cases = [
        ("spec", json!("sha256:00"), 1, "sha256:00"),
        ("moves", json!(["e2e4", "e2e4"]), 1, "move 2"),
        ("moves", json!(["f2f3", "e7e5", "g2g4", "d8h4", "e2e4"]), 1, "move 5"),
        ("moves", json!([7]), 2, "no saved game"),
        ("moves", json!("e2e4"), 2, "no saved game"),
        ("tabiya", json!(2), 2, "no saved game"),
        ("start", json!("nonsense"), 2, "not a valid state"),
        ("start", json!("@/etc/hostname"), 2, "not a valid state"),
    ];
    for (key, value, status, why) in cases {
        let mut bad = good.clone();
        bad[key] = value;
        let file = path(&folder, "bad.json");
        fs::write(&file, bad.to_string()).expect("written");
        let said = tabiya(&["play", "chess", "--load", &file]);
        assert_eq!(said.status, status, "{key}: {}", said.err);
        assert!(said.err.contains(why), "{key}: {}", said.err);
        let out = play(&["d2d4".into(), format!("load {file}"), "state".into()]);
        assert!(out.contains("No: ") && out.contains("/3P4/"), "nothing is lost: {out}");
    }
    for text in ["", "[]", "null", "\u{0}", "{"] {
        let file = path(&folder, "bad.json");
        fs::write(&file, text).expect("written");
        assert_eq!(tabiya(&["play", "chess", "--load", &file]).status, 2, "{text:?}");
    }
    assert_eq!(tabiya(&["play", "chess", "--load", &path(&folder, "nowhere")]).status, 2);
    let (file, _) = saved(&folder);
    let other = tabiya(&["play", "knightmate", "--load", &file]);
    assert_eq!(other.status, 1);
    assert_eq!(other.err.matches("sha256:").count(), 2, "both are shown: {}", other.err);
    assert!(other.err.contains("Load it with the game file that it was saved under"), "{}", other.err);
}

#[test]
fn keys_that_are_unknown_or_stand_twice_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = saved(&folder);
    let good = fs::read_to_string(&file).expect("it is there");
    let cases = [
        ("\"clock\": 7, \"moves\"", "unknown key `clock`"),
        ("\"start\": 7, \"moves\"", "the key `start` stands twice"),
        ("\"mov\\u0065s\": [], \"moves\"", "the key `moves` stands twice"),
    ];
    for (keys, why) in cases {
        fs::write(&file, good.replacen("\"moves\"", keys, 1)).expect("written");
        let said = tabiya(&["play", "chess", "--load", &file]);
        assert_eq!(said.status, 2, "{keys}");
        assert!(said.err.contains(why), "{}", said.err);
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_saved_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = saved(&folder);
    let good = fs::read_to_string(&file).expect("it is there");
    fs::write(&file, format!("\u{feff}{good}")).expect("written");
    let said = tabiya(&["play", "chess", "--load", &file]);
    assert_eq!((said.status, said.err.as_str()), (0, ""));
}

/// What people read about a game is no rule of it.
#[test]
fn a_game_is_pinned_to_its_rules_and_to_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, _) = saved(&folder);
    let mut chess: Value =
        serde_json::from_str(tabiya_spec::library::find("chess").expect("chess").json).expect("JSON");
    let mine = path(&folder, "mine.json");
    chess["about"] = json!("My own words.");
    fs::write(&mine, chess.to_string()).expect("written");
    assert_eq!(tabiya(&["play", &mine, "--load", &file]).status, 0);
    chess["name"] = json!("Mine");
    fs::write(&mine, chess.to_string()).expect("written");
    assert_eq!(tabiya(&["play", &mine, "--load", &file]).status, 1);
}
