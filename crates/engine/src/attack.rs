//! Who attacks a square: whether a capture of an opponent would fire on a victim that stands there.
//!
//! How it is found out is the business of the general path; every path asks here.

use crate::piece::{Piece, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// Whether a piece of `victim` that stands on the square could be captured by an opponent.
    pub fn is_attacked(&self, position: &Position, square: Square, victim: Player) -> bool {
        self.general.attacks_any(self, position, victim, std::iter::once(square))
    }

    /// Whether a leader of the player stands attacked.
    pub fn in_check(&self, position: &Position, player: Player) -> bool {
        self.leader().is_some_and(|leader| {
            self.general.attacks_any(self, position, player, position.army(player, leader))
        })
    }

    /// Whether a piece would be attacked if it stood elsewhere: it is lifted from its square, so that it cannot hide
    /// behind itself, and takes the place of what stands there.
    pub(crate) fn would_be_attacked(&self, position: &Position, piece: (Square, Piece), on: Square) -> bool {
        let (from, piece) = piece;
        if on == from {
            return self.is_attacked(position, on, piece.player);
        }
        let plainly = self.general.attacks_after(self, position, piece.player, (from, on));
        plainly.unwrap_or_else(|| {
            let mut imagined = position.clone();
            if imagined.occupied(on) {
                imagined.remove(on);
            }
            imagined.shift(from, on, piece, piece.unmoved);
            self.is_attacked(&imagined, on, piece.player)
        })
    }
}
