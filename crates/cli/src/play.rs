//! A game at the terminal: who sits where, what they type, what they see, and what is kept.
//!
//! The loop in `table` knows no words. It reads lines, `answer` does what they ask for, and both tell events; `speech`
//! says them for people and `wire` writes them for programs.

mod answer;
mod event;
mod form;
mod game;
pub(crate) mod input;
mod promotion;
mod request;
mod saved;
mod seats;
mod speech;
mod table;
mod wire;

pub(crate) use game::TerminalGame;
pub(crate) use saved::Saved;
pub(crate) use seats::Seats;
pub(crate) use table::Table;
