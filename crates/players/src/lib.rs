//! Opponents for any game. They know nothing of any game by name: they ask the rules.
//!
//! ```
//! use tabiya_players::{Chooser, Random, by_name};
//!
//! let game = tabiya_spec::library::load("chess").unwrap();
//! let start = game.rules.start();
//! let first = Random::new(7).choose(&game.rules, &start);
//! assert_eq!(first, Random::new(7).choose(&game.rules, &start), "the same seed gives the same game");
//!
//! let mut player = by_name("search", 7).unwrap();
//! assert!(player.choose(&game.rules, &start).is_some());
//! ```

mod carlo;
mod greedy;
mod grounds;
mod learn;
mod level;
mod limits;
mod names;
mod prove;
mod random;
mod search;
mod structure;
mod survey;
mod tree;
mod values;
mod weights;
mod worth;

pub use carlo::Carlo;
pub use greedy::Greedy;
pub use learn::{Learned, Lesson, learn};
pub use level::Level;
pub use limits::{Limits, Score, Thought};
pub use names::{Equipment, NAMES, by_name};
pub use prove::{Answer, Key, Progress, Proof, Refutation, Task, Unprovable, prove};
pub use random::Random;
pub use search::Search;
pub use tree::{Arrival, Edge, Halving, Seen, Tree, Way};
pub use values::{Number, Values};

pub use tabiya_engine::SplitMix;
use tabiya_engine::{Move, Position, Rules};

/// Somebody who chooses moves.
pub trait Chooser {
    /// A legal move, found within limits, or `None` if there is none. However tight the limits are, a game that is not
    /// over gets a move.
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move>;

    /// The same as the player likes: it bounds its effort by itself, and without a clock.
    fn choose(&mut self, rules: &Rules, position: &Position) -> Option<Move> {
        self.choose_within(rules, position, &Limits::default())
    }
}
