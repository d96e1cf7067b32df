//! Who attacks a square: whether a capture of an opponent would fire on a victim that stands there.
//!
//! How it is found out is the business of the general path; every path asks here.

use crate::mechanics::Exposure;
use crate::piece::{Piece, Player};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// Whether a piece of `victim` that stands on the square could be captured by an opponent.
    pub fn is_attacked(&self, position: &Position, square: Square, victim: Player) -> bool {
        let about = position.piece(square).map(|piece| piece.kind);
        self.general.attacks_any(self, position, (victim, about), std::iter::once(square))
    }

    /// Whether a leader of the player stands attacked.
    pub fn in_check(&self, position: &Position, player: Player) -> bool {
        self.leader().is_some_and(|leader| {
            let about = (player, Some(leader));
            self.general.attacks_any(self, position, about, position.army(player, leader))
        })
    }

    /// Whether leaders may be left attacked now.
    pub(crate) fn exposure_now(&self, position: &Position) -> Exposure {
        match self.mechanics().leadership.exposure {
            Exposure::AllowedInCheck if self.in_check(position, self.mover(position)) => Exposure::Allowed,
            exposure => exposure,
        }
    }

    /// Whether an attacked leader of the player to move can move, and so must.
    pub(crate) fn leader_must_move(&self, position: &Position) -> bool {
        self.mechanics().leadership.must_move && self.general.leader_must_move(self, position)
    }

    /// Whether a piece would be attacked if it stood elsewhere: it is lifted from its square, so that it cannot hide
    /// behind itself, and takes the place of what stands there.
    pub(crate) fn would_be_attacked(&self, position: &Position, piece: (Spot, Piece), on: Square) -> bool {
        let (from, piece) = piece;
        if on == from.square {
            return self.is_attacked(position, on, piece.player);
        }
        let is_alone = !from.guest && !position.has_guest(from.square);
        let plainly = if is_alone {
            self.general.attacks_after(self, position, piece.player, (from.square, on))
        } else {
            None
        };
        plainly.unwrap_or_else(|| {
            let mut imagined = position.clone();
            if imagined.has_guest(on) {
                imagined.take(Spot::guest(on));
            }
            if imagined.occupied(on) {
                imagined.remove(on);
            }
            let (piece, tag) = imagined.take(from);
            imagined.put_at(Spot::host(on), piece, tag);
            if !from.guest {
                imagined.move_marks(from.square, on);
            }
            imagined.let_in(from.square);
            self.is_attacked(&imagined, on, piece.player)
        })
    }
}
