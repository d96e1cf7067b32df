//! (in work)
use std::fmt;
use tabiya_engine::{Kind, Move, Position, Rules};

/// Why a text is no legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Not of the form `e2e4`, `e2 e4` or `[4,1] [4,3]`.
    Unreadable(String),
    /// The piece must become one of these.
    NeedsPromotion(Vec<Kind>),
    /// Several moves fit; each has its own number.
    Ambiguous(Vec<Move>),
    /// The rules forbid it, for this reason.
    Illegal(String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for MoveError {}

/// Reads a move: `e2e4`, `e2 e4`, `[4,1] [4,3]`, with `q` for promotion and `#9` for the number of the move.
pub fn parse_move(_rules: &Rules, _position: &Position, _text: &str) -> Result<Move, MoveError> {
    todo!()
}

/// Writes a move so that it can be read back in this position.
pub fn move_text(_rules: &Rules, _position: &Position, _played: Move) -> String {
    todo!()
}
