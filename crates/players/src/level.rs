//! Players of graded strength for human opponents.
//!
//! A weaker level searches fewer nodes, adds more noise to its scores and sometimes plays a random move. All of it
//! follows from the seed, so games can be repeated.

use tabiya_engine::{Move, Position, Rules};

use crate::{Chooser, Limits, Search, SplitMix};

/// A player with a strength from 1 to 10.
#[derive(Clone, Debug)]
pub struct Level {
    strength: Strength,
    rng: SplitMix,
    search: Search,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Strength {
    /// The node limit of each move.
    nodes: u64,
    /// The noise of each root move, in centipawns.
    noise: usize,
    /// How many moves of a thousand are random.
    blunders: usize,
}

/// From the weakest to the strongest.
const LEVELS: [Strength; 10] = [
    Strength { nodes: 10, noise: 400, blunders: 350 },
    Strength { nodes: 30, noise: 250, blunders: 220 },
    Strength { nodes: 80, noise: 160, blunders: 140 },
    Strength { nodes: 200, noise: 110, blunders: 80 },
    Strength { nodes: 600, noise: 80, blunders: 40 },
    Strength { nodes: 2_000, noise: 50, blunders: 15 },
    Strength { nodes: 6_000, noise: 30, blunders: 0 },
    Strength { nodes: 20_000, noise: 20, blunders: 0 },
    Strength { nodes: 70_000, noise: 10, blunders: 0 },
    Strength { nodes: 300_000, noise: 5, blunders: 0 },
];

impl Level {
    /// Creates a player of a level, clamped to 1 to 10, on top of a search.
    pub fn new(level: usize, seed: u64, search: Search) -> Self {
        let strength = LEVELS[level.clamp(1, LEVELS.len()) - 1];
        Level { strength, rng: SplitMix::new(!seed), search: search.noise(strength.noise) }
    }
}

impl Chooser for Level {
    /// Applies the node limit of the level in addition to `limits`.
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        if self.rng.below(1000) < self.strength.blunders {
            let moves = rules.legal_moves(position);
            return (!moves.is_empty()).then(|| moves[self.rng.below(moves.len())]);
        }
        let nodes = limits.nodes.map_or(self.strength.nodes, |nodes| nodes.min(self.strength.nodes));
        self.search.choose_within(rules, position, &Limits { nodes: Some(nodes), ..*limits })
    }
}
