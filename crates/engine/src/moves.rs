//! One move of one piece.

use crate::piece::Kind;
use crate::position::Spot;
use crate::square::Square;

/// A move of one position. Ten bytes.
///
/// In games whose turns have several parts, a move is a whole turn: its first part, and the number of one of the ways to go on; see
/// [`crate::Rules::parts`].
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
    /// Which of the ways to complete the turn is meant, from 1; 0 if the turn has one part. Short for a list of moves.
    pub then: u16,
}

/// The first source of drops, beyond every board.
const FIRST_HAND: u16 = 0xff00;

impl Move {
    /// Returns a drop of a piece from the hand. The pattern is an index into the drops of the game.
    #[inline]
    pub fn drop(kind: Kind, to: Square, pattern: u8) -> Self {
        let from = Square(FIRST_HAND | u16::from(kind.0));
        Move { from, to, pattern, guest: false, promotion: None, then: 0 }
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

    /// Returns the move as a number below 2^55, for tables.
    #[inline]
    pub fn to_bits(self) -> u64 {
        // A board has at most 1,024 squares, so ten bits and one for the hand are enough.
        let from = u64::from(self.from.0 & 0x3ff) | u64::from(self.dropped().is_some()) << 10;
        from | u64::from(self.to.0) << 11
            | u64::from(self.pattern) << 21
            | u64::from(self.guest) << 29
            | self.promotion.map_or(0, |kind| u64::from(kind.0) + 1) << 30
            | u64::from(self.then) << 39
    }

    /// Returns the move of a number that [`Move::to_bits`] has returned.
    #[inline]
    pub fn from_bits(bits: u64) -> Self {
        let from = (bits & 0x3ff) as u16;
        Move {
            from: Square(if bits >> 10 & 1 == 1 { FIRST_HAND | from & 0xff } else { from }),
            to: Square((bits >> 11 & 0x3ff) as u16),
            pattern: (bits >> 21) as u8,
            guest: bits >> 29 & 1 == 1,
            promotion: ((bits >> 30 & 0x1ff) as u16).checked_sub(1).map(|kind| Kind(kind as u8)),
            then: (bits >> 39) as u16,
        }
    }

    /// Returns the first part of the turn alone.
    #[must_use]
    pub(crate) fn first_part(self) -> Self {
        Move { then: 0, ..self }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_a_number() {
        let plain = Move {
            from: Square(1023),
            to: Square(7),
            pattern: 255,
            guest: true,
            promotion: Some(Kind(255)),
            then: 65_535,
        };
        let drop = Move::drop(Kind(200), Square(1000), 3);
        for played in [
            plain,
            drop,
            Move { promotion: None, then: 0, ..plain },
            Move { promotion: Some(Kind(0)), ..drop },
        ] {
            assert_eq!(Move::from_bits(played.to_bits()), played);
            assert!(played.to_bits() < 1 << 55);
        }
    }
}
