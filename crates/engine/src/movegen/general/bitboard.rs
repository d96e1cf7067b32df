//! Sets of squares. The number of words is known at compile time, so loops over words unroll.

use std::array::from_fn;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

use crate::square::Square;

/// A set of squares in `W` words; `W` is a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bitboard<const W: usize>([u64; W]);

impl<const W: usize> Bitboard<W> {
    pub(crate) const EMPTY: Self = Bitboard([0; W]);
    pub(crate) const FULL: Self = Bitboard([u64::MAX; W]);

    pub(crate) fn of(words: &[u64; W]) -> Self {
        Bitboard(*words)
    }

    /// Returns the set in a slice of words. Missing words are empty.
    pub(crate) fn from_words(words: &[u64]) -> Self {
        Bitboard(from_fn(|word| words.get(word).copied().unwrap_or(0)))
    }

    pub(crate) fn one(square: Square) -> Self {
        let mut words = [0; W];
        words[square.index() / 64 % W] = 1 << (square.index() % 64);
        Bitboard(words)
    }

    pub(crate) fn has(self, square: Square) -> bool {
        self.0[square.index() / 64 % W] >> (square.index() % 64) & 1 == 1
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    pub(crate) fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    pub(crate) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the squares that are not in the other set.
    pub(crate) fn without(self, other: Self) -> Self {
        Bitboard(from_fn(|word| self.0[word] & !other.0[word]))
    }

    pub(crate) fn lowest(self) -> Option<Square> {
        let word = (0..W).find(|word| self.0[*word] != 0)?;
        Some(Square((word * 64) as u16 + self.0[word].trailing_zeros() as u16))
    }

    pub(crate) fn highest(self) -> Option<Square> {
        let word = (0..W).rev().find(|word| self.0[*word] != 0)?;
        Some(Square((word * 64 + 63) as u16 - self.0[word].leading_zeros() as u16))
    }

    /// Moves every square up by `by` places, wrapping around.
    pub(crate) fn rotated(self, by: usize) -> Self {
        if W == 1 {
            return Bitboard(from_fn(|word| self.0[word].rotate_left(by as u32)));
        }
        let (words, bits) = (by / 64, by % 64);
        Bitboard(from_fn(|word| {
            let high = self.0[(word + W - words % W) % W];
            let low = self.0[(word + 2 * W - words % W - 1) % W];
            high << bits | low >> 1 >> (63 - bits)
        }))
    }
}

/// Iterates over the squares of a set, lowest first.
pub(crate) struct Squares<const W: usize>([u64; W]);

impl<const W: usize> Iterator for Squares<W> {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let word = (0..W).find(|word| self.0[*word] != 0)?;
        let bit = self.0[word].trailing_zeros();
        self.0[word] &= self.0[word] - 1;
        Some(Square((word * 64) as u16 + bit as u16))
    }
}

impl<const W: usize> IntoIterator for Bitboard<W> {
    type Item = Square;
    type IntoIter = Squares<W>;

    fn into_iter(self) -> Squares<W> {
        Squares(self.0)
    }
}

impl<const W: usize> FromIterator<Square> for Bitboard<W> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut words = [0; W];
        for square in squares {
            words[square.index() / 64 % W] |= 1 << (square.index() % 64);
        }
        Bitboard(words)
    }
}

impl<const W: usize> BitAnd for Bitboard<W> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Bitboard(from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const W: usize> BitOr for Bitboard<W> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Bitboard(from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const W: usize> BitXor for Bitboard<W> {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Bitboard(from_fn(|word| self.0[word] ^ other.0[word]))
    }
}

impl<const W: usize> Not for Bitboard<W> {
    type Output = Self;

    fn not(self) -> Self {
        Bitboard(from_fn(|word| !self.0[word]))
    }
}

impl<const W: usize> BitAndAssign for Bitboard<W> {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<const W: usize> BitOrAssign for Bitboard<W> {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const W: usize>() {
        let last = (W * 64 - 1) as u16;
        for square in (0..=last).step_by(7).map(Square).chain([Square(last)]) {
            let set = Bitboard::<W>::one(square);
            assert!(set.has(square) && !set.is_empty());
            assert_eq!((set.lowest(), set.highest(), set.count()), (Some(square), Some(square), 1));
            for by in (0..W * 64).step_by(5) {
                let moved = Square(((square.index() + by) % (W * 64)) as u16);
                assert_eq!(set.rotated(by), Bitboard::one(moved), "{square:?} by {by}");
            }
        }
        let some: Bitboard<W> = [0, 5, 63, last].into_iter().map(Square).collect();
        let mut expected = vec![Square(0), Square(5), Square(63), Square(last)];
        expected.dedup();
        assert_eq!(some.into_iter().collect::<Vec<_>>(), expected);
        assert_eq!((some.lowest(), some.highest()), (Some(Square(0)), Some(Square(last))));
        assert_eq!((Bitboard::<W>::EMPTY.lowest(), Bitboard::<W>::EMPTY.highest()), (None, None));
        assert_eq!(Bitboard::<W>::FULL.without(some).count(), W as u32 * 64 - some.count());
    }

    #[test]
    fn bitboards_of_every_width_store_and_rotate_squares() {
        check::<1>();
        check::<2>();
        check::<4>();
        check::<8>();
        check::<16>();
    }
}
