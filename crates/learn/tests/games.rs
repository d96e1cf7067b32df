//! Episodes end like refereed games, for every game of the library; environments and searches are reproducible.

#![allow(clippy::float_cmp, reason = "the numbers are written, not computed")]

use std::sync::Arc;

use tabiya_engine::{Rules, SplitMix};
use tabiya_learn::{
    ActionError, ActionErrorKind, BatchConfig, BatchEnv, BatchSearch, Episode, Method, SearchConfig,
};
use tabiya_notation::State;
use tabiya_referee::{Action, Game};
use tabiya_tensor::Encoding;

fn library(name: &str) -> Arc<Rules> {
    tabiya_spec::library::load(name).unwrap().rules
}

fn env(name: &str, config: &BatchConfig) -> BatchEnv {
    let rules = library(name);
    let encoding = Arc::new(Encoding::for_game(&rules));
    BatchEnv::new(rules, encoding, config).unwrap()
}

#[test]
fn episodes_end_like_refereed_games() {
    for entry in tabiya_spec::library::games() {
        let rules = library(entry.name);
        let is_by_chance = rules.faces().is_some();
        for seed in 0..2 {
            let mut rng = SplitMix::new(seed);
            let mut episode = Episode::new(&rules, &State::new(rules.start()), false, &mut rng);
            // With a die, the referee throws its own and the games differ.
            let mut game = (!is_by_chance).then(|| Game::new(Arc::clone(&rules)));
            for _ in 0..400 {
                if let Some(game) = &game {
                    // The referee also searches to find dead positions.
                    if episode.end().is_none() && game.end().is_some_and(|end| end.reason == "dead_position")
                    {
                        assert!(rules.is_dead(episode.position()), "{} {seed}", entry.name);
                        break;
                    }
                    assert_eq!(episode.end(), game.end(), "{} {seed}", entry.name);
                    assert_eq!(episode.tally(), game.tally(), "{} {seed}", entry.name);
                    assert_eq!(episode.position(), &game.state().position);
                }
                if episode.end().is_some() {
                    break;
                }
                let mut moves = episode.moves().to_vec();
                moves.sort_unstable();
                assert!(!moves.is_empty(), "{}: a game in progress has a move", entry.name);
                let played = moves[rng.below(moves.len())];
                episode.play(&rules, played, &mut rng);
                if let Some(game) = &mut game {
                    game.submit(&Action::Move(played)).unwrap();
                }
            }
        }
    }
}

#[test]
fn claims_end_games_by_repetition() {
    let rules = library("chess");
    for (claims, wanted) in [(true, Some("threefold_repetition")), (false, None)] {
        let mut rng = SplitMix::new(0);
        let mut episode = Episode::new(&rules, &State::new(rules.start()), claims, &mut rng);
        for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ') {
            let played = tabiya_notation::parse_uci(&rules, episode.position(), text).unwrap();
            episode.play(&rules, played, &mut rng);
        }
        assert_eq!(episode.end().map(|end| end.reason.as_str()), wanted);
        assert_eq!(episode.tally().repetitions, 3);
    }
}

/// Actions, rewards, terminated, truncated, planes.
type Output = (Vec<i64>, Vec<f32>, Vec<bool>, Vec<bool>, Vec<f32>);

/// Plays random moves and returns all output.
fn trace(env: &mut BatchEnv, steps: usize) -> Vec<Output> {
    let (games, players) = (env.games(), env.players());
    (0..steps)
        .map(|_| {
            let mut actions = vec![0; games];
            env.sample(&mut actions);
            let (mut rewards, mut terminated, mut truncated) =
                (vec![0.0; games * players], vec![false; games], vec![false; games]);
            env.step(&actions, &mut rewards, &mut terminated, &mut truncated).unwrap();
            let mut planes = vec![0.0; games * env.encoding().len()];
            env.observe(&mut planes);
            (actions, rewards, terminated, truncated, planes)
        })
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    for name in ["chess", "gardner", "fourplayer-teams", "chaturaji", "enochian"] {
        let settings = BatchConfig { games: 40, seed: 5, max_plies: Some(60), ..BatchConfig::default() };
        let first = trace(&mut env(name, &settings), 80);
        let other = trace(&mut env(name, &BatchConfig { threads: 3, ..settings.clone() }), 80);
        assert!(first == other, "{name}");
        assert!(
            first.iter().any(|step| step.3.contains(&true)),
            "{name}: games are truncated after 60 moves"
        );
        let another = trace(&mut env(name, &BatchConfig { seed: 6, ..settings }), 80);
        assert!(first != another, "{name}: another seed gives other games");
    }
}

