//! The conformance suite: properties that hold for every game of the library.

use tabiya_engine::{Backend, Die, Phase, Position, Rules, Transition, Turn};
use tabiya_notation::{State, fen, parse_state, parse_uci, state_json, uci};
use tabiya_oracle::compare;
use tabiya_players::{Chooser, Random, SplitMix};
use tabiya_spec::{Game, library};

fn every_game(check: impl Fn(&str, &Game)) {
    let games = library::games();
    assert!(games.len() >= 16);
    for entry in games {
        let loaded = tabiya_spec::load(entry.json.as_bytes());
        assert!(loaded.diagnostics.is_empty(), "{}: {:?}", entry.name, loaded.diagnostics);
        check(entry.name, &loaded.game.expect("a game without errors"));
    }
}

/// Plays random moves. `visit` sees every position on the way.
fn random_play(rules: &Rules, seed: u64, plies: usize, mut visit: impl FnMut(&Position)) {
    let mut player = Random::new(seed);
    let mut dice = SplitMix::new(seed);
    let mut position = rules.start();
    for _ in 0..plies {
        visit(&position);
        if let Some(Die::Awaited(_)) = rules.die(&position) {
            let face = 1 + dice.below(usize::from(rules.faces().expect("a die has faces"))) as u8;
            position = rules.throw(&position, face).expect("a throw is due");
            continue;
        }
        let Some(played) = player.choose(rules, &position) else { break };
        position = rules.play(&position, played).expect("a legal move");
    }
}

#[test]
fn positions_round_trip_as_fen_and_json() {
    every_game(|name, game| {
        let rules = &game.rules;
        random_play(rules, 1, 120, |position| {
            let state = State::new(position.clone());
            let text = fen(rules, &state);
            let read = parse_state(rules, &text).unwrap_or_else(|error| panic!("{name} {text}: {error}"));
            assert_eq!(rules.identity(&read.position), rules.identity(position), "{name} {text}");
            assert_eq!(fen(rules, &read), text, "{name}");
            let json = state_json(rules, &state).to_string();
            let read = parse_state(rules, &json).unwrap_or_else(|error| panic!("{name} {json}: {error}"));
            assert_eq!(read.position, *position, "{name} {json}");
        });
    });
}

#[test]
fn moves_round_trip() {
    every_game(|name, game| {
        let rules = &game.rules;
        random_play(rules, 2, 60, |position| {
            for played in rules.legal_moves(position) {
                let text = uci(rules, position, played);
                assert_eq!(parse_uci(rules, position, &text).as_ref(), Ok(&played), "{name} {text}");
            }
        });
    });
}

#[test]
fn keys_are_incremental_and_setups_round_trip() {
    every_game(|name, game| {
        let rules = &game.rules;
        random_play(rules, 3, 200, |position| {
            assert_eq!(position.key(), position.key_from_scratch(), "{name}");
            let again = rules.position(&rules.setup(position)).expect("a valid setup");
            assert_eq!(again, *position, "{name}");
        });
    });
}

#[test]
fn counts_and_move_lists_agree() {
    every_game(|name, game| {
        let rules = &game.rules;
        random_play(rules, 4, 40, |position| {
            // Counts ignore the die.
            let moves = rules
                .legal_moves_on(Backend::General, position)
                .expect("the general path accepts every game");
            if rules.die(position).is_none() {
                assert_eq!(moves, rules.legal_moves(position), "{name}");
            }
            assert_eq!(rules.count_moves(position), moves.len() as u64, "{name}");
            let below: u64 = rules.divide(position, 2).iter().map(|(_, nodes)| nodes).sum();
            assert_eq!(rules.perft(position, 2), below, "{name}");
            assert_eq!(rules.outcome(position).is_some(), moves.is_empty(), "{name}");
        });
    });
}

#[test]
fn keys_and_checks_agree_on_every_path() {
    every_game(|name, game| {
        let rules = &game.rules;
        random_play(rules, 6, 60, |position| {
            assert_eq!(rules.perft_totals(position, 2), rules.perft_totals_general(position, 2), "{name}");
        });
    });
}

/// Games of two players with further mechanics that the fast generator supports.
const FAST: [&str; 17] = [
    "antichess",
    "breakthrough",
    "crazyhouse",
    "extinction",
    "grasshopper",
    "horde",
    "kinglet",
    "kingofthehill",
    "losers",
    "makruk",
    "minishogi",
    "shako",
    "shatranj",
    "shogi",
    "threecheck",
    "threekings",
    "xiangqi",
];

#[test]
fn games_take_the_scalar_path() {
    for name in FAST {
        let rules = library::load(name).expect("a library game").rules;
        random_play(&rules, 7, 30, |position| {
            let counted = rules.perft_on(Backend::Scalar, position, 2);
            assert_eq!(counted, rules.perft_on(Backend::General, position, 2), "{name}");
        });
    }
}

#[test]
fn stepwise_turns_equal_whole_moves() {
    every_game(|name, game| {
        let rules = &game.rules;
        random_play(rules, 5, 25, |position| {
            for played in rules.legal_moves(position) {
                let mut turn = Turn::new(rules, position.clone());
                turn.apply(Transition::CalculateMoves(played.spot())).expect("a piece with a move");
                let id = rules.move_id(position, played);
                turn.apply(Transition::ExecuteMove(played.to, Some(id))).expect("a legal target");
                if let Some(kind) = played.promotion {
                    assert!(matches!(turn.phase(), Phase::Transforming(_)), "{name}");
                    assert_eq!(turn.position(), position, "{name}: nothing is done before the choice");
                    assert!(turn.apply(Transition::ExecuteMove(played.to, None)).is_err());
                    assert!(turn.apply(Transition::CalculateMoves(played.spot())).is_err());
                    turn.apply(Transition::Transform(kind)).expect("a promotion option");
                }
                assert_eq!(*turn.position(), rules.play_unchecked(position, played), "{name}");
            }
        });
    });
}

#[test]
fn engine_and_oracle_agree() {
    every_game(|name, game| {
        for seed in 0..3 {
            if let Err(difference) = compare::compare(game, 12, 1, seed) {
                panic!("{name}: {difference}");
            }
        }
    });
}

#[test]
fn engine_and_oracle_agree_on_the_castling_example() {
    let text = include_bytes!("../../spec/tests/fixtures/castling-literal.json");
    let loaded = tabiya_spec::load(text);
    let game = loaded.game.expect("a game without errors");
    let codes: Vec<&str> = loaded.diagnostics.iter().map(|it| it.code.as_str()).collect();
    assert!(codes.contains(&"castling-without-rook"), "{codes:?}");
    for seed in 0..5 {
        compare::compare(&game, 20, 1, seed).unwrap();
    }
}
