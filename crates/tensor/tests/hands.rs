//! Hands, counters and drops as planes and actions.

#![allow(clippy::float_cmp, reason = "the numbers are written, not computed")]

use std::collections::BTreeSet;
use std::sync::Arc;

use tabiya_engine::{Die, Move, Player, Position, Rules, SplitMix, Tally};
use tabiya_oracle::random_spec;
use tabiya_tensor::{Encoding, PositionView, turn_order_from};

const CRAZYHOUSE: &str = include_str!("../../oracle/tests/games/crazyhouse.json");
const MINISHOGI: &str = include_str!("../../oracle/tests/games/minishogi.json");
const THREE_CHECKS: &str = include_str!("../../oracle/tests/games/threecheck.json");

/// Loads a game. The message lists what is wrong with it.
fn load(text: &str) -> Arc<Rules> {
    let loaded = tabiya_spec::load(text.as_bytes());
    let problems: Vec<String> = loaded.diagnostics.iter().map(|it| it.message.clone()).collect();
    loaded.game.unwrap_or_else(|| panic!("{problems:?}")).rules
}

/// Plays random moves and shows every position with its legal moves.
fn walk(rules: &Rules, seed: u64, plies: usize, mut show: impl FnMut(&Position, &[Move])) {
    let mut rng = SplitMix::new(seed);
    let mut position = rules.start();
    for _ in 0..plies {
        for _ in 0..100 {
            let (Some(Die::Awaited(_)), Some(faces)) = (rules.die(&position), rules.faces()) else { break };
            let Some(next) = rules.throw(&position, rng.throw(faces)) else { break };
            position = next;
        }
        let moves = rules.legal_moves(&position);
        if moves.is_empty() {
            return;
        }
        show(&position, &moves);
        position = rules.play_unchecked(&position, moves[rng.below(moves.len())]);
    }
}

/// Checks that actions and legal moves correspond to each other, and returns the number of drops.
fn check_actions(rules: &Rules, seed: u64, plies: usize) -> usize {
    // A turn of several parts has no action as a whole, and a composite move may share that of another one.
    let mut moves = rules.kinds().flat_map(|kind| &rules.kind(kind).moves);
    if rules.has_parts() || moves.any(tabiya_engine::blueprint::MovePlan::is_composite) {
        return 0;
    }
    let encoding = Encoding::planes1(rules);
    assert_eq!(encoding.move_types(rules).len(), encoding.action_shape()[2]);
    let mut drops = 0;
    walk(rules, seed, plies, |position, moves| {
        let view = PositionView { position, tally: Tally::new(1, 0), moves };
        let mut mask = BTreeSet::new();
        for played in moves {
            let action = encoding.action(rules, position, *played);
            assert!((action as usize) < encoding.actions());
            assert!(mask.insert(action), "seed {seed}: {played:?} shares its action");
            drops += usize::from(played.dropped().is_some());
        }
        for action in &mask {
            let played = encoding.move_of(rules, &view, *action).expect("an action of the mask is legal");
            assert_eq!(encoding.action(rules, position, played), *action);
        }
        let outside = (0..encoding.actions() as u32).find(|action| !mask.contains(action));
        assert_eq!(outside.and_then(|action| encoding.move_of(rules, &view, action)), None);
    });
    drops
}

fn planes(rules: &Rules, encoding: &Encoding, position: &Position, seat: Player) -> Vec<f32> {
    let moves = rules.legal_moves(position);
    let view = PositionView { position, tally: Tally::new(1, 0), moves: &moves };
    let mut numbers = vec![9.0; encoding.len()];
    encoding.write(rules, &view, seat, &mut numbers);
    numbers
}

#[test]
fn drops_have_actions() {
    for text in [CRAZYHOUSE, MINISHOGI] {
        let rules = load(text);
        let drops: usize = (0..8).map(|seed| check_actions(&rules, seed, 120)).sum();
        assert!(drops > 300, "{drops} drops");
    }
}

