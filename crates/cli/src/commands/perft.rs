//! `tabiya perft`: counts legal move paths, to test and compare move generators.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tabiya_engine::{Move, Position, Rules};
use tabiya_notation::{State, uci};

use crate::args::{GameAndState, whole};
use crate::error::{CliError, CommandResult};
use crate::output::Output;
use crate::perft::{self, CountOverflow, PerftOptions, PerftTable};
use crate::progress::Progress;
use crate::text::group_digits;

/// Count legal move paths of a given length.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabiya perft chess 5
  tabiya perft chess 6 --threads 8 --hash 256
  tabiya perft chess 3 --divide --format json")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameAndState,
    /// Length of the paths in moves.
    #[arg(value_name = "DEPTH", allow_negative_numbers = true, value_parser = whole::<u32>(0..=64))]
    depth: u32,
    /// Print the count below each move.
    #[arg(long)]
    divide: bool,
    /// Number of threads.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u16>(1..=1024))]
    threads: u16,
    /// Size of the transposition table in megabytes; 0 for none.
    #[arg(long, value_name = "MB", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u32>(0..=65536))]
    hash: u32,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> CommandResult {
    let (loaded, state) = args.game.open()?;
    let rules = &*loaded.game.rules;
    let table = match args.hash {
        0 => None,
        size => Some(PerftTable::new(size as usize).ok_or_else(|| no_memory(size))?),
    };
    let options = PerftOptions { depth: args.depth, threads: usize::from(args.threads), table };
    let result = PerftResult::count(rules, &state, &options, args.divide).map_err(|CountOverflow| {
        CliError::No(format!("the count is larger than {}", group_digits(u64::MAX)))
    })?;
    let position = &state.position;
    out.answer(|| result.to_json(&loaded.label, rules, position), |out| result.print(rules, position, out))
}

fn no_memory(megabytes: u32) -> CliError {
    CliError::Usage(format!("there is not enough memory for a table of {megabytes} MB"))
}

/// A count and the time it took.
struct PerftResult {
    depth: u32,
    nodes: u64,
    divide: Option<Vec<(Move, u64)>>,
    time: Duration,
}

impl PerftResult {
    fn count(
        rules: &Rules,
        state: &State,
        options: &PerftOptions,
        divide: bool,
    ) -> Result<Self, CountOverflow> {
        let position = &state.position;
        let progress = Progress::delayed("move", rules.count_moves(position));
        let counted = AtomicU64::new(0);
        let on_subtree = |first: usize, nodes: u64| {
            let sum = counted.fetch_add(nodes, Ordering::Relaxed).wrapping_add(nodes);
            progress.update(first as u64 + 1, || format!("{} nodes", group_digits(sum)));
        };
        let is_simple = !progress.is_visible && options.threads == 1 && options.table.is_none() && !divide;
        let start = Instant::now();
        // Paths end where the game stops because of quiet turns. Only a limit that is close changes the count.
        let stops = options.depth > 0 && rules.may_stop_within(state.quiet, options.depth - 1);
        let (nodes, divide) = if stops && divide {
            let counts = rules.divide_with_quiet(position, state.quiet, options.depth);
            (if options.depth == 0 { 1 } else { perft::sum(&counts)? }, Some(counts))
        } else if stops {
            (rules.perft_with_quiet(position, state.quiet, options.depth), None)
        } else if is_simple {
            (rules.perft(position, options.depth), None)
        } else if divide {
            let counts = perft::divide(rules, position, options, &on_subtree)?;
            (if options.depth == 0 { 1 } else { perft::sum(&counts)? }, Some(counts))
        } else {
            (perft::perft(rules, position, options, &on_subtree)?, None)
        };
        Ok(PerftResult { depth: options.depth, nodes, divide, time: start.elapsed() })
    }

    fn to_json(&self, game: &str, rules: &Rules, position: &Position) -> Value {
        let seconds = self.time.as_secs_f64();
        let mut answer =
            json!({ "game": game, "depth": self.depth, "nodes": self.nodes, "seconds": seconds });
        if let Some(counts) = &self.divide {
            let count = |(played, nodes): &(Move, u64)| json!({ "move": uci(rules, position, *played), "nodes": nodes });
            answer["divide"] = counts.iter().map(count).collect();
        }
        answer
    }

    fn print(&self, rules: &Rules, position: &Position, out: &mut Output) -> io::Result<()> {
        for (played, nodes) in self.divide.iter().flatten() {
            writeln!(out, "{}: {nodes}", uci(rules, position, *played))?;
        }
        if self.divide.as_ref().is_some_and(|counts| !counts.is_empty()) {
            writeln!(out)?;
        }
        let (nodes, seconds) = (group_digits(self.nodes), self.time.as_secs_f64());
        let rate = rate(self.nodes, self.time).map(|rate| format!(" ({} per second)", group_digits(rate)));
        writeln!(out, "depth {}: {nodes} nodes in {seconds:.3} s{}", self.depth, rate.unwrap_or_default())
    }
}

/// Returns nodes per second, or `None` if the time is too short to measure.
fn rate(nodes: u64, time: Duration) -> Option<u64> {
    const MIN_TIME: Duration = Duration::from_millis(10);
    let rate = u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1);
    u64::try_from(rate).ok().filter(|_| time >= MIN_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_give_no_rate() {
        assert_eq!(rate(197_281, Duration::from_millis(500)), Some(394_562));
        assert_eq!(rate(20, Duration::from_micros(3)), None);
        assert_eq!(rate(0, Duration::ZERO), None);
        assert_eq!(rate(u64::MAX, Duration::from_millis(50)), None, "the rate does not fit into 64 bits");
    }
}
