//! Games that nobody designed: whatever can be played by them can be written down and read back.

mod support;

use support::random_play;
use tabiya_notation::{
    State, move_text, parse_move, parse_san, parse_state_strict, pgn, san, setup_faults, state_json,
    state_text,
};
use tabiya_spec::Game;

fn wild_games() -> impl Iterator<Item = (u64, Game)> {
    (0..300).filter_map(|seed| {
        let game = tabiya_spec::load(tabiya_oracle::wild::spec(seed).as_bytes()).game?;
        Some((seed, game))
    })
}

#[test]
fn moves_are_read_back() {
    for (seed, game) in wild_games() {
        let rules = &game.rules;
        random_play(rules, seed, 12, |position| {
            for played in rules.legal_moves(position) {
                let text = san(rules, position, played);
                assert_eq!(parse_san(rules, position, &text).as_ref(), Ok(&played), "{seed}: {text}");
                let text = move_text(rules, position, played);
                assert_eq!(parse_move(rules, position, &text).as_ref(), Ok(&played), "{seed}: {text}");
            }
        });
    }
}

#[test]
fn games_are_read_back() {
    // A record of moves alone does not tell what a die has shown.
    for (seed, game) in wild_games().filter(|(_, game)| game.rules.faces().is_none()) {
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
fn what_is_played_is_never_called_impossible() {
    for (seed, game) in wild_games() {
        let rules = &game.rules;
        random_play(rules, seed, 12, |position| {
            let faults = setup_faults(rules, &rules.setup(position));
            assert!(faults.is_empty(), "{seed}: {faults:?}\n{}", tabiya_oracle::wild::spec(seed));
            let json = state_json(rules, &State::new(position.clone())).to_string();
            assert!(parse_state_strict(rules, &json).is_ok(), "{seed}: {json}");
            let text = state_text(rules, &State::new(position.clone()));
            if let Err(error) = parse_state_strict(rules, &text) {
                panic!("{seed}: {text}: {error}");
            }
        });
    }
}