#[test]
fn random_specs_have_actions_and_planes() {
    let mut drops = 0;
    for seed in 0..300 {
        let Some(game) = tabiya_spec::load(random_spec::spec(seed).as_bytes()).game else { continue };
        let rules = &game.rules;
        drops += check_actions(rules, seed, 20);
        let encoding = Encoding::planes1(rules);
        let names: BTreeSet<&str> = encoding.planes().iter().map(|plane| plane.name.as_str()).collect();
        assert_eq!(names.len(), encoding.shape()[2], "seed {seed}");
        walk(rules, seed, 6, |position, _| {
            let numbers = planes(rules, &encoding, position, rules.mover(position));
            assert!(numbers.iter().all(|number| (0.0..=1.0).contains(number)), "seed {seed}");
        });
    }
    assert!(drops > 300, "{drops} drops");
}

#[test]
fn planes_show_hands_and_counters() {
    for (text, pawns) in [(CRAZYHOUSE, 16), (MINISHOGI, 2)] {
        let rules = load(text);
        let encoding = Encoding::planes1(&rules);
        let depth = encoding.shape()[2];
        let plane = |name: &str| encoding.planes().iter().position(|plane| plane.name == name);
        assert_eq!(plane("own hand KING"), None, "a captured king ends the game");
        let meaning = format!("pieces in hand, up to {pawns}, divided by {pawns}");
        assert_eq!(encoding.planes()[plane("own hand PAWN").unwrap()].meaning, meaning);
        let mut seen = 0;
        walk(&rules, 5, 200, |position, _| {
            for seat in rules.players() {
                let numbers = planes(&rules, &encoding, position, seat);
                let order = turn_order_from(&rules, seat);
                for (player, kind, count) in rules.hands(position) {
                    let whose = if player == order[0] { "own" } else { "enemy" };
                    let plane = plane(&format!("{whose} hand {}", rules.kind(kind).code)).unwrap();
                    assert!(numbers.chunks(depth).all(|cell| cell[plane] == numbers[plane]));
                    assert!(numbers[plane] >= f32::from(count) / 16.0, "{count} in hand");
                    seen += 1;
                }
            }
        });
        assert!(seen > 0);
    }
    let rules = load(THREE_CHECKS);
    let encoding = Encoding::planes1(&rules);
    let plane = encoding.planes().iter().position(|plane| plane.name == "enemy counter CHECKS").unwrap();
    let mut position = rules.start();
    for (text, checks) in [("e2e4", 0.0), ("d7d5", 0.0), ("f1b5", 1.0 / 3.0)] {
        position = rules
            .play(&position, tabiya_notation::parse_uci(&rules, &position, text).unwrap())
            .expect("a legal move");
        assert_eq!(planes(&rules, &encoding, &position, rules.mover(&position))[plane], checks, "{text}");
    }
}

#[test]
fn both_sides_see_the_same_drop() {
    let rules = load(CRAZYHOUSE);
    let encoding = Encoding::planes1(&rules);
    let play = |position: &Position, text: &str| {
        rules.play(position, tabiya_notation::parse_uci(&rules, position, text).unwrap()).unwrap()
    };
    let pawn = rules.kinds().find(|kind| rules.kind(*kind).code == "PAWN").unwrap();
    let drop_on = |position: &Position, name: &str| {
        let to = rules.board().parse(name).unwrap();
        let moves = rules.legal_moves(position);
        let played = moves.iter().find(|it| it.dropped() == Some(pawn) && it.to == to).unwrap();
        encoding.action(&rules, position, *played)
    };
    let white = ["e2e4", "d7d5", "e4d5", "d8d5", "a2a3", "a7a6"];
    let white = white.iter().fold(rules.start(), |position, text| play(&position, text));
    let black = play(&white, "h2h3");
    assert_eq!(drop_on(&white, "e3"), drop_on(&black, "e6"), "forwards is up for both");
}

#[test]
fn games_without_hands_keep_their_shape() {
    let chess = tabiya_spec::library::load("chess").unwrap().rules;
    let encoding = Encoding::planes1(&chess);
    assert_eq!((encoding.shape()[2], encoding.action_shape()[2]), (18, 76));
    assert!(
        Encoding::canonical18(&load(CRAZYHOUSE)).is_err()
            && Encoding::canonical18(&load(THREE_CHECKS)).is_err()
    );
}
