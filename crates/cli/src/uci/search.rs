//! A search on its own thread, which can be stopped.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use tabiya_engine::{Move, Position, Rules};
use tabiya_notation::uci;
use tabiya_players::{Limits, Score, SearchInfo};

use super::go::Budget;
use super::{Event, Player, no_thread};
use crate::error::CliError;

/// The clock of a search. While the engine ponders, it stands still.
pub(super) struct Clock {
    created: Instant,
    /// When it started, in nanoseconds after it was created; `NOT_YET` before.
    started: AtomicU64,
}

const NOT_YET: u64 = u64::MAX;

impl Clock {
    /// Creates a clock that runs, or one that waits.
    pub(super) fn new(waits: bool) -> Self {
        Clock { created: Instant::now(), started: AtomicU64::new(if waits { NOT_YET } else { 0 }) }
    }

    fn start(&self) {
        let now = u64::try_from(self.created.elapsed().as_nanos()).unwrap_or(NOT_YET - 1);
        let _ = self.started.compare_exchange(NOT_YET, now, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Returns the time on the clock, or `None` while it waits.
    fn elapsed(&self) -> Option<Duration> {
        let started = self.started.load(Ordering::Acquire);
        (started != NOT_YET).then(|| self.created.elapsed().saturating_sub(Duration::from_nanos(started)))
    }
}

/// A running search.
pub(super) struct SearchHandle {
    stop: Arc<AtomicBool>,
    clock: Arc<Clock>,
    thread: Thread,
    /// Whether the search runs until it is stopped.
    is_infinite: bool,
}

impl SearchHandle {
    /// Starts the clock of a search that ponders.
    pub(super) fn start_clock(&self) {
        self.clock.start();
        self.thread.unpark();
    }

    /// Stops the search at the deadline, or at once if it has no limit.
    pub(super) fn stop_by(&self, deadline: Instant) {
        if self.is_infinite || self.clock.elapsed().is_none() {
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
    /// The number of quiet turns before the position.
    pub(super) quiet: u32,
    pub(super) budget: Budget,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// The moves to choose from; all if there are none.
    pub(super) moves: Vec<Move>,
    pub(super) lines: usize,
    pub(super) shows_results: bool,
    /// Whether to report the expected answer.
    pub(super) ponders: bool,
    pub(super) is_infinite: bool,
    pub(super) clock: Arc<Clock>,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) events: SyncSender<Event>,
}

impl Search {
    /// Starts the search. It ends with an [`Event::BestMove`].
    pub(super) fn start(self, player: Player) -> Result<SearchHandle, CliError> {
        let (stop, is_infinite) = (Arc::clone(&self.stop), self.is_infinite);
        let clock = Arc::clone(&self.clock);
        let handle =
            thread::Builder::new().spawn(move || self.run(player)).map_err(|error| no_thread(&error))?;
        Ok(SearchHandle { stop, clock, thread: handle.thread().clone(), is_infinite })
    }

    fn run(self, mut player: Player) {
        let progress = RefCell::new(Progress::default());
        let has_elapsed = |time: Option<Duration>| {
            time.is_some_and(|time| self.clock.elapsed().is_some_and(|elapsed| elapsed >= time))
        };
        let is_over = || self.is_stopped() || has_elapsed(self.budget.longest);
        let watch = |thought: &SearchInfo| {
            progress.borrow_mut().note(thought);
            // Sending fails only after the engine has quit.
            let _ = self.events.send(Event::Info(self.info_line(thought)));
        };
        let enough = || has_elapsed(self.budget.usual.map(|usual| progress.borrow().share_of(usual)));
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            stop: Some(&is_over),
            on_info: Some(&watch),
            earlier: &self.earlier,
            quiet: self.quiet,
            enough: Some(&enough),
            moves: &self.moves,
            lines: self.lines,
        };
        let chosen = player.choose_within(&self.rules, &self.position, &limits);
        while (self.is_infinite || self.clock.elapsed().is_none()) && !self.is_stopped() {
            // An infinite search may print its best move only after `stop`, one that ponders also after `ponderhit`.
            thread::park();
        }
        let best = chosen.map_or_else(|| "0000".to_owned(), |played| self.answer(played, &progress.borrow()));
        let _ = self.events.send(Event::BestMove(player, best));
    }

    /// Formats the best move, with the expected answer if it is asked for.
    fn answer(&self, played: Move, progress: &Progress) -> String {
        let best = uci(&self.rules, &self.position, played);
        match progress.line[..] {
            [first, reply, ..] if self.ponders && first == played => {
                let next = self.rules.play_unchecked(&self.position, played);
                format!("{best} ponder {}", uci(&self.rules, &next, reply))
            }
            _ => best,
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Formats an `info` line.
    fn info_line(&self, thought: &SearchInfo) -> String {
        let SearchInfo { depth, selective_depth, nodes, score, rank, table_permille, line } = thought;
        let time = self.clock.created.elapsed();
        let nps = u128::from(*nodes) * 1000 / time.as_millis().max(1);
        let mut text = format!("info depth {depth} score {}", score_text(*score));
        if self.shows_results {
            let [won, drawn, lost] = score.win_draw_loss();
            text.push_str(&format!(" wdl {won} {drawn} {lost}"));
        }
        text.push_str(&format!(" nodes {nodes} nps {nps} time {}", time.as_millis()));
        text.push_str(&format!(" seldepth {selective_depth} hashfull {table_permille}"));
        if self.lines > 1 {
            text.push_str(&format!(" multipv {}", rank + 1));
        }
        text.push_str(" pv");
        let mut position = self.position.clone();
        for played in line {
            text.push_str(&format!(" {}", uci(&self.rules, &position, *played)));
            position = self.rules.play_unchecked(&position, *played);
        }
        text
    }
}

/// What the completed depths of a search have found.
#[derive(Default)]
struct Progress {
    /// The best line.
    line: Vec<Move>,
    /// The score in centipawns, and how far it fell with the last depth.
    score: i32,
    fall: i32,
    /// For how many depths the best move has stayed the same.
    stability: u32,
}

impl Progress {
    fn note(&mut self, thought: &SearchInfo) {
        if thought.rank > 0 {
            return;
        }
        let is_same = self.line.first() == thought.line.first();
        self.stability = if is_same { self.stability + 1 } else { 0 };
        let score = match thought.score {
            Score::Centipawns(score) => score,
            Score::Win(_) | Score::Loss(_) => self.score,
        };
        (self.fall, self.score) = (self.score - score, score);
        self.line.clone_from(&thought.line);
    }

    /// Returns the part of the usual time after which no further depth begins: less if the best move has stayed the same, more
    /// if the score has fallen.
    fn share_of(&self, usual: Duration) -> Duration {
        let percent = 90 - 10 * self.stability.min(5) + self.fall.clamp(0, 60) as u32;
        usual * percent / 100
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
