//! A search in a thread of its own, which can be told to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tabiya_engine::{Position, Rules};
use tabiya_notation::move_text;
use tabiya_players::{Chooser, Limits, Score, Thought};

use super::go::Go;
use super::{Event, no_thread};
use crate::failure::Failure;

/// A player. It goes into the thread with the search and comes back with the move.
pub(super) type Mind = Box<dyn Chooser + Send>;

/// A search under way.
pub(super) struct Thinking {
    stop: Arc<AtomicBool>,
    thread: Thread,
    /// Whether it goes on until it is told to stop.
    is_endless: bool,
}

impl Thinking {
    /// Begins a search. The move comes as an [`Event::Chosen`].
    pub(super) fn start(
        mind: Mind,
        rules: Arc<Rules>,
        position: Position,
        earlier: Vec<u64>,
        go: &Go,
        events: SyncSender<Event>,
    ) -> Result<Thinking, Failure> {
        let stop = Arc::new(AtomicBool::new(false));
        let search = Search {
            time: go.time_for(rules.mover(&position).index()),
            rules,
            position,
            earlier,
            depth: go.depth,
            nodes: go.nodes(),
            infinite: go.infinite,
            begin: Instant::now(),
            stop: Arc::clone(&stop),
            events,
        };
        let handle =
            thread::Builder::new().spawn(move || search.run(mind)).map_err(|error| no_thread(&error))?;
        Ok(Thinking { stop, thread: handle.thread().clone(), is_endless: go.infinite })
    }

    /// Nobody is left who could tell it to stop: a search that has no end of its own ends now, and any other then, at the
    /// latest.
    pub(super) fn stop_by(&self, deadline: Instant) {
        if self.is_endless {
            return self.stop();
        }
        let (stop, thread) = (Arc::clone(&self.stop), self.thread.clone());
        let waits = thread::Builder::new().spawn(move || {
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            stop.store(true, Ordering::Release);
            thread.unpark();
        });
        if waits.is_err() {
            self.stop();
        }
    }

    /// Tells it to stop. It chooses at once.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// What is searched, and for how long.
struct Search {
    rules: Arc<Rules>,
    position: Position,
    /// The keys of the positions before it.
    earlier: Vec<u64>,
    time: Option<Duration>,
    depth: Option<u32>,
    nodes: Option<u64>,
    infinite: bool,
    begin: Instant,
    stop: Arc<AtomicBool>,
    events: SyncSender<Event>,
}

impl Search {
    fn run(self, mut mind: Mind) {
        let is_over = || self.is_stopped() || self.time.is_some_and(|time| self.begin.elapsed() >= time);
        let watch = |thought: &Thought| self.tell(self.line(thought));
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            stop: Some(&is_over),
            watch: Some(&watch),
            earlier: &self.earlier,
        };
        let chosen = mind.choose_within(&self.rules, &self.position, &limits);
        while self.infinite && !self.is_stopped() {
            // What was found may only be told when somebody asks for it.
            thread::park();
        }
        let best = chosen.map(|played| move_text(&self.rules, &self.position, played));
        let _ = self.events.send(Event::Chosen(mind, best.unwrap_or_else(|| "0000".to_owned())));
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// If nobody listens any more, the search is about to be stopped.
    fn tell(&self, line: String) {
        let _ = self.events.send(Event::Told(line));
    }

    /// A thought in the words of UCI.
    fn line(&self, thought: &Thought) -> String {
        let Thought { depth, nodes, score, line } = thought;
        let time = self.begin.elapsed();
        let per_second = u128::from(*nodes) * 1000 / time.as_millis().max(1);
        let mut text =
            format!("info depth {depth} score {} nodes {nodes} nps {per_second}", score_text(*score));
        text.push_str(&format!(" time {} pv", time.as_millis()));
        let mut position = self.position.clone();
        for played in line {
            text.push_str(&format!(" {}", move_text(&self.rules, &position, *played)));
            position = self.rules.play_unchecked(&position, *played);
        }
        text
    }
}

/// Wins and losses are counted in moves of the one who wins or loses.
fn score_text(score: Score) -> String {
    match score {
        Score::Standing(hundredths) => format!("cp {hundredths}"),
        Score::Win(moves) => format!("mate {}", moves.div_ceil(2)),
        Score::Loss(moves) => format!("mate -{}", moves.div_ceil(2)),
    }
}
