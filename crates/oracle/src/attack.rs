//! Attacks: a square is attacked if an opponent could capture a victim that stands on it.
//!
//! The victim is placed on the square to find out. It is first removed from its own square, so that it does not block its
//! own attackers, and it replaces any piece on the target square, so that a defended enemy's square counts as attacked.
//! The capture must then be possible, with its conditions and side effects; but the attacker may ignore attacks on itself
//! and on its leader. A piece that only a side effect would remove is not attacked.

use tabiya_spec::model::{ActionKind, ActionSpec, Target};

use crate::pattern::Attempt;
use crate::{Oracle, Spot, Square, State};

impl Oracle<'_> {
    /// Returns whether the piece on `by_view_of` is or would be attacked on `square`. Without such a piece or square,
    /// nothing is attacked.
    pub fn attacked(&self, state: &State, square: Square, by_view_of: Square) -> bool {
        self.threatened(state, Spot { square: by_view_of, guest: false }, square)
    }

    /// Returns whether the piece in a spot is or would be attacked on a square. On its own square it stays with the piece
    /// that it shares the square with.
    pub(crate) fn threatened(&self, state: &State, victim: Spot, square: Square) -> bool {
        let Some(piece) = state.at(victim) else { return false };
        if !self.exists(square) {
            return false;
        }
        let mut imagined = state.clone();
        if square != victim.square {
            imagined.lift(victim);
            imagined.clear(square);
            imagined.pieces.insert(square, piece.clone());
        }
        let mut attackers = imagined
            .all_pieces()
            .filter(|(_, attacker)| self.is_opponent(state, &attacker.player, &piece.player));
        attackers.any(|(Spot { square: from, guest }, attacker)| {
            let mut definitions = self.definitions(&attacker.kind).iter();
            definitions.any(|definition| {
                let state = &imagined;
                let attempt =
                    Attempt { state, from, guest, piece: attacker, definition, minds_attacks: false };
                self.captures(&attempt, square)
            })
        })
    }

    /// Returns whether a leader of the player is attacked.
    pub fn in_check(&self, state: &State, player: &str) -> bool {
        let mut pieces = state.all_pieces();
        pieces.any(|(spot, piece)| {
            piece.player == player && self.is_leader(&piece.kind) && self.threatened(state, spot, spot.square)
        })
    }

    /// Returns whether the attempt captures the enemy on the square.
    fn captures(&self, attempt: &Attempt<'_>, square: Square) -> bool {
        let is_capture =
            |action: &ActionSpec| *action.state == Target::Enemy && *action.action == ActionKind::Capture;
        self.reach(attempt).contains(&square)
            && self
                .action_on(attempt, square)
                .is_some_and(|action| is_capture(action) && self.make(attempt, square, action).is_some())
    }
}
