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
    /// Nobody has a legal move, and those without one are passed over.
    NobodyCanMove,
    /// A square that wins was held for a round.
    Held,
    /// One of the endings that the game lists, by its place in the list.
    Listed(u8),
}

impl Termination {
    /// Every reason that needs no name of the game's own.
    pub const ALL: [Termination; 4] = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::LeaderCaptured,
        Termination::NobodyCanMove,
    ];

    /// The word that programs see, if the game has none of its own for it; see [`crate::Rules::reason`].
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
