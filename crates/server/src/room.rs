//! One room: a game under the referee, its seats, its journal, and its open sockets.
//!
//! Every event is checked by the referee, saved to the journal, and then sent to everyone in the room. Replaying the journal
//! restores the room.

mod actions;
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
use tabiya_referee::{Clock, Dice, End, Game, TimeControl};

pub(crate) use stored::{GameEvent, JournalEntry, Occupant, RoomConfig, SeatConfig};

use crate::api_error::ApiError;
use crate::game_cache::GameCache;
use crate::game_store::StoredRoom;
use crate::http_types::{ClockBody, PieceView};
use crate::loaded_game::LoadedGame;
use crate::socket_types::{ActionView, AgentAnswerView};
use crate::subscribers::Subscribers;
use crate::{limits, lock, view};

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
    start: State,
    inner: Mutex<Inner>,
    /// Whether the journal could not be saved. The room accepts no more actions.
    is_lost: AtomicBool,
}

impl std::fmt::Debug for Room {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Room").field("id", &self.id).finish_non_exhaustive()
    }
}

/// What changes at a room.
#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) game: Game,
    /// How it ended outside of the rules.
    broken_off: Option<End>,
    clock: Option<Clock>,
    /// Since when whoever is asked thinks.
    since: Instant,
    actions: Vec<(GameEvent, ActionView)>,
    /// How many lines the journal has.
    lines: usize,
    /// How often anything has changed: what was thought about an older state is worth nothing.
    pub(crate) epoch: u64,
    /// The last exchanges with agents.
    asked: VecDeque<AgentAnswerView>,
    /// Whether somebody looks at the clock.
    is_watched: bool,
    /// Whether a program has been called and waits for a core. Its clock stands still.
    is_queued: bool,
}

impl Inner {
    fn new(game: Game, clock: Option<Clock>) -> Self {
        Inner {
            game,
            broken_off: None,
            clock,
            since: Instant::now(),
            actions: Vec::new(),
            lines: 0,
            epoch: 0,
            asked: VecDeque::new(),
            is_watched: false,
            is_queued: false,
        }
    }

    /// How it ended.
    pub(crate) fn end(&self) -> Option<&End> {
        self.broken_off.as_ref().or(self.game.end())
    }

    /// A program that waited for a core begins to think.
    pub(crate) fn begins_to_think(&mut self) {
        (self.is_queued, self.since) = (false, Instant::now());
    }

    /// How many acts were done.
    pub(crate) fn seen(&self) -> usize {
        self.actions.len()
    }

    /// The moves so far, as text.
    pub(crate) fn texts(&self) -> Vec<String> {
        self.actions
            .iter()
            .filter(|(_, view)| view.san.is_some())
            .map(|(_, view)| view.text.clone())
            .collect()
    }

    /// Whether the clock runs. It starts with the first act, so that everybody can come first.
    fn is_running(&self) -> bool {
        self.clock.is_some() && !self.actions.is_empty() && self.end().is_none() && !self.is_queued
    }

    /// How long whoever is asked has thought.
    fn thought(&self) -> Duration {
        if self.is_running() || self.clock.is_none() && !self.actions.is_empty() {
            self.since.elapsed()
        } else {
            Duration::ZERO
        }
    }

    /// How long whoever is asked may still think.
    pub(crate) fn left(&self) -> Option<Duration> {
        let budget = self.clock.as_ref().filter(|_| self.is_running())?.budget(self.game.actor())?;
        Some(budget.saturating_sub(self.since.elapsed()))
    }

    /// The clocks as they stand this very moment.
    fn clock_now(&self) -> Option<Clock> {
        let mut clock = self.clock.clone()?;
        if self.is_running() {
            clock.think(self.game.actor(), self.since.elapsed());
        }
        Some(clock)
    }

    /// The clocks, for programs that plan their time.
    pub(crate) fn clock(&self) -> Clock {
        self.clock_now()
            .unwrap_or_else(|| Clock::new(TimeControl::default(), self.game.rules().players().count()))
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
        let game = begin(&loaded_game, &start, config.seed);
        let inner = Mutex::new(Inner::new(game, clock(&config, seat_of.len())));
        Ok(Room {
            id,
            loaded_game,
            config,
            seat_of,
            owner,
            subscribers: Subscribers::default(),
            agents: Mutex::default(),
            start,
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
                room.replay(&mut inner, entry)?;
                inner.lines += 1;
            }
            inner.since = Instant::now();
        }
        Ok(room)
    }

    /// Does again what a line says.
    fn replay(&self, inner: &mut Inner, line: JournalEntry) -> Result<(), ApiError> {
        match line {
            JournalEntry::Done { player, event, ms, asked } => {
                let act = self.try_out(inner, Player(player as u8), &event, ms)?;
                inner.actions.push((event, act));
                if let Some(asked) = asked {
                    inner.note(*asked);
                }
            }
            JournalEntry::Asked(asked) => inner.note(*asked),
            JournalEntry::Undo { keep } => self.take_back(inner, keep)?,
        }
        Ok(())
    }

    /// Takes everything back after so many acts: the game is played again up to there.
    fn take_back(&self, inner: &mut Inner, keep: usize) -> Result<(), ApiError> {
        let mut actions = std::mem::take(&mut inner.actions);
        actions.truncate(keep);
        let game = begin(&self.loaded_game, &self.start, self.config.seed);
        let fresh = Inner::new(game, clock(&self.config, self.seat_of.len()));
        let Inner { lines, epoch, is_watched, .. } = *inner;
        let asked = std::mem::take(&mut inner.asked);
        *inner = Inner { lines, epoch: epoch + 1, is_watched, asked, ..fresh };
        for (event, act) in actions {
            let player = Player(act.by.unwrap_or(act.player) as u8);
            let act = self.try_out(inner, player, &event, act.ms)?;
            inner.actions.push((event, act));
        }
        inner.asked.retain(|asked| asked.seen < keep);
        Ok(())
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

    /// Returns the pieces in the starting position.
    fn start_pieces(&self) -> Vec<PieceView> {
        let game = begin(&self.loaded_game, &self.start, self.config.seed);
        view::pieces(&self.loaded_game.game.rules, &game.state().position)
    }

    /// Returns the starting state.
    pub(crate) fn start(&self) -> &State {
        &self.start
    }

    /// Returns whether the room can leave memory: it has no sockets, and only a person can continue the game.
    pub(crate) fn is_idle(&self) -> bool {
        let inner = self.lock();
        let waits_for_program = || !self.config.seats[self.seat_of[inner.game.actor().index()]].is_human();
        let is_waiting = inner.end().is_some() || !inner.is_running() && !waits_for_program();
        is_waiting && inner.since.elapsed() > limits::IDLE_ROOM_TIME && self.subscribers.is_empty()
    }
}

fn begin(loaded_game: &LoadedGame, start: &State, seed: u64) -> Game {
    Game::resume(loaded_game.game.rules.clone(), start.clone(), &[], Dice::seeded(seed))
}

fn clock(config: &RoomConfig, players: usize) -> Option<Clock> {
    let ClockBody { seconds, increment } = config.clock?;
    let control = TimeControl {
        game: Some(Duration::from_secs_f64(seconds)),
        increment: Duration::from_secs_f64(increment),
        per_move: None,
    };
    Some(Clock::new(control, players))
}
