//! Enochian chess in the terminal: dice, captured leaders, partners, and the drawing of the board.

use std::fs;

use crate::common::{Folder, tabiya, tabiya_with_input};
use serde_json::Value;

const FIRE: [&str; 4] = ["play", "enochian", "--array", "Fire of Fire"];

/// BLUE has captured RED's king, YELLOW has captured BLACK's; it is BLUE's turn.
const PRISONERS: &str = "7K/8/8/8/3R4/8/6t1/.k1.R5 blue - - 7 20 captive=red:blue,black:yellow";

fn play(words: &[&str], input: &str) -> String {
    let run = tabiya_with_input(&[&FIRE[..], words].concat(), input);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    run.stdout
}

#[test]
fn the_board_shows_thrones_frozen_and_controlled_armies() {
    let start = play(&[], "");
    assert!(start.contains(" 8 ^.k+.n ") && start.contains("^  K+N  8"), "two pieces on a throne: {start}");
    assert!(start.contains("^ THRONE: BLUE h8, RED h1, BLACK a1, YELLOW a8."), "{start}");
    let legend =
        "BLUE ABC, RED abc, BLACK .ABC, YELLOW .abc; A+B two pieces on one square; · an empty dark square.";
    assert!(start.contains(legend), "{start}");
    let frozen = play(&["--state", PRISONERS], "");
    assert!(frozen.contains("~rp") && frozen.contains(".~RO"), "frozen pieces have a tilde: {frozen}");
    assert!(frozen.contains("; ~ frozen; "), "{frozen}");
    let guest = "7K/8/8/8/3R4/8/6t1/.k1.R4K+.N red - - captive=black:y";
    let guest = play(&["--state", &guest.replace("7K/", "8/")], "");
    assert!(guest.contains("^K+~.N"), "a frozen guest of another army: {guest}");
    let ptah = play(&["--option", "PTAH=true", "--option", "PTAH_SQUARE=e4", "--option", "QUERENT=RED"], "");
    assert!(ptah.contains("@ PTAH: RED e4."), "{ptah}");
    assert!(ptah.lines().any(|line| line.starts_with(" 4 ") && line.contains('@')), "{ptah}");
    assert!(frozen.contains("RED's leader was captured by BLUE; the army is frozen (~)."), "{frozen}");
    let control = "7K/8/8/8/3R4/8/6t1/.k1.R2.K1k blue - - control=blue:black";
    let controlled = play(&["--state", control], "");
    assert!(controlled.contains("BLUE to move, moved by BLACK."), "{controlled}");
    assert!(controlled.contains("BLUE is controlled by BLACK."), "{controlled}");
}

#[test]
fn armies_that_are_passed_over_are_named() {
    let run = tabiya_with_input(&["play", "enochian"], "a4a5");
    assert!(
        run.stdout.contains("Passed over: BLUE (no legal move) and RED (no legal move)."),
        "{}",
        run.stdout
    );
    let frozen = play(&["--state", PRISONERS], "d4d5");
    let skipped = "BLUE plays d4d5.\nPassed over: RED (frozen) and BLACK (frozen).\n";
    assert!(frozen.contains(skipped), "{frozen}");
    let json = tabiya_with_input(&[&FIRE[..], &["--state", PRISONERS, "--format", "json"]].concat(), "d4d5");
    let events: Vec<Value> = json.lines();
    assert!(events.iter().all(|event| event["event"] != "passed_over"), "{}", json.stdout);
}

#[test]
fn a_shared_square_lists_both_pieces() {
    let run = play(&[], "h1");
    assert!(run.contains("The KING on h1 cannot move.\nKNIGHT on h1: Nh1g3\n"), "{run}");
    let both = play(&["--state", "7K+R/8/8/3t4/8/8/8/.K+.N2.k3k blue - -"], "h8\na1\nRh8g8");
    assert!(both.contains("KING on h8: Kh8g8, Kh8h7, Kh8g7\nROOK on h8: "), "{both}");
    assert!(both.contains("The KING on a1 is BLACK's.\nThe KNIGHT on a1 is BLACK's.\n"), "{both}");
    assert!(both.contains("BLUE plays Rh8g8."), "{both}");
}

