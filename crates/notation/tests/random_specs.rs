//! Round trips for random specs.

mod support;

use support::random_play;
use tabiya_notation::{
    State, fen, parse_san, parse_state_strict, parse_uci, pgn, san, setup_problems, state_json, uci,
};
use tabiya_spec::Game;

fn random_games() -> impl Iterator<Item = (u64, Game)> {
    (0..300).filter_map(|seed| {
        let game = tabiya_spec::load(tabiya_oracle::random_spec::spec(seed).as_bytes()).game?;
        Some((seed, game))
    })
}

#[test]
fn moves_round_trip() {
    for (seed, game) in random_games() {
        let rules = &game.rules;
        random_play(rules, seed, 12, |position| {
            for played in rules.legal_moves(position) {
                let text = san(rules, position, played);
                assert_eq!(parse_san(rules, position, &text).as_ref(), Ok(&played), "{seed}: {text}");
                let text = uci(rules, position, played);
                assert_eq!(parse_uci(rules, position, &text).as_ref(), Ok(&played), "{seed}: {text}");
            }
        });
    }
}

#[test]
fn games_round_trip() {
    // Moves alone do not record the throws of a die.
    for (seed, game) in random_games().filter(|(_, game)| game.rules.faces().is_none()) {
        let rules = &game.rules;
        let mut played = pgn::Game::new(State::new(rules.start()));
        played.moves = random_play(rules, seed, 30, |_| {});
        played.set_tag("Variant", game.spec.name.to_string());
        let text = pgn::write(rules, &played).expect("the moves are legal");
        let read: Vec<_> = pgn::games(rules, &text).collect();
        match read.as_slice() {
            [Ok(read)] => assert_eq!(read.moves, played.moves, "{seed}:\n{text}"),
            other => panic!("{seed}: {other:?}\n{text}"),
        }
    }
}

#[test]
fn reached_states_are_never_rejected() {
    for (seed, game) in random_games() {
        let rules = &game.rules;
        random_play(rules, seed, 12, |position| {
            let problems = setup_problems(rules, &rules.setup(position));
            assert!(problems.is_empty(), "{seed}: {problems:?}\n{}", tabiya_oracle::random_spec::spec(seed));
            let json = state_json(rules, &State::new(position.clone())).to_string();
            assert!(parse_state_strict(rules, &json).is_ok(), "{seed}: {json}");
            let text = fen(rules, &State::new(position.clone()));
            if let Err(error) = parse_state_strict(rules, &text) {
                panic!("{seed}: {text}: {error}");
            }
        });
    }
}
