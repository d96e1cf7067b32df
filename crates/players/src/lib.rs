//! Computer players for any game. They know no game by name; everything comes from the rules.
//!
//! | player | method |
//! |---|---|
//! | [`Random`] | a uniformly random move |
//! | [`Greedy`] | one move ahead |
//! | [`Search`] | alpha-beta with quiescence search and a transposition table |
//! | [`Mcts`] | Monte Carlo tree search |
//! | [`Level`] | [`Search`] weakened for human opponents |
//!
//! [`Values`] is the evaluation, [`tune()`] fits it to games, and [`prove()`] finds forced wins. [`Tree`] is the search tree
//! that [`Mcts`] shares with `tabiya-learn`.
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

mod evaluation;
mod greedy;
mod level;
mod limits;
mod mcts;
mod names;
mod net;
mod prove;
mod random;
mod search;
mod tuning;
mod values;

pub use greedy::Greedy;
pub use level::Level;
pub use limits::{Limits, Score, SearchInfo};
pub use mcts::Mcts;
pub use mcts::tree::{Edge, ImprovedPolicy, Leaf, SequentialHalving, Tree, TreePath};
pub use names::{NAMES, PlayerOptions, by_name};
pub use net::{Features, Net, NetChoice, NetError, NetWeights};
pub use prove::{Answer, Key, Progress, Proof, Refutation, Task, Unprovable, prove};
pub use random::Random;
pub use search::{Search, SearchParams};
pub use tuning::{Tuned, TuningSample, tune};
pub use values::{Values, Weight};

pub use tabiya_engine::SplitMix;
use tabiya_engine::{Move, Position, Rules};

/// A player that chooses moves.
pub trait Chooser {
    /// Chooses a legal move within limits. Returns `None` only if the game is over; however tight the limits are, there
    /// is always time for some move.
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move>;

    /// Chooses a legal move without limits. The player bounds its own effort, without a clock.
    fn choose(&mut self, rules: &Rules, position: &Position) -> Option<Move> {
        self.choose_within(rules, position, &Limits::default())
    }
}
