//! One room: a game under the referee, its seats, its journal, and its open sockets.
//!
//! Every event is checked by the referee, saved to the journal, and then sent to everyone in the room. Replaying the journal
//! restores the room.

mod actions;
mod offers;
mod people;
mod pgn;
mod stored;
mod views;

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use tabiya_arena::Seat;
use tabiya_engine::Player;
use tabiya_notation::{State, parse_state};
use tabiya_referee::{Clock, Seating, Session, SessionKind, SessionOptions, TimeControl};

use actions::Before;
use offers::{NextRoom, Offers};
use people::People;
use stored::remaining_entries;
pub(crate) use stored::{GameEvent, JournalEntry, Occupant, RoomConfig, SeatConfig, Waits};

use crate::api_error::ApiError;
use crate::fair_queue::Client;
use crate::http_types::ClockBody;
use crate::loaded_game::{LoadedGame, check_work};
use crate::socket_types::{ActionView, AgentAnswerView};
use crate::subscribers::Subscribers;
use crate::{limits, lock};

/// A room.
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) loaded_game: Arc<LoadedGame>,
    pub(crate) config: RoomConfig,
    /// The seat of each player.
    pub(crate) seat_of: Vec<usize>,
    /// The client for whom the room is in memory: the one that opened or restored it. Its limits apply.
    pub(crate) owner: Client,
    pub(crate) subscribers: Subscribers,
    /// The running agents, by seat.
    pub(crate) agents: Mutex<BTreeMap<usize, Seat>>,
    inner: Mutex<Inner>,
    /// Whether the journal could not be saved. The room accepts no more actions.
    is_lost: AtomicBool,
}

/// The changing part of a room.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) session: Session,
    people: People,
    offers: Offers,
    /// The room of the rematch.
    next: Option<NextRoom>,
    /// When the player to act started to think.
    since: Instant,
    /// The views of the session's log.
    actions: Vec<ActionView>,
    /// The number of journal entries.
    lines: usize,
    /// The number of changes. A program's answer to an older state is dropped.
    pub(crate) epoch: u64,
    /// The last answers of agents.
    asked: VecDeque<AgentAnswerView>,
    /// Whether a task watches the clock.
    is_watched: bool,
    /// Whether a program waits for a free core. Its clock does not run.
    is_queued: bool,
    /// The sum of the work of all positions.
    work: usize,
    /// Whether the position is too large to list its moves, until the game is aborted.
    is_too_complex: bool,
}

impl Inner {
    fn new(session: Session, people: People) -> Self {
        Inner {
            session,
            people,
            offers: Offers::default(),
            next: None,
            since: Instant::now(),
            actions: Vec::new(),
            lines: 0,
            epoch: 0,
            asked: VecDeque::new(),
            is_watched: false,
            is_queued: false,
            work: 0,
            is_too_complex: false,
        }
    }

    /// Starts the clock of a program that waited for a core.
    pub(crate) fn start_thinking(&mut self) {
        (self.is_queued, self.since) = (false, Instant::now());
    }

    fn has_clock(&self) -> bool {
        self.session.clock().control().game.is_some()
    }

    /// Whether the clock runs. It starts when every person has come.
    fn is_running(&self) -> bool {
        self.has_clock() && self.people.have_come() && self.session.end().is_none() && !self.is_queued
    }

    /// The thinking time of the player to act, in whole milliseconds as the journal stores it.
    fn thinking_time(&self) -> Duration {
        if self.is_running() || !self.has_clock() && !self.actions.is_empty() {
            Duration::from_millis(self.since.elapsed().as_millis() as u64)
        } else {
            Duration::ZERO
        }
    }

    /// The time left to the player to act, while the clock runs.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let limit = self.session.time_limit().filter(|_| self.is_running())?;
        Some(limit.saturating_sub(self.since.elapsed()))
    }

    /// The clocks at this moment.
    pub(crate) fn clock(&self) -> Clock {
        let mut clock = self.session.clock().clone();
        if self.is_running() {
            clock.think(self.session.actor(), self.since.elapsed());
        }
        clock
    }

    /// Replays a journal entry. The game goes on after all events but the last one.
    fn replay(&mut self, entry: JournalEntry, goes_on: bool, room: &Room) -> Result<(), ApiError> {
        match entry {
            JournalEntry::Done { player, event, ms, asked } => {
                let event = event.parse(self.session.game())?;
                let before = Before::new(&self.session);
                let (player, taken) = (Player(player as u8), Duration::from_millis(ms));
                if goes_on {
                    let replayed = self.session.replay(player, event, taken);
                    replayed.map_err(|error| ApiError::rejected("unreadable", error.to_string()))?;
                } else {
                    self.try_event(player, event, taken)?;
                }
                self.note_action(&before);
                self.add_work(&room.loaded_game);
                if let Some(seat) = room.seat_of.get(player.index()) {
                    self.people.come(*seat, None);
                }
                if let Some(asked) = asked {
                    self.note(*asked);
                }
            }
            JournalEntry::Asked(asked) => self.note(*asked),
            JournalEntry::Undo { keep } => self.undo_to(keep),
            JournalEntry::Came { seat, name } => {
                if seat < room.config.seats.len() {
                    self.people.come(seat, name.as_deref());
                }
            }
            JournalEntry::Next(next) => self.next = Some(next),
        }
        Ok(())
    }

    fn undo_to(&mut self, keep: usize) {
        self.session.undo_to(keep);
        self.actions.truncate(keep);
        self.asked.retain(|asked| asked.seen < keep);
        (self.is_queued, self.is_too_complex) = (false, false);
    }

    fn note(&mut self, asked: AgentAnswerView) {
        self.asked.push_back(asked);
        if self.asked.len() > limits::MAX_AGENT_ANSWERS {
            self.asked.pop_front();
        }
    }
}

