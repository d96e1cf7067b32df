//! A turn in two steps, for user interfaces: select a piece, choose its move, and, if it promotes, choose the new
//! kind. It plays the same moves as [`Rules`].

use crate::endings::Outcome;
use crate::moves::Move;
use crate::piece::Kind;
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// The phase of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No piece is selected.
    Idle,
    /// A piece is selected; these are its legal moves.
    Moving(Vec<Move>),
    /// A promoting move is chosen; these are the options. The turn ends when one is chosen.
    Transforming(Vec<Move>),
    /// The game has ended.
    GameOver(Outcome),
}

impl Phase {
    /// Returns the name of the phase.
    pub fn as_str(&self) -> &'static str {
        match self {
            Phase::Idle => "Idle",
            Phase::Moving(_) => "Moving",
            Phase::Transforming(_) => "Transforming",
            Phase::GameOver(_) => "GameOver",
        }
    }
}

/// An input of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transition {
    /// Selects the piece in a spot. Allowed until a move is chosen; another piece may be selected instead.
    CalculateMoves(Spot),
    /// Moves the selected piece to a square. The number of the move is needed if several lead there.
    ExecuteMove(Square, Option<i32>),
    /// Chooses the new kind of the moved piece.
    Transform(Kind),
}

/// The reason why a transition is rejected. The turn is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PhaseError {
    /// The transition is not allowed in this phase.
    WrongPhase(&'static str),
    /// The piece on this square has no legal move, or there is none.
    NothingToMove(Square),
    /// The selected piece has no legal move to this square.
    NotLegal(Square),
    /// Several moves lead there; these are their numbers.
    Ambiguous(Vec<i32>),
    /// The kind is not one of the options.
    NotAnOption(Kind),
}

crate::error_messages! { PhaseError:
    PhaseError::WrongPhase(phase) => "this is not allowed in phase {phase}";
    PhaseError::NothingToMove(Square(square)) => "no piece on square number {square} can move";
    PhaseError::NotLegal(Square(square)) => "the piece cannot move to square number {square}";
    PhaseError::Ambiguous(ids) => "several moves lead there, with these numbers: {ids:?}";
    PhaseError::NotAnOption(Kind(kind)) => "kind number {kind} is not an option";
}

/// A turn in progress.
#[derive(Clone, Debug)]
pub struct Turn<'r> {
    rules: &'r Rules,
    position: Position,
    phase: Phase,
}

impl<'r> Turn<'r> {
    /// Returns the turn at the start of a position.
    pub fn new(rules: &'r Rules, position: Position) -> Self {
        let phase = rules.outcome(&position).map_or(Phase::Idle, Phase::GameOver);
        Turn { rules, position, phase }
    }

    /// Returns the position before the turn. A move that awaits a promotion is not on the board yet.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the current phase.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Applies a transition.
    ///
    /// # Errors
    ///
    /// Returns the reason if the transition is not possible. The turn is then unchanged.
    pub fn apply(&mut self, transition: Transition) -> Result<(), PhaseError> {
        match (transition, &self.phase) {
            (Transition::CalculateMoves(spot), Phase::Idle | Phase::Moving(_)) => self.pick(spot),
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

    fn pick(&mut self, spot: Spot) -> Result<(), PhaseError> {
        let mut moves = self.rules.legal_moves(&self.position);
        moves.retain(|played| played.spot() == spot);
        if moves.is_empty() {
            return Err(PhaseError::NothingToMove(spot.square));
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
