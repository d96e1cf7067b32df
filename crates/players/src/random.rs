//! The random player.

use tabiya_engine::{Move, Position, Rules, SplitMix};

use crate::{Chooser, Limits};

/// A player that chooses every legal move with the same probability.
#[derive(Clone, Debug)]
pub struct Random(SplitMix);

impl Random {
    /// Creates a player from a seed.
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
