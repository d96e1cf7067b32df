//! The players that can be asked for by name, so that every face offers the same ones.

use crate::{Carlo, Chooser, Greedy, Level, Random, Search, Values};

/// Every name that [`by_name`] knows: the players, then the levels for people.
pub const NAMES: [&str; 14] = [
    "random", "greedy", "mcts", "search", "level1", "level2", "level3", "level4", "level5", "level6",
    "level7", "level8", "level9", "level10",
];

/// How a player is equipped. A seed alone will do.
#[derive(Clone, Debug, Default)]
pub struct Equipment {
    /// The same seed gives the same moves.
    pub seed: u64,
    /// What pieces are worth, in the game that these values are of; elsewhere the rules tell.
    pub values: Option<Values>,
    /// Threads to think with, if it looks ahead; 0 is 1.
    pub threads: usize,
    /// Megabytes to remember positions in, if it looks ahead; 0 is as it likes.
    pub megabytes: usize,
}

impl From<u64> for Equipment {
    fn from(seed: u64) -> Self {
        Equipment { seed, ..Equipment::default() }
    }
}

/// The player of that name.
pub fn by_name(name: &str, equipment: impl Into<Equipment>) -> Option<Box<dyn Chooser + Send>> {
    let Equipment { seed, values, threads, megabytes } = equipment.into();
    let search = |values: Option<Values>| {
        let search = Search::new(seed).threads(threads).valuing(values);
        if megabytes > 0 { search.memory(megabytes) } else { search }
    };
    match name {
        "random" => Some(Box::new(Random::new(seed))),
        "greedy" => Some(Box::new(Greedy::new(seed).valuing(values))),
        "mcts" => Some(Box::new(Carlo::new(seed).valuing(values))),
        "search" => Some(Box::new(search(values))),
        _ => {
            NAMES.iter().find(|known| **known == name)?;
            let level = name.strip_prefix("level")?.parse().ok()?;
            Some(Box::new(Level::new(level, seed, search(values))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_player() {
        assert!(NAMES.iter().all(|name| by_name(name, 0).is_some()));
        for name in ["Random", "level", "level0", "level11", "level01"] {
            assert!(by_name(name, 0).is_none(), "{name}");
        }
    }
}
