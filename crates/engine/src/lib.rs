//! Pure play: rules in, positions and moves out. No files, no JSON, no clock, no randomness, and no game's name.
pub mod blueprint;
mod attack;
mod generate;
mod hash;
mod landing;
mod moves;
mod outcome;
mod perft;
mod piece;
mod play;
mod position;
mod rules;
mod setup;
mod square;

pub use blueprint::Blueprint;
pub use moves::Move;
pub use outcome::{Outcome, Termination};
pub use piece::{Flag, Kind, Piece, Player, PlayerSet};
pub use position::{Countdown, Mark, Position};
pub use rules::{BlueprintError, Rules};
pub use setup::{Setup, SetupError};
pub use square::{Board, FileName, Offset, Orientation, Square};
