//! What becomes of armies: their leader is captured, a partner takes control of them, they thaw.

use tabiya_spec::model::Captured;

use crate::making::Made;
use crate::{Oracle, Piece, State};

impl Oracle<'_> {
    /// The owners of captured leaders are out, or captive of whoever chose the move. They control nobody any more. Who
    /// was out already stays out.
    pub(crate) fn leaders_fall(&self, state: &mut State, captured: &[Piece], chooser: &str) {
        for leader in captured.iter().filter(|piece| self.is_leader(&piece.kind)) {
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

    /// A player controls nobody any more. What was handed over to him for good freezes instead, if armies do.
    fn release(&self, state: &mut State, master: &str) {
        let controlled: Vec<String> = state
            .control
            .iter()
            .filter(|(_, controller)| *controller == master)
            .map(|(army, _)| army.clone())
            .collect();
        for army in controlled {
            if state.withdrawn.contains(&army) && self.freezes() {
                state.frozen.insert(army);
            } else {
                state.control.remove(&army);
                state.withdrawn.remove(&army);
            }
        }
    }

    /// Whether the army of a captured leader is frozen.
    pub(crate) fn freezes(&self) -> bool {
        let captured = self.spec.leader.as_ref().and_then(|leader| leader.captured.as_ref());
        captured.is_some_and(|word| **word == Captured::Freezes)
    }

    /// A leader that has moved to a square of a partner takes control of his army. What it has become on the way does
    /// not matter.
    pub(crate) fn take_control(&self, made: &mut Made, moved: &Piece) {
        let (Some(control), Some(spot)) = (&self.spec.control, made.mover) else { return };
        if !self.is_leader(&moved.kind) {
            return;
        }
        for partner in self.everybody() {
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
