//! Saved games: written, loaded, and rejected with a reason.

use std::fs;

use crate::common::{Folder, tabiya, tabiya_with_input};
use serde_json::{Value, json};

fn play(lines: &[String]) -> String {
    let run = tabiya_with_input(&["play", "chess"], lines.join("\n"));
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    run.stdout
}

fn lines(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Saves a game of three moves.
fn saved(folder: &Folder) -> (String, Value) {
    let file = folder.path("game.json");
    let out = play(&[lines(&["e2e4", "e7e5", "g1f3"]), vec![format!("save {file}")]].concat());
    assert!(out.contains("Saved in "), "{out}");
    let value = serde_json::from_str(&fs::read_to_string(&file).expect("it is there")).expect("JSON");
    (file, value)
}

#[test]
fn a_game_is_saved_and_loaded() {
    let folder = Folder::new();
    let (file, value) = saved(&folder);
    assert_eq!(value["tabiya"], 1);
    assert_eq!(value["game"], "chess");
    assert!(value["spec"].as_str().is_some_and(|spec| spec.starts_with("sha256:")));
    assert_eq!(value["start"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(value["moves"], json!(["e2e4", "e7e5", "g1f3"]));
    assert_eq!(fs::read_dir(folder.root()).expect("a folder").count(), 1, "nothing else is left behind");

    let state = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    let loaded = play(&[format!("load {file}"), "state".into()]);
    assert!(loaded.contains(state), "{loaded}");
    let run = tabiya_with_input(&["play", "chess", "--load", &file], "state\nundo\nstate");
    assert!(run.stdout.contains(state) && run.stdout.contains("1 turn taken back."), "{}", run.stdout);
}

#[test]
fn a_resignation_is_saved() {
    let folder = Folder::new();
    let file = folder.path("game.json");
    play(&[lines(&["e2e4", "resign"]), vec![format!("save {file}")]].concat());
    let run = tabiya_with_input(&["play", "chess", "--load", &file], "");
    assert!(run.stdout.contains("Resignation: WHITE wins."), "{}", run.stdout);
}

#[test]
fn other_files_are_not_overwritten_by_accident() {
    let folder = Folder::new();
    let (file, _) = saved(&folder);
    assert!(play(&[format!("save {file}")]).contains("Saved in "), "a saved game is replaced");
    let letter = folder.path("letter.txt");
    fs::write(&letter, "Dear Anne").expect("written");
    let refused = play(&[format!("save {letter}")]);
    assert!(refused.contains("save! "), "{refused}");
    assert_eq!(fs::read_to_string(&letter).expect("it is there"), "Dear Anne");
    assert!(play(&[format!("save! {letter}")]).contains("Saved in "));
    let here = folder.root().display();
    let never =
        play(&[format!("save! {here}"), "save! /dev/null".into(), format!("save {here}/no/such/x.json")]);
    assert_eq!(never.matches("No: ").count(), 3, "{never}");
    assert!(never.contains(&format!("the folder `{here}/no/such` does not exist")), "{never}");
}

#[test]
fn invalid_saved_games_are_rejected_and_the_game_continues() {
    let folder = Folder::new();
    let (_, good) = saved(&folder);
    let cases = [
        ("spec", json!("sha256:00"), 1, "sha256:00"),
        ("moves", json!(["e2e4", "e2e4"]), 1, "move 2"),
        ("moves", json!(["f2f3", "e7e5", "g2g4", "d8h4", "e2e4"]), 1, "move 5"),
        ("moves", json!([7]), 2, "not a saved game"),
        ("moves", json!("e2e4"), 2, "not a saved game"),
        ("tabiya", json!(2), 2, "not a saved game"),
        ("start", json!("nonsense"), 2, "not a valid state"),
        ("start", json!("@/etc/hostname"), 2, "not a valid state"),
    ];
    for (key, value, status, why) in cases {
        let mut bad = good.clone();
        bad[key] = value;
        let file = folder.path("bad.json");
        fs::write(&file, bad.to_string()).expect("written");
        let run = tabiya(&["play", "chess", "--load", &file]);
        assert_eq!(run.status, status, "{key}: {}", run.stderr);
        assert!(run.stderr.contains(why), "{key}: {}", run.stderr);
        let out = play(&["d2d4".into(), format!("load {file}"), "state".into()]);
        assert!(out.contains("No: ") && out.contains("/3P4/"), "nothing is lost: {out}");
    }
    for text in ["", "[]", "null", "\u{0}", "{"] {
        let file = folder.path("bad.json");
        fs::write(&file, text).expect("written");
        assert_eq!(tabiya(&["play", "chess", "--load", &file]).status, 2, "{text:?}");
    }
    assert_eq!(tabiya(&["play", "chess", "--load", &folder.path("nowhere")]).status, 2);
    let (file, _) = saved(&folder);
    let other = tabiya(&["play", "knightmate", "--load", &file]);
    assert_eq!(other.status, 1);
    assert_eq!(other.stderr.matches("sha256:").count(), 2, "both are shown: {}", other.stderr);
    assert!(other.stderr.contains("Load it with the game file that it was saved under"), "{}", other.stderr);
}

#[test]
fn unknown_and_repeated_keys_are_named() {
    let folder = Folder::new();
    let (file, _) = saved(&folder);
    let good = fs::read_to_string(&file).expect("it is there");
    let cases = [
        ("\"clock\": 7, \"moves\"", "unknown key `clock`"),
        ("\"start\": 7, \"moves\"", "the key `start` is repeated"),
        ("\"mov\\u0065s\": [], \"moves\"", "the key `moves` is repeated"),
    ];
    for (keys, why) in cases {
        fs::write(&file, good.replacen("\"moves\"", keys, 1)).expect("written");
        let run = tabiya(&["play", "chess", "--load", &file]);
        assert_eq!(run.status, 2, "{keys}");
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
}

#[test]
fn a_byte_order_mark_is_ignored() {
    let folder = Folder::new();
    let (file, _) = saved(&folder);
    let good = fs::read_to_string(&file).expect("it is there");
    fs::write(&file, format!("\u{feff}{good}")).expect("written");
    let run = tabiya(&["play", "chess", "--load", &file]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

#[test]
fn a_saved_game_depends_only_on_the_rules() {
    let folder = Folder::new();
    let (file, _) = saved(&folder);
    let mut chess: Value =
        serde_json::from_str(tabiya_spec::library::find("chess").expect("chess").json).expect("JSON");
    let mine = folder.path("mine.json");
    chess["about"] = json!("My own words.");
    fs::write(&mine, chess.to_string()).expect("written");
    assert_eq!(tabiya(&["play", &mine, "--load", &file]).status, 0);
    chess["name"] = json!("Mine");
    fs::write(&mine, chess.to_string()).expect("written");
    assert_eq!(tabiya(&["play", &mine, "--load", &file]).status, 1);
}
