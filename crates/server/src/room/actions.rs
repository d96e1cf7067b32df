//! What happens at a room: acts of people and programs, flags that fall, acts that are taken back. Each is tried on the game,
//! written down, and told.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tabiya_engine::{Player, PlayerSet, Step};
use tabiya_notation::san;
use tabiya_referee::{Act, End, Event};

use super::{GameEvent, Inner, JournalEntry, Room};
use crate::api_error::ApiError;
use crate::limits;
use crate::lobby::Lobby;
use crate::socket_types::{ActionView, AgentAnswerView};
use crate::view;

impl Room {
    /// What a person says who holds a seat.
    pub(crate) fn say(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        seat: usize,
        text: &str,
        seen: usize,
    ) -> Result<(), ApiError> {
        let mut inner = self.lock();
        self.is_open(&inner)?;
        let players = self.config.seats[seat].set();
        // One may give up at any time.
        let actor = if text == "resign" {
            let wished = inner.game.resigning();
            let giving_up = players.iter().find(|player| !wished.contains(*player));
            giving_up.ok_or_else(|| {
                ApiError::rejected("resigned", "you have given up already, and a partner must do so, too")
            })?
        } else {
            is_recent(&inner, seen)?;
            let actor = inner.game.actor();
            if !players.contains(actor) {
                let name = &self.loaded_game.view.players[actor.index()].name;
                return Err(ApiError::rejected(
                    "not_your_turn",
                    format!("it is not your turn: {name} is asked"),
                ));
            }
            actor
        };
        if inner.left().is_some_and(|left| left.is_zero()) {
            drop(inner);
            self.look_at_clock(lobby);
            return Err(ApiError::rejected("timeout", "the flag has fallen"));
        }
        self.happens(lobby, &mut inner, actor, GameEvent::Action(text.to_owned()), None)
    }

    /// What a program does, if the room is still as it was when the program was asked.
    pub(crate) fn program_does(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        epoch: u64,
        event: GameEvent,
        asked: Option<AgentAnswerView>,
    ) -> Result<(), ApiError> {
        let mut inner = self.lock();
        self.is_open(&inner)?;
        if inner.epoch != epoch {
            return Err(ApiError::rejected("stale", "the game has gone on meanwhile"));
        }
        let actor = inner.game.actor();
        self.happens(lobby, &mut inner, actor, event, asked)
    }

    /// An agent's answer was not accepted, and it is asked again.
    pub(crate) fn program_failed(self: &Arc<Self>, lobby: &Arc<Lobby>, epoch: u64, asked: AgentAnswerView) {
        let mut inner = self.lock();
        if inner.epoch != epoch || self.is_open(&inner).is_err() {
            return;
        }
        let told = Self::agent_answer_message(&asked);
        self.write(lobby, &mut inner, &JournalEntry::Asked(Box::new(asked.clone())), move |room| {
            room.subscribers.send_to_spectators(&told);
        });
        inner.note(asked);
    }

    /// Takes back to the last act of the only person at the room.
    pub(crate) fn undo(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        seat: usize,
        seen: usize,
    ) -> Result<(), ApiError> {
        let mut inner = self.lock();
        if self.is_lost() {
            return Err(ApiError::internal());
        }
        is_recent(&inner, seen)?;
        if self.only_human() != Some(seat) {
            return Err(ApiError::rejected(
                "no_undo",
                "moves are taken back only where one person plays against programs, or alone",
            ));
        }
        let players = self.config.seats[seat].set();
        let is_own = |act: &ActionView| players.contains(Player(act.by.unwrap_or(act.player) as u8));
        let last = inner
            .actions
            .iter()
            .rposition(|(event, act)| matches!(event, GameEvent::Action(_)) && is_own(act));
        let keep = last.ok_or_else(|| ApiError::rejected("no_undo", "there is nothing to take back"))?;
        self.take_back(&mut inner, keep)?;
        inner.since = Instant::now();
        let shown = self.snapshot_message(&inner);
        self.write(lobby, &mut inner, &JournalEntry::Undo { keep }, move |room| {
            room.subscribers.broadcast(&shown)
        });
        self.go_on(lobby, &mut inner);
        Ok(())
    }

