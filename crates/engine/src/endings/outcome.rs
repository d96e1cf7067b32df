//! The outcome of a game. Who won is separate from why.

use std::fmt;

use crate::piece::PlayerSet;

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winners; empty for a draw.
    pub winners: PlayerSet,
    /// The reason why the game is over.
    pub reason: Termination,
}

/// The reason why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Termination {
    /// The player to move has no legal move, and their leader is attacked.
    Checkmate,
    /// The player to move has no legal move, and their leader is not attacked.
    Stalemate,
    /// A leader was captured.
    LeaderCaptured,
    /// No player has a legal move, in a game that skips players without one.
    NobodyCanMove,
    /// A winning square was held for a round.
    Held,
    /// A listed ending: an index into the list.
    Listed(u8),
}

impl Termination {
    /// All reasons with a fixed protocol word.
    pub const ALL: [Termination; 4] = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::LeaderCaptured,
        Termination::NobodyCanMove,
    ];

    /// Returns the default protocol word; see [`crate::Rules::reason`] for the word of a particular game.
    pub fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::LeaderCaptured => "leader_captured",
            Termination::NobodyCanMove => "nobody_can_move",
            Termination::Held => "held",
            Termination::Listed(_) => "ending",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
