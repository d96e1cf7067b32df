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
    /// The source square.
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

impl Move {
    /// Returns where the moving piece stands.
    #[inline]
    pub fn spot(self) -> Spot {
        Spot { square: self.from, guest: self.guest }
    }

    /// Returns the sort key of the move: source, then pattern, then distance. Promotions of one move share a key.
    pub(crate) fn sort_key(self) -> u64 {
        let distance = self.from.0.abs_diff(self.to.0);
        u64::from(self.from.0) << 32
            | u64::from(self.guest) << 24
            | u64::from(self.pattern) << 16
            | u64::from(distance)
    }
}
