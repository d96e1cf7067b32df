//! (in work)
use std::fmt;
use tabiya_engine::{Position, Rules};

/// A position with the two counters of board text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The position.
    pub position: Position,
    /// Turns since the last capture or irreversible move, as written.
    pub quiet: u32,
    /// Number of the round, from 1.
    pub round: u32,
}

/// Every reason why a text is no state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateError {
    /// One sentence each.
    pub reasons: Vec<String>,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reasons.join("; "))
    }
}

impl std::error::Error for StateError {}

/// Reads board text, or the state as JSON.
pub fn parse_state(_rules: &Rules, _text: &str) -> Result<State, StateError> {
    todo!()
}

/// Writes board text.
pub fn state_text(_rules: &Rules, _state: &State) -> String {
    todo!()
}

/// The state as JSON, outcome included.
pub fn state_json(_rules: &Rules, _position: &Position) -> serde_json::Value {
    todo!()
}
