//! Questions to players whose turn is skipped.
//!
//! Draw offers and the resignation of a partner are usually answered on the player's own turn. A player whose army is
//! stalemated or frozen has no turn, and one whose die allows no move loses it. They are asked when the turn passes over
//! their army, and answer before the game goes on. An offer that everyone has been asked about lapses when the turn comes
//! back to the army on whose turn it was made.

use tabiya_engine::{Player, PlayerSet};

use super::{Game, IllegalAction};
use crate::Action;

impl Game {
    /// The player who is asked although another army is to move: about a draw offer, or the resignation of a partner.
    pub fn asked_out_of_turn(&self) -> Option<Player> {
        self.asked.iter().copied().find(|player| self.end.is_none() && self.has_to_answer(*player))
    }

    /// The partners of the player to act who want to resign and need its agreement.
    pub fn resigning_partners(&self) -> PlayerSet {
        let actor = self.actor();
        let partners = self.resigning.intersection(self.rules.team(actor));
        if self.resigning.contains(actor) { PlayerSet::EMPTY } else { partners }
    }

    /// Returns the same game with a player asked out of turn, if there is something to answer.
    #[must_use]
    pub fn with_asked(mut self, player: Player) -> Self {
        if self.has_to_answer(player) {
            self.asked = vec![player];
        }
        self
    }

    /// Returns the same game with players who want to resign.
    #[must_use]
    pub fn with_resigning(mut self, players: PlayerSet) -> Self {
        self.resigning = players;
        self
    }

    /// Asks the players whose turn was skipped since the turn of a slot.
    pub(super) fn ask_skipped(&mut self, from: u16) {
        let (slots, now) = (self.rules.order().len() as u16, self.state.position.slot());
        let ahead = (1..slots).map(|ahead| (from + ahead) % slots);
        let skipped: Vec<u16> = ahead.take_while(|slot| *slot != now).collect();
        let mover = self.rules.decider(&self.state.position, self.mover());
        self.asked.clear();
        for slot in &skipped {
            let army = self.rules.turn_of(*slot);
            for decider in self.deciders(PlayerSet::EMPTY.with(army)).iter() {
                let is_new = decider != mover && !self.asked.contains(&decider);
                if is_new && self.has_to_answer(decider) {
                    self.asked.push(decider);
                }
            }
        }
        if self.asked.is_empty() {
            self.offers.retain(|offer| offer.slot != now && !skipped.contains(&offer.slot));
        }
    }

    fn has_to_answer(&self, player: Player) -> bool {
        let is_offered = self.offers.iter().any(|offer| !offer.accepted.contains(player));
        let partners = self.resigning.intersection(self.rules.team(player));
        is_offered || !partners.is_empty() && !self.resigning.contains(player)
    }

    /// Does an action of a player who is asked out of turn: accept, decline or resign.
    pub(super) fn answer_out_of_turn(
        &mut self,
        player: Player,
        action: &Action,
    ) -> Result<(), IllegalAction> {
        let is_offered = self.draw_offer().is_some();
        match action {
            Action::Accept if is_offered => self.accept_draw(player)?,
            Action::Decline if is_offered => self.decline_draw(player)?,
            Action::Resign if self.resigning.contains(player) => return Err(IllegalAction::Resigned),
            Action::Accept | Action::Resign => self.resign(PlayerSet::EMPTY.with(player)),
            Action::Decline => self.resigning = self.resigning.without(self.rules.team(player)),
            _ => return Err(IllegalAction::AnswerFirst),
        }
        if self.asked_out_of_turn().is_none() {
            let now = self.state.position.slot();
            self.offers.retain(|offer| offer.slot != now);
        }
        Ok(())
    }
}
