//! Effects on whole armies: captured leaders, control by a partner, thawing.

use tabiya_spec::model::Captured;

use crate::make_move::MadeMove;
use crate::{Oracle, Piece, State};

impl Oracle<'_> {
    /// Eliminates the owners of captured leaders, or makes them captives of the player who chose the move. They lose
    /// control of other armies.
    pub(crate) fn capture_leaders(&self, state: &mut State, captured: &[Piece], chooser: &str) {
        let lost: Vec<Piece> =
            captured.iter().filter(|piece| self.is_lost_with(state, piece)).cloned().collect();
        self.lose_leaders(state, &lost, chooser);
    }

    /// Eliminates players who have lost with these leaders, or makes them captives.
    pub(crate) fn lose_leaders(&self, state: &mut State, lost: &[Piece], chooser: &str) {
        for leader in lost {
            let owner = &leader.player;
            if self.freezes() && Self::is_living(state, owner) {
                state.captives.insert(owner.clone(), chooser.to_owned());
                state.frozen.insert(owner.clone());
            } else {
                state.eliminated.insert(owner.clone());
            }
            self.release(state, owner);
        }
    }

    /// Ends a player's control of other armies. Withdrawn armies freeze instead, in games with frozen armies.
    fn release(&self, state: &mut State, controller: &str) {
        let controlled: Vec<String> =
            state.control.iter().filter(|(_, by)| *by == controller).map(|(army, _)| army.clone()).collect();
        for army in controlled {
            if state.withdrawn.contains(&army) && self.freezes() {
                state.frozen.insert(army);
            } else {
                state.control.remove(&army);
                state.withdrawn.remove(&army);
            }
        }
    }

    /// Returns whether the army of a captured leader freezes.
    pub(crate) fn freezes(&self) -> bool {
        let captured = self.spec.leader.as_ref().and_then(|leader| leader.captured.as_ref());
        captured.is_some_and(|word| **word == Captured::Freezes)
    }

    /// A leader that has moved to a partner's square takes control of the partner's army, even if it was promoted.
    pub(crate) fn take_control(&self, made: &mut MadeMove, moved: &Piece) {
        let (Some(control), Some(spot)) = (&self.spec.control, made.mover) else { return };
        if !self.is_leader(&moved.kind) {
            return;
        }
        for partner in self.players() {
            if self.are_partners(&partner, &moved.player)
                && self.lists(&control.region, &partner, spot.square)
            {
                if *control.thaws {
                    made.state.frozen.remove(&partner);
                }
                made.state.control.insert(partner, moved.player.clone());
            }
        }
    }
}
