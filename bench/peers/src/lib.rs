//! What the binaries of the benchmark share. Each of them reads requests, one a line, makes a count for each, and
//! answers with a line of JSON; whoever asks decides about order and repetition, so that contenders take turns.
//!
//! A request is `contender TAB game TAB state TAB depth TAB nodes`. The answer is the time of one count in seconds, or
//! that the contender does not take such a position. A wrong count ends the process.

pub mod games;
pub mod growth;
pub mod renamed;

use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

/// Short counts are repeated for so long, and the mean is taken.
const AT_LEAST: Duration = Duration::from_millis(200);

/// One count that somebody wants to be timed.
pub struct Request {
    /// Who is to count.
    pub contender: String,
    /// A game of the library, or one of [`games::Library`]'s own.
    pub game: String,
    /// Board text, or `start`.
    pub state: String,
    /// How many moves deep.
    pub depth: u32,
    /// What the count must be.
    pub nodes: u64,
}

impl Request {
    fn parse(line: &str) -> Self {
        let [contender, game, state, depth, nodes] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not a request: {line}");
        };
        Request {
            contender: contender.into(),
            game: game.into(),
            state: state.into(),
            depth: depth.parse().expect("the depth is a number"),
            nodes: nodes.parse().expect("the nodes are a number"),
        }
    }
}

/// What a contender counted.
#[derive(Clone, Copy)]
pub struct Counted {
    /// Positions.
    pub nodes: u64,
    /// How many of them are check, from those that look at every position.
    pub checks: Option<u64>,
}

impl From<u64> for Counted {
    fn from(nodes: u64) -> Self {
        Counted { nodes, checks: None }
    }
}

/// A contender with everything prepared, so that only counting is timed.
pub type Count = Box<dyn Fn() -> Counted>;

/// Answers requests until there are no more. `prepare` gives `None` for what its contender does not take.
pub fn serve(mut prepare: impl FnMut(&Request) -> Option<Count>) {
    for line in io::stdin().lock().lines() {
        let request = Request::parse(&line.expect("requests are text"));
        let answer = match prepare(&request) {
            None => json!({ "contender": request.contender, "refused": true }),
            Some(count) => {
                let (seconds, counted) = time(&count, request.nodes);
                json!({
                    "contender": request.contender,
                    "game": request.game,
                    "depth": request.depth,
                    "nodes": counted.nodes,
                    "checks": counted.checks,
                    "seconds": seconds,
                })
            }
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("somebody reads the answers");
    }
}

/// The time that this thread has worked. What others do on the machine is not counted, as it would be by a watch.
fn worked() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        now.tv_sec.try_into().expect("time goes on"),
        now.tv_nsec.try_into().expect("below a second"),
    )
}

/// Seconds of one count.
fn time(count: &Count, nodes: u64) -> (f64, Counted) {
    let started = worked();
    for times in 1_u32.. {
        let counted = black_box(count());
        assert_eq!(counted.nodes, nodes, "a wrong count");
        let taken = worked() - started;
        if taken >= AT_LEAST {
            return (taken.as_secs_f64() / f64::from(times), counted);
        }
    }
    unreachable!("time passes")
}
