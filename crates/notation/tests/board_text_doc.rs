//! Runs the examples in `docs/board-text.md`.

mod support;

use serde_json::Value;
use support::{game, with_answers};
use tabiya_notation::{State, fen, parse_state, parse_state_strict, parse_uci, simplified_fen, state_json};
use tabiya_spec::Game;

const DOCUMENT: &str = include_str!("../../../docs/board-text.md");

fn blocks(kind: &str) -> Vec<(Game, &'static str)> {
    support::blocks(DOCUMENT, &["state", "reads", "moves", "refused", "simplified"], kind)
}

fn read(game: &Game, text: &str) -> State {
    parse_state(&game.rules, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn states_round_trip() {
    for (game, body) in blocks("state") {
        if body.starts_with('{') {
            let shown: Value = serde_json::from_str(body).expect("the document shows JSON");
            assert_eq!(state_json(&game.rules, &read(&game, body)), shown);
        } else {
            for line in body.lines() {
                assert_eq!(fen(&game.rules, &read(&game, line)), line);
            }
        }
    }
}

#[test]
fn fen_and_json_agree() {
    for (game, body) in blocks("state").into_iter().filter(|(_, body)| !body.starts_with('{')) {
        for line in body.lines() {
            let state = read(&game, line);
            let json = state_json(&game.rules, &state).to_string();
            assert_eq!(read(&game, &json), state, "{line}");
        }
    }
}

#[test]
fn lenient_forms_are_normalised() {
    for (game, body) in blocks("reads") {
        for (line, answers) in with_answers(body) {
            assert_eq!([fen(&game.rules, &read(&game, line))], answers[..], "{line}");
        }
    }
}

#[test]
fn simplified_fen_matches() {
    for (game, body) in blocks("simplified") {
        for (line, answers) in with_answers(body) {
            let position = read(&game, line).position;
            assert_eq!([simplified_fen(&game.rules, &position)], answers[..], "{line}");
            let again = read(&game, answers[0]).position;
            assert_eq!(game.rules.identity(&again), game.rules.identity(&position), "{line}");
        }
    }
}

#[test]
fn strict_parsing_reports_these_reasons() {
    for (game, body) in blocks("refused") {
        for (line, answers) in with_answers(body) {
            let error = parse_state_strict(&game.rules, line).expect_err(line);
            assert_eq!(error.reasons, answers, "{line}");
        }
    }
}

#[test]
fn moves_can_be_played() {
    for (game, body) in blocks("moves") {
        let rules = &game.rules;
        let mut position = rules.start();
        for line in body.lines() {
            if line.contains('/') {
                position = read(&game, line).position;
            } else {
                let played =
                    parse_uci(rules, &position, line).unwrap_or_else(|error| panic!("{line}: {error}"));
                position = rules.play_unchecked(&position, played);
            }
        }
    }
}

#[test]
fn three_games_have_examples() {
    let shown: Vec<String> = blocks("state").iter().map(|(game, _)| game.spec.name.to_string()).collect();
    for name in ["chess", "fourplayer", "trefoil"] {
        assert!(shown.contains(&*game(name).spec.name), "{name}");
    }
}
