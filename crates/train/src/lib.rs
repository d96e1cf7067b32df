//! Trains a net for any game with two sides.
//!
//! A [`Training`] runs in generations. Each plays games of the search against itself at a fixed number of nodes, trains a net
//! on the positions of all generations so far, and lets it play against the previous best. The winner plays the games of
//! the next generation. Everything is in a folder on disk, from which an interrupted training goes on.
//!
//! The crate reads no clock: elapsed time enters as a function, and with [`Budget::Positions`] a training follows from its
//! seed alone.

#![allow(
    clippy::cast_precision_loss,
    reason = "numbers of samples are far below 2^52, and weights need few digits"
)]

mod export;
mod folder;
mod model;
mod run;
mod sample;
mod self_play;
mod sprt;
mod trainer;

pub use export::{Exported, export};
pub use folder::{Generation, TrainError};
pub use run::{Budget, Progress, Trained, Training, compare};
pub use sprt::MatchScore;
