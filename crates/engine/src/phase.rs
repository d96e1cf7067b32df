//! Play in two steps, for callers that show a choice before it is made: pick a piece, make its move, and, if it
//! promotes, say what it becomes. A small layer over [`Rules`]; in the end it plays the same moves.

use std::fmt;

use crate::moves::Move;
use crate::outcome::Outcome;
use crate::piece::Kind;
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// Where a turn stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Waiting for a piece to be picked.
    Idle,
    /// A piece has been picked; these are its legal moves.
    Moving(Vec<Move>),
    /// A move has been made that promotes; the turn is not over until one of these is chosen.
    Transforming(Vec<Move>),
    /// The game has ended.
    GameOver(Outcome),
}

impl Phase {
    /// The name of the phase.
    pub fn as_str(&self) -> &'static str {
        match self {
            Phase::Idle => "Idle",
            Phase::Moving(_) => "Moving",
            Phase::Transforming(_) => "Transforming",
            Phase::GameOver(_) => "GameOver",
        }
    }
}

/// What a caller may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition {
    /// Pick the piece on a square. Allowed before a move is made; picking another piece is allowed too.
    CalculateMoves(Square),
    /// Move the picked piece to a square; with the number of the move where several lead there.
    ExecuteMove(Square, Option<i32>),
    /// Say what the moved piece becomes.
    Transform(Kind),
}

/// Why a transition is refused. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhaseError {
    /// This transition has no place in this phase.
    WrongPhase(&'static str),
    /// The piece on the square has no legal move, or there is none.
    NothingToMove(Square),
    /// The picked piece has no such legal move.
    NotLegal(Square),
    /// Several moves lead there; they have these numbers.
    Ambiguous(Vec<i32>),
    /// The kind is not one of the options.
    NotAnOption(Kind),
}

impl fmt::Display for PhaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PhaseError::WrongPhase(phase) => write!(f, "this has no place in the phase {phase}"),
            PhaseError::NothingToMove(square) => {
                write!(f, "nothing on square number {} can move", square.0)
            }
            PhaseError::NotLegal(square) => write!(f, "it cannot go to square number {}", square.0),
            PhaseError::Ambiguous(ids) => write!(f, "several moves lead there: {ids:?}"),
            PhaseError::NotAnOption(kind) => write!(f, "kind number {} is not an option", kind.0),
        }
    }
}

impl std::error::Error for PhaseError {}

/// A turn in progress.
#[derive(Clone, Debug)]
pub struct Turn<'r> {
    rules: &'r Rules,
    position: Position,
    phase: Phase,
}

impl<'r> Turn<'r> {
    /// The turn that a position begins with.
    pub fn new(rules: &'r Rules, position: Position) -> Self {
        let phase = rules.outcome(&position).map_or(Phase::Idle, Phase::GameOver);
        Turn { rules, position, phase }
    }

    /// The position before the turn; while transforming, the move is not on the board yet.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Where the turn stands.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Takes a step, or says why not.
    pub fn apply(&mut self, transition: Transition) -> Result<(), PhaseError> {
        match (transition, &self.phase) {
            (Transition::CalculateMoves(square), Phase::Idle | Phase::Moving(_)) => self.pick(square),
            (Transition::ExecuteMove(to, id), Phase::Moving(moves)) => {
                let moves = moves.clone();
                self.execute(moves, to, id)
            }
            (Transition::Transform(kind), Phase::Transforming(moves)) => {
                let chosen = moves.iter().find(|played| played.promotion == Some(kind)).copied();
                self.finish(chosen.ok_or(PhaseError::NotAnOption(kind))?);
                Ok(())
            }
            (_, phase) => Err(PhaseError::WrongPhase(phase.as_str())),
        }
    }

    fn pick(&mut self, square: Square) -> Result<(), PhaseError> {
        let mut moves = self.rules.legal_moves(&self.position);
        moves.retain(|played| played.from == square);
        if moves.is_empty() {
            return Err(PhaseError::NothingToMove(square));
        }
        self.phase = Phase::Moving(moves);
        Ok(())
    }

    fn execute(&mut self, mut moves: Vec<Move>, to: Square, id: Option<i32>) -> Result<(), PhaseError> {
        let id_of = |played: &Move| self.rules.move_id(&self.position, *played);
        moves.retain(|played| played.to == to && id.is_none_or(|id| id_of(played) == id));
        let Some(first) = moves.first().copied() else { return Err(PhaseError::NotLegal(to)) };
        if moves.iter().any(|played| played.pattern != first.pattern) {
            let mut ids: Vec<i32> = moves.iter().map(id_of).collect();
            ids.dedup();
            return Err(PhaseError::Ambiguous(ids));
        }
        if first.promotion.is_some() {
            self.phase = Phase::Transforming(moves);
        } else {
            self.finish(first);
        }
        Ok(())
    }

    fn finish(&mut self, played: Move) {
        *self = Turn::new(self.rules, self.rules.play_unchecked(&self.position, played));
    }
}
