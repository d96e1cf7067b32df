//! What earlier parts of the search say about moves: which quiet moves and captures caused cut-offs.

use tabiya_engine::Move;

use crate::evaluation::{EvalBoard, Evaluation, StructureCache};

/// A piece and its target square as one number; drops have numbers alone. 0 stands for no move.
pub(super) type PieceTo = u32;

/// The greatest history score.
pub(super) const MAX_HISTORY: i32 = 1 << 14;
/// Continuation tables with more entries are left out.
const MAX_CONTINUATIONS: usize = 1 << 24;
/// In games where tables of captures would have more entries, captured pieces are not distinguished.
const MAX_CAPTURES: usize = 1 << 22;
/// What one search thread keeps from one search of a game to the next.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// Scores of structures.
    pub(super) structures: StructureCache,
    squares: usize,
    /// The number of pieces; see [`EvalBoard::moving_piece`].
    pieces: usize,
    /// The number of captured pieces that are distinguished.
    victims: usize,
    /// By piece and target.
    quiet: Vec<i16>,
    /// By piece and target of an earlier move, then of this one. Empty if the table would be too large.
    continuation: Vec<i16>,
    /// By piece and target, then by captured piece.
    captures: Vec<i16>,
    /// By piece and target of the previous move: the quiet move that refuted it.
    counters: Vec<Option<Move>>,
    /// By ply: the last two quiet moves that caused a cut-off.
    killers: Vec<[Option<Move>; 2]>,
}

/// Moves before a node that its quiet moves are compared with.
pub(super) type Before = [PieceTo; 2];

impl History {
    pub(super) fn new(evaluation: &Evaluation, max_ply: usize) -> Self {
        let squares = evaluation.squares();
        let pieces = evaluation.piece_types() + 1;
        let tables = if evaluation.has_hands() { 2 } else { 1 };
        let moves = tables * pieces * squares;
        let continuations = Some(moves * moves).filter(|count| *count <= MAX_CONTINUATIONS).unwrap_or(0);
        let victims = if pieces * squares * pieces <= MAX_CAPTURES { pieces } else { 1 };
        History {
            structures: StructureCache::enabled(),
            squares,
            pieces,
            victims,
            quiet: vec![0; moves],
            continuation: vec![0; continuations],
            captures: vec![0; pieces * squares * victims],
            counters: vec![None; moves],
            killers: vec![[None; 2]; max_ply],
        }
    }

    /// Returns the number of a move's piece and target.
    #[inline]
    pub(super) fn piece_to(&self, board: &EvalBoard, played: Move) -> PieceTo {
        let first = if played.dropped().is_some() { self.pieces } else { 0 };
        ((first + board.moving_piece(played)) * self.squares + played.to.index()) as PieceTo
    }

    pub(super) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    pub(super) fn clear_killers(&mut self, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply) {
            *killers = [None; 2];
        }
    }

    pub(super) fn counter(&self, before: Before) -> Option<Move> {
        if before[0] == 0 { None } else { self.counters[before[0] as usize] }
    }

    /// Returns the score of a quiet move.
    #[inline]
    pub(super) fn quiet(&self, piece_to: PieceTo, before: Before) -> i32 {
        let mut score = i32::from(self.quiet[piece_to as usize]);
        if !self.continuation.is_empty() {
            for earlier in before.into_iter().filter(|earlier| *earlier != 0) {
                score += i32::from(self.continuation[self.continuation_index(earlier, piece_to)]);
            }
        }
        score
    }

    #[inline]
    fn continuation_index(&self, earlier: PieceTo, piece_to: PieceTo) -> usize {
        earlier as usize * self.quiet.len() + piece_to as usize
    }

    /// Returns the score of a capture.
    #[inline]
    pub(super) fn capture(&self, board: &EvalBoard, played: Move) -> i32 {
        i32::from(self.captures[self.capture_index(board, played)])
    }

    fn capture_index(&self, board: &EvalBoard, played: Move) -> usize {
        let moved = board.moving_piece(played) * self.squares + played.to.index();
        moved * self.victims + board.piece_on(played.to) % self.victims
    }

    /// Rewards a quiet move that caused a beta cut-off, and penalises the quiet moves searched before it.
    pub(super) fn record_quiet_cutoff(
        &mut self,
        board: &EvalBoard,
        (played, ply, depth): (Move, usize, i32),
        before: Before,
        tried: &[Move],
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(played) {
            *killers = [Some(played), killers[0]];
        }
        if before[0] != 0 {
            self.counters[before[0] as usize] = Some(played);
        }
        let bonus = bonus(depth);
        self.update_quiet(self.piece_to(board, played), before, bonus);
        for other in tried {
            self.update_quiet(self.piece_to(board, *other), before, -bonus);
        }
    }

    /// Rewards a capture that caused a beta cut-off, if one did, and penalises the captures searched before it.
    pub(super) fn record_captures(
        &mut self,
        board: &EvalBoard,
        best: Option<Move>,
        depth: i32,
        tried: &[Move],
    ) {
        let bonus = bonus(depth);
        if let Some(best) = best {
            let index = self.capture_index(board, best);
            update(&mut self.captures[index], bonus);
        }
        for other in tried {
            let index = self.capture_index(board, *other);
            update(&mut self.captures[index], -bonus);
        }
    }

    fn update_quiet(&mut self, piece_to: PieceTo, before: Before, bonus: i32) {
        update(&mut self.quiet[piece_to as usize], bonus);
        if !self.continuation.is_empty() {
            for earlier in before.into_iter().filter(|earlier| *earlier != 0) {
                let index = self.continuation_index(earlier, piece_to);
                update(&mut self.continuation[index], bonus);
            }
        }
    }
}

fn bonus(depth: i32) -> i32 {
    (150 * depth - 80).clamp(40, 1700)
}

/// Adds a bonus. Updates shrink as the score approaches the limit.
fn update(score: &mut i16, bonus: i32) {
    let old = i32::from(*score);
    *score = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}
