//! The players by name, so that every interface offers the same ones.

use crate::{Chooser, Greedy, Level, Mcts, NetChoice, Random, Search, Values};

/// Every name that [`by_name`] knows: the players, then the levels.
pub const NAMES: [&str; 14] = [
    "random", "greedy", "mcts", "search", "level1", "level2", "level3", "level4", "level5", "level6",
    "level7", "level8", "level9", "level10",
];

/// The options of a player. A seed converts into options with defaults.
#[derive(Clone, Debug, Default)]
pub struct PlayerOptions {
    /// The random seed. The same seed gives the same moves.
    pub seed: u64,
    /// Evaluation weights for the game that they belong to. Without them, weights follow from the rules.
    pub values: Option<Values>,
    /// The net of `search` and the levels. Evaluation weights replace the one that comes with the program.
    pub net: NetChoice,
    /// The number of search threads; 0 means 1.
    pub threads: usize,
    /// The size of the transposition table; 0 means the default.
    pub hash_megabytes: usize,
}

impl From<u64> for PlayerOptions {
    fn from(seed: u64) -> Self {
        PlayerOptions { seed, ..PlayerOptions::default() }
    }
}

/// Creates a player by its name, or returns `None` if the name is not in [`NAMES`].
pub fn by_name(name: &str, options: impl Into<PlayerOptions>) -> Option<Box<dyn Chooser + Send>> {
    let PlayerOptions { seed, values, net, threads, hash_megabytes } = options.into();
    let search = |values: Option<Values>| {
        let search = Search::new(seed).threads(threads).with_net(net).with_values(values);
        if hash_megabytes > 0 { search.hash_megabytes(hash_megabytes) } else { search }
    };
    match name {
        "random" => Some(Box::new(Random::new(seed))),
        "greedy" => Some(Box::new(Greedy::new(seed).with_values(values))),
        "mcts" => Some(Box::new(Mcts::new(seed).with_values(values))),
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
