//! The people of a room: who has come, who never came, and who left.
//!
//! The clocks start when every person has come. Until then the game can be aborted, and with a clock it is aborted after a
//! while. A person who leaves later is waited for; then the other side may claim the game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tabiya_engine::Player;
use tabiya_referee::Event;

use super::{Inner, JournalEntry, Room, RoomConfig, SeatConfig};
use crate::api_error::ApiError;
use crate::limits;
use crate::lobby::Lobby;
use crate::socket_types::{AwayView, PeopleView};

/// The reason of a game that was aborted because a person never came.
pub(crate) const NO_OPPONENT: &str = "no_opponent";
/// The reason of a game that was lost by leaving.
pub(crate) const LEFT: &str = "left";

/// The people of a room, by seat.
#[derive(Debug)]
pub(super) struct People {
    seats: Vec<Person>,
    /// When the first person came.
    first_came: Option<Instant>,
}

/// The person of a seat. Programs have always come and never leave.
#[derive(Clone, Debug)]
struct Person {
    is_human: bool,
    has_come: bool,
    /// The name that the person gave.
    name: Option<String>,
    /// How often the person came with a new name.
    entries: u32,
    /// When the last socket was closed.
    left_at: Option<Instant>,
}

impl People {
    pub(super) fn new(config: &RoomConfig) -> Self {
        let person =
            |is_human: bool| Person { is_human, has_come: !is_human, name: None, entries: 0, left_at: None };
        People { seats: config.seats.iter().map(|seat| person(seat.is_human())).collect(), first_came: None }
    }

    /// Returns whether every person has come.
    pub(super) fn have_come(&self) -> bool {
        self.seats.iter().all(|person| person.has_come)
    }

    /// Returns the name that the person of a seat gave.
    pub(super) fn name(&self, seat: usize) -> Option<&str> {
        self.seats[seat].name.as_deref()
    }

    /// Notes that a person came, or acted in a journal that does not say so. Returns whether this is new.
    pub(super) fn come(&mut self, seat: usize, name: Option<&str>) -> bool {
        let person = &mut self.seats[seat];
        let is_renamed = name.is_some() && name != person.name.as_deref();
        let is_new = !person.has_come || is_renamed && person.entries < limits::MAX_NAMES;
        if is_new {
            person.has_come = true;
            person.entries += 1;
            person.name = name.map(str::to_owned).or_else(|| person.name.take());
        }
        is_new
    }

    /// Notes that no client is connected, because the room was just restored.
    pub(super) fn all_left(&mut self) {
        for person in self.seats.iter_mut().filter(|person| person.is_human && person.has_come) {
            person.left_at = Some(Instant::now());
        }
    }

    /// Returns how long the person of a seat has been away.
    fn away(&self, seat: usize) -> Option<Duration> {
        self.seats[seat].left_at.map(|left_at| left_at.elapsed())
    }
}

impl Room {
    /// Notes that a client has connected: the person of a seat, or a spectator.
    pub(crate) fn enter(self: &Arc<Self>, lobby: &Arc<Lobby>, seat: Option<usize>, name: Option<&str>) {
        let Some(seat) = seat else { return };
        let mut inner = self.lock();
        let name = name.and_then(clean_name);
        inner.people.seats[seat].left_at = None;
        if self.is_lost() {
            return;
        }
        let had_come = inner.people.have_come();
        let is_new = inner.people.come(seat, name.as_deref());
        if !inner.people.have_come() {
            self.wait_for_others(lobby, &mut inner);
        } else if !had_come {
            inner.since = Instant::now();
            self.watch_clock(lobby, &mut inner);
        }
        if !is_new {
            return;
        }
        let snapshot = self.snapshot_message(&inner);
        self.save(lobby, &mut inner, &JournalEntry::Came { seat, name }, move |room| {
            room.subscribers.broadcast(&snapshot);
        });
    }

    /// Starts the time after which a game with a clock is aborted, when the first person comes.
    fn wait_for_others(self: &Arc<Self>, lobby: &Arc<Lobby>, inner: &mut Inner) {
        if inner.people.first_came.is_none() && inner.session.end().is_none() {
            inner.people.first_came = Some(Instant::now());
            if inner.has_clock() {
                lobby.abort_later(self, self.config.waits.join());
            }
        }
    }

    /// Notes that a client has disconnected, and reports it to the others.
    pub(crate) fn leave(self: &Arc<Self>, lobby: &Lobby, seat: Option<usize>) {
        let mut inner = self.lock();
        if let Some(seat) = seat {
            let (connected, _) = self.subscribers.present();
            if !connected.contains(&seat) {
                inner.people.seats[seat].left_at = Some(Instant::now());
            }
        }
        self.report_presence(lobby, self.people_view(&inner));
    }

