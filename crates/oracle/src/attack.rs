//! Who attacks what: a square is attacked if an opponent could capture a victim that stands on it.
//!
//! To answer that, the victim is put there. It is lifted from where it stands, so that it cannot hide behind
//! itself, and it replaces whatever is on the square, so that a defended enemy is attacked ground. On that board
//! the capture must really be offered, its conditions and its side effects included; but the attacker need not
//! mind attacks itself, neither on the way nor on its own leader. What a side effect would remove is not attacked.

use tabiya_spec::model::{ActionKind, ActionSpec, Target};

use crate::pattern::Attempt;
use crate::{Oracle, Spot, Square, State};

impl Oracle<'_> {
    /// Whether the piece that stands on `by_view_of` would be attacked on `square`, or is, if the two are the same.
    /// No piece, or no such square: nothing is attacked.
    pub fn attacked(&self, state: &State, square: Square, by_view_of: Square) -> bool {
        self.threatened(state, Spot { square: by_view_of, guest: false }, square)
    }

    /// The same of the piece in a spot. Where it stands already, it stands there with whom it shares the square.
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
        let mut attackers =
            imagined.men().filter(|(_, attacker)| self.is_opponent(state, &attacker.player, &piece.player));
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

    /// Whether a leader of the player stands attacked.
    pub fn in_check(&self, state: &State, player: &str) -> bool {
        let mut men = state.men();
        men.any(|(spot, piece)| {
            piece.player == player && self.is_leader(&piece.kind) && self.threatened(state, spot, spot.square)
        })
    }

    /// Whether the attempt captures the enemy on the square.
    fn captures(&self, attempt: &Attempt<'_>, square: Square) -> bool {
        let is_capture =
            |action: &ActionSpec| *action.state == Target::Enemy && *action.action == ActionKind::Capture;
        self.reach(attempt).contains(&square)
            && self
                .action_on(attempt, square)
                .is_some_and(|action| is_capture(action) && self.make(attempt, square, action).is_some())
    }
}
