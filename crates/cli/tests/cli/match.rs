//! `tabiya match`: matches are played, killed, resumed, verified, and read by python-chess.
#![allow(clippy::print_stderr, reason = "a skipped test is reported")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{CliOutput, Folder, python, tabiya};
use serde_json::{Value, json};

/// Plays a match.
fn play(words: &[&str]) -> CliOutput {
    let run = tabiya(&[&["match"], words].concat());
    assert_eq!(run.status, 0, "{words:?}: {}{}", run.stdout, run.stderr);
    run
}

/// Removes what depends on the speed of the machine or on resumption.
fn timeless(mut table: Value) -> Value {
    for agent in table["agents"].as_array_mut().expect("agents") {
        agent["average_us"] = Value::Null;
    }
    table["resumed"] = Value::Null;
    table
}

#[test]
fn a_match_is_played_and_verified() {
    let folder = Folder::new();
    let out = folder.path("match");
    let words = [
        "player:greedy",
        "player:random",
        "--games",
        "4",
        "--seed",
        "3",
        "--concurrency",
        "2",
        "--out",
        &out,
    ];
    let run = play(&words);
    assert!(run.stdout.starts_with("chess: 4 games\n\n"), "{}", run.stdout);
    assert!(run.stdout.contains("player:greedy") && run.stdout.contains("Ended by: "), "{}", run.stdout);
    assert_eq!(run.stderr, "", "no progress bar without a terminal");

    let again = play(&[&words[..], &["--format", "json"]].concat()).json();
    assert_eq!(again["resumed"], json!({ "over": 4, "under_way": 0, "torn_line": null }));
    assert_eq!((&again["played"], &again["game"]), (&json!(4), &json!("chess")));
    let written: Value =
        serde_json::from_str(&fs::read_to_string(format!("{out}/table.json")).expect("a table"))
            .expect("JSON");
    assert_eq!(written["agents"], again["agents"]);

    for file in ["games.jsonl", "games.pgn"] {
        let file = format!("{out}/{file}");
        let run = tabiya(&["verify", &file]);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
        assert!(
            run.stdout.starts_with("4 games, ") && run.stdout.ends_with(": everything is correct.\n"),
            "{}",
            run.stdout
        );
        let checked = tabiya(&["verify", &file, "--format", "json"]).json();
        assert_eq!((&checked["games"], &checked["differences"]), (&json!(4), &json!([])));
    }
}

#[test]
fn results_do_not_depend_on_concurrency() {
    let folder = Folder::new();
    let table = |name: &str, threads: &str| {
        let out = folder.path(name);
        let words = [
            "player:search",
            "player:greedy",
            "--game",
            "losalamos",
            "--games",
            "4",
            "--concurrency",
            threads,
        ];
        timeless(play(&[&words[..], &["--out", &out, "--format", "json"]].concat()).json())
    };
    assert_eq!(table("one", "1"), table("two", "3"));
}

#[test]
fn other_settings_and_invalid_agents_are_rejected() {
    let folder = Folder::new();
    let out = folder.path("match");
    let words = ["match", "player:random", "player:random", "--max-plies", "10", "--out", &out];
    assert_eq!(tabiya(&words).status, 0);
    let run = tabiya(&[&words[..], &["--seed", "9", "--lenient"]].concat());
    assert_eq!(run.status, 1);
    for line in ["seed is 0 there and 9 here", "lenient is false there and true here"] {
        assert!(run.stderr.contains(line), "{}", run.stderr);
    }
    let bad: [(&[&str], i32, &str); 12] = [
        (&["player:random", "random"], 2, "the kind of agent is missing"),
        (&["player:random", "http:ftp://x"], 2, "not an http or https URL"),
        (&["process:\"unclosed", "player:random"], 2, "unclosed quote"),
        (&["player:random", "http://127.0.0.1:1/x"], 2, "write http:http://…"),
        (&["player:random", "player:fast"], 2, "there is no player `fast`"),
        (&["player:random", "player:random", "--tc", "soon"], 2, "is not a time control"),
        (&["player:random", "player:random", "--tc", "-1+1"], 2, "`-1+1` is not a time control"),
        (&["player:random", "player:random", "--move-time", "-1"], 2, "it must be seconds"),
        (&["player:random", "player:random", "--move-time", "0"], 2, "it must be seconds"),
        (&["player:random", "player:random", "--game", "ches"], 2, "did you mean `chess`?"),
        (&["player:random", "player:random", "--openings", "good"], 2, "it must be book or none"),
        (&["player:random", "uci:no-such-program-anywhere"], 1, "could not be started"),
    ];
    for (words, status, why) in bad {
        let run = tabiya(&[&["match"], words].concat());
        assert_eq!((run.status, run.stdout.as_str()), (status, ""), "{words:?}");
        assert!(run.stderr.contains(why), "{words:?}: {}", run.stderr);
    }
}

