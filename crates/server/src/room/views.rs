//! The views of a room: the complete state for a client that joins, and each event for everyone. Only the seat that must act
//! receives the legal moves.

use tabiya_referee::Game;

use super::offers::next_view;
use super::{Inner, Occupant, Room};
use crate::socket_types::{
    ActionView, AgentAnswerView, DiceView, FromServer, PeopleView, RoomView, SeatView, StateView,
};
use crate::subscribers::{Broadcast, Message};
use crate::view;

impl Room {
    /// Returns the message for an action.
    pub(super) fn action_message(&self, inner: &Inner, action: &ActionView) -> Broadcast {
        let state = state(inner);
        let dice = inner.session.end().and_then(|_| self.dice_view(inner));
        let done = |state: StateView| {
            let (action, dice) = (action.clone(), dice.clone());
            Message::new(&FromServer::Done { action, state: Box::new(state), dice })
        };
        let to_act = self.seat_to_act(inner);
        let by_seat = to_act.map(|seat| (seat, done(with_choices(inner, state.clone()))));
        Broadcast { all: done(state), by_seat: by_seat.into_iter().collect() }
    }

    /// Returns the message with the complete state.
    pub(super) fn snapshot_message(&self, inner: &Inner) -> Broadcast {
        let of_seat = |seat| Message::new(&FromServer::Room(Box::new(self.room_view(inner, seat))));
        let seats = self.config.seats.iter().enumerate().filter(|(_, seat)| seat.is_human());
        Broadcast {
            all: of_seat(None),
            by_seat: seats.map(|(seat, _)| (seat, of_seat(Some(seat)))).collect(),
        }
    }

    /// Returns the message for an agent's answer.
    pub(super) fn agent_answer_message(asked: &AgentAnswerView) -> Message {
        Message::new(&FromServer::Asked(Box::new(asked.clone())))
    }

    /// Returns the seat that must act, if a person has it.
    fn seat_to_act(&self, inner: &Inner) -> Option<usize> {
        let seat = self.seat_of[inner.session.actor().index()];
        (inner.session.end().is_none() && !inner.is_too_complex && self.config.seats[seat].is_human())
            .then_some(seat)
    }

    /// Returns the room as a seat sees it, or a spectator (`None`).
    pub(crate) fn room_view(&self, inner: &Inner, seat: Option<usize>) -> RoomView {
        let state = state(inner);
        let must_act = seat.is_some() && seat == self.seat_to_act(inner);
        let (present, watching) = self.present();
        let start = start_game(inner);
        let (rules, first) = (start.rules(), &start.state().position);
        RoomView {
            id: self.id.clone(),
            game: self.loaded_game.view.clone(),
            seats: self.seat_of.iter().map(|seat| self.seat_view(inner, *seat)).collect(),
            you: seat.map_or_else(Vec::new, |seat| self.config.seats[seat].players.clone()),
            may_undo: seat.is_some() && seat == self.only_human(),
            watch: self.config.watch.text().to_owned(),
            start: view::pieces(rules, first),
            start_hands: view::hands(rules, first),
            start_counters: view::counters(rules, first),
            throws: start.throws().collect(),
            actions: inner.actions.clone(),
            state: if must_act { with_choices(inner, state) } else { state },
            clock: self.config.clock,
            dice: self.dice_view(inner),
            present,
            watching,
            people: self.people_view(inner),
            offers: self.offers_view(inner),
            next: inner.next.as_ref().map(|next| next_view(next, seat)),
            asked: if seat.is_none() { inner.asked.iter().cloned().collect() } else { Vec::new() },
        }
    }

    /// Returns the commitment to the throws of the die and, once the game is over, their secret.
    fn dice_view(&self, inner: &Inner) -> Option<DiceView> {
        self.config.dice_secret().map(|secret| DiceView {
            commitment: secret.commitment(),
            secret: inner.session.end().map(|_| secret.reveal()),
        })
    }

    fn seat_view(&self, inner: &Inner, seat: usize) -> SeatView {
        let (kind, name) = match &self.config.seats[seat].occupant {
            Occupant::Human(_) => ("human", inner.people.name(seat).unwrap_or_default()),
            Occupant::Player(name) => ("player", name.as_str()),
            Occupant::Agent(name) => ("agent", name.as_str()),
        };
        SeatView { kind: kind.to_owned(), name: name.to_owned(), seat }
    }

    /// Returns the players whose seat is connected or held by a program, and the number of spectators.
    pub(crate) fn present(&self) -> (Vec<usize>, usize) {
        let (seats, watching) = self.subscribers.present();
        let is_there = |seat: usize| !self.config.seats[seat].is_human() || seats.contains(&seat);
        let players = self.seat_of.iter().enumerate().filter(|(_, seat)| is_there(**seat));
        (players.map(|(player, _)| player).collect(), watching)
    }

    /// Sends the list of connected seats to everyone.
    pub(super) fn broadcast_presence(&self, people: PeopleView) {
        let (players, watching) = self.present();
        self.subscribers.broadcast(&Broadcast::to_all(&FromServer::Present { players, watching, people }));
    }
}

/// Returns the game in its starting position, after the first throws of the die.
fn start_game(inner: &Inner) -> Game {
    let options = inner.session.options();
    Game::resume(inner.session.laws().rules().clone(), options.start.clone(), &[], options.dice())
}

fn state(inner: &Inner) -> StateView {
    let clock = inner.has_clock().then(|| inner.clock());
    let session = &inner.session;
    let mut state = view::state(session.game(), inner.actions.len(), clock.as_ref(), session.end());
    state.running = inner.is_running();
    state
}

fn with_choices(inner: &Inner, mut state: StateView) -> StateView {
    let (can, moves) = view::choices(inner.session.game());
    (state.can, state.moves) = (Some(can), moves);
    state
}
