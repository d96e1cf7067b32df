//! What is told of a table: everything to whoever comes, and every act to all who are there. Whoever is asked sees the legal
//! moves as well.

use tabiya_notation::pgn;

use super::{Inner, Table, Who};
use crate::listeners::{Message, News};
use crate::view;
use crate::wire::{ActView, ExchangeView, FromServer, SeatView, StateView, TableView};

impl Table {
    /// What is told when something was done.
    pub(super) fn news(&self, inner: &Inner, act: &ActView) -> News {
        let state = state(inner);
        let done =
            |state: StateView| Message::of(&FromServer::Done { act: act.clone(), state: Box::new(state) });
        let asked = self.asked(inner).map(|seat| (seat, done(with_choices(inner, state.clone()))));
        News { all: done(state), asked, by_seat: Vec::new() }
    }

    /// Everything about the table, for everybody who is there.
    pub(super) fn everything(&self, inner: &Inner) -> News {
        let of_seat = |seat| Message::of(&FromServer::Table(Box::new(self.table_view(inner, seat))));
        let seats = self.terms.seats.iter().enumerate().filter(|(_, seat)| seat.is_human());
        News {
            all: of_seat(None),
            asked: None,
            by_seat: seats.map(|(seat, _)| (seat, of_seat(Some(seat)))).collect(),
        }
    }

    /// An exchange with an agent.
    pub(super) fn exchange_message(asked: &ExchangeView) -> Message {
        Message::of(&FromServer::Asked(Box::new(asked.clone())))
    }

    /// The seat that is asked, if a person sits there.
    fn asked(&self, inner: &Inner) -> Option<usize> {
        let seat = self.seat_of[inner.game.actor().index()];
        (inner.end().is_none() && self.terms.seats[seat].is_human()).then_some(seat)
    }

    /// The table as one sees it who holds a seat, or watches.
    pub(crate) fn table_view(&self, inner: &Inner, seat: Option<usize>) -> TableView {
        let state = state(inner);
        let is_asked = seat.is_some() && seat == self.asked(inner);
        let you = seat.map_or_else(Vec::new, |seat| self.terms.seats[seat].players.clone());
        let (present, watching) = self.present();
        TableView {
            id: self.id.clone(),
            game: self.book.view.clone(),
            seats: self.seat_of.iter().map(|seat| self.seat_view(*seat)).collect(),
            you,
            may_undo: seat.is_some() && seat == self.only_human(),
            watch: self.terms.watch.text().to_owned(),
            start: self.start_men(),
            acts: inner.acts.iter().map(|(_, act)| act.clone()).collect(),
            state: if is_asked { with_choices(inner, state) } else { state },
            clock: self.terms.clock,
            present,
            watching,
            asked: if seat.is_none() { inner.asked.iter().cloned().collect() } else { Vec::new() },
        }
    }

    fn seat_view(&self, seat: usize) -> SeatView {
        let (kind, name) = match &self.terms.seats[seat].who {
            Who::Human(_) => ("human", ""),
            Who::Player(name) => ("player", name.as_str()),
            Who::Agent(name) => ("agent", name.as_str()),
        };
        SeatView { kind: kind.to_owned(), name: name.to_owned(), seat }
    }

    /// The players whose seats have somebody, and how many watch.
    pub(crate) fn present(&self) -> (Vec<usize>, usize) {
        let (seats, watching) = self.listeners.present();
        let is_there = |seat: usize| !self.terms.seats[seat].is_human() || seats.contains(&seat);
        let players = self.seat_of.iter().enumerate().filter(|(_, seat)| is_there(**seat));
        (players.map(|(player, _)| player).collect(), watching)
    }

    /// Tells everybody who is there.
    pub(crate) fn tell_present(&self) {
        let (players, watching) = self.present();
        let message = Message::of(&FromServer::Present { players, watching });
        self.listeners.tell_all(&News { all: message, asked: None, by_seat: Vec::new() });
    }

    /// The game as PGN; nothing, if something happened that it has no words for.
    pub(crate) fn pgn(&self) -> Option<String> {
        let inner = self.lock();
        let rules = &self.book.game.rules;
        let mut game = pgn::Game::new(self.start().clone());
        inner.game.steps().iter().for_each(|step| game.push(*step));
        game.winners = inner.end().map(|end| end.winners);
        game.set_tag("Event", format!("{} on Tabiya", self.book.view.title));
        for (player, seat) in rules.players().zip(&self.seat_of) {
            let name = match &self.terms.seats[*seat].who {
                Who::Human(_) => "a person",
                Who::Player(name) | Who::Agent(name) => name,
            };
            game.set_tag(pgn::player_tag(rules, player), name);
        }
        if self.book.view.library.as_deref() != Some("chess") {
            let variant = self.book.view.library.clone().unwrap_or_else(|| self.book.view.title.clone());
            game.set_tag("Variant", variant);
        }
        if let Some(end) = inner.end() {
            game.set_tag("Termination", &end.reason);
        }
        pgn::write(rules, &game).ok()
    }
}

fn state(inner: &Inner) -> StateView {
    let mut state = view::state(&inner.game, inner.acts.len(), inner.clock_now().as_ref(), inner.end());
    state.running = inner.is_running();
    state
}

fn with_choices(inner: &Inner, mut state: StateView) -> StateView {
    let (can, moves) = view::choices(&inner.game);
    (state.can, state.moves) = (Some(can), moves);
    state
}
