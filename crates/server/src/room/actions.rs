//! What happens in a room: actions of people and programs, fallen flags, undo. The session decides whether an event is allowed;
//! the room saves it and then sends it to everyone.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tabiya_engine::{Player, Step};
use tabiya_notation::{State, san};
use tabiya_referee::{Action, AnswerFormat, Event, IllegalAction, Reply, Session};
use tabiya_spec::limits::POSITION_WORK;

use super::{GameEvent, Inner, JournalEntry, Room};
use crate::api_error::ApiError;
use crate::cpu_time::cpu_time;
use crate::loaded_game::LoadedGame;
use crate::lobby::Lobby;
use crate::socket_types::{ActionView, AgentAnswerView};
use crate::{limits, view};

/// The room before an event, from which the event's view is computed.
pub(super) struct Before {
    state: State,
    mover: Player,
    actor: Player,
    steps: usize,
    /// The CPU time of the thread.
    cpu: Duration,
}

impl Before {
    pub(super) fn new(session: &Session) -> Self {
        let game = session.game();
        Before {
            state: game.state().clone(),
            mover: game.mover(),
            actor: game.actor(),
            steps: game.steps().len(),
            cpu: cpu_time(),
        }
    }
}

impl Room {
    /// Does an action for a seat. `seen` is the number of actions that the client has seen, `player` the one that resigns.
    pub(crate) fn act(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        seat: usize,
        text: &str,
        seen: usize,
        player: Option<usize>,
    ) -> Result<(), ApiError> {
        let mut inner = self.lock();
        self.check_open(&inner)?;
        if text.chars().count() > limits::MAX_ACTION_LENGTH {
            let why = format!("an action has at most {} characters", limits::MAX_ACTION_LENGTH);
            return Err(ApiError::rejected("too_long", why));
        }
        let action = inner.session.game().parse_action(text);
        let is_resignation = matches!(action, Ok(Action::Resign));
        // A player can resign at any time.
        let player = if is_resignation {
            self.resigning_player(&inner, seat, player)?
        } else {
            check_recent(&inner, seen)?;
            let actor = inner.session.actor();
            if !self.config.seats[seat].set().contains(actor) {
                let name = &self.loaded_game.view.players[actor.index()].name;
                let why = format!("it is not your turn: {name} is to act");
                return Err(ApiError::rejected("not_your_turn", why));
            }
            actor
        };
        if inner.time_left().is_some_and(|left| left.is_zero()) {
            drop(inner);
            self.check_clock(lobby);
            return Err(ApiError::rejected("timeout", "your time is up"));
        }
        let action = action.map_err(|error| ApiError::rejected("illegal", error.to_string()))?;
        let event = if is_resignation { Event::ResignArmy } else { Event::Action(action) };
        self.apply(lobby, &mut inner, player, event, None)
    }

    /// Returns the player for whom a seat resigns: the one that the client names, else the player to act, else the only one
    /// of the seat that has not resigned.
    fn resigning_player(&self, inner: &Inner, seat: usize, named: Option<usize>) -> Result<Player, ApiError> {
        let session = &inner.session;
        let players = self.config.seats[seat].set();
        if let Some(named) = named {
            let other = || ApiError::rejected("not_your_player", "another seat plays for that player");
            return players.iter().find(|player| player.index() == named).ok_or_else(other);
        }
        let actor = session.actor();
        let alive = session.rules().alive(session.position());
        let left = players.intersection(alive).without(session.game().resigning());
        let mut left = left.iter();
        match (left.next(), left.next()) {
            (None, _) => Err(ApiError::rejected("resigned", IllegalAction::Resigned.to_string())),
            _ if players.contains(actor) => Ok(actor),
            (Some(only), None) => Ok(only),
            _ => {
                let why = "you play for several players: name the one that resigns in `player`";
                Err(ApiError::rejected("which_player", why))
            }
        }
    }

    /// Applies the event of a program, unless the game has gone on since the program was asked.
    pub(crate) fn program_acts(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        epoch: u64,
        event: Event,
        answer: Option<AgentAnswerView>,
    ) {
        let mut inner = self.lock();
        if inner.epoch == epoch && self.check_open(&inner).is_ok() {
            let actor = inner.session.actor();
            // A built-in player chooses legal moves. If it fails to, its game stops here.
            let _ = self.apply(lobby, &mut inner, actor, event, answer);
        }
    }

