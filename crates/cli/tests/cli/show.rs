//! `tabiya show`, `moves` and `explain`.

use crate::common::{Folder, tabiya};

const PROMOTION: &str = "8/P7/8/8/8/8/8/k1K5 w - - 0 1";

#[test]
fn the_board_is_drawn() {
    let run = tabiya(&["show", "chess"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let expected = [
        " 8  roo  kni  bis  que  kin  bis  kni  roo  8",
        " 6        ·         ·         ·         ·   6",
        " 1  ROO  KNI  BIS  QUE  KIN  BIS  KNI  ROO  1",
        "WHITE to move.",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];
    for line in expected {
        assert!(run.stdout.lines().any(|drawn| drawn == line), "{line}\n{}", run.stdout);
    }
}

#[test]
fn more_armies_have_dots_and_holes_are_hatched() {
    let run = tabiya(&["show", "fourplayer"]);
    let rank = |number: &str| {
        let start = format!(" {number} ");
        run.stdout.lines().find(|line| line.starts_with(&start)).unwrap_or_default().to_owned()
    };
    assert!(rank("14").contains(".ROO") && rank("14").contains('░'), "{}", run.stdout);
    assert!(rank("11").contains(" roo") && rank("11").contains(".roo"), "{}", run.stdout);
    assert!(rank(" 1").contains(" KIN"), "{}", run.stdout);
    let mut board = run.stdout.lines().take_while(|line| !line.is_empty());
    assert!(board.all(|line| line.chars().count() <= 80), "it fits a terminal");
}

#[test]
fn colours_can_be_forced() {
    let forced = assert_cmd::Command::cargo_bin("tabiya")
        .expect("the binary is built")
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .args(["show", "chess"])
        .output()
        .expect("it runs");
    assert!(String::from_utf8_lossy(&forced.stdout).contains("\x1b["));
    assert!(!tabiya(&["show", "chess"]).stdout.contains('\x1b'));
}

#[test]
fn check_mate_and_stalemate_are_described() {
    let check = tabiya(&["show", "chess", "--state", "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"]);
    assert!(check.stdout.contains("In check: WHITE."), "{}", check.stdout);
    let mate = tabiya(&["show", "chess", "--state", "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1"]);
    assert!(mate.stdout.contains("Checkmate: WHITE wins."), "{}", mate.stdout);
    let state =
        tabiya(&["show", "chess", "--state", "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", "--format", "json"]).json();
    assert_eq!(state["outcome"], serde_json::json!({ "winners": ["WHITE"], "reason": "checkmate" }));
    let stale = tabiya(&["show", "chess", "--state", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]);
    assert!(stale.stdout.contains("Stalemate: the game is drawn."), "{}", stale.stdout);
}

#[test]
fn the_end_of_a_game_is_described_as_the_referee_sees_it() {
    for (state, reason, sentence) in [
        ("8/8/8/4k3/8/8/4K3/8 w - -", "dead_position", "Dead position: the game is drawn."),
        ("8/8/8/4k3/8/8/4K2R/8 b - - 99 50", "", "BLACK to move."),
        ("8/8/8/4k3/8/8/4K2R/8 w - - 150 100", "seventy_five_move_rule", ": the game is drawn."),
    ] {
        let shown = tabiya(&["show", "chess", "--state", state]).stdout;
        assert!(shown.contains(sentence), "{shown}");
        let json = tabiya(&["show", "chess", "--state", state, "--format", "json"]).json();
        assert_eq!(json["phase"], if reason.is_empty() { "Idle" } else { "GameOver" }, "{json}");
        assert_eq!(json["outcome"]["reason"].as_str().unwrap_or_default(), reason);
        // Endings do not take moves away.
        assert!(tabiya(&["moves", "chess", "--state", state]).stdout.contains(" legal moves."));
    }
}

#[test]
fn turns_of_several_parts_are_listed_at_once() {
    let folder = Folder::new();
    let game = folder.write(
        "shots.json",
        r#"{ "name": "Shots", "board": { "dimensions": [12, 12] }, "setup": "12/12/12/3a4a3/12/12/12/12/3A4A3/12/12/12",
            "players": ["WHITE", "BLACK", { "name": "STONES", "neutral": true, "direction": "UP" }], "turns": { "order": ["WHITE", "BLACK"],
              "then": [{ "code": "SHOOT", "same_piece": true, "moves": [{ "betza": "mQ", "actions": "SHOOT" }] }] },
            "triggers": [{ "on": "SHOT", "effects": [{ "action": "PLACE", "piece": "STONE", "owner": "NEUTRAL" }] }],
            "pieces": [{ "code": "AMAZON", "betza": "mQ" }, { "code": "STONE", "moves": [] }] }"#,
    );
    let count = tabiya(&["perft", &game, "1", "--format", "json"]).json()["nodes"].to_string();
    let text = tabiya(&["moves", &game]).stdout;
    assert!(text.contains(&format!("WHITE has {count} legal moves.")), "{count}: {text:.200}");
    let json = tabiya(&["moves", &game, "--format", "json"]).json();
    let moves = json.as_array().expect("a list");
    assert_eq!(moves.len().to_string(), count);
    assert!(moves.iter().all(|it| it["then"].as_array().is_some_and(|then| then.len() == 1)));
}

#[test]
fn a_state_may_be_in_a_file() {
    let folder = Folder::new();
    let file = |name: &str, contents: &[u8]| format!("@{}", folder.write(name, contents));
    let json = tabiya(&["show", "chess", "--state", PROMOTION, "--format", "json"]).stdout;
    let good = [
        file("a.json", json.as_bytes()),
        file("a.fen", format!("{PROMOTION}\n").as_bytes()),
        file("mark.json", format!("\u{feff}{json}").as_bytes()),
        file("mark.fen", format!("\u{feff}{PROMOTION}").as_bytes()),
    ];
    for state in good {
        let run = tabiya(&["show", "chess", "--state", &state, "--format", "json"]);
        assert_eq!(run.stdout, json, "{}", run.stderr);
    }
    let bad = [
        file("b.json", b"{ \"pieces\": 7 }"),
        file("c", b"\xff"),
        file("d", &vec![b' '; (16 << 20) + 1]),
        "@".into(),
    ];
    for state in bad {
        assert_eq!(tabiya(&["show", "chess", "--state", &state]).status, 2, "{state}");
    }
}

#[test]
fn every_reason_against_a_state_is_listed() {
    let run = tabiya(&["show", "chess", "--state", "xxx/8/8/8 q - - 0 1"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.matches("\n  - ").count() >= 2, "{}", run.stderr);
    for state in ["", "{", "[]", "null", "{}", "\u{1b}", "8/8/8/8/8/8/8/8 w - - 99999999999999999999 1"] {
        assert_eq!(tabiya(&["show", "chess", "--state", state]).status, 2, "{state}");
    }
}

#[test]
fn moves_are_grouped_by_piece() {
    let run = tabiya(&["moves", "chess"]);
    assert!(run.stdout.starts_with("WHITE has 20 legal moves.\n"), "{}", run.stdout);
    assert!(run.stdout.lines().any(|line| line == "  PAWN    e2  e3 e4"), "{}", run.stdout);
    let capture = tabiya(&["moves", "chess", "--state", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"]);
    assert!(capture.stdout.contains("xd5"), "{}", capture.stdout);
}

#[test]
fn moves_are_printed_as_json() {
    let run = tabiya(&["moves", "chess", "--state", PROMOTION, "--format", "json"]);
    let moves = run.json();
    let queen =
        moves.as_array().expect("a list").iter().find(|played| played["text"] == "a7a8q").expect("a7a8q");
    assert_eq!(queen["from"], serde_json::json!([0, 6]));
    assert_eq!(queen["to"], serde_json::json!([0, 7]));
    assert_eq!(queen["promotion"], "QUEEN");
    assert!(queen["id"].is_i64());
    assert!(moves.as_array().expect("a list").iter().any(|played| played["promotion"].is_null()));
}

#[test]
fn rules_are_explained() {
    let run = tabiya(&["explain", "chess"]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("PAWN") && run.stdout.lines().count() > 20, "{}", run.stdout);
    let told = tabiya(&["explain", "chess", "--format", "json"]).json();
    assert_eq!(told["game"], "chess");
    assert_eq!(told["text"].as_str().map(str::trim_end), Some(run.stdout.trim_end()));
}