    /// Lets the flag of whoever is asked fall, if it is time. Says when to look again, as long as the clock runs.
    pub(crate) fn look_at_clock(self: &Arc<Self>, lobby: &Arc<Lobby>) -> Option<Duration> {
        let mut inner = self.lock();
        if inner.left().is_some_and(|left| left.is_zero()) && self.is_open(&inner).is_ok() {
            let actor = inner.game.actor();
            // A flag that falls is always allowed.
            let _ = self.happens(lobby, &mut inner, actor, GameEvent::FlagFell, None);
        }
        let left = inner.left().filter(|_| self.is_open(&inner).is_ok());
        inner.is_watched = left.is_some();
        left
    }

    fn is_open(&self, inner: &Inner) -> Result<(), ApiError> {
        if self.is_lost() {
            return Err(ApiError::internal());
        }
        match inner.end() {
            Some(_) => Err(ApiError::rejected("game_over", "the game is over")),
            None => Ok(()),
        }
    }

    /// Something is done, if the rules allow it: it is written down, told, and the game goes on.
    fn happens(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        inner: &mut Inner,
        player: Player,
        event: GameEvent,
        asked: Option<AgentAnswerView>,
    ) -> Result<(), ApiError> {
        let ms = inner.thought().as_millis() as u64;
        let act = self.try_out(inner, player, &event, ms)?;
        inner.since = Instant::now();
        inner.is_queued = false;
        inner.epoch += 1;
        inner.actions.push((event.clone(), act.clone()));
        if inner.actions.len() >= limits::MAX_ACTIONS && inner.end().is_none() {
            inner.broken_off = Some(broken_off("too_long"));
        }
        let told = self.action_message(inner, &act);
        let exchange = asked.as_ref().map(Self::agent_answer_message);
        let line =
            JournalEntry::Done { player: player.index(), event, ms, asked: asked.clone().map(Box::new) };
        self.write(lobby, inner, &line, move |room| {
            if let Some(exchange) = exchange {
                room.subscribers.send_to_spectators(&exchange);
            }
            room.subscribers.broadcast(&told);
        });
        if let Some(asked) = asked {
            inner.note(asked);
        }
        if inner.end().is_some() {
            lobby.game_over(self);
        }
        self.go_on(lobby, inner);
        Ok(())
    }

    /// Writes a line down, and does something once it is written.
    fn write(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        inner: &mut Inner,
        line: &JournalEntry,
        then: impl FnOnce(&Self) + Send + 'static,
    ) {
        let n = inner.lines;
        inner.lines += 1;
        let (room, of_lobby) = (Arc::clone(self), Arc::clone(lobby));
        let text = serde_json::to_string(line).unwrap_or_default();
        let then = move |is_written: bool| {
            if is_written {
                then(&room);
            } else {
                // Nobody has seen it, and nobody shall: whoever comes back finds the room as the file has it.
                room.is_lost.store(true, Ordering::Relaxed);
                of_lobby.evict_unsaved(&room);
                room.subscribers.disconnect_all(&ApiError::internal());
            }
        };
        lobby.store.append(&self.id, n, text, Box::new(then));
    }

    /// Whoever is asked next is asked, if it is a program; and the clock is looked at in time.
    pub(crate) fn go_on(self: &Arc<Self>, lobby: &Arc<Lobby>, inner: &mut Inner) {
        if inner.end().is_some() || self.is_lost() {
            return;
        }
        let seat = self.seat_of[inner.game.actor().index()];
        inner.is_queued = !self.config.seats[seat].is_human();
        if inner.is_queued {
            lobby.ask_program(self, seat, inner.epoch);
        }
        self.watch_clock(lobby, inner);
    }

    /// Sees to it that somebody looks at the clock, if it runs.
    pub(crate) fn watch_clock(self: &Arc<Self>, lobby: &Arc<Lobby>, inner: &mut Inner) {
        if inner.is_running() && !inner.is_watched {
            inner.is_watched = true;
            lobby.watch_clock(self);
        }
    }

