//! The rules engine: compiled rules in, positions, legal moves and outcomes out.
//!
//! The crate has no I/O, no clock and no randomness, and it names mechanics, never games. A game is data: a
//! [`Blueprint`], usually read from JSON by `tabiya-spec`.
//!
//! # Playing
//!
//! [`Rules::compile`] turns a blueprint into immutable tables. A [`Position`] is a small value. Everything else is a
//! method of [`Rules`]:
//!
//! ```
//! use tabiya_engine::Rules;
//! # let blueprint = tabiya_spec::library::load("chess").unwrap().rules.blueprint().clone();
//! let rules = Rules::compile(blueprint)?;
//! let start = rules.start();
//! let moves = rules.legal_moves(&start);
//! assert_eq!(moves.len(), 20);
//!
//! let next = rules.play(&start, moves[0]).expect("a legal move");
//! assert_eq!(rules.outcome(&next), None);
//! assert!(rules.play(&next, moves[0]).is_err(), "the other player is to move");
//! # Ok::<(), tabiya_engine::BlueprintError>(())
//! ```
//!
//! An illegal move returns the rule that forbids it, as data:
//!
//! ```
//! # let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! use tabiya_engine::IllegalMove;
//!
//! let square = |name| rules.board().parse(name).unwrap();
//! let reason = rules.why_illegal(&rules.start(), square("a1"), square("a3"));
//! assert_eq!(reason, IllegalMove::Blocked(square("a2")));
//! ```
//!
//! # Setting up positions
//!
//! A [`Setup`] is an unchecked arrangement. [`Rules::position`] checks it and reports every problem at once;
//! [`Rules::setup`] converts back:
//!
//! ```
//! # let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let mut setup = rules.setup(&rules.start());
//! setup.pieces.retain(|(_, piece)| Some(piece.kind) == rules.leader());
//! let kings = rules.position(&setup).expect("a legal arrangement");
//! assert!(rules.is_dead(&kings));
//! ```
//!
//! # Counting
//!
//! ```
//! # let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! assert_eq!(rules.perft(&rules.start(), 3), 8902);
//! ```
//!
//! # Modules
//!
//! The source follows the data: [`blueprint`] (rules as data) → `compile` → [`Rules`] → `position` → `movegen` →
//! `play` → `endings` and `dead`.
//!
//! # Features
//!
//! - `portable` removes all `unsafe` code: PEXT, AVX-512, and lookups without a bounds check.
//! - `no-avx512` removes only the AVX-512 code.

mod area;
pub mod blueprint;
mod board;
mod board_rows;
mod compile;
mod dead;
mod endings;
mod errors;
mod movegen;
mod moves;
mod orientation;
mod perspective;
mod piece;
mod play;
mod position;
mod random;
mod rules;
mod square;
mod symbol;

pub use blueprint::ending::Trigger;
pub use blueprint::{Blueprint, ending, mechanics};
pub use board::{Board, Link, Topology};
pub use board_rows::BoardRow;
pub use compile::BlueprintError;
#[doc(hidden)]
pub use dead::{DeadCheck, Proof, Winnability};
pub use endings::{Ending, Outcome, PastTurn, PerpetualChecks, Tally, Termination};
#[doc(hidden)]
pub use movegen::{Backend, PerftTotals};
pub use movegen::{Castling, CastlingFault, IllegalMove};
pub use moves::Move;
pub use orientation::{Lattice, Orientation};
pub use perspective::Perspective;
pub use piece::{Flag, Kind, Piece, Player, PlayerSet};
pub use play::{Die, Exchange, Phase, PhaseError, Step, Transition, Turn};
pub use position::{Countdown, Identity, Mark, Position, Setup, SetupError, Spot};
pub use random::SplitMix;
pub use rules::Rules;
pub use square::{FileName, Offset, Square};
pub use symbol::Symbol;