impl Room {
    /// Creates a room before the first event.
    pub(crate) fn new(
        id: String,
        config: RoomConfig,
        loaded_game: Arc<LoadedGame>,
        owner: Client,
    ) -> Result<Self, ApiError> {
        let rules = &loaded_game.game.rules;
        let start = match &config.start {
            None => State::new(rules.start()),
            Some(text) => parse_state(rules, text).map_err(|error| {
                ApiError::rejected("bad_start", format!("invalid starting position: {error}"))
            })?,
        };
        check_work(loaded_game.work(&start.position))?;
        let mut seat_of = vec![usize::MAX; rules.players().count()];
        for (seat, taken) in config.seats.iter().enumerate() {
            taken.players.iter().for_each(|player| seat_of[*player] = seat);
        }
        let players = seat_of.len();
        let options = SessionOptions {
            start,
            seed: config.seed,
            secret: config.dice_secret(),
            seating: Seating::new(players, config.seats.iter().map(SeatConfig::set)),
            kind: SessionKind::Casual,
            time: time_control(&config),
            retries: limits::AGENT_RETRIES,
            max_plies: limits::MAX_PLIES,
            ..SessionOptions::new(rules)
        };
        let inner = Session::new(loaded_game.laws(), options);
        let inner = Mutex::new(Inner::new(inner, People::new(&config)));
        Ok(Room {
            id,
            loaded_game,
            config,
            seat_of,
            owner,
            subscribers: Subscribers::default(),
            agents: Mutex::default(),
            inner,
            is_lost: AtomicBool::new(false),
        })
    }

    /// Restores a stored room from its journal.
    pub(crate) fn restore(
        id: String,
        config: RoomConfig,
        journal: &[String],
        loaded_game: Arc<LoadedGame>,
        owner: Client,
    ) -> Result<Self, ApiError> {
        if loaded_game.game.hash.to_string() != config.hash {
            let why = "the rules have changed since this game started, so it cannot continue";
            return Err(ApiError::rejected("other_rules", why));
        }
        let room = Room::new(id, config, loaded_game, owner)?;
        {
            let mut inner = room.lock();
            let entries = remaining_entries(journal)?;
            let is_event = |entry: &JournalEntry| matches!(entry, JournalEntry::Done { .. });
            let last = entries.iter().rposition(is_event);
            for (number, entry) in entries.into_iter().enumerate() {
                inner.replay(entry, Some(number) != last, &room)?;
            }
            inner.lines = journal.len();
            inner.since = Instant::now();
            inner.people.all_left();
        }
        Ok(room)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    /// Returns the approximate memory of the game's history. A room in use counts nothing.
    pub(crate) fn bytes(&self) -> usize {
        self.inner.try_lock().map_or(0, |inner| self.history_bytes(&inner))
    }

    fn history_bytes(&self, inner: &Inner) -> usize {
        inner.actions.len() * self.loaded_game.bytes_per_action
    }

    /// Returns whether a thread works on the room.
    pub(crate) fn is_locked(&self) -> bool {
        self.inner.try_lock().is_err()
    }

    /// Returns whether the game is so short that a view of all its actions takes little time.
    pub(crate) fn is_short(&self) -> bool {
        self.inner.try_lock().is_ok_and(|inner| inner.actions.len() <= limits::SHORT_GAME)
    }

    /// Returns the human seat, if there is exactly one.
    fn only_human(&self) -> Option<usize> {
        let mut humans = self.config.seats.iter().enumerate().filter(|(_, seat)| seat.is_human());
        let (only, _) = humans.next()?;
        humans.next().is_none().then_some(only)
    }

    /// Returns whether the journal could not be saved.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }

    /// Returns whether an agent has a seat.
    pub(crate) fn has_agents(&self) -> bool {
        self.config.seats.iter().any(|seat| matches!(seat.occupant, Occupant::Agent(_)))
    }

    /// Returns whether a person has a seat.
    pub(crate) fn has_humans(&self) -> bool {
        self.config.seats.iter().any(SeatConfig::is_human)
    }

    /// Returns how long nothing has happened, if the room can leave memory: only a person can continue the game, or it is
    /// over. Sockets keep a room in memory too; they hold a reference to it.
    pub(crate) fn unused_for(&self) -> Option<Duration> {
        // A room that is locked is in use.
        let inner = self.inner.try_lock().ok()?;
        let waits_for_program = || !self.config.seats[self.seat_of[inner.session.actor().index()]].is_human();
        let is_over = inner.session.end().is_some();
        (is_over || !inner.is_running() && !waits_for_program())
            .then(|| if is_over { Duration::MAX } else { inner.since.elapsed() })
    }
}

fn time_control(config: &RoomConfig) -> TimeControl {
    let Some(ClockBody { seconds, increment }) = config.clock else { return TimeControl::default() };
    TimeControl {
        game: Some(Duration::from_secs_f64(seconds)),
        increment: Duration::from_secs_f64(increment),
        ..TimeControl::default()
    }
}
