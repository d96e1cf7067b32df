//! The player who moves at random, and the source of its randomness.

use tabiya_engine::{Move, Position, Rules};

use crate::{Chooser, Limits};

/// A source of numbers that are the same for the same seed, on every machine and in every version: saved games and
/// tests rely on it. (`SplitMix64`; libraries may change their algorithms, this one never does.)
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

    /// Puts things into any order, each with the same chance.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

/// Chooses each legal move with the same chance.
#[derive(Clone, Debug)]
pub struct Random(SplitMix);

impl Random {
    /// The player of a seed.
    pub fn new(seed: u64) -> Self {
        Random(SplitMix::new(seed))
    }
}

impl Chooser for Random {
    fn choose_within(&mut self, rules: &Rules, position: &Position, _: &Limits<'_>) -> Option<Move> {
        let moves = rules.legal_moves(position);
        (!moves.is_empty()).then(|| moves[self.0.below(moves.len())])
    }
}
