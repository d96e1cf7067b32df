//! Enochian chess at the terminal: dice, prisoners, partners, and a board that shows it all.

mod common;

use std::fs;

use common::{tabiya, tabiya_reading};
use serde_json::Value;

const FIRE: [&str; 4] = ["play", "enochian", "--array", "Fire of Fire"];

/// BLUE has taken RED's king, YELLOW has taken BLACK's; it is BLUE's turn.
const PRISONERS: &str = "7K/8/8/8/3R4/8/6t1/.k1.R5 blue - - 7 20 captive=red:blue,black:yellow";

fn play(words: &[&str], input: &str) -> String {
    let said = tabiya_reading(&[&FIRE[..], words].concat(), input);
    assert_eq!((said.status, said.err.as_str()), (0, ""), "{}", said.out);
    said.out
}

#[test]
fn the_board_shows_what_an_army_has() {
    let start = play(&[], "");
    assert!(start.contains(" 8 ^.k+n ") && start.contains("^ K+N  8"), "two men on a throne: {start}");
    assert!(start.contains("^ marks THRONE."), "{start}");
    let frozen = play(&["--state", PRISONERS], "");
    assert!(frozen.contains("~rp") && frozen.contains(".~RO"), "frozen men have a tilde: {frozen}");
    assert!(frozen.contains("RED's leader was captured by BLUE; the army is frozen (~)."), "{frozen}");
    let control = "7K/8/8/8/3R4/8/6t1/.k1.R2.K1k blue - - control=blue:black";
    let controlled = play(&["--state", control], "");
    assert!(controlled.contains("BLUE to move, moved by BLACK."), "{controlled}");
    assert!(controlled.contains("BLUE is controlled by BLACK."), "{controlled}");
}

#[test]
fn prisoners_are_exchanged_at_the_table() {
    let said = play(&["--state", PRISONERS], "exchange\nd4d5\naccept\nstate");
    assert!(said.contains("Prisoners can be exchanged"), "{said}");
    assert!(said.contains("BLUE proposes to exchange prisoners"), "{said}");
    assert!(said.contains("No: an exchange is proposed: `accept` or `decline` it."), "{said}");
    assert!(said.contains("YELLOW accepts: the prisoners are exchanged."), "{said}");
    assert!(said.contains("7K/8/8/8/3R4/8/2.K3t1/.k1.R4k blue - - 0 20"), "{said}");
    let declined = play(&["--state", PRISONERS], "exchange\ndecline\nexchange\nd4d5");
    assert!(declined.contains("No: no exchange can be proposed now."), "{declined}");
    assert!(declined.contains("BLUE plays d4d5."), "{declined}");
}

#[test]
fn partners_give_up_together_unless_one_person_plays_for_both() {
    let four = play(&[], "resign\nmoves");
    assert!(
        four.contains("RED would give up.") && four.contains("RED has "),
        "YELLOW has not agreed: {four}"
    );
    let twice = play(&[], "resign\nresign\ne2e3\na1c2\nresign");
    assert!(twice.contains("No: you have given up already"), "{twice}");
    assert!(twice.contains("RED would give up: `resign` agrees, a move plays on."), "{twice}");
    assert!(twice.contains("Resignation: BLUE and BLACK win."), "{twice}");
    let two = play(&["--players", "2"], "resign");
    assert!(two.contains("Resignation: BLUE and BLACK win."), "{two}");
}

#[test]
fn the_same_seed_gives_the_same_divination() {
    let words = ["--divination", "--seat", "AIR=random", "--seat", "EARTH=greedy", "--max-plies", "60"];
    let games: Vec<String> =
        ["7", "7", "8"].iter().map(|seed| play(&[&words[..], &["--seed", seed]].concat(), "")).collect();
    assert_eq!(games[0], games[1]);
    assert_ne!(games[0], games[2]);
    assert!(games[0].contains("it is thrown again") && games[0].contains(" throws "), "{}", games[0]);
    let old = play(&[&words[..], &["--rules", "zalewski", "--seed", "7"]].concat(), "");
    assert!(old.contains("the turn passes") && !old.contains("it is thrown again"), "{old}");
}