    /// Does something in the game, and says what has changed; or why it is not allowed, and nothing has.
    pub(super) fn try_out(
        &self,
        inner: &mut Inner,
        player: Player,
        event: &GameEvent,
        ms: u64,
    ) -> Result<ActionView, ApiError> {
        let rules = self.loaded_game.game.rules.clone();
        let before = inner.game.state().clone();
        let (mover, actor, steps) = (inner.game.mover(), inner.game.actor(), inner.game.steps().len());
        let act = self.submit(inner, player, event)?;
        // Whoever gives up out of turn has not thought on his own clock.
        if let Some(clock) = inner.clock.as_mut().filter(|_| player == actor && !inner.actions.is_empty()) {
            clock.think(actor, Duration::from_millis(ms));
        }
        let played = match act {
            Some((Act::Move(played), _)) => Some(played),
            _ => None,
        };
        if let (Some(clock), Some(_)) = (inner.clock.as_mut(), played) {
            clock.press(actor);
        }
        let after = &inner.game.state().position;
        let throws = inner.game.steps()[steps..].iter().filter_map(|step| match step {
            Step::Throw(face) => Some(*face),
            _ => None,
        });
        let speaks_in_turn = player == actor;
        Ok(ActionView {
            n: inner.actions.len(),
            player: if speaks_in_turn { mover.index() } else { player.index() },
            by: (speaks_in_turn && mover != player).then_some(player.index()),
            text: event.text().to_owned(),
            san: played.map(|played| san(&rules, &before.position, played)),
            squares: played.map(|it| [view::square(&rules, it.from), view::square(&rules, it.to)]),
            throws: throws.collect(),
            round: before.round,
            ms,
            changes: view::changes(&rules, &before.position, after),
            capture: after.all_pieces().count() < before.position.all_pieces().count(),
            frozen: view::players(after.frozen()),
            check: view::in_check(&rules, after),
        })
    }

    /// Submits a event to the referee.
    fn submit(
        &self,
        inner: &mut Inner,
        player: Player,
        event: &GameEvent,
    ) -> Result<Option<(Act, Event)>, ApiError> {
        let game = &mut inner.game;
        match event {
            GameEvent::FlagFell | GameEvent::Forfeit(_) if game.goes_on_without(player) => game.leave(player),
            GameEvent::FlagFell => game.flag_fell(player),
            GameEvent::Forfeit(reason) => game.forfeit(player, reason),
            GameEvent::Abort(reason) => inner.broken_off = Some(broken_off(reason)),
            GameEvent::Action(text) => {
                let seat = self.config.seats[self.seat_of[player.index()]].set();
                if text == "resign" {
                    let mut losing = PlayerSet::EMPTY;
                    for player in seat.iter() {
                        if game.goes_on_without(player) {
                            game.leave(player);
                        } else {
                            losing = losing.with(player);
                        }
                    }
                    if !losing.is_empty() {
                        game.resign(losing);
                    }
                    return Ok(None);
                }
                if text.chars().count() > limits::MAX_ACTION_LENGTH {
                    return Err(ApiError::rejected(
                        "too_long",
                        format!("an act has at most {} letters", limits::MAX_ACTION_LENGTH),
                    ));
                }
                let act = game.read_act(text).map_err(|why| ApiError::rejected("illegal", why))?;
                let event = game.submit(&act).map_err(|illegal| {
                    let refused = self.loaded_game.protocol().refusal(game, &illegal);
                    ApiError::rejected(refused.rule.word(), refused.why)
                })?;
                // Whoever holds several seats has one opinion.
                if matches!(event, Event::Offered | Event::Accepted) {
                    game.agree(seat);
                }
                return Ok(Some((act, event)));
            }
        }
        Ok(None)
    }
}

fn is_recent(inner: &Inner, seen: usize) -> Result<(), ApiError> {
    if seen == inner.actions.len() {
        return Ok(());
    }
    Err(ApiError::rejected("stale", "the game has gone on meanwhile: look at the board again"))
}

fn broken_off(reason: &str) -> End {
    End { winners: PlayerSet::EMPTY, reason: reason.to_owned() }
}
