//! Move ordering: transposition-table move, good captures, killers, quiet moves by history, bad captures.

use tabiya_engine::Move;

use crate::evaluation::{EvalBoard, Evaluation};

/// History and killer heuristics for quiet moves.
#[derive(Debug)]
pub(super) struct History {
    squares: usize,
    /// The number of pieces; see [`EvalBoard::moving_piece`].
    pieces: usize,
    /// By piece and target square; first for moves, then for drops.
    scores: Vec<i32>,
    /// By ply: the last two quiet moves that caused a cut-off.
    killers: Vec<[Option<Move>; 2]>,
}

/// The greatest history score.
const MAX_HISTORY: i32 = 1 << 14;

const TABLE_MOVE: i32 = i32::MAX;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 24);

impl History {
    pub(super) fn new(evaluation: &Evaluation, max_ply: usize) -> Self {
        let squares = evaluation.squares();
        let pieces = evaluation.piece_types() + 1;
        let tables = if evaluation.has_hands() { 2 } else { 1 };
        let scores = vec![0; tables * pieces * squares];
        History { squares, pieces, scores, killers: vec![[None; 2]; max_ply] }
    }

    /// Rewards a quiet move that caused a beta cut-off and penalises the quiet moves searched before it.
    pub(super) fn record_cutoff(
        &mut self,
        board: &EvalBoard,
        played: Move,
        ply: usize,
        depth: i32,
        before: &[Move],
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(played) {
            *killers = [Some(played), killers[0]];
        }
        let bonus = (depth * depth * 4).min(MAX_HISTORY / 4);
        self.update(board, played, bonus);
        for other in before {
            self.update(board, *other, -bonus);
        }
    }

    /// Adds a bonus. Updates shrink as the score approaches the limit.
    fn update(&mut self, board: &EvalBoard, played: Move, bonus: i32) {
        let index = self.index(board, played);
        let score = &mut self.scores[index];
        *score += bonus - *score * bonus.abs() / MAX_HISTORY;
    }

    pub(super) fn score(&self, board: &EvalBoard, played: Move) -> i32 {
        self.scores[self.index(board, played)]
    }

    fn index(&self, board: &EvalBoard, played: Move) -> usize {
        let first = if played.dropped().is_some() { self.pieces } else { 0 };
        (first + board.moving_piece(played)) * self.squares + played.to.index()
    }
}

/// A move with its material gain.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub(super) played: Move,
    /// See [`Evaluation::move_score`]; 0 for a quiet move.
    pub(super) gain: i32,
    rank: i32,
}

/// An iterator over moves, best first.
pub(super) struct MovePicker {
    moves: Vec<ScoredMove>,
    next: usize,
}

impl MovePicker {
    /// Orders all moves. `is_bad` says whether a capture with a given gain loses material.
    pub(super) fn all(
        evaluation: &Evaluation,
        history: &History,
        board: &EvalBoard,
        ply: usize,
        moves: &[Move],
        table_move: Option<Move>,
        is_bad: impl Fn(Move, i32) -> bool,
    ) -> Self {
        let killers = history.killers[ply];
        let rank = |played: Move, gain: i32| {
            if Some(played) == table_move {
                TABLE_MOVE
            } else if gain > 0 {
                let order = capture_order(evaluation, board, played, gain);
                order + if is_bad(played, gain) { BAD_CAPTURE } else { GOOD_CAPTURE }
            } else if gain < 0 {
                BAD_CAPTURE + gain.max(BAD_CAPTURE / 2)
            } else if killers.contains(&Some(played)) {
                KILLER
            } else {
                history.score(board, played)
            }
        };
        let scored = moves.iter().map(|played| {
            let gain = evaluation.move_score(board, *played);
            ScoredMove { played: *played, gain, rank: rank(*played, gain) }
        });
        MovePicker { moves: scored.collect(), next: 0 }
    }

    /// Orders moves that must be played, for quiescence search.
    pub(super) fn forced(evaluation: &Evaluation, board: &EvalBoard, moves: &[Move]) -> Self {
        let scored = moves.iter().map(|played| {
            let gain = evaluation.move_score(board, *played);
            ScoredMove { played: *played, gain, rank: gain }
        });
        MovePicker { moves: scored.collect(), next: 0 }
    }

    /// Orders the moves that gain material, for quiescence search.
    pub(super) fn captures(evaluation: &Evaluation, board: &EvalBoard, moves: &[Move]) -> Self {
        let scored = moves.iter().filter_map(|played| {
            let gain = evaluation.move_score(board, *played);
            let rank = capture_order(evaluation, board, *played, gain);
            (gain > 0).then_some(ScoredMove { played: *played, gain, rank })
        });
        MovePicker { moves: scored.collect(), next: 0 }
    }
}

/// Most valuable victim first, then least valuable attacker.
fn capture_order(evaluation: &Evaluation, board: &EvalBoard, played: Move, gain: i32) -> i32 {
    16 * gain.min(1 << 19) - evaluation.piece_value(board.moving_piece(played)) / 16
}

impl Iterator for MovePicker {
    type Item = ScoredMove;

    /// Selects the best remaining move; most nodes need only a few, so the list is never sorted. Ties are broken by the
    /// order of moves, because generation order differs between machines.
    fn next(&mut self) -> Option<ScoredMove> {
        let rest = self.moves.get_mut(self.next..).filter(|rest| !rest.is_empty())?;
        let mut best = 0;
        for (index, it) in rest.iter().enumerate() {
            let first = &rest[best];
            if it.rank > first.rank || it.rank == first.rank && it.played < first.played {
                best = index;
            }
        }
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
    }
}