    /// Judges the reply of an agent, unless the game has gone on since the agent was asked. Returns the session if the agent is
    /// asked again. `describe` turns the verdict and its reason into the view for spectators.
    pub(crate) fn hear(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        epoch: u64,
        format: AnswerFormat,
        reply: Reply<'_>,
        describe: impl FnOnce(&str, Option<String>) -> AgentAnswerView,
    ) -> Option<Session> {
        let mut inner = self.lock();
        if inner.epoch != epoch || self.check_open(&inner).is_err() {
            return None;
        }
        let before = Before::new(&inner.session);
        let taken = inner.thinking_time();
        inner.session.set_format(before.actor, format);
        let ruling = inner.session.hear(reply, taken);
        inner.since = Instant::now();
        let answer = describe(ruling.verdict.word(), ruling.why());
        if ruling.is_forgiven {
            let message = Self::agent_answer_message(&answer);
            self.save(lobby, &mut inner, &JournalEntry::Asked(Box::new(answer.clone())), move |room| {
                room.subscribers.send_to_spectators(&message);
            });
            inner.note(answer);
            return Some(inner.session.clone());
        }
        self.publish(lobby, &mut inner, &before, Some(answer));
        None
    }

    /// Drops the flag of the player to act if its time is up. Returns when to check again, while the clock runs.
    pub(crate) fn check_clock(self: &Arc<Self>, lobby: &Arc<Lobby>) -> Option<Duration> {
        let mut inner = self.lock();
        if inner.time_left().is_some_and(|left| left.is_zero()) && self.check_open(&inner).is_ok() {
            let actor = inner.session.actor();
            // A flag can always fall.
            let _ = self.apply(lobby, &mut inner, actor, Event::Flag, None);
        }
        let left = inner.time_left().filter(|_| self.check_open(&inner).is_ok());
        inner.is_watched = left.is_some();
        left
    }

    pub(super) fn check_open(&self, inner: &Inner) -> Result<(), ApiError> {
        if self.is_lost() {
            return Err(ApiError::internal());
        }
        match inner.session.end() {
            Some(_) => Err(ApiError::rejected("game_over", IllegalAction::GameOver.to_string())),
            None => Ok(()),
        }
    }

    /// Applies an event, if the session allows it.
    pub(super) fn apply(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        inner: &mut Inner,
        player: Player,
        event: Event,
        answer: Option<AgentAnswerView>,
    ) -> Result<(), ApiError> {
        let before = Before::new(&inner.session);
        let taken = inner.thinking_time();
        inner.try_event(player, event, taken)?;
        self.publish(lobby, inner, &before, answer);
        Ok(())
    }

    /// Saves the last event of the session, sends it to everyone, and asks the next player.
    fn publish(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        inner: &mut Inner,
        before: &Before,
        answer: Option<AgentAnswerView>,
    ) {
        inner.since = Instant::now();
        inner.is_queued = false;
        inner.offers.after_action();
        inner.epoch += 1;
        let action = inner.note_action(before);
        inner.add_work(&self.loaded_game);
        inner.is_too_complex = inner.is_too_complex
            || inner.actions.len().is_multiple_of(limits::ACTIONS_PER_CHECK)
                && !lobby.has_space_for(self, self.history_bytes(inner));
        let message = self.action_message(inner, &action);
        let answer_message = answer.as_ref().map(Self::agent_answer_message);
        if let Some(entry) = inner.session.log().last() {
            let entry = JournalEntry::Done {
                player: entry.player.index(),
                event: GameEvent::from(entry),
                ms: action.ms,
                asked: answer.clone().map(Box::new),
            };
            self.save(lobby, inner, &entry, move |room| {
                if let Some(message) = answer_message {
                    room.subscribers.send_to_spectators(&message);
                }
                room.subscribers.broadcast(&message);
            });
        }
        if let Some(answer) = answer {
            inner.note(answer);
        }
        inner.is_too_complex = inner.is_too_complex || self.is_too_slow(before);
        if inner.session.end().is_some() {
            lobby.game_over(self);
        }
        self.go_on(lobby, inner);
    }

    /// Asks the next player, or aborts a game that has become too complex. A restored room may have been interrupted before
    /// either.
    pub(crate) fn go_on(self: &Arc<Self>, lobby: &Arc<Lobby>, inner: &mut Inner) {
        if inner.is_too_complex && inner.session.end().is_none() {
            let actor = inner.session.actor();
            // A game can always be aborted.
            let _ = self.apply(lobby, inner, actor, Event::Abort("too_complex".into()), None);
        } else {
            self.ask_next(lobby, inner);
        }
    }

    /// Returns whether an event took too long. The games of the library are tested; only those of clients can be too slow.
    fn is_too_slow(&self, before: &Before) -> bool {
        let taken = cpu_time().saturating_sub(before.cpu);
        self.loaded_game.view.library.is_none() && taken > limits::MAX_EVENT_TIME
    }

