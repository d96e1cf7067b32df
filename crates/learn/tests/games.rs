//! Games for learning are the games that the referee knows: the same ends at the same moves, for every game of the library.

#![allow(clippy::float_cmp, reason = "numbers are written, not computed: they are the same or wrong")]

use std::sync::Arc;

use tabiya_engine::{Rules, SplitMix};
use tabiya_learn::{BadAction, Course, Env, Forest, Method, Plan, Settings, Why};
use tabiya_notation::State;
use tabiya_referee::{Act, Game};
use tabiya_tensor::Encoding;

fn library(name: &str) -> Arc<Rules> {
    tabiya_spec::library::load(name).unwrap().rules
}

fn env(name: &str, settings: &Settings) -> Env {
    let rules = library(name);
    let encoding = Arc::new(Encoding::usual(&rules));
    Env::new(rules, encoding, settings).unwrap()
}

#[test]
fn a_course_ends_when_and_how_the_referee_ends_it() {
    for entry in tabiya_spec::library::games() {
        let rules = library(entry.name);
        let is_by_chance = rules.faces().is_some();
        for seed in 0..6 {
            let mut dice = SplitMix::new(seed);
            let mut course = Course::new(&rules, &State::new(rules.start()), false, &mut dice);
            // With a die the referee throws his own, so only one of the two can be followed.
            let mut game = (!is_by_chance).then(|| Game::new(Arc::clone(&rules)));
            for _ in 0..600 {
                if let Some(game) = &game {
                    assert_eq!(course.end(), game.end(), "{} {seed}", entry.name);
                    assert_eq!(course.tally(), game.tally(), "{} {seed}", entry.name);
                    assert_eq!(course.position(), &game.state().position);
                }
                if course.end().is_some() {
                    break;
                }
                let mut moves = course.moves().to_vec();
                moves.sort_unstable();
                assert!(!moves.is_empty(), "{}: a game that goes on has a move", entry.name);
                let played = moves[dice.below(moves.len())];
                course.play(&rules, played, &mut dice);
                if let Some(game) = &mut game {
                    game.submit(&Act::Move(played)).unwrap();
                }
            }
        }
    }
}

#[test]
fn claims_end_games_that_repeat_themselves() {
    let rules = library("chess");
    for (claims, wanted) in [(true, Some("threefold_repetition")), (false, None)] {
        let mut dice = SplitMix::new(0);
        let mut course = Course::new(&rules, &State::new(rules.start()), claims, &mut dice);
        for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ') {
            let played = tabiya_notation::parse_move(&rules, course.position(), text).unwrap();
            course.play(&rules, played, &mut dice);
        }
        assert_eq!(course.end().map(|end| end.reason.as_str()), wanted);
        assert_eq!(course.tally().repetitions, 3);
    }
}

/// Actions, rewards, who ended, who was cut off, and planes.
type Shown = (Vec<i64>, Vec<f32>, Vec<bool>, Vec<bool>, Vec<f32>);

