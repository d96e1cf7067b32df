//! Proposals between the people of a room: to take moves back, and to play again. Each needs the agreement of everyone who
//! plays. A proposal is not saved: it ends with the next action and with the server. What was agreed is saved.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use tabiya_referee::Event;

use super::actions::check_recent;
use super::{Inner, JournalEntry, Occupant, Room, SeatConfig};
use crate::api_error::ApiError;
use crate::fair_queue::Client;
use crate::http_types::{RoomBody, SeatBody};
use crate::keys::Key;
use crate::limits;
use crate::lobby::Lobby;
use crate::socket_types::{FromServer, NextRoomView, OfferedView, OffersView};
use crate::subscribers::{Broadcast, Message};

/// The open proposals of a room.
#[derive(Debug, Default)]
pub(super) struct Offers {
    undo: Option<Proposal>,
    /// The number of actions at which taking back was declined. It cannot be proposed again there.
    declined_at: Option<usize>,
    rematch: Option<Proposal>,
    /// Whether the room of the rematch is being opened.
    is_opening: bool,
}

/// A proposal: the seat that made it, and all seats that agree.
#[derive(Debug)]
struct Proposal {
    by: usize,
    agreed: BTreeSet<usize>,
}

impl Proposal {
    fn new(by: usize) -> Self {
        Proposal { by, agreed: BTreeSet::from([by]) }
    }
}

impl Offers {
    /// Drops what does not outlive an action.
    pub(super) fn after_action(&mut self) {
        self.undo = None;
    }
}

/// The room of a rematch: its id and, by seat of this room, the keys of people.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct NextRoom {
    id: String,
    keys: Vec<Option<Key>>,
    watch: Key,
}

