//! Compares the cost per generated move of Enochian chess and chess on the same path of the engine. Fails if the ratio
//! exceeds the limit or a count is wrong.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]
#![allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use tabiya_engine::{Backend, Rules};
use tabiya_spec::{Choices, library};

const ROUNDS: usize = 25;

/// The maximum cost of a move of Enochian chess, as a multiple of a chess move.
const LIMIT: f64 = 2.0;

/// A starting position with its perft depth and count.
struct Start {
    name: &'static str,
    rules: Arc<Rules>,
    depth: u32,
    nodes: u64,
    /// All generated moves, the last ones included.
    moves: u64,
}

fn start(game: &str, name: &'static str, choices: &Choices, depth: u32, nodes: u64) -> Option<Start> {
    let rules = library::find(game)?.load_with(choices).game?.rules;
    let count = |depth| rules.perft_on(Backend::General, &rules.start(), depth);
    let moves = (1..=depth).filter_map(count).sum();
    Some(Start { name, rules, depth, nodes, moves })
}

fn enochian(array: &'static str, rules: &str, nodes: u64) -> Option<Start> {
    let choices =
        Choices { layout: Some(array.to_owned()), preset: Some(rules.to_owned()), options: Vec::new() };
    start("enochian", array, &choices, 5, nodes)
}

impl Start {
    /// Returns nanoseconds per move.
    fn cost(&self) -> Option<f64> {
        let begun = Instant::now();
        let counted = self.rules.perft_on(Backend::General, &self.rules.start(), self.depth)?;
        let taken = begun.elapsed().as_nanos() as f64;
        (counted == self.nodes).then_some(taken / self.moves as f64)
    }
}

fn main() -> ExitCode {
    let starts: Option<Vec<Start>> = [
        start("chess", "chess", &Choices::default(), 4, 197_281),
        enochian("Fire of Fire", "document", 84_632),
        enochian("Fire of Fire", "zalewski", 83_885),
        enochian("Earth of Air", "document", 417_159),
        enochian("Earth of Air", "zalewski", 416_819),
        enochian("Water of Water", "document", 82_507),
        enochian("Water of Water", "zalewski", 80_931),
    ]
    .into_iter()
    .collect();
    let Some(starts) = starts else {
        eprintln!("rate: a game of the library is missing");
        return ExitCode::FAILURE;
    };
    // Each round runs every position once, so that other load affects all alike.
    let mut costs: Vec<Vec<f64>> = vec![Vec::new(); starts.len()];
    for _ in 0..ROUNDS {
        for (start, costs) in starts.iter().zip(&mut costs) {
            let Some(cost) = start.cost() else {
                eprintln!("rate: {} does not reach its count", start.name);
                return ExitCode::FAILURE;
            };
            costs.push(cost);
        }
    }
    let best: Vec<f64> = costs.into_iter().map(least).collect();
    let others = &best[1..];
    let mean = others.iter().map(|cost| cost.ln()).sum::<f64>() / others.len() as f64;
    let ratio = mean.exp() / best[0];
    for (start, cost) in starts.iter().zip(&best) {
        println!("{}: {cost:.1} ns a move", start.name);
    }
    println!("Enochian chess takes {ratio:.2} times as long for a move as chess; {LIMIT} is allowed");
    if ratio <= LIMIT { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the cost in the least disturbed round.
fn least(costs: Vec<f64>) -> f64 {
    costs.into_iter().fold(f64::INFINITY, f64::min)
}
