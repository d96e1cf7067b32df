//! Draw offers and proposed exchanges: who has accepted, and what follows.
//!
//! A draw offer stands until it is accepted, declined or answered by a move (FIDE 9.1.2). An offer in answer to an offer
//! cancels neither, so several offers may stand at once. An acceptance applies to all of them. Players whose turn is
//! skipped are asked out of turn.

use tabiya_engine::{Player, PlayerSet, Step};
use tabiya_notation::State;

use super::{End, Game, IllegalAction, Offer, Proposal};

impl Game {
    /// The player whose draw offer the player to act can accept; of several, the one who offered first.
    pub fn draw_offer(&self) -> Option<Player> {
        let actor = self.actor();
        self.offers.iter().find(|offer| !offer.accepted.contains(actor)).map(|offer| offer.by)
    }

    /// The player whose draw offer stands, no matter who answers next; of several, the one who offered first.
    pub fn standing_offer(&self) -> Option<Player> {
        self.offers.first().map(|offer| offer.by)
    }

    /// Whether an offer of this player stands.
    pub(super) fn has_offered(&self, player: Player) -> bool {
        self.offers.iter().any(|offer| offer.by == player)
    }

    /// Lets more players accept every offer that `player` has made or accepted, because one person decides for all of
    /// them.
    pub fn agree(&mut self, player: Player, players: PlayerSet) {
        for offer in self.offers.iter_mut().filter(|offer| offer.accepted.contains(player)) {
            offer.accepted = offer.accepted.union(players);
        }
        self.end_if_agreed();
    }

    fn end_if_agreed(&mut self) {
        let deciders = self.deciders(self.rules.players().collect());
        let is_agreed = self.offers.iter().any(|offer| deciders.without(offer.accepted).is_empty());
        if is_agreed && self.end.is_none() {
            self.end = Some(End::draw("agreement"));
        }
    }

    pub(super) fn offer_draw(&mut self, actor: Player) -> Result<(), IllegalAction> {
        if !self.rules.blueprint().draw_offers() {
            return Err(IllegalAction::NoDrawOffers);
        }
        if self.has_offered(actor) {
            return Err(IllegalAction::SecondOffer);
        }
        let slot = self.state.position.slot();
        self.offers.push(Offer { by: actor, slot, accepted: PlayerSet::EMPTY.with(actor) });
        Ok(())
    }

    pub(super) fn accept_draw(&mut self, actor: Player) -> Result<(), IllegalAction> {
        self.draw_offer().ok_or(IllegalAction::NoOffer)?;
        for offer in &mut self.offers {
            offer.accepted = offer.accepted.with(actor);
        }
        self.end_if_agreed();
        Ok(())
    }

    pub(super) fn decline_draw(&mut self, actor: Player) -> Result<(), IllegalAction> {
        self.draw_offer().ok_or(IllegalAction::NoOffer)?;
        self.drop_offers_not_accepted_by(actor);
        Ok(())
    }

    /// Ends all offers that a player has neither made nor accepted.
    pub(super) fn drop_offers_not_accepted_by(&mut self, player: Player) {
        self.offers.retain(|offer| offer.accepted.contains(player));
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
