//! Squares that win for a leader who holds them until his next turn.

use crate::{Oracle, Spot, State, Verdict};

impl Oracle<'_> {
    /// Who holds at the end of a turn: the player whose turn it was, and whoever held before, if a leader of his
    /// stands unattacked on a square of his.
    pub(crate) fn hold_on(&self, state: &mut State, mover: &str) {
        let Some(hold) = &self.spec.hold else { return };
        let held = |(spot, leader): (Spot, &crate::Piece), player: &str| {
            leader.player == player
                && self.is_leader(&leader.kind)
                && self.lists(&hold.region, player, spot.square)
                && !self.threatened(state, spot, spot.square)
        };
        let may_hold = |name: &String| name == mover || state.holding.contains(name);
        let holds = |name: &String| may_hold(name) && state.men().any(|man| held(man, name));
        state.holding = self.everybody().into_iter().filter(holds).collect();
    }

    /// The end of the game, if the turn has come to a player who holds.
    pub(crate) fn held(&self, state: &State) -> Option<Verdict> {
        let hold = self.spec.hold.as_ref()?;
        let player = self.to_move(state);
        let winners = || self.teams_of(&[player.to_owned()]);
        state
            .holding
            .contains(player)
            .then(|| Verdict { winners: winners(), reason: hold.code.to_lowercase() })
    }
}