#[test]
fn a_game_with_a_die_is_saved_with_its_throws() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.json").display().to_string();
    let words = ["--divination", "--seed", "1"];
    let said = play(&words, &format!("g1g3\nsave {file}\nstate"));
    assert!(said.contains("RED throws 4."), "{said}");
    let state = said.lines().last().expect("the state").to_owned();
    let text = fs::read_to_string(&file).expect("it was saved");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&value["seed"], &value["throws"][0]), (&1.into(), &4.into()));
    let loaded = play(&["--divination", "--load", &file], "state");
    assert_eq!(loaded.lines().last(), Some(state.as_str()));
    fs::write(&file, text.replace("\"seed\": 1", "\"seed\": 3")).expect("a change");
    let said = tabiya(&[&FIRE[..], &["--divination", "--load", &file]].concat());
    assert_eq!(said.status, 1, "{}", said.err);
}

#[test]
fn a_saved_game_names_what_it_was_played_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.json").display().to_string();
    let words = ["--divination", "--seed", "1", "--rules", "zalewski", "--players", "2"];
    let said = play(&words, &format!("save {file}\nstate"));
    let state = said.lines().last().expect("the state").to_owned();
    let value: Value = serde_json::from_str(&fs::read_to_string(&file).expect("it was saved")).expect("JSON");
    let choice = serde_json::json!({
        "array": "Fire of Fire", "rules": "zalewski",
        "options": { "CAPTOR": "TEAM", "DIVINATION": "true", "WITHDRAWAL": "false" }
    });
    assert_eq!((&value["choice"], &value["players"]), (&choice, &2.into()));
    let load =
        |words: &[&str]| tabiya_reading(&[&["play", "enochian", "--load", &file], words].concat(), "state");
    for words in [&[][..], &["--array", "fire of fire", "--divination"], &["--players", "2"]] {
        let said = load(words);
        assert_eq!(
            (said.status, said.out.lines().last()),
            (0, Some(state.as_str())),
            "{words:?} {}",
            said.err
        );
    }
    let other = load(&["--array", "Water of Fire", "--option", "SHARING=ALLOWED"]);
    let why = "which was played with array Fire of Fire, not Water of Fire; SHARING=NEVER, not ALLOWED";
    assert!(other.status == 1 && other.err.contains(why), "{}", other.err);
    let four = load(&["--players", "4"]);
    assert!(four.status == 1 && four.err.contains("was played with --players 2"), "{}", four.err);
    // At a board of another choice it is told what differs.
    let said = play(&[], &format!("load {file}"));
    assert!(said.contains("CAPTOR=TEAM, not PLAYER") || said.contains("--players 2"), "{said}");
}