impl Room {
    /// Takes back everything since the last action of a seat. With other people in the room, proposes it or agrees to it.
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
        check_recent(&inner, seen)?;
        let by = inner.offers.undo.as_ref().map_or(seat, |offer| offer.by);
        let keep = self.kept_by_undo(&inner, by)?;
        if self.only_human() != Some(seat) {
            self.check_open(&inner)?;
            if inner.offers.declined_at == Some(seen) {
                let why = "taking back was declined here; you can ask again after the next move";
                return Err(ApiError::rejected("no_undo", why));
            }
            let offer = inner.offers.undo.get_or_insert_with(|| Proposal::new(seat));
            offer.agreed.insert(seat);
            let agreed = offer.agreed.clone();
            if !self.is_agreed(&inner, &agreed) {
                self.broadcast_offers(&inner);
                return Ok(());
            }
        }
        inner.undo_to(keep);
        inner.offers.after_action();
        inner.epoch += 1;
        inner.since = Instant::now();
        let snapshot = self.snapshot_message(&inner);
        self.save(lobby, &mut inner, &JournalEntry::Undo { keep }, move |room| {
            room.subscribers.broadcast(&snapshot);
        });
        self.ask_next(lobby, &mut inner);
        Ok(())
    }

    /// Returns the number of events before the last action of a seat.
    fn kept_by_undo(&self, inner: &Inner, seat: usize) -> Result<usize, ApiError> {
        if inner.lines >= limits::MAX_ENTRIES_FOR_UNDO {
            let why = "moves have been taken back too often in this game";
            return Err(ApiError::rejected("no_undo", why));
        }
        let players = self.config.seats[seat].set();
        let is_own = |event: &Event| matches!(event, Event::Action(_) | Event::ResignArmy);
        let mut log = inner.session.log().iter();
        let last = log.rposition(|entry| is_own(&entry.event) && players.contains(entry.player));
        last.ok_or_else(|| ApiError::rejected("no_undo", "there is nothing to take back"))
    }

    /// Declines or withdraws the proposal to take back.
    pub(crate) fn decline_undo(&self) {
        let mut inner = self.lock();
        if inner.offers.undo.take().is_some() {
            inner.offers.declined_at = Some(inner.actions.len());
            self.broadcast_offers(&inner);
        }
    }

    /// Proposes to play again, or agrees to it. Once everyone agrees, opens the room, which counts for the last client.
    pub(crate) fn rematch(
        self: &Arc<Self>,
        lobby: &Arc<Lobby>,
        seat: usize,
        client: Client,
    ) -> Result<(), ApiError> {
        let mut inner = self.lock();
        if inner.session.end().is_none() {
            return Err(ApiError::rejected("no_rematch", "the game is not over"));
        }
        if inner.next.is_some() || inner.offers.is_opening {
            return Ok(());
        }
        let offer = inner.offers.rematch.get_or_insert_with(|| Proposal::new(seat));
        offer.agreed.insert(seat);
        let is_human = |seat: &usize| self.config.seats[*seat].is_human();
        let all: BTreeSet<usize> = (0..self.config.seats.len()).filter(is_human).collect();
        if offer.agreed == all {
            inner.offers.is_opening = true;
            lobby.open_rematch(self, self.rematch_body(), client);
        } else {
            self.broadcast_offers(&inner);
        }
        Ok(())
    }

    /// Declines or withdraws the proposal to play again.
    pub(crate) fn decline_rematch(&self) {
        let mut inner = self.lock();
        if !inner.offers.is_opening && inner.offers.rematch.take().is_some() {
            self.broadcast_offers(&inner);
        }
    }

    /// Describes the same game with every person and program one seat further, so that two sides swap.
    fn rematch_body(&self) -> RoomBody {
        let seats = &self.config.seats;
        let names = &self.loaded_game.view.players;
        let further = seats.iter().cycle().skip(1);
        let seat = |(seat, further): (&SeatConfig, &SeatConfig)| SeatBody {
            players: further.players.iter().map(|player| names[*player].name.clone()).collect(),
            who: match &seat.occupant {
                Occupant::Human(_) => "human".to_owned(),
                Occupant::Player(name) => format!("player:{name}"),
                Occupant::Agent(name) => format!("agent:{name}"),
            },
        };
        let (game, spec) = self.config.source.clone().into_parts();
        RoomBody {
            game,
            spec,
            choice: self.config.choice.clone(),
            seats: seats.iter().zip(further).map(seat).collect(),
            clock: self.config.clock,
            start: self.config.start.clone(),
            seed: None,
        }
    }

    /// Leads everyone to the room of the rematch, which has the same seats in the same order.
    pub(crate) fn rematch_opened(self: &Arc<Self>, lobby: &Arc<Lobby>, next: &Room) {
        let key = |seat: &SeatConfig| match &seat.occupant {
            Occupant::Human(key) => Some(key.clone()),
            _ => None,
        };
        let keys = next.config.seats.iter().map(key).collect();
        let next = NextRoom { id: next.id.clone(), keys, watch: next.config.watch.clone() };
        let mut inner = self.lock();
        inner.offers = Offers::default();
        inner.next = Some(next.clone());
        let message = |seat| Message::new(&FromServer::Next(next_view(&next, seat)));
        let by_seat = (0..next.keys.len()).map(|seat| (seat, message(Some(seat)))).collect();
        let broadcast = Broadcast { all: message(None), by_seat };
        self.save(lobby, &mut inner, &JournalEntry::Next(next), move |room| {
            room.subscribers.broadcast(&broadcast);
        });
    }

    /// Reports why the rematch could not be opened.
    pub(crate) fn rematch_failed(&self, error: ApiError) {
        let mut inner = self.lock();
        inner.offers = Offers::default();
        self.broadcast_offers(&inner);
        self.subscribers.broadcast(&Broadcast::to_all(&FromServer::Refused(error.body)));
    }

    /// Returns whether every person who is still in the game agrees.
    fn is_agreed(&self, inner: &Inner, agreed: &BTreeSet<usize>) -> bool {
        let alive = inner.session.rules().alive(inner.session.position());
        let mut seats = self.config.seats.iter().enumerate();
        seats.all(|(seat, config)| {
            !config.is_human() || agreed.contains(&seat) || config.set().intersection(alive).is_empty()
        })
    }

    fn broadcast_offers(&self, inner: &Inner) {
        self.subscribers.broadcast(&Broadcast::to_all(&FromServer::Offers(self.offers_view(inner))));
    }

    /// Returns the open proposals.
    pub(super) fn offers_view(&self, inner: &Inner) -> OffersView {
        let players = |seat: &usize| self.config.seats[*seat].players.clone();
        let view = |offer: &Proposal| OfferedView {
            by: players(&offer.by),
            agreed: offer.agreed.iter().flat_map(players).collect(),
        };
        OffersView {
            undo: inner.offers.undo.as_ref().map(view),
            rematch: inner.offers.rematch.as_ref().map(view),
        }
    }
}

/// Returns the room of the rematch, as a seat or a spectator sees it.
pub(super) fn next_view(next: &NextRoom, seat: Option<usize>) -> NextRoomView {
    let own = seat.and_then(|seat| next.keys.get(seat)?.as_ref());
    NextRoomView { id: next.id.clone(), key: own.unwrap_or(&next.watch).text().to_owned() }
}
