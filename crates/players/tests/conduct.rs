//! How players behave: the same seed plays the same game, limits are kept, and no game upsets them.

mod support;

use std::cell::Cell;

use support::{game, meet, play_within, thought};
use tabiya_oracle::wild;
use tabiya_players::{Chooser, Limits, NAMES, Random, Search, by_name};
use tabiya_spec::library;

#[test]
fn greed_beats_chance() {
    for name in ["chess", "berolina", "gardner"] {
        let (won, lost) = meet(&game(name).rules, ["greedy", "random"], 20, 300);
        assert!(won >= 15 && lost == 0, "{name}: {won} won, {lost} lost");
    }
}

#[test]
fn search_beats_greed() {
    let (won, lost) = meet(&game("chess").rules, ["search", "greedy"], 10, 200);
    assert!(won >= 8 && lost == 0, "{won} won, {lost} lost");
}

#[test]
fn trying_out_beats_chance_and_greed() {
    for (name, opponent, least) in
        [("gardner", "random", 6), ("trefoil", "random", 2), ("gardner", "greedy", 5)]
    {
        let (won, lost) = meet(&game(name).rules, ["mcts", opponent], 8, 300);
        assert!(won >= least && lost <= 1, "{name} against {opponent}: {won} won, {lost} lost");
    }
}

#[test]
fn search_beats_greed_among_three() {
    let (won, lost) = meet(&game("trefoil").rules, ["search", "greedy"], 6, 400);
    assert!(won >= 4, "{won} won, {lost} lost of 6 against two at a time");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for name in ["chess", "trefoil"] {
        let game = game(name);
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        let moves = |player: &str, seed: u64| {
            let seats = game.rules.players().map(|seat| by_name(player, seed + u64::from(seat.0)));
            let mut seats: Vec<_> = seats.map(|player| player.expect("a player of that name")).collect();
            play_within(&game.rules, &mut seats, 24, &limits).0
        };
        for player in NAMES {
            assert_eq!(moves(player, 5), moves(player, 5), "{player} in {name}");
            assert_ne!(moves(player, 5), moves(player, 6), "{player} in {name}");
        }
    }
}

#[test]
fn so_many_positions_are_looked_at_and_no_more() {
    let game = game("chess");
    let start = game.rules.start();
    for nodes in [0, 1, 2, 100, 5000] {
        let think = |seed| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (played, thought) = thought(&game.rules, &start, &mut Search::new(seed), limits);
            assert!(played.is_some_and(|played| game.rules.legal_moves(&start).contains(&played)));
            let looked_at = thought.as_ref().map_or(0, |thought| thought.nodes);
            assert!(looked_at <= nodes, "{looked_at} of {nodes}");
            (played, thought)
        };
        assert_eq!(think(1), think(1));
    }
}

#[test]
fn a_depth_is_kept_and_its_line_can_be_played() {
    let game = game("chess");
    let start = game.rules.start();
    for depth in 1..=4 {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let (played, thought) = thought(&game.rules, &start, &mut Search::new(1), limits);
        let thought = thought.expect("a depth was finished");
        assert_eq!(thought.depth, depth);
        assert_eq!(thought.line.first().copied(), played);
        let mut position = start.clone();
        for played in thought.line {
            position = game.rules.play(&position, played).expect("the line is legal");
        }
    }
}

#[test]
fn whoever_is_told_to_stop_stops() {
    for name in ["chess", "fourplayer"] {
        let game = game(name);
        let start = game.rules.start();
        for patience in [0, 1, 10] {
            let asked = Cell::new(0);
            let stop = || asked.replace(asked.get() + 1) >= patience;
            let limits = Limits { stop: Some(&stop), ..Limits::default() };
            for player in NAMES {
                asked.set(0);
                let mut chooser = by_name(player, 1).expect("a player of that name");
                assert!(chooser.choose_within(&game.rules, &start, &limits).is_some());
                assert!(asked.get() <= patience + 1, "{player} of {name} went on");
            }
        }
        // The question comes often enough: a million positions would be far too late.
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= 20;
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        let (_, last) = thought(&game.rules, &start, &mut Search::new(1), limits);
        assert!(last.is_none_or(|thought| thought.nodes < 20_000), "{name}");
    }
}

#[test]
fn every_game_of_the_library_is_played() {
    for entry in library::games() {
        let game = game(entry.name);
        let names = ["search", "random", "greedy", "random"];
        let seats = game.rules.players().map(|seat| by_name(names[seat.index() % names.len()], 9));
        let mut seats: Vec<_> = seats.map(|player| player.expect("a player of that name")).collect();
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        let (moves, end) = play_within(&game.rules, &mut seats, 30, &limits);
        assert!(moves.len() == 30 || game.rules.outcome(&end).is_some(), "{}", entry.name);
    }
}

#[test]
fn games_that_nobody_would_make_are_played() {
    let limits = Limits { nodes: Some(150), ..Limits::default() };
    for seed in 0..150 {
        let Some(game) = tabiya_spec::load(wild::spec(seed).as_bytes()).game else { continue };
        let rules = &game.rules;
        let (mut search, mut greedy) = (Search::new(seed), by_name("greedy", seed).expect("it is there"));
        let mut chance = Random::new(seed);
        let mut position = rules.start();
        for ply in 0..24 {
            let player: &mut dyn Chooser = match ply % 3 {
                0 => &mut search,
                1 => &mut *greedy,
                _ => &mut chance,
            };
            let Some(played) = player.choose_within(rules, &position, &limits) else { break };
            position = rules.play(&position, played).unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
        }
    }
}