#[test]
fn a_match_with_dice_is_written_down_and_checked_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("match").display().to_string();
    let rules = ["--game", "enochian", "--array", "Fire of Fire", "--rules", "zalewski"];
    let players = ["match", "player:random", "player:random", "--games", "2", "--seed", "3", "--out", &out];
    let said = tabiya(&[&players[..], &rules, &["--game-option", "DIVINATION=true"]].concat());
    assert_eq!(said.status, 0, "{}", said.err);
    let pgn = fs::read_to_string(format!("{out}/games.pgn")).expect("the games");
    let tags = "[Array \"Fire of Fire\"]\n[Options \"DIVINATION=true\"]\n[Rules \"zalewski\"]\n";
    assert!(pgn.contains(tags), "{pgn}");
    for name in ["games.jsonl", "games.pgn"] {
        let file = format!("{out}/{name}");
        let said = tabiya(&[&["verify", &file], &rules[..], &["--option", "DIVINATION=true"]].concat());
        assert_eq!(said.status, 0, "{} {}", said.out, said.err);
        let said = tabiya(&["verify", &file]);
        assert_eq!(said.status, 0, "it names what it was played with: {} {}", said.out, said.err);
        let said = tabiya(&["verify", &file, "--array", "water of fire", "--rules", "document"]);
        let why = "it was played with array Fire of Fire, not Water of Fire; KING_ENTERS_CHECK=ALLOWED_IN_CHECK, \
                   not ALLOWED;";
        assert!(said.status == 1 && said.out.contains(why), "{}", said.out);
    }
    let file = format!("{out}/games.jsonl");
    let text = fs::read_to_string(&file).expect("the journal");
    let throw = text.lines().find(|line| line.contains("\"line\":\"throw\"")).expect("a throw");
    let verify = |changed: String| {
        fs::write(&file, changed).expect("a change");
        tabiya(&[&["verify", &file], &rules[..], &["--option", "DIVINATION=true"]].concat())
    };
    let missing = verify(text.replacen(&format!("{throw}\n"), "", 1));
    assert!(missing.status == 1 && missing.out.contains("is missing"), "{}", missing.out);
    let face: Value = serde_json::from_str(throw).expect("JSON");
    let other = throw.replace(&format!("\"face\":{}", face["face"]), "\"face\":7");
    let changed = verify(text.replacen(throw, &other, 1));
    assert!(changed.status == 1 && changed.out.contains("face is 7"), "{}", changed.out);
}

#[test]
fn a_team_of_one_person_agrees_once() {
    let said = play(&["--players", "2"], "draw\nh1g3\naccept");
    assert!(said.contains("Agreement: the game is drawn."), "{said}");
}

#[test]
fn nobody_hands_an_army_over_to_who_has_left() {
    let said = play(&["--rules", "zalewski"], "withdraw YELLOW\ne2e3\na1c2\nwithdraw RED");
    assert!(said.contains("No: the army cannot be handed over to that player."), "{said}");
}

#[test]
fn who_would_withdraw_is_told_what_to_write() {
    let said = play(&["--rules", "zalewski"], "withdraw");
    assert!(said.contains("No: say to whom you hand your army over: `withdraw YELLOW`."), "{said}");
    let never = play(&[], "withdraw");
    assert!(never.contains("No: your army can be handed over to nobody now."), "{never}");
}

#[test]
fn a_list_without_moves_says_why() {
    let said = play(&["--players", "2"], "resign\nmoves");
    assert!(
        said.ends_with("There is no move: the game is over. Resignation: BLUE and BLACK win.\n"),
        "{said}"
    );
}

#[test]
fn the_rules_show_both_men_on_a_throne() {
    let said = tabiya(&["explain", "enochian", "--array", "Fire of Fire"]);
    assert!(said.out.contains("\n8  .k+.n "), "{}", said.out);
    assert!(said.out.contains(" K+N\n"), "{}", said.out);
}

#[test]
fn men_on_one_square_are_told_apart() {
    let said = play(&[], "moves");
    assert!(said.contains("  KNIGHT  h1  g3"), "the king cannot leap: {said}");
}

#[test]
fn the_player_who_looks_ahead_knows_dice() {
    for rules in ["document", "zalewski"] {
        let words = [
            "--rules",
            rules,
            "--divination",
            "--seed",
            "3",
            "--seat",
            "AIR=search",
            "--seat",
            "EARTH=greedy",
        ];
        let said = play(&[&words[..], &["--max-plies", "12"]].concat(), "");
        assert!(said.contains(" plays "), "{said}");
    }
}

#[test]
fn the_game_says_what_a_flag_means() {
    let said = tabiya(&["play", "chess", "--divination"]);
    assert!(said.status == 2 && said.err.contains("--divination is for games that offer a die"));
    // Another game, another name of the option.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("renamed.json").display().to_string();
    let text = include_str!("../../../games/enochian.json");
    fs::write(&file, text.replace("\"DIVINATION\"", "\"ORACLE\"")).expect("written");
    let said = tabiya_reading(&["play", &file, "--array", "Fire of Fire", "--divination"], "");
    assert!(said.status == 0 && said.out.contains("RED throws "), "{} {}", said.out, said.err);
}
