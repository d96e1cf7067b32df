//! Answers that are exactly one object of the known form and answers that are not, strict and lenient.

use serde_json::{Value, json};
use tabiya_referee::Game;
use tabiya_referee::protocol::{OUTPUT_LIMIT, Strictness};

use crate::support::{rules, verdict_of};

fn said(text: &str, strictness: Strictness) -> Value {
    verdict_of(&mut Game::new(rules("chess")), text, strictness)
}

fn strict(text: &str) -> Value {
    said(text, Strictness::Strict)
}

fn lenient(text: &str) -> Value {
    said(text, Strictness::Lenient)
}

const E4: &str = r#"{"from":"e2","to":"e4","promotion":null}"#;

/// What is wrong, and outputs that are wrong like that.
const MALFORMED: &[(&str, &[&str])] = &[
    ("empty", &["", "  \n"]),
    (
        "not exactly one JSON object",
        &[
            "e2e4",
            "null",
            "[]",
            "\"e2e4\"",
            "{",
            "{'from':'e2','to':'e4','promotion':null}",
            r#"{"from":"e2","to":"e4","promotion":null}."#,
            r#"{"from":"e2","to":"e4","promotion":null} I win"#,
            r#"{"from":"e2","to":"e4","promotion":null}{"from":"e2","to":"e4","promotion":null}"#,
            r#"[{"from":"e2","to":"e4","promotion":null}]"#,
            "```json\n{\"from\":\"e2\",\"to\":\"e4\",\"promotion\":null}\n```",
            "\u{feff}{\"from\":\"e2\",\"to\":\"e4\",\"promotion\":null}",
            r#"{"from":"e2","to":"e4","promotion":null,}"#,
            r#"{"from":"e2","to":"e4" /* so */,"promotion":null}"#,
        ],
    ),
    (
        "twice",
        &[
            r#"{"from":"e2","from":"d2","to":"e4","promotion":null}"#,
            r#"{"from":"e2","to":"e4","promotion":null,"promotion":null}"#,
            r#"{"action":"resign","action":"resign"}"#,
        ],
    ),
    (
        "lacks the key",
        &[
            "{}",
            r#"{"from":"e2","to":"e4"}"#,
            r#"{"to":"e4","promotion":null}"#,
            r#"{"From":"e2","to":"e4","promotion":null}"#,
            r#"{"action":"claim_draw"}"#,
            r#"{"action":"claim_draw","reason":"fifty_move_rule","move":{"from":"e2","to":"e4"}}"#,
        ],
    ),
    (
        "unknown key",
        &[
            r#"{"from":"e2","to":"e4","promotion":null,"comment":"best"}"#,
            r#"{"from":"e2","to":"e4","promotion":null,"id":1}"#,
            r#"{"action":"resign","from":"e2"}"#,
            r#"{"action":"offer_draw","reason":"threefold_repetition"}"#,
            r#"{"action":"claim_draw","reason":"fifty_move_rule","why":"so"}"#,
            r#"{"from":"e2","to":"e4","promotion":null,"move":null}"#,
        ],
    ),
    (
        "is not a square",
        &[
            r#"{"from":"e9","to":"e4","promotion":null}"#,
            r#"{"from":"E2","to":"e4","promotion":null}"#,
            r#"{"from":"e2","to":"i4","promotion":null}"#,
            r#"{"from":"e2 ","to":"e4","promotion":null}"#,
            r#"{"from":"","to":"e4","promotion":null}"#,
            r#"{"from":[4,1],"to":[4,3],"promotion":null}"#,
            r#"{"from":null,"to":"e4","promotion":null}"#,
        ],
    ),
    (
        "`promotion` is not",
        &[
            r#"{"from":"e2","to":"e4","promotion":"q"}"#,
            r#"{"from":"e2","to":"e4","promotion":"K"}"#,
            r#"{"from":"e2","to":"e4","promotion":"P"}"#,
            r#"{"from":"e2","to":"e4","promotion":"QUEEN"}"#,
            r#"{"from":"e2","to":"e4","promotion":""}"#,
            r#"{"from":"e2","to":"e4","promotion":false}"#,
        ],
    ),
    ("no action", &[r#"{"action":"castle"}"#, r#"{"action":"Resign"}"#, r#"{"action":"claim_win"}"#]),
    ("`action` is not a string", &[r#"{"action":null}"#, r#"{"action":7}"#]),
    (
        "something that can be claimed",
        &[
            r#"{"action":"claim_draw","reason":"boredom"}"#,
            r#"{"action":"claim_draw","reason":"THREEFOLD_REPETITION"}"#,
            r#"{"action":"claim_draw","reason":"dead_position"}"#,
            r#"{"action":"claim_draw","reason":null}"#,
        ],
    ),
    (
        "`move` is not an object",
        &[
            r#"{"action":"claim_draw","reason":"fifty_move_rule","move":"e2e4"}"#,
            r#"{"action":"claim_draw","reason":"fifty_move_rule","move":null}"#,
        ],
    ),
];

#[test]
fn strict_reading_refuses_with_the_reason() {
    for (reason, texts) in MALFORMED {
        for text in *texts {
            let said = strict(text);
            assert_eq!(said["verdict"], "malformed", "{text}");
            assert!(said["why"].as_str().is_some_and(|why| why.contains(reason)), "{text}: {said}");
            assert_eq!((&said["result"], &said["end_reason"]), (&json!("black"), &json!("illegal_output")));
            assert!(said["uci"].is_null() && said.get("rule").is_none() && said.get("lenient").is_none());
        }
    }
}

#[test]
fn white_space_is_no_fault() {
    for text in [format!(" \t\r\n{E4}\r\n "), E4.replace(',', " ,\n\t")] {
        let said = strict(&text);
        assert_eq!((&said["verdict"], said.get("lenient")), (&json!("move"), None));
    }
    assert_eq!(
        strict(r#"{"promotion":null,"to":"\u00654","from":"e2"}"#)["uci"],
        "e2e4",
        "it is the same JSON"
    );
}

#[test]
fn lenient_reading_finds_the_object_and_says_so() {
    let found = [
        format!("I play e4: {E4}"),
        format!("```json\n{E4}\n```"),
        format!("Let me think {{about it}}.\n\n```\n{E4}\n```\nThat is {E4} for you."),
        format!("[{E4}]"),
        format!("\u{feff}{E4}"),
        format!("{E4} {E4}"),
        format!("{{\"thoughts\":\"e4 {{is}} best\"}} {E4}"),
    ];
    for text in found {
        let said = lenient(&text);
        assert_eq!((&said["verdict"], &said["uci"]), (&json!("move"), &json!("e2e4")), "{text}: {said}");
        assert_eq!(said["lenient"], true, "{text}");
        assert_eq!(strict(&text)["verdict"], "malformed", "{text}");
    }
    assert_eq!(lenient("I resign. {\"action\":\"resign\"}")["verdict"], "resign");
}

#[test]
fn nothing_is_forgiven_where_nothing_is_wrong() {
    assert_eq!(lenient(E4), strict(E4));
    let illegal = lenient(r#"Well: {"from":"e2","to":"e5","promotion":null}"#);
    assert_eq!((&illegal["verdict"], &illegal["lenient"]), (&json!("illegal"), &json!(true)));
}

#[test]
fn lenient_reading_invents_no_move() {
    let nothing = [
        // Two different ones.
        format!("{E4} or {}", r#"{"from":"d2","to":"d4","promotion":null}"#),
        format!("{E4} {}", r#"{"action":"offer_draw"}"#),
        // Within another object, whether that one is JSON or not.
        format!("{{\"action\":\"claim_draw\",\"reason\":\"boredom\",\"move\":{E4}}}"),
        format!("{{'action':'claim_draw','move':{E4}}}"),
        format!("{{\"move\":{E4}}}"),
        // Not closed, not opened, not whole.
        E4.trim_end_matches('}').to_owned(),
        format!("{{ {E4}"),
        "e2e4".to_owned(),
        "from e2 to e4, promotion null".to_owned(),
        r#"so: {"from":"e2","to":"e4"}"#.to_owned(),
        r#"so: {"from":"e2","from":"d2","to":"e4","promotion":null}"#.to_owned(),
    ];
    for text in nothing {
        let said = lenient(&text);
        assert_eq!(said["verdict"], "malformed", "{text}: {said}");
    }
}

#[test]
fn long_outputs_are_not_read() {
    let long = format!("{E4}{}", " ".repeat(OUTPUT_LIMIT));
    for strictness in [Strictness::Strict, Strictness::Lenient] {
        assert_eq!(said(&long, strictness)["verdict"], "malformed");
    }
}

#[test]
fn braces_without_end_take_no_time() {
    let start = std::time::Instant::now();
    for piece in ["{", "{\"a\":", "{\"a\":[", "{}", "{\"", "{\"a\":\"}"] {
        let text = piece.repeat(OUTPUT_LIMIT / piece.len());
        assert_eq!(lenient(&text)["verdict"], "malformed");
    }
    assert!(start.elapsed().as_secs() < 20, "seconds, even on a busy machine");
}
