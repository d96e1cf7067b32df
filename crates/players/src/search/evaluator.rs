//! What evaluates positions for the search. The search asks for a number and does not know where it comes from.

use std::fmt;

use tabiya_engine::{Player, Position};

use crate::evaluation::{EvalBoard, Evaluation};
use crate::net::{Accumulators, Net};

/// Evaluates positions for one search thread, and keeps what it can reuse between positions.
pub(super) enum Evaluator<'a> {
    /// The evaluation that is derived from the rules.
    Derived(&'a Evaluation),
    /// A net, with its sums for the positions of the current line.
    Net(&'a Net, Box<Accumulators>),
}

/// A position to evaluate.
#[derive(Clone, Copy)]
#[allow(dead_code, reason = "the derived evaluation needs only some of it")]
pub(super) struct EvalInput<'n> {
    pub(super) position: &'n Position,
    /// The distance from the root. Neighbouring positions of a line have neighbouring distances.
    pub(super) ply: usize,
    /// The board of this position, scanned.
    pub(super) board: &'n EvalBoard,
    /// The player to move.
    pub(super) mover: Player,
    /// The player at the root. With more than two sides, scores are those of the root's side against all others.
    pub(super) root: Player,
    /// Whether the side to move is that of the root.
    pub(super) ours: bool,
    /// The mobility score of the side to move less that of the other sides.
    pub(super) mobility: i32,
}

impl<'a> Evaluator<'a> {
    /// Evaluates with a net if there is one.
    pub(super) fn new(evaluation: &'a Evaluation, net: Option<&'a Net>) -> Self {
        net.map_or(Evaluator::Derived(evaluation), |net| Evaluator::Net(net, Box::default()))
    }

    /// Whether [`EvalInput::mobility`] counts, so that the moves of a position are worth generating for its evaluation.
    pub(super) fn counts_mobility(&self) -> bool {
        match self {
            Evaluator::Derived(_) => true,
            Evaluator::Net(..) => false,
        }
    }

    /// Returns the score of a position in centipawns for the side to move.
    pub(super) fn evaluate(&mut self, input: EvalInput<'_>) -> i32 {
        match self {
            Evaluator::Derived(evaluation) => {
                let score = evaluation.evaluate(input.board, input.root);
                let score = if input.ours { score } else { -score };
                score + input.mobility + evaluation.weights.params.tempo
            }
            Evaluator::Net(net, accumulators) => {
                accumulators.evaluate(net, input.position, input.ply, input.mover)
            }
        }
    }
}

impl fmt::Debug for Evaluator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluator::Derived(_) => f.write_str("Derived"),
            Evaluator::Net(..) => f.write_str("Net"),
        }
    }
}
