//! Positions and moves as text and as JSON, for every game.

mod moves;
mod refusal;
mod state;

pub use moves::{MoveError, move_text, parse_move};

pub use state::{State, StateError, parse_state, state_json, state_text};
