//! The random number generator that all crates share. The caller provides the seed.

/// A seeded random number generator (`SplitMix64`).
///
/// The numbers for a seed are the same on every machine and in every version. Saved games and tests rely on this,
/// which is why the generator is not taken from a library.
///
/// # Examples
///
/// ```
/// use tabiya_engine::SplitMix;
///
/// let mut dice = SplitMix::new(1);
/// let throws: Vec<u8> = (0..12).map(|_| dice.throw(6)).collect();
/// assert_eq!(throws, [4, 5, 6, 3, 3, 5, 6, 4, 2, 5, 3, 4]);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Returns the generator for a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }

    /// Returns the next number.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `bound`, which must not be 0.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// Returns a throw of a die with `faces` faces, counted from 1. Game records store only the seed, so this formula
    /// must never change.
    #[inline]
    pub fn throw(&mut self, faces: u8) -> u8 {
        let high = self.next_u64() >> 32;
        1 + ((high * u64::from(faces)) >> 32) as u8
    }

    /// Shuffles a slice; every order is equally likely.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
