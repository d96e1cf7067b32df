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
use std::net::IpAddr;
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
pub(crate) use stored::{GameEvent, JournalEntry, Occupant, RoomConfig, SeatConfig, Waits};

use crate::api_error::ApiError;
use crate::game_cache::GameCache;
use crate::game_store::StoredRoom;
use crate::http_types::ClockBody;
use crate::loaded_game::LoadedGame;
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
    /// The address that opened the room, for its limits.
    pub(crate) owner: Option<IpAddr>,
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

    /// Replays a journal entry.
    fn replay(&mut self, entry: JournalEntry, seat_of: &[usize]) -> Result<(), ApiError> {
        match entry {
            JournalEntry::Done { player, event, ms, asked } => {
                let event = event.parse(self.session.game())?;
                let before = Before::new(&self.session);
                self.try_event(Player(player as u8), event, Duration::from_millis(ms))?;
                self.note_action(&before);
                if let Some(seat) = seat_of.get(player) {
                    self.people.come(*seat, None);
                }
                if let Some(asked) = asked {
                    self.note(*asked);
                }
            }
            JournalEntry::Asked(asked) => self.note(*asked),
            JournalEntry::Undo { keep } => self.undo_to(keep),
            JournalEntry::Came { seat, name } => {
                if seat < seat_of.len() {
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
        self.is_queued = false;
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
        owner: Option<IpAddr>,
    ) -> Result<Self, ApiError> {
        let rules = &loaded_game.game.rules;
        let start = match &config.start {
            None => State::new(rules.start()),
            Some(text) => parse_state(rules, text).map_err(|error| {
                ApiError::rejected("bad_start", format!("invalid starting position: {error}"))
            })?,
        };
        let mut seat_of = vec![usize::MAX; rules.players().count()];
        for (seat, taken) in config.seats.iter().enumerate() {
            taken.players.iter().for_each(|player| seat_of[*player] = seat);
        }
        let players = seat_of.len();
        let options = SessionOptions {
            start,
            seed: config.seed,
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

    /// Restores a stored room.
    pub(crate) fn restore(stored: StoredRoom, game_cache: &GameCache) -> Result<Self, ApiError> {
        let unreadable =
            |_| ApiError::rejected("unreadable", "this game was saved by another version and cannot be read");
        let config: RoomConfig = serde_json::from_str(&stored.config).map_err(unreadable)?;
        let loaded_game = game_cache.load(&config.source, &config.choice)?;
        if loaded_game.game.hash.to_string() != config.hash {
            let why = "the rules have changed since this game started, so it cannot continue";
            return Err(ApiError::rejected("other_rules", why));
        }
        let room = Room::new(stored.id, config, loaded_game, None)?;
        {
            let mut inner = room.lock();
            for entry in &stored.journal {
                let entry = serde_json::from_str(entry).map_err(unreadable)?;
                inner.replay(entry, &room.seat_of)?;
                inner.lines += 1;
            }
            inner.since = Instant::now();
            inner.people.all_left();
        }
        Ok(room)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
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

    /// Returns the seat of a key; `None` for the key for spectators.
    pub(crate) fn seat_of_key(&self, key: &str) -> Result<Option<usize>, ApiError> {
        let fits = |seat: &SeatConfig| matches!(&seat.occupant, Occupant::Human(own) if own.matches(key));
        match self.config.seats.iter().position(fits) {
            None if !self.config.watch.matches(key) => Err(ApiError::room_not_found()),
            seat => Ok(seat),
        }
    }

    /// Returns whether the room can leave memory: it has no sockets, and only a person can continue the game.
    pub(crate) fn is_idle(&self) -> bool {
        let inner = self.lock();
        let waits_for_program = || !self.config.seats[self.seat_of[inner.session.actor().index()]].is_human();
        let is_waiting = inner.session.end().is_some() || !inner.is_running() && !waits_for_program();
        is_waiting && inner.since.elapsed() > limits::IDLE_ROOM_TIME && self.subscribers.is_empty()
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