    /// Reports who is there, after everything that others have received. The room must be locked, so that reports keep their
    /// order.
    pub(crate) fn report_presence(self: &Arc<Self>, lobby: &Lobby, people: PeopleView) {
        let room = Arc::clone(self);
        lobby.store.after_pending(Box::new(move |_| room.broadcast_presence(people)));
    }

    /// Returns the people who never came and those who left.
    pub(super) fn people_view(&self, inner: &Inner) -> PeopleView {
        let people = &inner.people;
        let is_open = inner.session.end().is_none();
        let seats = || self.config.seats.iter().enumerate().filter(|_| is_open);
        let missing: Vec<usize> = seats()
            .filter(|(seat, _)| !people.seats[*seat].has_come)
            .flat_map(|(_, config)| config.players.iter().copied())
            .collect();
        let left_of = |time: Duration, since: Duration| time.saturating_sub(since).as_millis() as u64;
        let abort_in = people.first_came.filter(|_| inner.has_clock() && !missing.is_empty());
        let waits = &self.config.waits;
        // A single person has no opponent who could claim, and a player who is out has nothing to lose.
        let alive = inner.session.rules().alive(inner.session.position());
        let can_lose =
            |config: &SeatConfig| self.only_human().is_none() && !config.set().intersection(alive).is_empty();
        let away = seats().filter(|(_, config)| can_lose(config)).filter_map(|(seat, config)| {
            let claim_in = left_of(waits.leave(), people.away(seat)?);
            Some(AwayView { players: config.players.clone(), claim_in })
        });
        PeopleView {
            abort_in: abort_in.map(|since| left_of(waits.join(), since.elapsed())),
            away: if people.have_come() { away.collect() } else { Vec::new() },
            missing,
        }
    }

    /// Aborts a game that a person has not joined yet.
    pub(crate) fn abort(self: &Arc<Self>, lobby: &Arc<Lobby>, seat: usize) -> Result<(), ApiError> {
        let mut inner = self.lock();
        self.check_open(&inner)?;
        if inner.people.have_come() {
            let why = "everyone has joined, so the game cannot be aborted; you can resign";
            return Err(ApiError::rejected("no_abort", why));
        }
        let player = Player(self.config.seats[seat].players[0] as u8);
        self.apply(lobby, &mut inner, player, Event::Abort(NO_OPPONENT.to_owned()), None)
    }

    /// Aborts the game if a person has still not come.
    pub(crate) fn abort_if_missing(self: &Arc<Self>, lobby: &Arc<Lobby>) {
        if let Some(seat) = self.config.seats.iter().position(SeatConfig::is_human) {
            // The game is over, or everyone has come.
            let _ = self.abort(lobby, seat);
        }
    }

    /// Claims the game because the person of another player left: that side loses or, among several sides, is out.
    pub(crate) fn claim_left(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        seat: usize,
        player: usize,
    ) -> Result<(), ApiError> {
        let mut inner = self.lock();
        self.check_open(&inner)?;
        let refused = |why: &str| Err(ApiError::rejected("no_claim", why.to_owned()));
        let Some(&gone) = self.seat_of.get(player).filter(|gone| **gone != seat) else {
            return refused("you can claim only against another player");
        };
        let rules = inner.session.rules();
        let own = self.config.seats[seat].set();
        let theirs = self.config.seats[gone].set();
        if theirs.iter().any(|player| !rules.team(player).intersection(own).is_empty()) {
            return refused("you cannot claim against your partner");
        }
        match inner.people.away(gone) {
            Some(away) if inner.people.have_come() && away >= self.config.waits.leave() => {}
            _ => return refused("that player has not been away for long enough"),
        }
        let alive = theirs.intersection(rules.alive(inner.session.position()));
        if alive.is_empty() {
            return refused("that player is already out of the game");
        }
        for player in alive.iter() {
            if inner.session.end().is_none() {
                self.apply(lobby, &mut inner, player, Event::Forfeit(LEFT.to_owned()), None)?;
            }
        }
        Ok(())
    }
}

/// Returns a name without control characters and surrounding spaces, within the limit; `None` if nothing is left.
fn clean_name(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|letter| !letter.is_control()).collect();
    let name: String = plain.trim().chars().take(limits::MAX_NAME_LENGTH).collect();
    Some(name.trim_end().to_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_plain_text() {
        assert_eq!(clean_name("  Ada \u{7}Lovelace\n"), Some("Ada Lovelace".to_owned()));
        assert_eq!(clean_name(" \t"), None);
        assert_eq!(clean_name(&"x".repeat(1000)).map(|name| name.len()), Some(limits::MAX_NAME_LENGTH));
    }
}