#[test]
fn a_password_in_an_address_is_rejected_and_not_repeated() {
    let folder = Folder::new();
    let out = folder.path("match");
    for agent in ["http:http://me:hunter2@127.0.0.1:1/", "chat:http://me:hunter2@127.0.0.1:1/v1#m"] {
        for format in ["text", "json"] {
            let run = tabiya(&["match", "player:random", agent, "--out", &out, "--format", format]);
            assert_eq!(run.status, 2, "{agent}");
            assert!(run.stderr.contains("must not contain a name or password"), "{}", run.stderr);
            assert!(
                !run.stderr.contains("hunter2") && !run.stdout.contains("hunter2"),
                "{}{}",
                run.stdout,
                run.stderr
            );
        }
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn short_environment_values_cause_a_warning() {
    // NO_COLOR is set by these tests and has one byte.
    let words = ["player:random", "player:random", "--max-plies", "20", "--env", "NO_COLOR", "--env", "PATH"];
    let run = play(&words);
    assert_eq!(run.stderr, "warning: values of fewer than 4 bytes are not hidden: NO_COLOR\n");
}

/// Starts a match and kills it once its journal has this many bytes. Returns whether it was still running.
fn kill_at(words: &[&str], journal: &Path, bytes: u64) -> bool {
    let binary = assert_cmd::cargo::cargo_bin("tabiya");
    let mut child = Command::new(binary)
        .arg("match")
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        assert!(Instant::now() < deadline, "it makes no progress");
        if child.try_wait().expect("a child").is_some() {
            return false;
        }
        if fs::metadata(journal).is_ok_and(|file| file.len() >= bytes) {
            child.kill().expect("it can be killed");
            child.wait().expect("it is dead");
            return true;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn a_killed_match_resumes_to_the_same_result() {
    let folder = Folder::new();
    let words = |out: &str| -> Vec<String> {
        let words = "player:search player:greedy --games 6 --seed 5 --concurrency 2 --format json --out";
        words.split(' ').chain([out]).map(str::to_owned).collect()
    };
    let whole = folder.path("whole");
    let expected = words(&whole);
    let expected = play(&expected.iter().map(String::as_str).collect::<Vec<_>>()).json();
    let size = fs::metadata(format!("{whole}/games.jsonl")).expect("a journal").len();

    let out = folder.path("killed");
    let command = words(&out);
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    let journal = PathBuf::from(format!("{out}/games.jsonl"));
    let mut killed = 0;
    for part in 1..=4 {
        killed += usize::from(kill_at(&command, &journal, size * part / 5));
    }
    assert!(killed >= 2, "it was too fast to be killed");
    let again = play(&command).json();
    assert_eq!(timeless(again), timeless(expected));
    let run = tabiya(&["verify", &format!("{out}/games.jsonl"), "--format", "json"]);
    assert_eq!((run.status, &run.json()["games"]), (0, &json!(6)), "{}", run.stdout);
    let run = tabiya(&["verify", &format!("{out}/games.pgn"), "--format", "json"]);
    assert_eq!((run.status, &run.json()["games"]), (0, &json!(6)), "{}", run.stdout);
}

/// Prints for each game the errors, result, termination, and the outcome of the final position by python-chess.
const SCRIPT: &str = "\
import sys, io, chess.pgn
text = io.StringIO(sys.stdin.read())
for game in iter(lambda: chess.pgn.read_game(text), None):
    outcome = game.end().board().outcome()
    print(len(game.errors), game.headers['Result'], game.headers['Termination'],
          outcome.result() if outcome else '-', outcome.termination.name if outcome else '-', sep='|')
";

/// Checks that python-chess agrees with every result and every reason that it knows. Returns the number of games.
fn judged_by_python(python: &Path, file: &str) -> usize {
    let mut child = Command::new(python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python starts");
    let text = fs::read(file).expect("the games");
    child.stdin.take().expect("a pipe").write_all(&text).expect("it reads");
    let output = child.wait_with_output().expect("it answers");
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).expect("text");
    for line in printed.lines() {
        let [errors, result, reason, own_result, own_reason] = line.split('|').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        assert_eq!(errors, "0", "{line}");
        let known = match reason {
            "checkmate" => "CHECKMATE",
            "stalemate" => "STALEMATE",
            "fivefold_repetition" => "FIVEFOLD_REPETITION",
            "seventy_five_move_rule" => "SEVENTYFIVE_MOVES",
            // python-chess knows only the simple dead positions.
            "dead_position" if own_reason != "-" => "INSUFFICIENT_MATERIAL",
            _ => "-",
        };
        assert_eq!(own_reason, known, "{line}");
        assert!(own_result == "-" || own_result == result, "{line}");
    }
    printed.lines().count()
}

#[test]
fn python_chess_agrees_with_every_result() {
    let Some(python) = python() else { return };
    let folder = Folder::new();
    let out = folder.path("match");
    play(&["player:random", "player:greedy", "--games", "12", "--seed", "8", "--out", &out]);
    assert_eq!(judged_by_python(&python, &format!("{out}/games.pgn")), 12);
}

#[test]
fn stockfish_plays_a_match() {
    const STOCKFISH: &str = "/usr/games/stockfish";
    if !Path::new(STOCKFISH).exists() {
        eprintln!("skipped: {STOCKFISH} is not installed");
        return;
    }
    let folder = Folder::new();
    let out = folder.path("match");
    let address = format!("uci:{STOCKFISH}");
    // Without clocks, so that a busy machine does not cause a loss on time.
    let words = [&address, "player:greedy", "--games", "2", "--option", "Hash=16"];
    let table =
        play(&[&words[..], &["--option-a", "Skill Level=10", "--out", &out, "--format", "json"]].concat())
            .json();
    assert_eq!((&table["agents"][0]["wins"], &table["played"]), (&json!(2), &json!(2)), "{table}");
    let reliability = &table["agents"][0]["reliability"];
    assert!(reliability["lost_by"].as_object().is_some_and(|lost| lost.values().all(|count| *count == 0)));
    assert_eq!(reliability["departures"], json!({ "lingered": 0, "left_children": 0 }));
    assert_eq!(tabiya(&["verify", &format!("{out}/games.jsonl")]).status, 0);
    if let Some(python) = python() {
        assert_eq!(judged_by_python(&python, &format!("{out}/games.pgn")), 2);
    }
}

#[test]
fn fairy_stockfish_plays_other_games() {
    const ENGINE: &str = "/usr/games/fairy-stockfish";
    if !Path::new(ENGINE).exists() {
        eprintln!("skipped: {ENGINE} is not installed");
        return;
    }
    let address = format!("uci:{ENGINE}");
    for game in ["knightmate", "losalamos", "gardner", "capablanca"] {
        let words = [&address, "player:random", "--game", game, "--games", "2"];
        let table = play(&[&words[..], &["--format", "json"]].concat()).json();
        assert_eq!(table["agents"][0]["wins"], 2, "{game}: {table}");
    }
    let run = tabiya(&["match", &address, "player:random", "--game", "trefoil"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    let run = tabiya(&["match", &address, "player:random", "--game", "nightrider"]);
    assert!(run.status == 1 && run.stderr.contains("the engine does not play nightrider"), "{}", run.stderr);
}
