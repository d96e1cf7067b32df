//! `tabiya perft`: how many ways lead so many moves on; the number by which generators of moves are compared.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use tabiya_engine::{Move, Position, Rules};
use tabiya_notation::move_text;

use crate::args::GameAndState;
use crate::count::{self, Plan, Table, TooMany};
use crate::failure::Failure;
use crate::number::whole;
use crate::output::Output;
use crate::text::thousands;

/// Count the positions so many moves on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya perft chess 5
  tabiya perft chess 6 --threads 8 --hash 256
  tabiya perft chess 3 --divide --format json")]
pub(crate) struct Args {
    #[command(flatten)]
    what: GameAndState,
    /// How many moves deep.
    #[arg(value_name = "DEPTH", allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 0..=64))]
    depth: u32,
    /// Tell the count below each move.
    #[arg(long)]
    divide: bool,
    /// Count on so many threads.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = |text: &str| whole::<u16>(text, 1..=1024))]
    threads: u16,
    /// Remember counts in so many megabytes; 0 for none.
    #[arg(long, value_name = "MB", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| whole::<u32>(text, 0..=65536))]
    hash: u32,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<ExitCode, Failure> {
    let (chosen, state) = args.what.open()?;
    let (rules, position) = (&*chosen.game.rules, &state.position);
    let table = match args.hash {
        0 => None,
        size => Some(Table::new(size as usize).ok_or_else(|| no_memory(size))?),
    };
    let plan = Plan { depth: args.depth, threads: usize::from(args.threads), table };
    let counted = Counted::new(rules, position, &plan, args.divide)
        .map_err(|TooMany| Failure::No(format!("the count is larger than {}", thousands(u64::MAX))))?;
    if out.is_json() {
        out.json(&counted.to_json(&chosen.label, rules, position))?;
    } else {
        counted.print(rules, position, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn no_memory(megabytes: u32) -> Failure {
    Failure::Usage(format!("there is not enough memory for a table of {megabytes} MB"))
}

/// What was counted, and how long it took.
struct Counted {
    depth: u32,
    nodes: u64,
    divide: Option<Vec<(Move, u64)>>,
    time: Duration,
}

impl Counted {
    fn new(rules: &Rules, position: &Position, plan: &Plan, divide: bool) -> Result<Counted, TooMany> {
        let watched = io::stderr().is_terminal();
        let simple = !watched && plan.threads == 1 && plan.table.is_none() && !divide;
        let meter = Meter::new(rules.count_moves(position), watched);
        let step = |first: usize, nodes: u64| meter.step(first, nodes);
        let start = Instant::now();
        let (nodes, divide) = if simple {
            (rules.perft(position, plan.depth), None)
        } else if divide {
            let parts = count::divide(rules, position, plan, &step)?;
            let sum =
                parts.iter().try_fold(0u64, |sum, (_, nodes)| sum.checked_add(*nodes)).ok_or(TooMany)?;
            (if plan.depth == 0 { 1 } else { sum }, Some(parts))
        } else {
            (count::count(rules, position, plan, &step)?, None)
        };
        let time = start.elapsed();
        meter.finish();
        Ok(Counted { depth: plan.depth, nodes, divide, time })
    }

    fn to_json(&self, game: &str, rules: &Rules, position: &Position) -> Value {
        let seconds = self.time.as_secs_f64();
        let mut answer =
            json!({ "game": game, "depth": self.depth, "nodes": self.nodes, "seconds": seconds });
        if let Some(parts) = &self.divide {
            let part = |(played, nodes): &(Move, u64)| json!({ "move": move_text(rules, position, *played), "nodes": nodes });
            answer["divide"] = parts.iter().map(part).collect();
        }
        answer
    }

    fn print(&self, rules: &Rules, position: &Position, out: &mut Output) -> io::Result<()> {
        for (played, nodes) in self.divide.iter().flatten() {
            writeln!(out, "{}: {nodes}", move_text(rules, position, *played))?;
        }
        if self.divide.as_ref().is_some_and(|parts| !parts.is_empty()) {
            writeln!(out)?;
        }
        let (nodes, seconds) = (thousands(self.nodes), self.time.as_secs_f64());
        let rate = rate(self.nodes, self.time).map(|rate| format!(" ({} a second)", thousands(rate)));
        writeln!(out, "depth {}: {nodes} nodes in {seconds:.3} s{}", self.depth, rate.unwrap_or_default())
    }
}

/// Nodes a second; `None` where the time is too short for the number to mean anything.
fn rate(nodes: u64, time: Duration) -> Option<u64> {
    const TELLING: Duration = Duration::from_millis(10);
    let rate = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    u64::try_from(rate).ok().filter(|_| time >= TELLING)
}

/// A bar on standard error, once the work takes longer than a second and somebody looks.
struct Meter {
    moves: u64,
    watched: bool,
    start: Instant,
    nodes: AtomicU64,
    bar: OnceLock<ProgressBar>,
}

impl Meter {
    const PATIENCE: Duration = Duration::from_secs(1);

    fn new(moves: u64, watched: bool) -> Self {
        Meter { moves, watched, start: Instant::now(), nodes: AtomicU64::new(0), bar: OnceLock::new() }
    }

    fn step(&self, first: usize, nodes: u64) {
        if !self.watched {
            return;
        }
        let sum = self.nodes.fetch_add(nodes, Ordering::Relaxed).wrapping_add(nodes);
        if self.start.elapsed() < Self::PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let style = ProgressStyle::with_template("{elapsed} {wide_bar} move {pos} of {len}, {msg} nodes");
            let bar = ProgressBar::new(self.moves);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        bar.set_position(first as u64 + 1);
        bar.set_message(thousands(sum));
    }

    fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_time_tells_no_rate() {
        assert_eq!(rate(197_281, Duration::from_millis(500)), Some(394_562));
        assert_eq!(rate(20, Duration::from_micros(3)), None);
        assert_eq!(rate(0, Duration::ZERO), None);
        assert_eq!(
            rate(u64::MAX, Duration::from_millis(50)),
            None,
            "memory counts more than there are numbers for"
        );
    }
}
