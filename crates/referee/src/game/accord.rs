//! How a game ends or changes by what players say: agreements, resignations, departures, exchanges that are accepted; and
//! by what happens outside of the rules.

use tabiya_engine::{Player, PlayerSet, Step, Trigger};
use tabiya_notation::State;

use super::{End, Event, Game, Illegal, Proposal};

impl Game {
    /// Some players have the same opinion of the offer that stands as the one who has just made or accepted it: one person
    /// plays for all of them.
    pub fn agree(&mut self, who: PlayerSet) {
        let Some(offer) = &mut self.offer else { return };
        offer.accepted = offer.accepted.union(who);
        self.look_for_agreement();
    }

    fn look_for_agreement(&mut self) {
        let everybody = self.deciders(self.rules.players().collect());
        let is_agreed = self.offer.is_some_and(|offer| everybody.without(offer.accepted).is_empty());
        if is_agreed && self.end.is_none() {
            self.end = Some(End { winners: PlayerSet::EMPTY, reason: "agreement".to_owned() });
        }
    }

    /// Who would give up, if the partners did.
    pub fn resigning(&self) -> PlayerSet {
        self.resigning
    }

    /// Some players give up. The game is lost once every partner has who still has a say in it.
    pub fn resign(&mut self, who: PlayerSet) -> Event {
        self.resigning = self.resigning.union(who);
        for player in who.iter() {
            if self.end.is_none() && self.deciders(self.rules.team(player)).without(self.resigning).is_empty()
            {
                self.lose(player, "resignation");
            }
        }
        Event::Resigned
    }

    /// Whether the others play on when a player gives up: of two sides, the other has won; among more there is still a game.
    pub fn goes_on_without(&self, player: Player) -> bool {
        let alive = self.rules.alive(&self.state.position);
        let others = alive.without(self.rules.team(player));
        let mut sides = others.iter().map(|other| self.rules.team(other));
        let first = sides.next();
        alive.contains(player) && sides.any(|side| Some(side) != first)
    }

    /// A player leaves a game in which the others play on.
    pub fn leave(&mut self, player: Player) {
        let mut setup = self.rules.setup(&self.state.position);
        setup.eliminated = setup.eliminated.with(player);
        let order = self.rules.order().len() as u16;
        let ahead = (0..order).map(|ahead| (setup.slot + ahead) % order);
        let next = { ahead }.find(|slot| !setup.eliminated.contains(self.rules.turn_of(*slot)));
        setup.slot = next.unwrap_or(setup.slot);
        // What was thrown was thrown for somebody else.
        setup.die = None;
        match self.rules.position(&setup) {
            Ok(position) => {
                let present = self.rules.identity(&position);
                self.earlier.push(std::mem::replace(&mut self.present, present));
                self.state.position = position;
                (self.offer, self.exchange) = (None, Proposal::None);
                self.go_on();
            }
            Err(_) => self.lose(player, "resignation"),
        }
    }

    /// Who decides for those of some players whose leaders are free.
    fn deciders(&self, players: PlayerSet) -> PlayerSet {
        let position = &self.state.position;
        let free = players.intersection(self.rules.alive(position)).without(self.rules.captives(position));
        free.iter().map(|player| self.rules.decider(position, player)).collect()
    }

    /// A player loses for a reason that lies outside of the rules: an illegal output, a crash.
    pub fn forfeit(&mut self, player: Player, reason: &str) {
        if self.end.is_none() {
            self.lose(player, reason);
        }
    }

    /// A player's flag fell: he loses, unless the game's rules say otherwise (FIDE 6.9).
    pub fn flag_fell(&mut self, player: Player) {
        if self.end.is_some() {
            return;
        }
        let position = &self.state.position;
        let ending = self.rules.ending(position, self.tally(), Trigger::Flag, player, None);
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

    pub(super) fn accept(&mut self, actor: Player) -> Result<Event, Illegal> {
        let offer =
            self.offer.as_mut().filter(|offer| !offer.accepted.contains(actor)).ok_or(Illegal::NoOffer)?;
        offer.accepted = offer.accepted.with(actor);
        self.look_for_agreement();
        Ok(Event::Accepted)
    }

    /// The proposed exchange takes place, or does not; either way it is the proposer's move. What was quiet is not any
    /// more.
    pub(super) fn answer(&mut self, is_accepted: bool) -> Result<Event, Illegal> {
        self.exchange = Proposal::Settled;
        if !is_accepted {
            self.go_on();
            return Ok(Event::Declined);
        }
        let next = self.rules.play_exchange(&self.state.position).ok_or(Illegal::NoExchange)?;
        let is_other_turn = next.slot() != self.state.position.slot();
        self.take(Step::Exchange, State { position: next, quiet: 0, ..self.state }, is_other_turn);
        Ok(Event::Accepted)
    }
}