    /// Adds a journal entry and calls `then` once it is saved.
    pub(super) fn save(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        inner: &mut Inner,
        entry: &JournalEntry,
        then: impl FnOnce(&Self) + Send + 'static,
    ) {
        let n = inner.lines;
        inner.lines += 1;
        let (room, of_lobby) = (Arc::clone(self), Arc::clone(lobby));
        let text = serde_json::to_string(entry).unwrap_or_default();
        let then = move |is_saved: bool| {
            if is_saved {
                then(&room);
            } else {
                // Clients have not seen the event. When they reconnect, they find the room as it was saved.
                room.is_lost.store(true, Ordering::Relaxed);
                of_lobby.evict_unsaved(&room);
                room.subscribers.disconnect_all(&ApiError::internal());
            }
        };
        lobby.store.append(&self.id, n, text, Box::new(then));
    }

    /// Asks the next player, if it is a program, and starts watching the clock.
    pub(crate) fn ask_next(self: &Arc<Self>, lobby: &Arc<Lobby>, inner: &mut Inner) {
        if inner.session.end().is_some() || self.is_lost() {
            return;
        }
        let seat = self.seat_of[inner.session.actor().index()];
        inner.is_queued = !self.config.seats[seat].is_human();
        if inner.is_queued {
            lobby.ask_program(self, seat, inner.epoch);
        }
        self.watch_clock(lobby, inner);
    }

    /// Starts a task that watches the clock, if it runs and none does.
    pub(crate) fn watch_clock(self: &Arc<Self>, lobby: &Arc<Lobby>, inner: &mut Inner) {
        if inner.is_running() && !inner.is_watched {
            inner.is_watched = true;
            lobby.watch_clock(self);
        }
    }
}

impl Inner {
    /// Adds the work of the current position, and notes whether it or the whole game is too complex.
    pub(super) fn add_work(&mut self, game: &LoadedGame) {
        let work = game.work(self.session.position());
        self.work += work;
        self.is_too_complex = work > POSITION_WORK || self.work > limits::MAX_GAME_WORK;
    }

    /// Applies an event to the session.
    pub(super) fn try_event(
        &mut self,
        player: Player,
        event: Event,
        taken: Duration,
    ) -> Result<(), ApiError> {
        let session = &mut self.session;
        session.apply(player, event, taken).map_err(|illegal| {
            let rejected = session.laws().protocol().rejection(session.game(), &illegal);
            ApiError::rejected(rejected.rule.word(), rejected.why)
        })
    }

    /// Adds the view of the session's last event to the list of actions, and returns it.
    pub(super) fn note_action(&mut self, before: &Before) -> ActionView {
        let session = &self.session;
        let rules = session.rules();
        let entry = session.log().last();
        let player = entry.map_or(before.actor, |entry| entry.player);
        let played = match entry.map(|entry| &entry.event) {
            Some(Event::Action(Action::Move(played))) => Some(*played),
            _ => None,
        };
        let (was, now) = (&before.state.position, session.position());
        let throws = session.game().steps()[before.steps..].iter().filter_map(|step| match step {
            Step::Throw(face) => Some(*face),
            _ => None,
        });
        let (captured, returned) = view::captured(rules, was, now, played);
        let is_in_turn = player == before.actor;
        let is_drop = played.is_some_and(|played| played.dropped().is_some());
        let action = ActionView {
            n: self.actions.len(),
            player: if is_in_turn { before.mover.index() } else { player.index() },
            by: (is_in_turn && before.mover != player).then_some(player.index()),
            text: entry.map(|entry| entry.text.clone()).unwrap_or_default(),
            san: played.map(|played| san(rules, was, played)),
            squares: played.map(|it| (view::origin(rules, it), view::square(rules, it.to))),
            throws: throws.collect(),
            round: before.state.round,
            ms: entry.map_or(0, |entry| entry.taken.as_millis() as u64),
            changes: view::changes(rules, was, now),
            hands: view::changed_entries(&view::hands(rules, was), &view::hands(rules, now)),
            counters: view::changed_entries(&view::counters(rules, was), &view::counters(rules, now)),
            capture: now.all_pieces().count() < was.all_pieces().count() + usize::from(is_drop),
            captured,
            returned,
            out: view::players(now.eliminated()),
            frozen: view::players(now.frozen()),
            check: view::in_check(rules, now),
        };
        self.actions.push(action.clone());
        action
    }
}

pub(super) fn check_recent(inner: &Inner, seen: usize) -> Result<(), ApiError> {
    if seen == inner.actions.len() {
        return Ok(());
    }
    Err(ApiError::rejected("stale", "the game has gone on since: look at the board again"))
}
