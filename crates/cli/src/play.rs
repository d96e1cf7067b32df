//! A game in the terminal: seats, commands, output and saved games.
//!
//! `terminal` has the main loop. It parses each line as a `command`, `execute` carries it out, and both emit events, which
//! `text_output` or `json_output` prints.

mod command;
mod event;
mod execute;
mod game;
mod json_output;
mod promotion;
mod save_format;
mod saved_game;
mod seats;
mod terminal;
mod text_output;

pub(crate) use game::TerminalGame;
pub(crate) use saved_game::SavedGame;
pub(crate) use seats::Seats;
pub(crate) use terminal::Terminal;