/// Everything that an environment shows over some random moves.
fn trace(env: &mut Env, steps: usize) -> Vec<Shown> {
    let (games, players) = (env.games(), env.players());
    (0..steps)
        .map(|_| {
            let mut actions = vec![0; games];
            env.sample(&mut actions);
            let (mut rewards, mut ended, mut cut) =
                (vec![0.0; games * players], vec![false; games], vec![false; games]);
            env.step(&actions, &mut rewards, &mut ended, &mut cut).unwrap();
            let mut planes = vec![0.0; games * env.encoding().len()];
            env.observe(&mut planes);
            (actions, rewards, ended, cut, planes)
        })
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_games_on_any_number_of_threads() {
    for name in ["chess", "gardner", "fourplayer-teams", "chaturaji", "enochian"] {
        let settings = Settings { games: 40, seed: 5, longest: Some(60), ..Settings::default() };
        let first = trace(&mut env(name, &settings), 80);
        let other = trace(&mut env(name, &Settings { threads: 3, ..settings.clone() }), 80);
        assert!(first == other, "{name}");
        assert!(first.iter().any(|step| step.3.contains(&true)), "{name}: games of 60 moves are cut off");
        let another = trace(&mut env(name, &Settings { seed: 6, ..settings }), 80);
        assert!(first != another, "{name}: another seed gives other games");
    }
}

#[test]
fn rewards_are_for_those_who_win() {
    let settings = Settings { games: 64, seed: 1, again: false, ..Settings::default() };
    let mut env = env("gardner", &settings);
    let (mut wins, mut draws) = (0, 0);
    for _ in 0..400 {
        let mut actions = vec![0; 64];
        env.sample(&mut actions);
        let (mut rewards, mut ended, mut cut) = (vec![0.0; 128], vec![false; 64], vec![false; 64]);
        env.step(&actions, &mut rewards, &mut ended, &mut cut).unwrap();
        for (game, pair) in rewards.chunks(2).enumerate() {
            let is_last = actions[game] != -1 && ended[game];
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
fn games_begin_where_they_are_told_to() {
    let mut env = env("gardner", &Settings { games: 2, seed: 1, again: false, ..Settings::default() });
    let read = |text: &str| tabiya_notation::parse_state(env.rules(), text).unwrap();
    let starts = [read("k4/5/1QK2/5/5 w - - 0 1"), read("k4/1Q3/2K2/5/5 b - - 0 1")];
    env.reset_at(5, &starts);
    let courses = [0, 1].map(|game| env.course(game).unwrap().position().clone());
    assert!(courses == starts.map(|start| start.position));
    assert!(env.over().eq([false, true]), "the second is mate already");
    let mut actions = [0; 2];
    env.sample(&mut actions);
    assert!(actions[0] >= 0 && actions[1] == -1);
}

#[test]
fn a_bad_action_changes_nothing_in_any_game() {
    let mut env = env("chess", &Settings { games: 20, threads: 2, ..Settings::default() });
    let mut before = vec![0.0; 20 * env.encoding().len()];
    env.observe(&mut before);
    let mut step = |actions: &[i64]| {
        let (mut rewards, mut ended, mut cut) = (vec![0.0; 40], vec![false; 20], vec![false; 20]);
        env.step(actions, &mut rewards, &mut ended, &mut cut)
    };
    for (bad, why) in [
        (-1, Why::NoAction(4672)),
        (4672, Why::NoAction(4672)),
        (i64::MAX, Why::NoAction(4672)),
        (0, Why::Illegal),
    ] {
        let mut actions = [3797; 20];
        actions[17] = bad;
        actions[19] = bad;
        assert_eq!(step(&actions), Err(BadAction { game: 17, action: bad, why }));
    }
    assert_eq!(step(&[3797; 3]).unwrap_err().why, Why::NotOneEach(20));
    let mut after = vec![0.0; before.len()];
    env.observe(&mut after);
    assert!(before == after);
}

/// A judge who knows nothing.
fn search(env: &Env, plan: Plan, seed: u64) -> (Vec<f32>, Vec<f32>, Vec<i64>) {
    let mut forest = Forest::new(env, plan, seed);
    let (games, actions, players) = (env.games(), env.encoding().actions(), env.players());
    let mut rounds = 0;
    while forest.asked() > 0 {
        let leaves = forest.asked();
        let mut planes = vec![0.0; leaves * env.encoding().len()];
        forest.write(env, &mut planes);
        assert!(planes.iter().any(|number| *number != 0.0));
        forest.answer(env, &vec![0.0; leaves * actions], &vec![0.0; leaves * players]).unwrap();
        rounds += 1;
    }
    assert!(rounds <= plan.lines + 1, "one leaf a round, and the root");
    let (mut shares, mut values, mut best) =
        (vec![0.0; games * actions], vec![0.0; games * players], vec![0; games]);
    forest.found(env, &mut shares, &mut values, &mut best);
    (shares, values, best)
}

const PUCT: Method = Method::Puct { curiosity: 1.4, noise: None };
const GUMBEL: Method = Method::Gumbel { considered: 16, luck: 0.0 };

#[test]
fn search_finds_the_mate_whatever_the_method() {
    let rules = library("chess");
    let texts = ["6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", "r6k/8/8/8/8/8/5PPP/6K1 b - - 0 1"];
    let starts = texts.map(|text| tabiya_notation::parse_state(&rules, text).unwrap()).to_vec();
    let mut env = env("chess", &Settings { games: 8, starts, ..Settings::default() });
    for (lines, method) in [(300, PUCT), (64, GUMBEL)] {
        let (shares, values, best) = search(&env, Plan { lines, method }, 1);
        for game in 0..8 {
            let course = env.course(game).unwrap();
            let action = best[game] as usize;
            let played = env.encoding().move_of(env.rules(), &course.sight(), action as u32).unwrap();
            assert!(
                ["a1a8", "a8a1"]
                    .contains(&tabiya_notation::move_text(env.rules(), course.position(), played).as_str())
            );
            let sum: f32 = shares[game * 4672..][..4672].iter().sum();
            assert!((sum - 1.0).abs() < 1e-3 && shares[game * 4672 + action] > 0.5, "{method:?}");
            let mover = env.rules().mover(course.position()).index();
            assert!(values[game * 2 + mover] > 0.2 && values[game * 2 + 1 - mover] < -0.2, "{values:?}");
        }
    }
    let (mut rewards, mut ended, mut cut) = (vec![0.0; 16], vec![false; 8], vec![false; 8]);
    let (.., best) = search(&env, Plan { lines: 64, method: GUMBEL }, 1);
    env.step(&best, &mut rewards, &mut ended, &mut cut).unwrap();
    assert!(ended.iter().all(|ended| *ended));
}

#[test]
fn search_takes_any_game_and_repeats_itself() {
    for name in ["enochian", "chaturaji", "fourplayer", "capablanca"] {
        for method in [
            Method::Puct { curiosity: 1.4, noise: Some((0.3, 0.25)) },
            Method::Gumbel { considered: 8, luck: 1.0 },
        ] {
            let settings = Settings { games: 3, threads: 2, ..Settings::default() };
            let env = env(name, &settings);
            let found = search(&env, Plan { lines: 20, method }, 9);
            assert!(found == search(&env, Plan { lines: 20, method }, 9), "{name}");
            for (game, best) in found.2.iter().enumerate() {
                assert!(env.actions(game).contains(&(*best as u32)), "{name}");
            }
        }
    }
}

#[test]
fn chance_is_another_one_at_every_move() {
    let mut env = env("chess", &Settings { games: 64, seed: 11, ..Settings::default() });
    let plan = Plan { lines: 8, method: Method::Gumbel { considered: 16, luck: 1.0 } };
    let (_, _, first) = search(&env, plan, 0);
    let (mut rewards, mut ended, mut cut) = (vec![0.0; 128], vec![false; 64], vec![false; 64]);
    env.step(&first, &mut rewards, &mut ended, &mut cut).unwrap();
    let (_, _, second) = search(&env, plan, 0);
    let same = first.iter().zip(&second).filter(|(one, other)| one == other).count();
    assert!(same < 20, "Black copies White's move in {same} of 64 games");
}

#[test]
fn a_bad_answer_is_told_and_changes_nothing() {
    let env = env("chess", &Settings { games: 2, ..Settings::default() });
    let mut forest = Forest::new(&env, Plan { lines: 4, method: PUCT }, 0);
    let (zeros, even) = (vec![0.0; 2 * 4672], vec![0.0; 4]);
    let mut logits = zeros.clone();
    logits[4672 + 3797] = f32::NAN;
    let told = forest.answer(&env, &logits, &even).unwrap_err().to_string();
    assert_eq!(told, "logits[1, 3797] is NaN, and belongs to a legal move");
    let told = forest.answer(&env, &zeros, &[0.0, 0.0, 3.5, 0.0]).unwrap_err().to_string();
    assert_eq!(told, "values[1, 0] is 3.5, wanted a number from -1 to 1");
    let told = forest.answer(&env, &vec![f32::NEG_INFINITY; 2 * 4672], &even).unwrap_err().to_string();
    assert_eq!(told, "logits[0] rules out every legal move");
    assert_eq!(forest.asked(), 2);
    assert!(forest.answer(&env, &zeros, &even).is_ok());
}
