//! Squares that win for a player whose leader holds them until the player's next turn.

use crate::{Oracle, Outcome, Spot, State};

impl Oracle<'_> {
    /// Updates the holding players at the end of a turn: the mover and those who held before, if a leader of theirs is
    /// unattacked on one of their squares.
    pub(crate) fn update_holding(&self, state: &mut State, mover: &str) {
        let Some(hold) = &self.spec.hold else { return };
        let held = |(spot, leader): (Spot, &crate::Piece), player: &str| {
            leader.player == player
                && self.is_leader(&leader.kind)
                && self.lists(&hold.region, player, spot.square)
                && !self.threatened(state, spot, spot.square)
        };
        let may_hold = |name: &String| name == mover || state.holding.contains(name);
        let holds = |name: &String| may_hold(name) && state.all_pieces().any(|piece| held(piece, name));
        state.holding = self.players().into_iter().filter(holds).collect();
    }

    /// Returns the outcome if the player to move holds a winning square.
    pub(crate) fn held(&self, state: &State) -> Option<Outcome> {
        let hold = self.spec.hold.as_ref()?;
        let player = self.to_move(state);
        let winners = || self.teams_of(&[player.to_owned()]);
        state
            .holding
            .contains(player)
            .then(|| Outcome { winners: winners(), reason: hold.code.to_lowercase() })
    }
}
