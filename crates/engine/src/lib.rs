//! Pure play: rules in, positions and moves out. No files, no JSON, no clock, no chance of its own, and no game's name.
//!
//! A [`Blueprint`] says what the rules are; [`Rules::compile`] makes tables of it. A [`Position`] is a small value that
//! is copied; everything is asked of the rules.
//!
//! ```
//! use tabiya_engine::Rules;
//! # let blueprint = tabiya_spec::library::load("chess").unwrap().rules.blueprint().clone();
//! let rules = Rules::compile(blueprint)?;
//! let start = rules.start();
//! let moves = rules.legal_moves(&start);
//! assert_eq!(moves.len(), 20);
//!
//! let next = rules.play(&start, moves[0]).expect("it is legal");
//! assert_eq!(rules.outcome(&next), None);
//! assert!(rules.play(&next, moves[0]).is_err(), "it is the other player's turn");
//! assert_eq!(rules.perft(&start, 3), 8902);
//! # Ok::<(), tabiya_engine::BlueprintError>(())
//! ```

mod aftermath;
mod armies;
mod attack;
pub mod blueprint;
mod chance;
mod dead;
pub mod ending;
mod fast;
mod general;
mod generate;
mod hash;
mod identity;
mod jumps;
mod landing;
pub mod mechanics;
mod memory;
mod moves;
mod offers;
mod outcome;
mod path;
mod pattern;
mod perft;
mod phase;
mod piece;
mod play;
mod position;
mod reactions;
mod refusal;
mod rules;
mod setup;
mod splitmix;
mod square;
mod step;
mod traits;
mod turn;
mod validate;

pub use blueprint::Blueprint;
pub use chance::Die;
pub use dead::Proof;
pub use ending::{Ending, Tally, Trigger};
pub use identity::Identity;
pub use moves::Move;
pub use offers::Exchange;
pub use outcome::{Outcome, Termination};
pub use path::Path;
pub use perft::Made;
pub use phase::{Phase, PhaseError, Transition, Turn};
pub use piece::{Flag, Kind, Piece, Player, PlayerSet};
pub use position::{Countdown, Mark, Position, Spot};
pub use refusal::Refusal;
pub use rules::{BlueprintError, Rules};
pub use setup::{Setup, SetupError};
pub use splitmix::SplitMix;
pub use square::{Board, FileName, Offset, Orientation, Square};
pub use step::Step;
