//! The players that can be asked for by name, so that every face offers the same ones.

use crate::{Chooser, Greedy, Random, Search};

/// Every name that [`by_name`] knows, the weakest player first.
pub const NAMES: [&str; 3] = ["random", "greedy", "search"];

/// The player of that name; the same seed gives the same moves.
pub fn by_name(name: &str, seed: u64) -> Option<Box<dyn Chooser + Send>> {
    match name {
        "random" => Some(Box::new(Random::new(seed))),
        "greedy" => Some(Box::new(Greedy::new(seed))),
        "search" => Some(Box::new(Search::new(seed))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_player() {
        assert!(NAMES.iter().all(|name| by_name(name, 0).is_some()));
        assert!(by_name("Random", 0).is_none());
    }
}
