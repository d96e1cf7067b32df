//! Enochian chess: every array under both rule sets.
//!
//! Engine and oracle reach the known perft counts to depth 5 (`enochian.tsv`) and play alike; random games end. The test
//! run takes a sample; `cargo xtask prove enochian` takes all.
#![allow(clippy::print_stdout, reason = "prints statistics for `cargo xtask prove`")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tabiya_oracle::{Oracle, compare};
use tabiya_players::{Chooser, Random};
use tabiya_referee::{Action, Game as Table};
use tabiya_spec::{Choices, Game, library};

const RULES: [&str; 2] = ["document", "zalewski"];

/// Far longer than any random game; the limit of quiet turns bounds them.
const MAX_PLIES: usize = 20_000;

/// Returns whether to test everything instead of a sample.
fn is_full() -> bool {
    std::env::var_os("TABIYA_ENOCHIAN").is_some()
}

fn game_with(layout: &str, preset: &str, options: &[(&str, &str)]) -> Game {
    let entry = library::find("enochian").expect("a library game");
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let choices = Choices { layout: Some(layout.to_owned()), preset: Some(preset.to_owned()), options };
    let loaded = entry.load_with(&choices);
    assert!(loaded.diagnostics.is_empty(), "{layout} {preset}: {:?}", loaded.diagnostics);
    loaded.game.expect("a game without errors")
}

/// A row of the table: an array, a rule set, and perft counts for depths 1 to 5.
struct Known {
    array: &'static str,
    rules: &'static str,
    counts: Vec<u64>,
}

fn known() -> Vec<Known> {
    let rows = include_str!("enochian.tsv").lines().skip(1).map(|row| {
        let [array, rules, counts @ ..] = &row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let counts = counts.iter().map(|count| count.parse().expect("a number")).collect();
        Known { array, rules, counts }
    });
    rows.collect()
}

/// Runs a check for every row, or for every seventh, on all cores.
fn each(check: impl Fn(&Known, &Game) + Sync) {
    let rows: Vec<Known> = known().into_iter().step_by(if is_full() { 1 } else { 7 }).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(row, &game_with(row.array, row.rules, &[]));
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        (0..cores).for_each(|_| drop(scope.spawn(work)));
    });
}

#[test]
fn the_engine_reaches_the_known_counts() {
    let rows = known();
    let base = game_with("Fire of Fire", "document", &[]);
    let names: Vec<&str> = base.choices.layouts.iter().map(|layout| layout.name.as_str()).collect();
    let arrays: Vec<&&str> = names.iter().filter(|name| !name.contains("widdershins")).collect();
    assert!(arrays.len() == 20 && rows.len() == RULES.len() * arrays.len());
    for (array, rules) in arrays.iter().flat_map(|array| RULES.map(|rules| (array, rules))) {
        let row = rows.iter().find(|row| row.array == **array && row.rules == rules);
        let game = game_with(array, rules, &[]);
        let start = game.rules.start();
        let counted: Vec<u64> = (1..=5).map(|depth| game.rules.perft(&start, depth)).collect();
        let text: Vec<String> = counted.iter().map(u64::to_string).collect();
        assert_eq!(Some(&counted), row.map(|row| &row.counts), "{array}\t{rules}\t{}", text.join("\t"));
    }
}

#[test]
fn the_oracle_reaches_the_known_counts() {
    let depth = if is_full() { 5 } else { 3 };
    let (rows, ways) = (AtomicU64::new(0), AtomicU64::new(0));
    each(|row, game| {
        let oracle = Oracle::new(&game.spec);
        let counted = oracle.perft(&oracle.start(), depth);
        assert_eq!(counted, row.counts[depth as usize - 1], "{} {} depth {depth}", row.array, row.rules);
        rows.fetch_add(1, Ordering::Relaxed);
        ways.fetch_add(counted, Ordering::Relaxed);
    });
    println!("{rows:?} games, {ways:?} ways to depth {depth} counted alike by the oracle");
}

#[test]
fn engine_and_oracle_play_alike() {
    let depth = if is_full() { 400 } else { 40 };
    let (rows, positions) = (AtomicU64::new(0), AtomicU64::new(0));
    each(|row, game| {
        let walk = compare::compare(game, depth, 1, 7)
            .unwrap_or_else(|difference| panic!("{} {}: {difference}", row.array, row.rules));
        rows.fetch_add(1, Ordering::Relaxed);
        positions.fetch_add(walk.positions, Ordering::Relaxed);
    });
    println!("{rows:?} games, {positions:?} positions compared with the oracle");
}

/// Tests options that no rule set enables: Ptah, and concourse anywhere.
#[test]
fn engine_and_oracle_agree_on_options() {
    let squares = ["e4", "g8"];
    for (square, preset) in
        squares.into_iter().flat_map(|square| [(square, "document"), (square, "zalewski")])
    {
        let options =
            [("PTAH", "true"), ("PTAH_SQUARE", square), ("QUERENT", "BLUE"), ("CONCOURSE", "ANYWHERE")];
        let game = game_with("Water of Water", preset, &options);
        compare::compare(&game, 60, 1, 11)
            .unwrap_or_else(|difference| panic!("{preset} {square}: {difference}"));
    }
}

/// Tests games with a die that are long enough for captured and exchanged kings.
#[test]
fn engine_and_oracle_throw_and_exchange_alike() {
    let (mut throws, mut offers) = (0, 0);
    for (seed, preset) in (0..).zip(RULES) {
        for (die, captor) in [("true", "PLAYER"), ("false", "TEAM")] {
            let options = [("DIVINATION", die), ("CAPTOR", captor), ("EXCHANGE_BOTH_TOOK", "false")];
            let game = game_with("Air of Water", preset, &options);
            let walk = compare::compare(&game, 250, 1, seed)
                .unwrap_or_else(|difference| panic!("{preset}, {options:?}: {difference}"));
            throws += walk.throws;
            offers += walk.offers;
        }
    }
    assert!(throws > 100 && offers > 0, "{throws} throws, {offers} offers");
}

#[test]
fn random_games_end() {
    let games = if is_full() { 500 } else { 2 };
    let ends: Mutex<BTreeMap<String, u64>> = Mutex::default();
    let (plies, longest) = (AtomicU64::new(0), AtomicU64::new(0));
    each(|row, game| {
        let rules =
            Arc::new(tabiya_engine::Rules::compile(game.rules.blueprint().clone()).expect("compiled before"));
        for seed in 0..games {
            let mut player = Random::new(seed);
            let mut table = Table::new(Arc::clone(&rules));
            let mut count = 0;
            while table.end().is_none() {
                let played = player.choose(&rules, &table.state().position).expect("a legal move");
                table.submit(&Action::Move(played)).expect("a legal move");
                count += 1;
                assert!(count < MAX_PLIES, "{} {}: game {seed} does not end", row.array, row.rules);
            }
            let end = table.end().expect("a finished game");
            let draw = if end.winners.is_empty() { "draw" } else { "win" };
            *ends.lock().expect("no thread panics").entry(format!("{draw} {}", end.reason)).or_default() += 1;
            plies.fetch_add(count as u64, Ordering::Relaxed);
            longest.fetch_max(count as u64, Ordering::Relaxed);
        }
    });
    let ends = ends.into_inner().expect("no thread panics");
    let total: u64 = ends.values().sum();
    println!("{total} random games, all over, {plies:?} moves, at most {longest:?} in one: {ends:?}");
}
