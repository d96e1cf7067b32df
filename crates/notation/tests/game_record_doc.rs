//! Runs the examples in `docs/game-record.md`.

mod support;

use support::with_answers;
use tabiya_notation::{parse_san, parse_state, pgn, san};
use tabiya_spec::Game;

const DOCUMENT: &str = include_str!("../../../docs/game-record.md");

fn blocks(kind: &str) -> Vec<(Game, &'static str)> {
    support::blocks(DOCUMENT, &["san", "pgn", "refused"], kind)
}

#[test]
fn moves_round_trip() {
    for (game, body) in blocks("san") {
        let rules = &game.rules;
        let (start, moves) = match body.split_once('\n') {
            Some((state, moves)) => (parse_state(rules, state).expect(state).position, moves),
            None => (rules.start(), body),
        };
        moves.split_whitespace().fold(start, |position, text| {
            let played = parse_san(rules, &position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(san(rules, &position, played), text);
            rules.play_unchecked(&position, played)
        });
    }
}

#[test]
fn games_round_trip() {
    for (game, body) in blocks("pgn") {
        let read: Vec<_> = pgn::games(&game.rules, body).collect();
        match read.as_slice() {
            [Ok(read)] => {
                assert_eq!(pgn::write(&game.rules, read).expect("legal moves").trim_end(), body);
            }
            other => panic!("{other:?}\n{body}"),
        }
    }
}

#[test]
fn problems_are_reported() {
    for (game, body) in blocks("refused") {
        for (line, answers) in with_answers(body) {
            let error = if line.contains(' ') {
                pgn::games(&game.rules, line).find_map(Result::err).expect(line).to_string()
            } else {
                parse_san(&game.rules, &game.rules.start(), line).expect_err(line).to_string()
            };
            assert_eq!([error], answers[..], "{line}");
        }
    }
}
