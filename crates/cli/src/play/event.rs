//! What happens at the board. Events are told in one of two ways: in words, or as JSON.

use std::path::Path;

use tabiya_engine::{Kind, Move, Player, PlayerSet, Square};
use tabiya_referee::{Action, End};

use super::game::Throw;

/// Something that happened; how things stand after it is in the session.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The game begins, or goes on from a state.
    Start,
    /// A human has to decide.
    Ask,
    /// A move was made.
    Moved {
        player: Player,
        played: Move,
        text: &'a str,
    },
    /// A player gave up.
    Resigned(Player),
    /// A player did something else than to move.
    Acted {
        player: Player,
        act: &'a Action,
    },
    /// The die was thrown.
    Thrown(Throw),
    /// Players fell out of the game.
    Out(PlayerSet),
    /// The game is over.
    End(&'a End),
    /// It is not over, but programs have played long enough by themselves.
    Stopped(usize),
    /// What was asked cannot be done.
    Refused {
        input: &'a str,
        why: &'a str,
    },
    /// A piece becomes another one; which?
    Promotion(&'a [Kind]),
    /// A move that waited for that answer is given up for something else.
    Dropped(&'a str),
    /// The moves of one piece were asked for.
    Targets {
        square: Square,
        moves: &'a [Move],
    },
    /// All moves were asked for.
    Moves(&'a [Move]),
    /// So many turns were taken back.
    Undone(usize),
    Saved(&'a Path),
    Loaded(&'a Path),
    /// The board was asked for.
    Board,
    /// The state was asked for.
    State,
    Rules(&'a str),
    Help,
    /// The human leaves.
    Quit,
}