#[test]
fn winners_get_rewards() {
    let settings = BatchConfig { games: 64, seed: 1, autoreset: false, ..BatchConfig::default() };
    let mut env = env("gardner", &settings);
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..400 {
        let mut actions = vec![0; 64];
        env.sample(&mut actions);
        let (mut rewards, mut terminated, mut truncated) = (vec![0.0; 128], vec![false; 64], vec![false; 64]);
        env.step(&actions, &mut rewards, &mut terminated, &mut truncated).unwrap();
        for (game, pair) in rewards.chunks(2).enumerate() {
            let is_last = actions[game] != -1 && terminated[game];
            match pair {
                [1.0, -1.0] | [-1.0, 1.0] => wins += i32::from(is_last),
                [0.0, 0.0] => draws += i32::from(is_last),
                other => panic!("{other:?}"),
            }
            assert!(is_last || pair == [0.0, 0.0]);
        }
    }
    assert!(env.over().all(|over| over) && wins + draws == 64 && wins > 0, "{wins} won, {draws} drawn");
    assert_eq!(env.reset_over(), 64);
    assert!(!env.over().any(|over| over));
}

#[test]
fn reset_at_starts_from_given_states() {
    let mut env =
        env("gardner", &BatchConfig { games: 2, seed: 1, autoreset: false, ..BatchConfig::default() });
    let read = |text: &str| tabiya_notation::parse_state(env.rules(), text).unwrap();
    let starts = [read("k4/5/1QK2/5/5 w - - 0 1"), read("k4/1Q3/2K2/5/5 b - - 0 1")];
    env.reset_at(5, &starts);
    let episode = [0, 1].map(|game| env.episode(game).unwrap().position().clone());
    assert!(episode == starts.map(|start| start.position));
    assert!(env.over().eq([false, true]), "the second state is checkmate");
    let mut actions = [0; 2];
    env.sample(&mut actions);
    assert!(actions[0] >= 0 && actions[1] == -1);
}

#[test]
fn an_invalid_action_changes_no_game() {
    let mut env = env("chess", &BatchConfig { games: 20, threads: 2, ..BatchConfig::default() });
    let mut before = vec![0.0; 20 * env.encoding().len()];
    env.observe(&mut before);
    let mut step = |actions: &[i64]| {
        let (mut rewards, mut terminated, mut truncated) = (vec![0.0; 40], vec![false; 20], vec![false; 20]);
        env.step(actions, &mut rewards, &mut terminated, &mut truncated)
    };
    for (bad, kind) in [
        (-1, ActionErrorKind::OutOfRange(4672)),
        (4672, ActionErrorKind::OutOfRange(4672)),
        (i64::MAX, ActionErrorKind::OutOfRange(4672)),
        (0, ActionErrorKind::Illegal),
    ] {
        let mut actions = [3797; 20];
        actions[17] = bad;
        actions[19] = bad;
        assert_eq!(step(&actions), Err(ActionError { game: 17, action: bad, kind }));
    }
    assert_eq!(step(&[3797; 3]).unwrap_err().kind, ActionErrorKind::WrongCount(20));
    let mut after = vec![0.0; before.len()];
    env.observe(&mut after);
    assert!(before == after);
}

/// Searches with an evaluator that knows nothing.
fn search(env: &BatchEnv, config: SearchConfig, seed: u64) -> (Vec<f32>, Vec<f32>, Vec<i64>) {
    let mut search = BatchSearch::new(env, config, seed);
    let (games, actions, players) = (env.games(), env.encoding().actions(), env.players());
    let mut rounds = 0;
    while search.pending() > 0 {
        let leaves = search.pending();
        let mut planes = vec![0.0; leaves * env.encoding().len()];
        search.observe(env, &mut planes);
        assert!(planes.iter().any(|number| *number != 0.0));
        search.submit(env, &vec![0.0; leaves * actions], &vec![0.0; leaves * players]).unwrap();
        rounds += 1;
    }
    assert!(rounds <= config.simulations + 1, "one leaf in each round, and the root");
    let (mut shares, mut values, mut best) =
        (vec![0.0; games * actions], vec![0.0; games * players], vec![0; games]);
    search.results(env, &mut shares, &mut values, &mut best);
    (shares, values, best)
}

