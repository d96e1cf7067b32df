//! How a game ends or changes by agreement or from outside the rules: draw offers, resignations, departures, exchanges,
//! forfeits and fallen flags.

use tabiya_engine::{Player, PlayerSet, Step, Trigger};
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

    /// Resigns for some players. The game is lost once all partners who still decide have resigned.
    pub fn resign(&mut self, players: PlayerSet) {
        self.resigning = self.resigning.union(players);
        for player in players.iter() {
            let team = self.deciders(self.rules.team(player));
            if self.end.is_none() && team.without(self.resigning).is_empty() {
                self.lose(player, "resignation");
            }
        }
    }

    /// Whether the others play on when a player leaves: at least two other sides are still in the game.
    pub fn continues_without(&self, player: Player) -> bool {
        let alive = self.rules.alive(&self.state.position);
        let others = alive.without(self.rules.team(player));
        let mut sides = others.iter().map(|other| self.rules.team(other));
        let first = sides.next();
        alive.contains(player) && sides.any(|side| Some(side) != first)
    }

    /// Takes a player out of a game in which the others play on.
    pub fn leave(&mut self, player: Player) {
        let mut setup = self.rules.setup(&self.state.position);
        setup.eliminated = setup.eliminated.with(player);
        let slots = self.rules.order().len() as u16;
        let ahead = (0..slots).map(|ahead| (setup.slot + ahead) % slots);
        let next = { ahead }.find(|slot| !setup.eliminated.contains(self.rules.turn_of(*slot)));
        setup.slot = next.unwrap_or(setup.slot);
        // The die was thrown for the player who left.
        setup.die = None;
        match self.rules.position(&setup) {
            Ok(position) => {
                self.state.position = position;
                self.remember();
                (self.offer, self.exchange) = (None, Proposal::None);
                self.advance();
            }
            Err(_) => self.lose(player, "resignation"),
        }
    }

    /// The players who decide for those of the given players whose leaders are free.
    fn deciders(&self, players: PlayerSet) -> PlayerSet {
        let position = &self.state.position;
        let free = players.intersection(self.rules.alive(position)).without(self.rules.captives(position));
        free.iter().map(|player| self.rules.decider(position, player)).collect()
    }

    /// Ends the game as a loss for a reason outside the rules, such as an illegal answer or a crash.
    pub fn forfeit(&mut self, player: Player, reason: &str) {
        if self.end.is_none() {
            self.lose(player, reason);
        }
    }

    /// Ends the game because a player ran out of time: a loss, unless the rules say otherwise (FIDE 6.9).
    pub fn flag_fell(&mut self, player: Player) {
        if self.end.is_some() {
            return;
        }
        let ending = self.rules.ending(&self.state.position, self.tally(), Trigger::Flag, player, None);
        match ending {
            Some(ending) => {
                self.end = Some(End { winners: ending.winners, reason: ending.code.to_lowercase() });
            }
            None => self.lose(player, "timeout"),
        }
    }

    fn lose(&mut self, player: Player, reason: &str) {
        let winners = self.rules.alive(&self.state.position).without(self.rules.team(player));
        self.end = Some(End { winners, reason: reason.to_owned() });
    }
}
