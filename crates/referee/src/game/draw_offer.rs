//! Draw offers and proposed exchanges: who has accepted, and what follows.

use tabiya_engine::{Player, PlayerSet, Step};
use tabiya_notation::State;

use super::{End, Game, IllegalAction, Proposal};

impl Game {
    /// Lets more players accept the offer that stands, because one person decides for all of them.
    pub fn agree(&mut self, players: PlayerSet) {
        let Some(offer) = &mut self.offer else { return };
        offer.accepted = offer.accepted.union(players);
        self.end_if_agreed();
    }

    fn end_if_agreed(&mut self) {
        let deciders = self.deciders(self.rules.players().collect());
        let is_agreed = self.offer.is_some_and(|offer| deciders.without(offer.accepted).is_empty());
        if is_agreed && self.end.is_none() {
            self.end = Some(End::draw("agreement"));
        }
    }

    pub(super) fn accept_draw(&mut self, actor: Player) -> Result<(), IllegalAction> {
        let offer = self.offer.as_mut().filter(|offer| !offer.accepted.contains(actor));
        let offer = offer.ok_or(IllegalAction::NoOffer)?;
        offer.accepted = offer.accepted.with(actor);
        self.end_if_agreed();
        Ok(())
    }

    /// Answers the proposed exchange. In either case the proposer moves next; an accepted exchange resets the quiet counter.
    pub(super) fn answer_exchange(&mut self, is_accepted: bool) -> Result<(), IllegalAction> {
        self.exchange = Proposal::Settled;
        if !is_accepted {
            self.advance();
            return Ok(());
        }
        let next = self.rules.play_exchange(&self.state.position).ok_or(IllegalAction::NoExchange)?;
        let is_other_turn = next.slot() != self.state.position.slot();
        self.enter(Step::Exchange, State { position: next, quiet: 0, ..self.state }, is_other_turn);
        Ok(())
    }
}
