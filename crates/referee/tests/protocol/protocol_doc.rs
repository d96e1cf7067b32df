//! Checks the examples of `docs/agent-protocol.md` against the parsers and the JSON Schema, and the messages that we write against
//! the schema.

use std::sync::OnceLock;

use jsonschema::Validator;
use serde_json::Value;
use tabiya_players::{Chooser as _, Random};
use tabiya_referee::protocol::{HISTORY_LIMIT, Protocol, Rule, Strictness, bad_state_json, read_prompt};
use tabiya_referee::{Action, Game, RULEBOOK, Verdict};

use crate::support::{chess, game_of, rules, verdict, verdict_of};

const SCHEMA: &str = include_str!("../../../../docs/agent-protocol.schema.json");

fn schema() -> &'static Value {
    static SCHEMA_VALUE: OnceLock<Value> = OnceLock::new();
    SCHEMA_VALUE.get_or_init(|| serde_json::from_str(SCHEMA).expect("the schema is JSON"))
}

/// The validator of one message.
fn of(message: &str) -> Validator {
    let mut root = schema().clone();
    root["$ref"] = format!("#/$defs/{message}").into();
    jsonschema::validator_for(&root).expect("the schema is one")
}

fn fits(message: &str, value: &Value) {
    let faults: Vec<String> = of(message).iter_errors(value).map(|error| error.to_string()).collect();
    assert!(faults.is_empty(), "{message}: {value}: {faults:?}");
}

/// The blocks of the rulebook: what stands behind `json`, and what is in them.
fn blocks() -> Vec<(Vec<&'static str>, &'static str)> {
    let parts: Vec<&str> = RULEBOOK.split("\n```").collect();
    assert!(parts.len() % 2 == 1, "a fence is not closed");
    let blocks =
        parts.iter().skip(1).step_by(2).map(|part| part.split_once('\n').expect("a head and a body"));
    blocks
        .map(|(head, body)| {
            let words: Vec<&str> = head.split_whitespace().collect();
            assert_eq!(words.first(), Some(&"json"), "{head}");
            (words[1..].to_vec(), body)
        })
        .collect()
}

#[test]
fn every_example_of_the_rulebook_is_true() {
    let mut state = Value::Null;
    let mut seen = Vec::new();
    for (head, body) in blocks() {
        let json = || serde_json::from_str::<Value>(body).expect(body);
        let lines = || body.lines().map(|line| (line, serde_json::from_str::<Value>(line)));
        match head.as_slice() {
            ["state"] => {
                state = json();
                fits("state", &state);
                game_of(&state);
            }
            ["refusal"] => {
                fits("refusal", &json());
                assert!(read_prompt(body).is_refusal);
                game_of(&json()["state"]);
            }
            ["legal"] => {
                for (line, value) in lines() {
                    fits("output", &value.expect(line));
                    let said = verdict(&state, line);
                    assert!(
                        !["illegal", "malformed"].contains(&said["verdict"].as_str().expect("a word")),
                        "{said}"
                    );
                }
            }
            ["illegal", rule] => {
                for (line, value) in lines() {
                    fits("output", &value.expect(line));
                    assert_eq!(verdict(&state, line)["rule"], *rule, "{line}");
                }
            }
            ["output" | "malformed", game @ ..] => {
                let rules = rules(game.first().unwrap_or(&"chess"));
                let protocol = Protocol::new(&rules);
                let message = if game.is_empty() { "output" } else { "general_output" };
                for (line, value) in lines() {
                    let verdict = protocol.judge(&mut Game::new(rules.clone()), line, Strictness::Strict);
                    let is_malformed = head[0] == "malformed";
                    assert_eq!(verdict.verdict == Verdict::Malformed, is_malformed, "{line}");
                    // A schema sees neither keys that stand twice nor what the game has.
                    let is_seen = !line.contains("\"d2\"") && game.is_empty();
                    match value {
                        Ok(value) if !is_malformed => fits(message, &value),
                        Ok(value) if is_seen => assert!(!of(message).is_valid(&value), "{line}"),
                        _ => assert!(is_malformed, "{line}"),
                    }
                }
            }
            _ => panic!("unknown kind of example: {head:?}"),
        }
        seen.push(head[0]);
    }
    for kind in ["state", "legal", "illegal", "output", "malformed", "refusal"] {
        assert!(seen.contains(&kind), "{kind}");
    }
}

#[test]
fn every_rule_is_told() {
    for rule in Rule::all() {
        assert!(RULEBOOK.contains(&format!("`{rule}`")), "{rule}");
        fits("rule", &rule.word().into());
    }
    let words = schema()["$defs"]["rule"]["enum"].as_array().expect("a list");
    assert_eq!(words.len(), Rule::all().count());
    assert_eq!(schema()["$defs"]["state"]["properties"]["position_history"]["maxItems"], HISTORY_LIMIT);
}

#[test]
fn whatever_we_write_fits_the_schema() {
    for (name, state, output) in
        [("chess", "state", "output"), ("fourplayer", "general_state", "general_output")]
    {
        let (state, output, verdicts) = (of(state), of(output), of("verdict"));
        let rules = rules(name);
        let protocol = Protocol::new(&rules);
        let mut game = Game::new(rules.clone());
        let mut state_writer = protocol.state_writer();
        let mut player = Random::new(5);
        while game.end().is_none() && game.earlier().len() < 60 {
            if game.earlier().len().is_multiple_of(7) {
                game.submit(&Action::Offer).expect("there is no offer yet");
            }
            let line: Value = serde_json::from_str(&state_writer.state_line(&game)).expect("JSON");
            assert!(state.is_valid(&line), "{line}");
            let played = player.choose(&rules, &game.state().position).expect("it is not over");
            let answer = protocol.action_json(&game, &Action::Move(played));
            assert!(output.is_valid(&answer), "{answer}");
            let said = verdict_of(&mut game, &answer.to_string(), Strictness::Strict);
            assert!(verdicts.is_valid(&said), "{said}");
        }
        for text in ["nonsense", r#"{"action":"accept_draw"}"#, r#"{"action":"resign"}"#] {
            let said = verdict_of(&mut Game::new(rules.clone()), &format!("So: {text}"), Strictness::Lenient);
            assert!(verdicts.is_valid(&said), "{said}");
        }
    }
    let bad = chess().state_reader().read("{}").expect_err("an invalid state");
    fits("verdict", &bad_state_json(&bad.reasons));
}

#[test]
fn schema_and_reader_agree_on_damaged_states() {
    let state = of("state");
    let good: Value =
        serde_json::from_str(&chess().state_writer().state_line(&Game::new(rules("chess")))).expect("JSON");
    let keys: Vec<String> = good.as_object().expect("an object").keys().cloned().collect();
    for key in keys {
        for value in [Value::Null, 7.into(), (-1).into(), "x".into(), true.into(), serde_json::json!([{}])] {
            let mut bad = good.clone();
            bad[&key] = value;
            let is_read = chess().state_reader().read(&bad.to_string()).is_ok();
            assert!(!is_read || state.is_valid(&bad), "{key}: what is read fits the schema: {bad}");
        }
    }
}
