//! Opponents for any game. They know nothing of any game by name: they ask the rules.
//!
//! ```
//! use tabiya_players::{Chooser, Random};
//!
//! let game = tabiya_spec::load(tabiya_spec::library::find("chess").unwrap().json.as_bytes()).game.unwrap();
//! let start = game.rules.start();
//! let first = Random::new(7).choose(&game.rules, &start);
//! assert_eq!(first, Random::new(7).choose(&game.rules, &start), "the same seed gives the same game");
//! ```

mod random;

pub use random::{Random, SplitMix};

use tabiya_engine::{Move, Position, Rules};

/// Somebody who chooses moves.
pub trait Chooser {
    /// A legal move, or `None` if there is none.
    fn choose(&mut self, rules: &Rules, position: &Position) -> Option<Move>;
}
