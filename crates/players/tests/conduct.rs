//! Players are reproducible, obey limits, and play every game.

mod support;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use support::{choose_with_info, game, play_match, play_within};
use tabiya_engine::Move;
use tabiya_oracle::random_spec;
use tabiya_players::{Chooser, Limits, NAMES, Random, Search, SearchInfo, by_name};
use tabiya_spec::library;

#[test]
fn greedy_beats_random() {
    for name in ["chess", "berolina", "gardner"] {
        let (won, lost) = play_match(&game(name).rules, ["greedy", "random"], 20, 300);
        assert!(won >= 15 && lost == 0, "{name}: {won} won, {lost} lost");
    }
}

#[test]
fn search_beats_greedy() {
    let (won, lost) = play_match(&game("chess").rules, ["search", "greedy"], 10, 200);
    assert!(won >= 8 && lost == 0, "{won} won, {lost} lost");
}

#[test]
fn mcts_beats_random_and_greedy() {
    for (name, opponent, least) in
        [("gardner", "random", 6), ("trefoil", "random", 2), ("gardner", "greedy", 5)]
    {
        let (won, lost) = play_match(&game(name).rules, ["mcts", opponent], 8, 300);
        assert!(won >= least && lost <= 1, "{name} against {opponent}: {won} won, {lost} lost");
    }
}

#[test]
fn search_beats_greedy_with_three_players() {
    let (won, lost) = play_match(&game("trefoil").rules, ["search", "greedy"], 6, 400);
    assert!(won >= 4, "{won} won, {lost} lost of 6 against two at a time");
}

#[test]
fn the_same_seed_gives_the_same_game() {
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
fn the_node_limit_is_kept() {
    let game = game("chess");
    let start = game.rules.start();
    for nodes in [0, 1, 2, 100, 5000] {
        let think = |seed| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let (played, info) = choose_with_info(&game.rules, &start, &mut Search::new(seed), limits);
            assert!(played.is_some_and(|played| game.rules.legal_moves(&start).contains(&played)));
            let nodes_searched = info.as_ref().map_or(0, |info| info.nodes);
            assert!(nodes_searched <= nodes, "{nodes_searched} of {nodes}");
            (played, info)
        };
        assert_eq!(think(1), think(1));
    }
}

#[test]
fn the_depth_limit_is_kept_and_the_line_is_legal() {
    let game = game("chess");
    let start = game.rules.start();
    for depth in 1..=4 {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let (played, info) = choose_with_info(&game.rules, &start, &mut Search::new(1), limits);
        let info = info.expect("a depth was completed");
        assert_eq!(info.depth, depth);
        assert_eq!(info.line.first().copied(), played);
        let mut position = start.clone();
        for played in info.line {
            position = game.rules.play(&position, played).expect("the line is legal");
        }
    }
}

#[test]
fn the_best_lines_are_reported_among_the_given_moves() {
    let game = game("chess");
    let start = game.rules.start();
    let legal = game.rules.legal_moves(&start);
    let given = &legal[..5];
    let reports = RefCell::new(Vec::new());
    let on_info = |info: &SearchInfo| reports.borrow_mut().push(info.clone());
    let limits =
        Limits { depth: Some(4), lines: 3, moves: given, on_info: Some(&on_info), ..Limits::default() };
    let played = Search::new(1).choose_within(&game.rules, &start, &limits).expect("a move");
    let reports = reports.into_inner();
    assert_eq!(reports.len(), 4 * 3);
    let last = &reports[9..];
    assert_eq!(last[0].line[0], played);
    let firsts: BTreeSet<Move> = last.iter().map(|info| info.line[0]).collect();
    assert!(firsts.len() == 3 && firsts.iter().all(|played| given.contains(played)), "{firsts:?}");
    for (rank, info) in last.iter().enumerate() {
        assert_eq!((info.depth, info.rank), (4, rank));
        assert!(info.selective_depth >= 4 && info.table_permille <= 1000);
    }
    // Asked after every depth, `enough` ends the search.
    let enough = || true;
    let limits = Limits { enough: Some(&enough), ..Limits::default() };
    let (_, info) = choose_with_info(&game.rules, &start, &mut Search::new(1), limits);
    assert_eq!(info.map(|info| info.depth), Some(1));
}

#[test]
fn players_stop_when_asked() {
    for name in ["chess", "fourplayer"] {
        let game = game(name);
        let start = game.rules.start();
        for limit in [0, 1, 10] {
            let calls = Cell::new(0);
            let stop = || calls.replace(calls.get() + 1) >= limit;
            let limits = Limits { stop: Some(&stop), ..Limits::default() };
            for player in NAMES {
                calls.set(0);
                let mut chooser = by_name(player, 1).expect("a player of that name");
                assert!(chooser.choose_within(&game.rules, &start, &limits).is_some());
                assert!(calls.get() <= limit + 1, "{player} of {name} did not stop");
            }
        }
        // The stop callback must be called often enough.
        let calls = Cell::new(0);
        let stop = || calls.replace(calls.get() + 1) >= 20;
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        let (_, last) = choose_with_info(&game.rules, &start, &mut Search::new(1), limits);
        assert!(last.is_none_or(|info| info.nodes < 20_000), "{name}");
    }
}

#[test]
fn every_library_game_is_played() {
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
fn random_specs_are_played() {
    let limits = Limits { nodes: Some(150), ..Limits::default() };
    for seed in 0..150 {
        let Some(game) = tabiya_spec::load(random_spec::spec(seed).as_bytes()).game else { continue };
        let rules = &game.rules;
        let (mut search, mut greedy) = (Search::new(seed), by_name("greedy", seed).expect("a player"));
        let mut random = Random::new(seed);
        let mut position = rules.start();
        for ply in 0..24 {
            let player: &mut dyn Chooser = match ply % 3 {
                0 => &mut search,
                1 => &mut *greedy,
                _ => &mut random,
            };
            let Some(played) = player.choose_within(rules, &position, &limits) else { break };
            position = rules.play(&position, played).unwrap_or_else(|error| panic!("seed {seed}: {error:?}"));
        }
    }
}
