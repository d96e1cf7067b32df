//! Quiescence search: follows captures and promotions until the position is quiet.

use tabiya_engine::{Move, Position};

use super::{AlphaBeta, MAX_QUIESCENCE_DEPTH, Node};
use crate::evaluation::EvalBoard;
use crate::search::bounds::{WIN, Window};
use crate::search::move_picker::MovePicker;

/// The delta-pruning margin in centipawns: what a capture may gain beyond its victim.
const DELTA_MARGIN: i32 = 150;
/// The greatest depth to which compulsory captures are followed. All of them are searched, so that the limit is lower.
const MAX_FORCED_DEPTH: i32 = 6;
/// How much the mobility score of a side may have changed since its last turn, in centipawns.
const MOBILITY_MARGIN: i32 = 60;

impl AlphaBeta<'_> {
    /// Returns the quiescence score of a root position for the player to move.
    pub(in crate::search) fn quiescence_score(&mut self, position: &Position) -> i32 {
        self.player = self.rules.decider(position, self.rules.mover(position));
        self.team = self.rules.team(self.player);
        (self.effort, self.next_stop_check, self.stopped) = (0, 0, false);
        let node = Node { position, ply: 0, mobility: [0, 0], is_after_null_move: false };
        self.quiescence(node, 0, Window::FULL)
    }

    /// Searches captures and promotions only. The side to move may also stand pat, unless it must capture.
    pub(super) fn quiescence(&mut self, mut node: Node<'_>, depth: i32, window: Window) -> i32 {
        let ours = self.is_ours(node.position);
        let mut board = std::mem::take(&mut self.boards[node.ply]);
        self.evaluation.scan(node.position, &mut board, &mut self.structure_cache);
        let stand_pat = self.static_eval(&node, &board, ours);
        // A clear fail-high needs no move generation, though the mobility score is then out of date.
        let is_clear = stand_pat - MOBILITY_MARGIN >= window.beta && !self.evaluation.has_priority();
        let score = if node.position.ended().is_none() && is_clear && !self.must_stop() {
            self.nodes += 1;
            self.effort += 1;
            stand_pat
        } else {
            match self.generate_moves(&mut node, &board, ours) {
                Ok(moves) => self.search_captures(&node, &board, ours, &moves, depth, window),
                Err(score) => score,
            }
        };
        self.boards[node.ply] = board;
        score
    }

    fn search_captures(
        &mut self,
        node: &Node<'_>,
        board: &EvalBoard,
        ours: bool,
        moves: &[Move],
        depth: i32,
        window: Window,
    ) -> i32 {
        let stand_pat = self.static_eval(node, board, ours);
        let must_capture = depth > -MAX_FORCED_DEPTH && self.must_capture(board, moves);
        let (mut best, mut alpha) =
            if must_capture { (-WIN, window.alpha) } else { (stand_pat, window.alpha.max(stand_pat)) };
        if best >= window.beta || depth <= -MAX_QUIESCENCE_DEPTH {
            return best;
        }
        let mover = self.rules.mover(node.position);
        let picker = if must_capture {
            MovePicker::forced(self.evaluation, board, moves)
        } else {
            MovePicker::captures(self.evaluation, board, moves)
        };
        for it in picker {
            if !must_capture && stand_pat + it.gain + DELTA_MARGIN <= alpha {
                continue;
            }
            let attacker = self.evaluation.piece_value(board.moving_piece(it.played));
            if !must_capture
                && it.gain < attacker
                && self.rules.is_attacked(node.position, it.played.to, mover)
            {
                continue;
            }
            let position = self.rules.play_unchecked(node.position, it.played);
            self.pv[node.ply + 1].clear();
            let next = node.child(&position);
            let inner = Window { alpha, beta: window.beta };
            let score = if self.rules.die(&position).is_some() {
                // The die decides which captures come next, so stop here.
                self.evaluate_position(&position, node.ply + 1, ours)
            } else if self.is_ours(&position) == ours {
                self.quiescence(next, depth - 1, inner)
            } else {
                -self.quiescence(next, depth - 1, inner.negated())
            };
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.update_pv(node.ply, it.played);
            }
            if score >= window.beta {
                break;
            }
        }
        best
    }
}
