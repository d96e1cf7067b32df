//! The one source of numbers for whatever is left to chance. Whoever needs it brings the seed.

/// A source of numbers that are the same for the same seed, on every machine and in every version: saved games and
/// tests rely on it. (`SplitMix64`; libraries may change their algorithms, this one never does.)
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
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A throw of a die with so many faces, from 1 on. Records name their seed, so it is this and nothing else.
    pub fn throw(&mut self, faces: u8) -> u8 {
        let high = self.next_u64() >> 32;
        1 + ((high * u64::from(faces)) >> 32) as u8
    }

    /// Puts things into any order, each with the same chance.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}
