//! `docs/board-text.md` is true: what it shows is read, and written back as it says.

use serde_json::Value;
use tabiya_notation::{State, parse_move, parse_state, state_json, state_text};
use tabiya_spec::{Game, library, load};

const DOCUMENT: &str = include_str!("../../../docs/board-text.md");

/// The fenced blocks of a kind: the game that each is about, and what it holds.
fn blocks(kind: &str) -> Vec<(Game, &'static str)> {
    let parts: Vec<&str> = DOCUMENT.split("\n```").collect();
    assert!(parts.len() % 2 == 1, "a fence is not closed");
    let mut blocks = Vec::new();
    for pair in parts.chunks_exact(2) {
        let (info, body) = pair[1].split_once('\n').expect("a fence ends its line");
        let (found, name) = info.split_once(' ').unwrap_or_else(|| panic!("a block is headed `{info}`"));
        assert!(["state", "reads", "moves"].contains(&found), "a block is headed `{info}`");
        if found == kind {
            blocks.push((game(name), body));
        }
    }
    assert!(!blocks.is_empty(), "no block is a `{kind}`");
    blocks
}

fn game(name: &str) -> Game {
    let entry = library::find(name).unwrap_or_else(|| panic!("{name} is not in the library"));
    load(entry.json.as_bytes()).game.expect("the library has no faults")
}

fn read(game: &Game, text: &str) -> State {
    parse_state(&game.rules, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn states_are_read_and_written_back_the_same() {
    for (game, body) in blocks("state") {
        if body.starts_with('{') {
            let shown: Value = serde_json::from_str(body).expect("the document shows JSON");
            assert_eq!(state_json(&game.rules, &read(&game, body)), shown);
        } else {
            for line in body.lines() {
                assert_eq!(state_text(&game.rules, &read(&game, line)), line);
            }
        }
    }
}

#[test]
fn states_are_the_same_as_text_and_as_json() {
    for (game, body) in blocks("state").into_iter().filter(|(_, body)| !body.starts_with('{')) {
        for line in body.lines() {
            let state = read(&game, line);
            let json = state_json(&game.rules, &state).to_string();
            assert_eq!(read(&game, &json).position, state.position, "{line}");
        }
    }
}

#[test]
fn leniencies_are_as_told() {
    for (game, body) in blocks("reads") {
        let lines: Vec<&str> = body.lines().collect();
        assert!(lines.len().is_multiple_of(2), "a line lacks its answer:{body}");
        for pair in lines.chunks_exact(2) {
            let expected = pair[1].strip_prefix("-> ").expect("every second line is an answer");
            assert_eq!(state_text(&game.rules, &read(&game, pair[0])), expected, "{}", pair[0]);
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
                    parse_move(rules, &position, line).unwrap_or_else(|error| panic!("{line}: {error}"));
                position = rules.play_unchecked(&position, played);
            }
        }
    }
}

#[test]
fn three_games_are_shown() {
    let shown: Vec<String> = blocks("state").iter().map(|(game, _)| game.spec.name.to_string()).collect();
    for name in ["chess", "fourplayer", "trefoil"] {
        assert!(shown.contains(&*game(name).spec.name), "{name}");
    }
}
