//! What happens at a table: acts of people and programs, flags that fall, acts that are taken back. Each is tried on the game,
//! written down, and told.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tabiya_engine::{Player, PlayerSet, Step};
use tabiya_notation::san;
use tabiya_referee::{Act, End, Event};

use super::{Deed, Inner, Line, Table};
use crate::hall::Hall;
use crate::limits;
use crate::refusal::No;
use crate::view;
use crate::wire::{ActView, ExchangeView};

impl Table {
    /// What a person says who holds a seat.
    pub(crate) fn say(
        self: &Arc<Self>,
        hall: &Arc<Hall>,
        seat: usize,
        text: &str,
        seen: usize,
    ) -> Result<(), No> {
        let mut inner = self.lock();
        self.is_open(&inner)?;
        let players = self.terms.seats[seat].set();
        // One may give up at any time.
        let actor = if text == "resign" {
            let wished = inner.game.resigning();
            let giving_up = players.iter().find(|player| !wished.contains(*player));
            giving_up.ok_or_else(|| {
                No::rule("resigned", "you have given up already, and a partner must do so, too")
            })?
        } else {
            is_recent(&inner, seen)?;
            let actor = inner.game.actor();
            if !players.contains(actor) {
                let name = &self.book.view.players[actor.index()].name;
                return Err(No::rule("not_your_turn", format!("it is not your turn: {name} is asked")));
            }
            actor
        };
        if inner.left().is_some_and(|left| left.is_zero()) {
            drop(inner);
            self.look_at_clock(hall);
            return Err(No::rule("timeout", "the flag has fallen"));
        }
        self.happens(hall, &mut inner, actor, Deed::Say(text.to_owned()), None)
    }

    /// What a program does, if the table is still as it was when the program was asked.
    pub(crate) fn program_does(
        self: &Arc<Self>,
        hall: &Arc<Hall>,
        epoch: u64,
        deed: Deed,
        asked: Option<ExchangeView>,
    ) -> Result<(), No> {
        let mut inner = self.lock();
        self.is_open(&inner)?;
        if inner.epoch != epoch {
            return Err(No::rule("stale", "the game has gone on meanwhile"));
        }
        let actor = inner.game.actor();
        self.happens(hall, &mut inner, actor, deed, asked)
    }

    /// An agent's answer was not accepted, and it is asked again.
    pub(crate) fn program_failed(self: &Arc<Self>, hall: &Arc<Hall>, epoch: u64, asked: ExchangeView) {
        let mut inner = self.lock();
        if inner.epoch != epoch || self.is_open(&inner).is_err() {
            return;
        }
        let told = Self::exchange_message(&asked);
        self.write(hall, &mut inner, &Line::Asked(Box::new(asked.clone())), move |table| {
            table.listeners.tell_watching(&told);
        });
        inner.note(asked);
    }

    /// Takes back to the last act of the only person at the table.
    pub(crate) fn undo(self: &Arc<Self>, hall: &Arc<Hall>, seat: usize, seen: usize) -> Result<(), No> {
        let mut inner = self.lock();
        if self.is_lost() {
            return Err(No::broken());
        }
        is_recent(&inner, seen)?;
        if self.only_human() != Some(seat) {
            return Err(No::rule(
                "no_undo",
                "moves are taken back only where one person plays against programs, or alone",
            ));
        }
        let players = self.terms.seats[seat].set();
        let is_own = |act: &ActView| players.contains(Player(act.by.unwrap_or(act.player) as u8));
        let last = inner.acts.iter().rposition(|(deed, act)| matches!(deed, Deed::Say(_)) && is_own(act));
        let keep = last.ok_or_else(|| No::rule("no_undo", "there is nothing to take back"))?;
        self.take_back(&mut inner, keep)?;
        inner.since = Instant::now();
        let shown = self.everything(&inner);
        self.write(hall, &mut inner, &Line::Undo { keep }, move |table| table.listeners.tell_all(&shown));
        self.go_on(hall, &mut inner);
        Ok(())
    }

    /// Lets the flag of whoever is asked fall, if it is time. Says when to look again, as long as the clock runs.
    pub(crate) fn look_at_clock(self: &Arc<Self>, hall: &Arc<Hall>) -> Option<Duration> {
        let mut inner = self.lock();
        if inner.left().is_some_and(|left| left.is_zero()) && self.is_open(&inner).is_ok() {
            let actor = inner.game.actor();
            // A flag that falls is always allowed.
            let _ = self.happens(hall, &mut inner, actor, Deed::Flag, None);
        }
        let left = inner.left().filter(|_| self.is_open(&inner).is_ok());
        inner.is_watched = left.is_some();
        left
    }

    fn is_open(&self, inner: &Inner) -> Result<(), No> {
        if self.is_lost() {
            return Err(No::broken());
        }
        match inner.end() {
            Some(_) => Err(No::rule("game_over", "the game is over")),
            None => Ok(()),
        }
    }

