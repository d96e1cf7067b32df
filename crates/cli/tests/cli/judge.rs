//! `tabiya judge`: one verdict for every line.

use crate::common::{chess_state, tabiya, tabiya_with_input};
use serde_json::{Value, json};

fn case(state: &Value, output: &str) -> String {
    json!({ "state": state, "output": output }).to_string()
}

fn mate_in_one() -> Value {
    chess_state(&json!({ "e1": "K", "a1": "R", "g8": "k", "f7": "p", "g7": "p", "h7": "p" }), "white")
}

const MATE: &str = r#"{"from":"a1","to":"a8","promotion":null}"#;

#[test]
fn every_line_gets_a_verdict() {
    let good = case(&mate_in_one(), MATE);
    let mut input = Vec::new();
    for line in [
        good.as_bytes(),
        b"",
        b"garbage",
        b"\xff\xfe",
        b"null",
        b"{}",
        b"{\"state\":{},\"output\":\"\"}",
        good.as_bytes(),
    ] {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend(case(&mate_in_one(), r#"{"action":"resign"}"#).as_bytes());
    let run = tabiya_with_input(&["judge"], input);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let verdicts = run.lines();
    let words: Vec<&str> = verdicts.iter().map(|run| run["verdict"].as_str().expect("a word")).collect();
    let bad = "bad_state";
    assert_eq!(words, ["move", bad, bad, bad, bad, bad, bad, "move", "resign"]);
    for verdict in verdicts.iter().filter(|verdict| verdict["verdict"] == bad) {
        assert!(verdict["reasons"].as_array().is_some_and(|reasons| !reasons.is_empty()), "{verdict}");
    }
    let expected = json!({ "verdict": "move", "uci": "a1a8", "result": "white", "end_reason": "checkmate", "why": null });
    assert_eq!(verdicts[0], expected);
    assert_eq!(
        tabiya_with_input(&["judge", "--format", "json"], case(&mate_in_one(), MATE)).json(),
        expected
    );
}

#[test]
fn judging_continues_after_a_too_long_line() {
    let mut input = vec![b'['; (16 << 20) + 1];
    input.push(b'\n');
    input.extend(case(&mate_in_one(), MATE).into_bytes());
    let verdicts = tabiya_with_input(&["judge"], input).lines();
    assert_eq!(verdicts.len(), 2);
    assert_eq!((&verdicts[0]["verdict"], &verdicts[1]["verdict"]), (&json!("bad_state"), &json!("move")));
    assert_eq!(tabiya(&["judge"]).stdout, "", "no case, no verdict");
}

#[test]
fn lenient_mode_accepts_surrounding_text() {
    let line = case(&mate_in_one(), &format!("Mate!\n```json\n{MATE}\n```"));
    assert_eq!(tabiya_with_input(&["judge"], line.clone()).json()["verdict"], "malformed");
    let verdict = tabiya_with_input(&["judge", "--lenient"], line).json();
    assert_eq!((&verdict["uci"], &verdict["lenient"]), (&json!("a1a8"), &json!(true)));
}

#[test]
fn other_games_use_the_general_state_format() {
    let start = tabiya(&["show", "capablanca", "--format", "json"]).json();
    let outputs = [
        (r#"{"from":[4,1],"to":[4,3],"promotion":null}"#, "move"),
        (r#"{"from":[4,1],"to":[4,4],"promotion":null}"#, "illegal"),
        (r#"{"from":"e2","to":"e4","promotion":null}"#, "malformed"),
        (r#"{"action":"resign"}"#, "resign"),
    ];
    let input: String = outputs.iter().map(|(output, _)| case(&start, output) + "\n").collect();
    let verdicts = tabiya_with_input(&["judge", "--game", "capablanca"], input).lines();
    for (verdict, (output, word)) in verdicts.iter().zip(outputs) {
        assert_eq!(verdict["verdict"], word, "{output}");
    }
    assert_eq!(verdicts[0]["uci"], "e2e4");
    assert_eq!(verdicts[3]["result"], "BLACK");
    let bad = case(&mate_in_one(), MATE);
    assert_eq!(tabiya_with_input(&["judge", "--game", "capablanca"], bad).json()["verdict"], "bad_state");
}

#[test]
fn documented_cases_get_the_documented_verdicts() {
    let document = include_str!("../../../../docs/command-line.md");
    let mut cases = 0;
    for block in document.split("\n```judge\n").skip(1) {
        let body = block.split("\n```").next().expect("it ends");
        for pair in body.lines().collect::<Vec<_>>().chunks(2) {
            let run = tabiya_with_input(&["judge"], pair[0]);
            assert_eq!(run.stdout.trim_end(), pair[1]);
            cases += 1;
        }
    }
    assert_eq!(cases, 5);
}
