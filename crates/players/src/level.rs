//! Players for people, from one who overlooks a lot to one who overlooks nothing that the search can see.
//!
//! A weaker level looks at fewer positions, takes moves for equal that are not, and now and then plays whatever comes to
//! its mind. All of that comes from its seed, so it plays the same game again.

use tabiya_engine::{Move, Position, Rules};

use crate::{Chooser, Limits, Search, SplitMix};

/// A player of a level from 1 to 10.
#[derive(Clone, Debug)]
pub struct Level {
    habits: Habits,
    dice: SplitMix,
    search: Search,
}

/// What makes a player weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Habits {
    /// It looks at so many positions before a move.
    nodes: u64,
    /// By less than so many hundredths it does not tell one move from another.
    whims: usize,
    /// So many moves of a thousand are whatever comes to its mind.
    slips: usize,
}

/// From the weakest to the strongest.
const LEVELS: [Habits; 10] = [
    Habits { nodes: 10, whims: 400, slips: 350 },
    Habits { nodes: 30, whims: 250, slips: 220 },
    Habits { nodes: 80, whims: 160, slips: 140 },
    Habits { nodes: 200, whims: 110, slips: 80 },
    Habits { nodes: 600, whims: 80, slips: 40 },
    Habits { nodes: 2_000, whims: 50, slips: 15 },
    Habits { nodes: 6_000, whims: 30, slips: 0 },
    Habits { nodes: 20_000, whims: 20, slips: 0 },
    Habits { nodes: 70_000, whims: 10, slips: 0 },
    Habits { nodes: 300_000, whims: 5, slips: 0 },
];

impl Level {
    /// The player of a level, from 1 to 10 (others are taken for the nearest), who thinks with a search.
    pub fn new(level: usize, seed: u64, search: Search) -> Self {
        let habits = LEVELS[level.clamp(1, LEVELS.len()) - 1];
        Level { habits, dice: SplitMix::new(!seed), search: search.whims(habits.whims) }
    }
}

impl Chooser for Level {
    /// The limits of the level and those of the game: the first that is reached ends the thought.
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        if self.dice.below(1000) < self.habits.slips {
            let moves = rules.legal_moves(position);
            return (!moves.is_empty()).then(|| moves[self.dice.below(moves.len())]);
        }
        let nodes = limits.nodes.map_or(self.habits.nodes, |nodes| nodes.min(self.habits.nodes));
        self.search.choose_within(rules, position, &Limits { nodes: Some(nodes), ..*limits })
    }
}
