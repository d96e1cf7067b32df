//! Any arrangement of pieces, sense or nonsense, and the one gate from it to a [`Position`].

use std::fmt;

use crate::outcome::Termination;
use crate::piece::{Piece, PlayerSet};
use crate::position::{Mark, Position};
use crate::rules::Rules;
use crate::square::Square;

/// An arrangement that nobody has looked at yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// Pieces on squares, in any order.
    pub pieces: Vec<(Square, Piece)>,
    /// Flags on pieces.
    pub marks: Vec<Mark>,
    /// Index into the order: whose turn it is.
    pub slot: u16,
    /// Players who are out.
    pub eliminated: PlayerSet,
    /// Why the game is over, if only one player is left; a captured leader, if it is not known.
    pub ended: Option<Termination>,
}

/// Why an arrangement is no position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// A piece stands off the board or on a hole.
    NoSuchSquare(Square),
    /// Two pieces stand on one square.
    SquareTaken(Square),
    /// A piece is of a kind or player that the game does not have.
    NoSuchPiece(Square),
    /// A flag lies on an empty square, is not one of the game, or comes from a slot that is not in the order.
    BadFlag(Square),
    /// The same flag lies twice on one piece.
    FlagTwice(Square),
    /// The turn is not in the order.
    NoSuchTurn(u16),
    /// A player is out who is not in the game.
    NoSuchPlayer,
    /// It is the turn of a player who is out.
    TurnOfEliminated,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NoSuchSquare(square) => write!(f, "square number {} is not on the board", square.0),
            SetupError::SquareTaken(square) => write!(f, "two pieces stand on square number {}", square.0),
            SetupError::NoSuchPiece(square) => {
                write!(f, "the piece on square number {} is not of this game", square.0)
            }
            SetupError::BadFlag(square) => {
                write!(f, "the flag on square number {} is not of this game or lies on no piece", square.0)
            }
            SetupError::FlagTwice(square) => write!(f, "a flag lies twice on square number {}", square.0),
            SetupError::NoSuchTurn(slot) => write!(f, "turn {slot} is not in the order"),
            SetupError::NoSuchPlayer => f.write_str("a player is out who is not in the game"),
            SetupError::TurnOfEliminated => f.write_str("it is the turn of a player who is out"),
        }
    }
}

impl std::error::Error for SetupError {}

impl Rules {
    /// The gate: the position of an arrangement, or every reason why it is none.
    pub fn position(&self, setup: &Setup) -> Result<Position, Vec<SetupError>> {
        let mut errors = Vec::new();
        let order = self.blueprint.order.len();
        if usize::from(setup.slot) >= order {
            errors.push(SetupError::NoSuchTurn(setup.slot));
        }
        let strangers = setup.eliminated.without(self.players().collect());
        if !strangers.is_empty() {
            errors.push(SetupError::NoSuchPlayer);
        }
        let mut position =
            Position::empty(self.board.len(), self.players().count(), self.kinds().count(), setup.slot);
        for &(square, piece) in &setup.pieces {
            let known =
                piece.player.index() < self.players().count() && piece.kind.index() < self.kinds().count();
            if !self.board.has(square) {
                errors.push(SetupError::NoSuchSquare(square));
            } else if !known {
                errors.push(SetupError::NoSuchPiece(square));
            } else if position.occupied(square) {
                errors.push(SetupError::SquareTaken(square));
            } else {
                position.put(square, piece);
            }
        }
        for &mark in &setup.marks {
            let known = mark.flag.index() < self.blueprint.flags.len()
                && mark.countdown.is_none_or(|it| usize::from(it.slot) < order && it.remaining > 0);
            if !known || !self.board.has(mark.square) || !position.occupied(mark.square) {
                errors.push(SetupError::BadFlag(mark.square));
            } else if position.marked(mark.square, mark.flag) {
                errors.push(SetupError::FlagTwice(mark.square));
            } else {
                position.mark(mark);
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        position.eliminate(setup.eliminated);
        if self.alive(&position).len() <= 1 && self.seated.len() > 1 {
            position.end(setup.ended.unwrap_or(Termination::LeaderCaptured));
        } else if setup.eliminated.contains(self.turn_of(setup.slot)) {
            return Err(vec![SetupError::TurnOfEliminated]);
        }
        self.settle(&mut position);
        Ok(position)
    }

    /// The arrangement of a position.
    pub fn setup(&self, position: &Position) -> Setup {
        Setup {
            pieces: position.pieces().collect(),
            marks: position.marks().to_vec(),
            slot: position.slot(),
            eliminated: position.eliminated(),
            ended: position.ended(),
        }
    }

    pub(crate) fn start_setup(&self) -> Setup {
        let pieces =
            self.blueprint.start.iter().map(|placed| {
                (placed.square, Piece { player: placed.player, kind: placed.kind, unmoved: true })
            });
        Setup { pieces: pieces.collect(), slot: self.blueprint.start_at, ..Setup::default() }
    }
}
