//! How a game ended: who won, and why. The two are kept apart.

use std::fmt;

use crate::piece::PlayerSet;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won; nobody, if it is a draw.
    pub winners: PlayerSet,
    /// Why the game is over.
    pub reason: Termination,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Termination {
    /// No legal move, and a leader stands attacked.
    Checkmate,
    /// No legal move, and no leader stands attacked.
    Stalemate,
    /// A leader was captured.
    LeaderCaptured,
}

impl Termination {
    /// Every reason.
    pub const ALL: [Termination; 3] =
        [Termination::Checkmate, Termination::Stalemate, Termination::LeaderCaptured];

    /// The word that programs see.
    pub fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::LeaderCaptured => "leader_captured",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