#[test]
fn an_array_of_a_file_can_be_played() {
    let folder = Folder::new();
    let yaml = "arrays:\n  - name: Corner\n    turn_order: [red, black, yellow, blue]\n    piece_placements:\n      \
                - { square: d1, army: blue, kind: king }\n      - { square: e8, army: red, kind: king }\n      \
                - { square: a5, army: black, kind: king }\n      - { square: h4, army: yellow, kind: king }\n      \
                - { square: e7, army: red, kind: rook }\n      - { square: b2, army: blue, kind: rook }\n";
    let file = folder.write("mine.yaml", yaml);
    let array = format!("{file}#corner");
    let run =
        tabiya_with_input(&["play", "enochian", "--array", &array, "--rules", "zalewski"], "e7e5\nstate");
    assert!(
        run.stdout.contains("4k3/8/8/.K3r3/7.k/8/1R6/3K4 black - - 1 1"),
        "{} {}",
        run.stdout,
        run.stderr
    );
    let saved = folder.path("game.json");
    tabiya_with_input(&["play", "enochian", "--array", &array], format!("e7e5\nsave {saved}"));
    let loaded = tabiya_with_input(&["play", "enochian", "--load", &saved], "state");
    assert!(loaded.stdout.contains("/.K3r3/"), "{} {}", loaded.stdout, loaded.stderr);
    let out = folder.path("match");
    let words =
        ["match", "player:random", "player:random", "--games", "1", "--max-plies", "20", "--out", &out];
    let run = tabiya(&[&words[..], &["--game", "enochian", "--array", &array]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let run = tabiya(&["verify", &format!("{out}/games.jsonl")]);
    assert_eq!(run.status, 0, "{} {}", run.stdout, run.stderr);
    let unknown = tabiya(&["show", "enochian", "--array", &format!("{file}#Corners")]);
    assert!(unknown.status == 2 && unknown.stderr.contains("did you mean `Corner`?"), "{}", unknown.stderr);
    let missing = tabiya(&["show", "enochian", "--array", "missing.yaml#Corner"]);
    assert!(
        missing.status == 2 && missing.stderr.contains("`missing.yaml` cannot be read"),
        "{}",
        missing.stderr
    );
}

#[test]
fn names_and_states_that_almost_fit_are_explained() {
    let run = tabiya(&["show", "enochian", "--array", "Tablet of Fire"]);
    assert!(run.stderr.contains("did you mean `Tablet of Fire (prototype)`?"), "{}", run.stderr);
    let state = "7k/7t/8/8/8/1R6/8/K5.K.k blue - - die=3";
    let run = tabiya(&["show", "enochian", "--option", "DIVINATION=true", "--state", state]);
    let why = "the die shows 3, but BLUE has no BISHOP that can move";
    assert!(run.status == 2 && run.stderr.contains(why), "{}", run.stderr);
    let run = tabiya(&["show", "enochian", "--option", "DIVINATION=true", "--option", "THROWS=20"]);
    assert!(run.stdout.contains("at most 20 times"), "{}", run.stdout);
}

#[test]
fn the_quiet_limit_applies_everywhere() {
    let state = |quiet: u32| format!("k6r/8/8/8/8/8/TR6/K5.K.k blue - - {quiet} 60");
    let ask = |verb: &str, more: &[&str], quiet: u32| {
        tabiya(&[&[verb, "enochian"], more, &["--state", &state(quiet), "--format", "json"]].concat()).json()
    };
    let outcome = serde_json::json!({ "winners": [], "reason": "quiet" });
    let shown = ask("show", &[], 200);
    assert_eq!((&shown["outcome"], &shown["phase"]), (&outcome, &"GameOver".into()));
    assert_eq!(ask("show", &[], 199)["outcome"], Value::Null);
    assert_eq!(ask("moves", &[], 200), serde_json::json!([]));
    assert_ne!(ask("moves", &[], 199), serde_json::json!([]));
    assert_eq!(ask("perft", &["1"], 200)["nodes"], 0);
    // Of all moves only that of the pawn has successors.
    let whole = ask("perft", &["2"], 0)["nodes"].as_u64();
    let cut = ask("perft", &["2"], 199)["nodes"].as_u64();
    assert!(cut > Some(0) && cut < whole, "{cut:?} {whole:?}");
    assert_eq!(ask("perft", &["2", "--divide", "--threads", "2"], 199)["nodes"].as_u64(), cut);
    let run = tabiya(&["moves", "enochian", "--state", &state(200)]);
    assert_eq!(run.stdout, "There is no move: the game is over. Quiet: the game is drawn.\n");
    let words = ["play", "enochian", "--format", "json", "--state", &state(199)];
    let end = |words: &[&str], input: &str| {
        let events = tabiya_with_input(words, input).lines();
        events.into_iter().find(|event| event["event"] == "end").expect("an end")
    };
    assert_eq!(end(&words, "b2b3")["state"]["outcome"], outcome);
    let words = ["play", "chess", "--format", "json"];
    assert_eq!(
        end(&words, "resign")["state"]["outcome"],
        serde_json::json!({ "winners": ["BLACK"], "reason": "resignation" })
    );
}

#[test]
fn random_agents_play_legal_moves_on_shared_squares() {
    let folder = Folder::new();
    let out = folder.path("match");
    let words = ["match", "player:random", "player:random", "--games", "6", "--seed", "3", "--out", &out];
    let game = ["--game", "enochian", "--array", "Earth of Fire", "--rules", "zalewski"];
    let run = tabiya(&[&words[..], &game].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let journal = fs::read_to_string(format!("{out}/games.jsonl")).expect("the journal");
    assert!(!journal.contains("illegal"), "{run}", run = run.stdout);
    for name in ["games.jsonl", "games.pgn"] {
        let run = tabiya(&["verify", &format!("{out}/{name}")]);
        assert_eq!(run.status, 0, "{} {}", run.stdout, run.stderr);
    }
}

#[test]
fn captured_leaders_can_be_exchanged() {
    let run = play(&["--state", PRISONERS], "exchange\nd4d5\naccept\nstate");
    assert!(run.contains("Captured leaders can be exchanged"), "{run}");
    assert!(run.contains("BLUE proposes to exchange captured leaders"), "{run}");
    assert!(run.contains("No: an exchange is proposed: `accept` or `decline` it."), "{run}");
    assert!(run.contains("YELLOW accepts: the captured leaders are exchanged."), "{run}");
    assert!(run.contains("7K/8/8/8/3R4/8/2.K3t1/.k1.R4k blue - - 0 20"), "{run}");
    let declined = play(&["--state", PRISONERS], "exchange\ndecline\nexchange\nd4d5");
    assert!(declined.contains("No: no exchange can be proposed now."), "{declined}");
    assert!(declined.contains("BLUE plays d4d5."), "{declined}");
}

#[test]
fn partners_resign_together_unless_one_participant_plays_for_both() {
    let four = play(&[], "resign\nmoves");
    assert!(
        four.contains("RED wants to resign.") && four.contains("RED has "),
        "YELLOW has not agreed: {four}"
    );
    let twice = play(&[], "resign\nresign\ne2e3\na1c2\nresign");
    assert!(twice.contains("No: you have resigned already"), "{twice}");
    assert!(twice.contains("RED wants to resign: `resign` agrees, a move continues the game."), "{twice}");
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
    let folder = Folder::new();
    let file = folder.path("game.json");
    let words = ["--divination", "--seed", "1"];
    let run = play(&words, &format!("g1g3\nsave {file}\nstate"));
    assert!(run.contains("RED throws 4."), "{run}");
    let state = run.lines().last().expect("the state").to_owned();
    let text = fs::read_to_string(&file).expect("it was saved");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&value["seed"], &value["throws"][0]), (&1.into(), &4.into()));
    let loaded = play(&["--divination", "--load", &file], "state");
    assert_eq!(loaded.lines().last(), Some(state.as_str()));
    fs::write(&file, text.replace("\"seed\": 1", "\"seed\": 3")).expect("a change");
    let run = tabiya(&[&FIRE[..], &["--divination", "--load", &file]].concat());
    assert_eq!(run.status, 1, "{}", run.stderr);
}

#[test]
fn a_saved_game_names_what_it_was_played_with() {
    let folder = Folder::new();
    let file = folder.path("game.json");
    let words = ["--divination", "--seed", "1", "--rules", "zalewski", "--players", "2"];
    let run = play(&words, &format!("save {file}\nstate"));
    let state = run.lines().last().expect("the state").to_owned();
    let value: Value = serde_json::from_str(&fs::read_to_string(&file).expect("it was saved")).expect("JSON");
    let choice = serde_json::json!({
        "array": "Fire of Fire", "rules": "zalewski",
        "options": { "CAPTOR": "TEAM", "DIVINATION": "true", "WITHDRAWAL": "false" }
    });
    assert_eq!((&value["choice"], &value["players"]), (&choice, &2.into()));
    let load = |words: &[&str]| {
        tabiya_with_input(&[&["play", "enochian", "--load", &file], words].concat(), "state")
    };
    for words in [&[][..], &["--array", "fire of fire", "--divination"], &["--players", "2"]] {
        let run = load(words);
        assert_eq!(
            (run.status, run.stdout.lines().last()),
            (0, Some(state.as_str())),
            "{words:?} {}",
            run.stderr
        );
    }
    let other = load(&["--array", "Water of Fire", "--option", "SHARING=ALLOWED"]);
    let why = "which was played with array Fire of Fire, not Water of Fire; SHARING=NEVER, not ALLOWED";
    assert!(other.status == 1 && other.stderr.contains(why), "{}", other.stderr);
    let four = load(&["--players", "4"]);
    assert!(four.status == 1 && four.stderr.contains("was played with --players 2"), "{}", four.stderr);
    // Loading into a game with other choices lists the differences.
    let run = play(&[], &format!("load {file}"));
    assert!(run.contains("CAPTOR=TEAM, not PLAYER") || run.contains("--players 2"), "{run}");
}

#[test]
fn a_match_with_dice_is_recorded_and_verified() {
    let folder = Folder::new();
    let out = folder.path("match");
    let rules = ["--game", "enochian", "--array", "Fire of Fire", "--rules", "zalewski"];
    let players = ["match", "player:random", "player:random", "--games", "2", "--seed", "3", "--out", &out];
    let run = tabiya(&[&players[..], &rules, &["--game-option", "DIVINATION=true"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let pgn = fs::read_to_string(format!("{out}/games.pgn")).expect("the games");
    let tags = "[Array \"Fire of Fire\"]\n[Options \"DIVINATION=true\"]\n[Rules \"zalewski\"]\n";
    assert!(pgn.contains(tags), "{pgn}");
    for name in ["games.jsonl", "games.pgn"] {
        let file = format!("{out}/{name}");
        let run = tabiya(&[&["verify", &file], &rules[..], &["--option", "DIVINATION=true"]].concat());
        assert_eq!(run.status, 0, "{} {}", run.stdout, run.stderr);
        let run = tabiya(&["verify", &file]);
        assert_eq!(run.status, 0, "it names what it was played with: {} {}", run.stdout, run.stderr);
        let run = tabiya(&["verify", &file, "--array", "water of fire", "--rules", "document"]);
        let why = "it was played with array Fire of Fire, not Water of Fire; KING_ENTERS_CHECK=ALLOWED_IN_CHECK, \
                   not ALLOWED;";
        assert!(run.status == 1 && run.stdout.contains(why), "{}", run.stdout);
    }
    let file = format!("{out}/games.jsonl");
    let text = fs::read_to_string(&file).expect("the journal");
    let throw = text.lines().find(|line| line.contains("\"line\":\"throw\"")).expect("a throw");
    let verify = |changed: String| {
        fs::write(&file, changed).expect("a change");
        tabiya(&[&["verify", &file], &rules[..], &["--option", "DIVINATION=true"]].concat())
    };
    let missing = verify(text.replacen(&format!("{throw}\n"), "", 1));
    assert!(missing.status == 1 && missing.stdout.contains("is missing"), "{}", missing.stdout);
    let face: Value = serde_json::from_str(throw).expect("JSON");
    let other = throw.replace(&format!("\"face\":{}", face["face"]), "\"face\":7");
    let changed = verify(text.replacen(throw, &other, 1));
    assert!(changed.status == 1 && changed.stdout.contains("face is 7"), "{}", changed.stdout);
}

#[test]
fn a_participant_agrees_once_for_the_team() {
    let run = play(&["--players", "2"], "draw\nh1g3\naccept");
    assert!(run.contains("Agreement: the game is drawn."), "{run}");
}

#[test]
fn an_army_cannot_be_handed_to_a_withdrawn_partner() {
    let run = play(&["--rules", "zalewski"], "withdraw YELLOW\ne2e3\na1c2\nwithdraw RED");
    assert!(run.contains("No: that player cannot take over the army."), "{run}");
}

#[test]
fn withdraw_without_a_name_explains_its_form() {
    let run = play(&["--rules", "zalewski"], "withdraw");
    assert!(run.contains("No: name the partner who takes over your army: `withdraw YELLOW`."), "{run}");
    let never = play(&[], "withdraw");
    assert!(never.contains("No: no partner can take over your army now."), "{never}");
}

#[test]
fn an_empty_move_list_gives_the_reason() {
    let run = play(&["--players", "2"], "resign\nmoves");
    assert!(run.ends_with("There is no move: the game is over. Resignation: BLUE and BLACK win.\n"), "{run}");
}

#[test]
fn the_rules_show_both_pieces_on_a_throne() {
    let run = tabiya(&["explain", "enochian", "--array", "Fire of Fire"]);
    assert!(run.stdout.contains("\n8  .k+.n "), "{}", run.stdout);
    assert!(run.stdout.contains(" K+N\n"), "{}", run.stdout);
}

#[test]
fn pieces_that_share_a_square_are_listed_separately() {
    let run = play(&[], "moves");
    assert!(run.contains("  KNIGHT  h1  g3"), "the king cannot leap: {run}");
}

#[test]
fn search_plays_with_dice() {
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
        let run = play(&[&words[..], &["--max-plies", "12"]].concat(), "");
        assert!(run.contains(" plays "), "{run}");
    }
}

#[test]
fn the_game_file_defines_the_divination_flag() {
    let run = tabiya(&["play", "chess", "--divination"]);
    assert!(run.status == 2 && run.stderr.contains("--divination is for games that offer a die"));
    // The option may have any name.
    let folder = Folder::new();
    let text = include_str!("../../../../games/enochian.json");
    let file = folder.write("renamed.json", text.replace("\"DIVINATION\"", "\"ORACLE\""));
    let run = tabiya_with_input(&["play", &file, "--array", "Fire of Fire", "--divination"], "");
    assert!(run.status == 0 && run.stdout.contains("RED throws "), "{} {}", run.stdout, run.stderr);
}
