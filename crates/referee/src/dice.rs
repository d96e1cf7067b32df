//! Where throws of a die come from.

use std::collections::VecDeque;

use tabiya_engine::SplitMix;

/// What a game throws its die from.
#[derive(Clone, Debug)]
pub enum Dice {
    /// From a seed: the same seed gives the same throws.
    Seeded(SplitMix),
    /// From a record of them; there are no others.
    Told(VecDeque<u8>),
}

impl Dice {
    /// From a seed.
    pub fn seeded(seed: u64) -> Self {
        Dice::Seeded(SplitMix::new(seed))
    }

    /// The next throw of a die with so many faces.
    pub(crate) fn throw(&mut self, faces: u8) -> Option<u8> {
        match self {
            Dice::Seeded(numbers) => Some(numbers.throw(faces)),
            Dice::Told(throws) => throws.pop_front(),
        }
    }
}

impl Default for Dice {
    fn default() -> Self {
        Dice::seeded(0)
    }
}
