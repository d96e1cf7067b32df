//! A search on its own thread, which can be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tabiya_engine::{Position, Rules};
use tabiya_notation::uci;
use tabiya_players::{Limits, Score, SearchInfo};

use super::{Event, Player, no_thread};
use crate::error::CliError;

/// A running search.
pub(super) struct SearchHandle {
    stop: Arc<AtomicBool>,
    thread: Thread,
    /// Whether the search runs until it is stopped.
    is_infinite: bool,
}

impl SearchHandle {
    /// Stops the search at the deadline, or at once if it has no limit.
    pub(super) fn stop_by(&self, deadline: Instant) {
        if self.is_infinite {
            return self.stop();
        }
        let (stop, thread) = (Arc::clone(&self.stop), self.thread.clone());
        let timer = thread::Builder::new().spawn(move || {
            thread::sleep(deadline.saturating_duration_since(Instant::now()));
            stop.store(true, Ordering::Release);
            thread.unpark();
        });
        if timer.is_err() {
            self.stop();
        }
    }

    /// Stops the search. It sends its best move at once.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// A position to search, and the limits.
pub(super) struct Search {
    pub(super) rules: Arc<Rules>,
    pub(super) position: Position,
    /// Keys of earlier positions.
    pub(super) earlier: Vec<u64>,
    pub(super) time: Option<Duration>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) is_infinite: bool,
    /// When the clock of the search started.
    pub(super) begin: Instant,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) events: SyncSender<Event>,
}

impl Search {
    /// Starts the search. It ends with an [`Event::BestMove`].
    pub(super) fn start(self, player: Player) -> Result<SearchHandle, CliError> {
        let (stop, is_infinite) = (Arc::clone(&self.stop), self.is_infinite);
        let handle =
            thread::Builder::new().spawn(move || self.run(player)).map_err(|error| no_thread(&error))?;
        Ok(SearchHandle { stop, thread: handle.thread().clone(), is_infinite })
    }

    fn run(self, mut player: Player) {
        let is_over = || self.is_stopped() || self.time.is_some_and(|time| self.begin.elapsed() >= time);
        // Sending fails only after the engine has quit.
        let watch = |thought: &SearchInfo| drop(self.events.send(Event::Info(self.info_line(thought))));
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            stop: Some(&is_over),
            on_info: Some(&watch),
            earlier: &self.earlier,
        };
        let chosen = player.choose_within(&self.rules, &self.position, &limits);
        while self.is_infinite && !self.is_stopped() {
            // An infinite search may print its best move only after `stop`.
            thread::park();
        }
        let best = chosen.map(|played| uci(&self.rules, &self.position, played));
        let _ = self.events.send(Event::BestMove(player, best.unwrap_or_else(|| "0000".to_owned())));
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Formats an `info` line.
    fn info_line(&self, thought: &SearchInfo) -> String {
        let SearchInfo { depth, nodes, score, line } = thought;
        let time = self.begin.elapsed();
        let nps = u128::from(*nodes) * 1000 / time.as_millis().max(1);
        let mut text = format!("info depth {depth} score {} nodes {nodes} nps {nps}", score_text(*score));
        text.push_str(&format!(" time {} pv", time.as_millis()));
        let mut position = self.position.clone();
        for played in line {
            text.push_str(&format!(" {}", uci(&self.rules, &position, *played)));
            position = self.rules.play_unchecked(&position, *played);
        }
        text
    }
}

/// Formats a score. UCI counts mates in moves, the search in plies.
fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(hundredths) => format!("cp {hundredths}"),
        Score::Win(plies) => format!("mate {}", plies.div_ceil(2)),
        Score::Loss(plies) => format!("mate -{}", plies.div_ceil(2)),
    }
}