const PUCT: Method = Method::Puct { c_puct: 1.4, dirichlet: None };
const GUMBEL: Method = Method::Gumbel { considered: 16, gumbel_scale: 0.0 };

#[test]
fn every_method_finds_a_mate() {
    let rules = library("chess");
    let texts = ["6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1"];
    let states = texts.map(|text| tabiya_notation::parse_state(&rules, text).unwrap()).to_vec();
    let mut env = env("chess", &BatchConfig { games: 8, states, ..BatchConfig::default() });
    for (simulations, method) in [(300, PUCT), (64, GUMBEL)] {
        let (shares, values, best) = search(&env, SearchConfig { simulations, method }, 1);
        for game in 0..8 {
            let episode = env.episode(game).unwrap();
            let action = best[game] as usize;
            let played = env.encoding().move_of(env.rules(), &episode.view(), action as u32).unwrap();
            assert!(
                ["a1a8", "a8a1"]
                    .contains(&tabiya_notation::uci(env.rules(), episode.position(), played).as_str())
            );
            let sum: f32 = shares[game * 4672..][..4672].iter().sum();
            assert!((sum - 1.0).abs() < 1e-3 && shares[game * 4672 + action] > 0.5, "{method:?}");
            let mover = env.rules().mover(episode.position()).index();
            assert!(values[game * 2 + mover] > 0.2 && values[game * 2 + 1 - mover] < -0.2, "{values:?}");
        }
    }
    let (mut rewards, mut terminated, mut truncated) = (vec![0.0; 16], vec![false; 8], vec![false; 8]);
    let (.., best) = search(&env, SearchConfig { simulations: 64, method: GUMBEL }, 1);
    env.step(&best, &mut rewards, &mut terminated, &mut truncated).unwrap();
    assert!(terminated.iter().all(|terminated| *terminated));
}

#[test]
fn search_is_reproducible_in_every_game() {
    for name in ["enochian", "chaturaji", "fourplayer", "capablanca"] {
        for method in [
            Method::Puct { c_puct: 1.4, dirichlet: Some((0.3, 0.25)) },
            Method::Gumbel { considered: 8, gumbel_scale: 1.0 },
        ] {
            let settings = BatchConfig { games: 3, threads: 2, ..BatchConfig::default() };
            let env = env(name, &settings);
            let found = search(&env, SearchConfig { simulations: 20, method }, 9);
            assert!(found == search(&env, SearchConfig { simulations: 20, method }, 9), "{name}");
            for (game, best) in found.2.iter().enumerate() {
                assert!(env.actions(game).contains(&(*best as u32)), "{name}");
            }
        }
    }
}

#[test]
fn random_numbers_differ_from_move_to_move() {
    let mut env = env("chess", &BatchConfig { games: 64, seed: 11, ..BatchConfig::default() });
    let plan = SearchConfig { simulations: 8, method: Method::Gumbel { considered: 16, gumbel_scale: 1.0 } };
    let (_, _, first) = search(&env, plan, 0);
    let (mut rewards, mut terminated, mut truncated) = (vec![0.0; 128], vec![false; 64], vec![false; 64]);
    env.step(&first, &mut rewards, &mut terminated, &mut truncated).unwrap();
    let (_, _, second) = search(&env, plan, 0);
    let same = first.iter().zip(&second).filter(|(one, other)| one == other).count();
    assert!(same < 20, "Black copies White in {same} of 64 games");
}

#[test]
fn an_invalid_evaluation_is_rejected() {
    let env = env("chess", &BatchConfig { games: 2, ..BatchConfig::default() });
    let mut search = BatchSearch::new(&env, SearchConfig { simulations: 4, method: PUCT }, 0);
    let (zeros, even) = (vec![0.0; 2 * 4672], vec![0.0; 4]);
    let mut logits = zeros.clone();
    logits[4672 + 3797] = f32::NAN;
    let error = search.submit(&env, &logits, &even).unwrap_err().to_string();
    assert_eq!(error, "logits[1, 3797] is NaN, but the move is legal");
    let error = search.submit(&env, &zeros, &[0.0, 0.0, 3.5, 0.0]).unwrap_err().to_string();
    assert_eq!(error, "values[1, 0] is 3.5, expected a number from -1 to 1");
    let error = search.submit(&env, &vec![f32::NEG_INFINITY; 2 * 4672], &even).unwrap_err().to_string();
    assert_eq!(error, "logits[0] gives every legal move the probability 0");
    assert_eq!(search.pending(), 2);
    assert!(search.submit(&env, &zeros, &even).is_ok());
}