    /// Something is done, if the rules allow it: it is written down, told, and the game goes on.
    fn happens(
        self: &Arc<Self>,
        hall: &Arc<Hall>,
        inner: &mut Inner,
        player: Player,
        deed: Deed,
        asked: Option<ExchangeView>,
    ) -> Result<(), No> {
        let ms = inner.thought().as_millis() as u64;
        let act = self.try_out(inner, player, &deed, ms)?;
        inner.since = Instant::now();
        inner.is_queued = false;
        inner.epoch += 1;
        inner.acts.push((deed.clone(), act.clone()));
        if inner.acts.len() >= limits::ACTS && inner.end().is_none() {
            inner.broken_off = Some(broken_off("too_long"));
        }
        let told = self.news(inner, &act);
        let exchange = asked.as_ref().map(Self::exchange_message);
        let line = Line::Done { player: player.index(), deed, ms, asked: asked.clone().map(Box::new) };
        self.write(hall, inner, &line, move |table| {
            if let Some(exchange) = exchange {
                table.listeners.tell_watching(&exchange);
            }
            table.listeners.tell_all(&told);
        });
        if let Some(asked) = asked {
            inner.note(asked);
        }
        if inner.end().is_some() {
            hall.is_over(self);
        }
        self.go_on(hall, inner);
        Ok(())
    }

    /// Writes a line down, and does something once it is written.
    fn write(
        self: &Arc<Self>,
        hall: &Arc<Hall>,
        inner: &mut Inner,
        line: &Line,
        then: impl FnOnce(&Self) + Send + 'static,
    ) {
        let n = inner.lines;
        inner.lines += 1;
        let (table, of_hall) = (Arc::clone(self), Arc::clone(hall));
        let text = serde_json::to_string(line).unwrap_or_default();
        let then = move |is_written: bool| {
            if is_written {
                then(&table);
            } else {
                // Nobody has seen it, and nobody shall: whoever comes back finds the table as the file has it.
                table.is_lost.store(true, Ordering::Relaxed);
                of_hall.forget(&table);
                table.listeners.send_away(&No::broken());
            }
        };
        hall.store.append(&self.id, n, text, Box::new(then));
    }

    /// Whoever is asked next is asked, if it is a program; and the clock is looked at in time.
    pub(crate) fn go_on(self: &Arc<Self>, hall: &Arc<Hall>, inner: &mut Inner) {
        if inner.end().is_some() || self.is_lost() {
            return;
        }
        let seat = self.seat_of[inner.game.actor().index()];
        inner.is_queued = !self.terms.seats[seat].is_human();
        if inner.is_queued {
            hall.ask_program(self, seat, inner.epoch);
        }
        self.watch_clock(hall, inner);
    }

    /// Sees to it that somebody looks at the clock, if it runs.
    pub(crate) fn watch_clock(self: &Arc<Self>, hall: &Arc<Hall>, inner: &mut Inner) {
        if inner.is_running() && !inner.is_watched {
            inner.is_watched = true;
            hall.watch_clock(self);
        }
    }

    /// Does something in the game, and says what has changed; or why it is not allowed, and nothing has.
    pub(super) fn try_out(
        &self,
        inner: &mut Inner,
        player: Player,
        deed: &Deed,
        ms: u64,
    ) -> Result<ActView, No> {
        let rules = self.book.game.rules.clone();
        let before = inner.game.state().clone();
        let (mover, actor, steps) = (inner.game.mover(), inner.game.actor(), inner.game.steps().len());
        let act = self.submit(inner, player, deed)?;
        // Whoever gives up out of turn has not thought on his own clock.
        if let Some(clock) = inner.clock.as_mut().filter(|_| player == actor && !inner.acts.is_empty()) {
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
        Ok(ActView {
            n: inner.acts.len(),
            player: if speaks_in_turn { mover.index() } else { player.index() },
            by: (speaks_in_turn && mover != player).then_some(player.index()),
            text: deed.text().to_owned(),
            san: played.map(|played| san(&rules, &before.position, played)),
            squares: played.map(|it| [view::square(&rules, it.from), view::square(&rules, it.to)]),
            throws: throws.collect(),
            round: before.round,
            ms,
            changes: view::changes(&rules, &before.position, after),
            capture: after.all_pieces().count() < before.position.all_pieces().count(),
            frozen: view::players(after.frozen()),
            check: view::checked(&rules, after),
        })
    }

    /// Submits a deed to the referee.
    fn submit(&self, inner: &mut Inner, player: Player, deed: &Deed) -> Result<Option<(Act, Event)>, No> {
        let game = &mut inner.game;
        match deed {
            Deed::Flag | Deed::Forfeit(_) if game.goes_on_without(player) => game.leave(player),
            Deed::Flag => game.flag_fell(player),
            Deed::Forfeit(reason) => game.forfeit(player, reason),
            Deed::Break(reason) => inner.broken_off = Some(broken_off(reason)),
            Deed::Say(text) => {
                let seat = self.terms.seats[self.seat_of[player.index()]].set();
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
                if text.chars().count() > limits::ACT_LENGTH {
                    return Err(No::rule(
                        "too_long",
                        format!("an act has at most {} letters", limits::ACT_LENGTH),
                    ));
                }
                let act = game.read_act(text).map_err(|why| No::rule("illegal", why))?;
                let event = game.submit(&act).map_err(|illegal| {
                    let refused = self.book.protocol().refusal(game, &illegal);
                    No::rule(refused.rule.word(), refused.why)
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

fn is_recent(inner: &Inner, seen: usize) -> Result<(), No> {
    if seen == inner.acts.len() {
        return Ok(());
    }
    Err(No::rule("stale", "the game has gone on meanwhile: look at the board again"))
}

fn broken_off(reason: &str) -> End {
    End { winners: PlayerSet::EMPTY, reason: reason.to_owned() }
}
