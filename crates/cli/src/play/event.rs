//! Events of a game, printed as text or as JSON.

use std::path::Path;

use tabiya_engine::{Kind, Move, Player, PlayerSet, Square};
use tabiya_referee::{Action, End};

use super::game::Throw;

/// An event. The state after it is in the session.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The game starts.
    Start,
    /// A human must decide.
    Ask,
    /// A move was made.
    Moved {
        player: Player,
        played: Move,
        text: &'a str,
    },
    /// The turns of these players were skipped.
    PassedOver(&'a [Player]),
    /// A player resigned.
    Resigned(Player),
    /// A player did something other than move or resign.
    Acted {
        player: Player,
        act: &'a Action,
    },
    /// The die was thrown.
    Thrown(&'a Throw),
    /// Players were eliminated.
    Out(PlayerSet),
    /// The game is over.
    End(&'a End),
    /// Programs have reached the limit of turns without a human decision.
    Stopped(usize),
    /// A line was rejected.
    Refused {
        input: &'a str,
        why: &'a str,
    },
    /// A promotion needs its piece.
    Promotion(&'a [Kind]),
    /// A move that waited for its promotion piece was cancelled.
    Dropped(&'a str),
    /// The moves of one piece.
    Targets {
        square: Square,
        moves: &'a [Move],
    },
    /// The drops of one kind.
    HandTargets {
        kind: Kind,
        moves: &'a [Move],
    },
    /// All legal moves.
    Moves(&'a [Move]),
    /// This many turns were taken back.
    Undone(usize),
    Saved(&'a Path),
    Loaded(&'a Path),
    /// The board.
    Board,
    /// The state.
    State,
    Rules(&'a str),
    Help,
    /// The human left.
    Quit,
}
