//! Attacks on a square: whether an opponent could capture a piece that stands there.

use crate::blueprint::mechanics::Exposure;
use crate::piece::{Piece, Player};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// Returns whether an opponent could capture a piece of `victim` on the square.
    pub fn is_attacked(&self, position: &Position, square: Square, victim: Player) -> bool {
        let about = position.piece(square).map(|piece| piece.kind);
        self.general.attacks_any(self, position, (victim, about), std::iter::once(square))
    }

    /// Returns whether a leader of the player is attacked.
    pub fn in_check(&self, position: &Position, player: Player) -> bool {
        self.leader().is_some_and(|leader| {
            let about = (player, Some(leader));
            self.general.attacks_any(self, position, about, position.squares_of(player, leader))
        })
    }

    /// Returns whether leaders may currently be left attacked.
    pub(crate) fn exposure_now(&self, position: &Position) -> Exposure {
        match self.mechanics().leadership.exposure {
            Exposure::AllowedInCheck if self.in_check(position, self.mover(position)) => Exposure::Allowed,
            exposure => exposure,
        }
    }

    /// Returns whether an attacked leader of the player to move can move, and therefore must.
    pub(crate) fn leader_must_move(&self, position: &Position) -> bool {
        self.mechanics().leadership.must_move && self.general.leader_must_move(self, position)
    }

    /// Returns whether a piece would be attacked on another square. The piece is lifted from its own square first, so
    /// that it does not block a line, and replaces the piece on the other square.
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
            imagined.settle_guest(from.square);
            self.is_attacked(&imagined, on, piece.player)
        })
    }
}
