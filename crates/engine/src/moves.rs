//! One move of one piece.

use crate::piece::Kind;
use crate::position::Spot;
use crate::square::Square;

/// A move, as the rules of one game number it. Eight bytes.
///
/// Two moves are equal if they are the same choice in the same position; across positions or games it means
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square on which it lands.
    pub to: Square,
    /// Which of the piece's moves it is: an index into its list.
    pub pattern: u8,
    /// Whether the piece is the guest on its square, and not the host.
    pub guest: bool,
    /// What the piece becomes.
    pub promotion: Option<Kind>,
}

impl Move {
    /// Where the piece stands that moves.
    pub fn spot(self) -> Spot {
        Spot { square: self.from, guest: self.guest }
    }

    /// Its place in the order of moves: by source, then by the piece's list of moves, then by distance. One number, so
    /// that sorting is quick; promotions of one move share it.
    pub(crate) fn place(self) -> u64 {
        let distance = self.from.0.abs_diff(self.to.0);
        u64::from(self.from.0) << 32
            | u64::from(self.guest) << 24
            | u64::from(self.pattern) << 16
            | u64::from(distance)
    }
}
