//! How a game ends or goes on when a player resigns, leaves, forfeits or runs out of time.

use tabiya_engine::{Player, PlayerSet, Trigger};

use super::{End, Game, Proposal};

impl Game {
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
                (self.offers, self.exchange) = (Vec::new(), Proposal::None);
                self.advance();
            }
            Err(_) => self.lose(player, "resignation"),
        }
    }

    /// The players who decide for those of the given players whose leaders are free.
    pub(super) fn deciders(&self, players: PlayerSet) -> PlayerSet {
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
