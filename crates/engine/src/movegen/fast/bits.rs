//! Sets of squares in one machine value: 64 or 128 bits.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// The operations of a set of squares.
pub(crate) trait Bits:
    Copy
    + Eq
    + std::fmt::Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The empty set.
    const ZERO: Self;
    /// All bits.
    const ALL: Self;

    /// Returns the set of one square.
    fn bit(square: usize) -> Self;
    /// Returns the number of squares.
    fn count(self) -> u32;
    /// Returns the lowest square. The set must not be empty.
    fn lowest(self) -> usize;
    /// Returns the highest square. The set must not be empty.
    fn highest(self) -> usize;
    /// Returns the set without its lowest square.
    fn without_lowest(self) -> Self;
    /// Rotates the bits upwards.
    fn rotate(self, by: u32) -> Self;
    /// Returns the two halves, low first.
    fn halves(self) -> [u64; 2];
    /// Returns the set in a slice of words, low first.
    fn from_words(words: &[u64]) -> Self;

    /// Returns whether the set is empty.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }
}

macro_rules! bits {
    ($ty:ty, $halves:expr, $from_words:expr) => {
        impl Bits for $ty {
            const ZERO: Self = 0;
            const ALL: Self = <$ty>::MAX;
            #[inline(always)]
            fn bit(square: usize) -> Self {
                1 << square
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> usize {
                self.trailing_zeros() as usize
            }
            #[inline(always)]
            fn highest(self) -> usize {
                (<$ty>::BITS - 1 - self.leading_zeros()) as usize
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn rotate(self, by: u32) -> Self {
                self.rotate_left(by)
            }
            #[inline(always)]
            fn halves(self) -> [u64; 2] {
                $halves(self)
            }
            #[inline(always)]
            fn from_words(words: &[u64]) -> Self {
                $from_words(words)
            }
        }
    };
}

bits!(u64, |set| [set, 0], |words: &[u64]| words[0]);
bits!(u128, |set| [set as u64, (set >> 64) as u64], |words: &[u64]| {
    u128::from(words[0]) | u128::from(words[1]) << 64
});

/// Iterates over the squares of a set, lowest first.
#[inline(always)]
pub(crate) fn squares<B: Bits>(mut set: B) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set.is_empty() {
            return None;
        }
        let square = set.lowest();
        set = set.without_lowest();
        Some(square)
    })
}

/// A step of the whole set at once: the squares from which it stays on the board, and the rotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift<B> {
    from: B,
    by: u32,
}

impl<B: Bits> Shift<B> {
    pub(crate) fn new(from: B, by: i32) -> Self {
        Shift { from, by: by.rem_euclid(size_of::<B>() as i32 * 8) as u32 }
    }

    /// Returns the set, one step further.
    #[inline(always)]
    pub(crate) fn of(&self, set: B) -> B {
        (set & self.from).rotate(self.by)
    }
}

/// Returns an entry of a table. Indices are squares or were created together with the table. The bounds check remains
/// in debug builds and with the feature `portable`.
#[inline(always)]
#[allow(unsafe_code, reason = "a bounds check in the innermost lookup costs 10 % of the speed")]
pub(crate) fn lookup<T: Copy>(table: &[T], index: usize) -> T {
    debug_assert!(index < table.len());
    #[cfg(feature = "portable")]
    return table[index];
    // SAFETY: squares are below the size of the board, which is the length of every table by square. An index from
    // PEXT has as many bits as its mask, and the table of the mask has two to that power entries.
    #[cfg(not(feature = "portable"))]
    unsafe {
        *table.get_unchecked(index)
    }
}
