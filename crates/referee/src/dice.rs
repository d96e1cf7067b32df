//! The source of dice throws.

use std::collections::VecDeque;

use tabiya_engine::SplitMix;

/// The source of a game's throws.
#[derive(Clone, Debug)]
pub enum Dice {
    /// Random throws. The same seed gives the same throws.
    Seeded(SplitMix),
    /// Recorded throws, and no others.
    Recorded(VecDeque<u8>),
}

impl Dice {
    /// Creates dice with a seed.
    pub fn seeded(seed: u64) -> Self {
        Dice::Seeded(SplitMix::new(seed))
    }

    /// Throws a die with this number of faces.
    pub(crate) fn throw(&mut self, faces: u8) -> Option<u8> {
        match self {
            Dice::Seeded(numbers) => Some(numbers.throw(faces)),
            Dice::Recorded(throws) => throws.pop_front(),
        }
    }
}

impl Default for Dice {
    fn default() -> Self {
        Dice::seeded(0)
    }
}
