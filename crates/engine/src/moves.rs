//! One move of one piece.

use crate::piece::Kind;
use crate::position::Spot;
use crate::square::Square;

/// A move of one position. Eight bytes.
///
/// # Equality
///
/// Two moves of the same position are equal if they are the same choice. Comparing moves of different positions or
/// games is meaningless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The source square. For a drop it is not on the board; see [`Move::dropped`].
    pub from: Square,
    /// The target square.
    pub to: Square,
    /// The move pattern: an index into the kind's list of moves.
    pub pattern: u8,
    /// Whether the piece is the guest on its square, not the host.
    pub guest: bool,
    /// The kind that the piece becomes, if it is promoted.
    pub promotion: Option<Kind>,
}

/// The first source of drops, beyond every board.
const FIRST_HAND: u16 = 0xff00;

impl Move {
    /// Returns a drop of a piece from the hand. The pattern is an index into the drops of the game.
    #[inline]
    pub fn drop(kind: Kind, to: Square, pattern: u8) -> Self {
        let from = Square(FIRST_HAND | u16::from(kind.0));
        Move { from, to, pattern, guest: false, promotion: None }
    }

    /// Returns the kind that is dropped from the hand; `None` for every other move.
    #[inline]
    pub fn dropped(self) -> Option<Kind> {
        (self.from.0 >= FIRST_HAND).then_some(Kind(self.from.0 as u8))
    }

    /// Returns where the moving piece stands. A dropped piece stands nowhere: see [`Move::dropped`].
    #[inline]
    pub fn spot(self) -> Spot {
        Spot { square: self.from, guest: self.guest }
    }

    /// Returns the sort key of the move: source, then pattern, then distance; drops by target. Promotions of one move share a key.
    pub(crate) fn sort_key(self) -> u64 {
        let distance = if self.dropped().is_some() { self.to.0 } else { self.from.0.abs_diff(self.to.0) };
        u64::from(self.from.0) << 32
            | u64::from(self.guest) << 24
            | u64::from(self.pattern) << 16
            | u64::from(distance)
    }
}
