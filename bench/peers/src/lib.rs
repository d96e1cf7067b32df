//! Shared code of the benchmark's binaries. Each reads one request per line and answers with a line of JSON. The caller
//! decides order and repetition, so that engines take turns.
//!
//! A request is `engine TAB game TAB state TAB depth TAB nodes`. The answer is the time of one perft in seconds, or that the
//! engine does not support the position. A wrong count ends the process.

pub mod games;
pub mod growth;
pub mod renamed;

use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

/// Shorter counts are repeated for this time, and the mean is taken.
const TIME_MIN: Duration = Duration::from_millis(200);

/// A perft to be timed.
pub struct Request {
    /// The engine.
    pub engine: String,
    /// A game of [`games::Library`].
    pub game: String,
    /// Board text, or `start`.
    pub state: String,
    /// Depth in moves.
    pub depth: u32,
    /// The expected count.
    pub nodes: u64,
}

impl Request {
    fn parse(line: &str) -> Self {
        let [engine, game, state, depth, nodes] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not a request: {line}");
        };
        Request {
            engine: engine.into(),
            game: game.into(),
            state: state.into(),
            depth: depth.parse().expect("the depth is a number"),
            nodes: nodes.parse().expect("the nodes are a number"),
        }
    }
}

/// The result of a perft.
#[derive(Clone, Copy)]
pub struct Counted {
    /// Leaves.
    pub nodes: u64,
    /// Leaves in check, from engines that examine every leaf.
    pub checks: Option<u64>,
}

impl From<u64> for Counted {
    fn from(nodes: u64) -> Self {
        Counted { nodes, checks: None }
    }
}

/// A prepared perft, so that only counting is timed.
pub type Count = Box<dyn Fn() -> Counted>;

/// Answers requests until the input ends. `prepare` returns `None` for unsupported positions.
pub fn serve(mut prepare: impl FnMut(&Request) -> Option<Count>) {
    for line in io::stdin().lock().lines() {
        let request = Request::parse(&line.expect("requests are text"));
        let answer = match prepare(&request) {
            None => json!({ "engine": request.engine, "refused": true }),
            Some(count) => {
                let (seconds, counted) = time(&count, request.nodes);
                json!({
                    "engine": request.engine,
                    "game": request.game,
                    "depth": request.depth,
                    "nodes": counted.nodes,
                    "checks": counted.checks,
                    "seconds": seconds,
                })
            }
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("the caller reads the answers");
    }
}

/// Returns the CPU time of this thread, which other load on the machine does not change.
fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        now.tv_sec.try_into().expect("time goes on"),
        now.tv_nsec.try_into().expect("below a second"),
    )
}

/// Returns the seconds of one count.
fn time(count: &Count, nodes: u64) -> (f64, Counted) {
    let started = cpu_time();
    for times in 1_u32.. {
        let counted = black_box(count());
        assert_eq!(counted.nodes, nodes, "a wrong count");
        let taken = cpu_time() - started;
        if taken >= TIME_MIN {
            return (taken.as_secs_f64() / f64::from(times), counted);
        }
    }
    unreachable!("time passes")
}
