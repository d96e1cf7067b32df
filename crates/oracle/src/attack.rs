//! Who attacks what: a square is attacked if an opponent could capture a victim that stands on it.
//!
//! To answer that, the victim is put there. It is lifted from where it stands, so that it cannot hide behind
//! itself, and it replaces whatever is on the square, so that a defended enemy is attacked ground. On that board
//! the capture must really be offered, its conditions and its side effects included; but the attacker need not
//! mind attacks itself, neither on the way nor on its own leader. What a side effect would remove is not attacked.

use tabiya_spec::model::{ActionKind, ActionSpec, Target};

use crate::pattern::Attempt;
use crate::{Oracle, Piece, Square, State};

impl Oracle<'_> {
    /// Whether the piece that stands on `by_view_of` would be attacked on `square`, or is, if the two are the same.
    /// No piece, or no such square: nothing is attacked.
    pub fn attacked(&self, state: &State, square: Square, by_view_of: Square) -> bool {
        let mut imagined = state.clone();
        let Some(victim) = imagined.pieces.remove(&by_view_of) else { return false };
        if !self.exists(square) {
            return false;
        }
        let owner = victim.player.clone();
        imagined.pieces.insert(square, victim);
        let opponent = |piece: &Piece| piece.player != owner && Self::is_living(&imagined, &piece.player);
        let mut attackers = imagined.pieces.iter().filter(|(_, piece)| opponent(piece));
        attackers.any(|(from, attacker)| {
            let mut definitions = self.definitions(&attacker.kind).iter();
            definitions.any(|definition| {
                let state = &imagined;
                let attempt =
                    Attempt { state, from: *from, piece: attacker, definition, minds_attacks: false };
                self.captures(&attempt, square)
            })
        })
    }

    /// Whether a leader of the player stands attacked.
    pub fn in_check(&self, state: &State, player: &str) -> bool {
        let mut pieces = state.pieces.iter();
        pieces.any(|(square, piece)| {
            piece.player == player && self.is_leader(&piece.kind) && self.attacked(state, *square, *square)
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
