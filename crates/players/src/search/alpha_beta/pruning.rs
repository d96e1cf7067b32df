//! Pruning of whole nodes: razoring, reverse futility and the null move.

use super::moves::Buffers;
use super::{AlphaBeta, Node, NodeInfo};
use crate::search::bounds::{MIN_WIN, Window};

impl AlphaBeta<'_> {
    /// Returns a score if the node is decided without searching its moves.
    pub(super) fn prune(
        &mut self,
        info: &NodeInfo<'_>,
        buffers: &mut Buffers<'_>,
        depth: i32,
        window: Window,
    ) -> Option<i32> {
        let NodeInfo { node, board, moves, in_check, static_eval, improving, .. } = *info;
        let params = self.params;
        let is_allowed = window.is_null() && !in_check && window.is_ordinary();
        if !is_allowed || self.must_capture(board, moves) {
            return None;
        }
        let hope = params.razoring + params.razoring_square * depth * depth;
        if depth <= params.razoring_depth && static_eval + hope <= window.alpha {
            let score = self.quiescence(Node { near: Some(board), ..*node }, 0, window);
            if score <= window.alpha && !self.stopped {
                return Some(score);
            }
        }
        if static_eval < window.beta {
            return None;
        }
        let margin = params.reverse_futility * (depth - i32::from(improving));
        if depth <= params.reverse_futility_depth && static_eval - margin >= window.beta {
            return Some(static_eval.min(MIN_WIN - 1));
        }
        self.try_null_move(info, buffers, depth, window)
    }

    /// Lets the side to move pass. If even that fails high, so would a move, unless every move is bad: deep results are
    /// verified by a search without passing.
    fn try_null_move(
        &mut self,
        info: &NodeInfo<'_>,
        buffers: &mut Buffers<'_>,
        depth: i32,
        window: Window,
    ) -> Option<i32> {
        let NodeInfo { node, board, ours, static_eval, .. } = *info;
        let params = self.params;
        let mover = self.rules.mover(node.position);
        if depth < params.null_move_depth
            || node.is_after_null_move
            || node.ply < self.null_move_from
            || !self.evaluation.has_phase_material(board, mover)
        {
            return None;
        }
        // A null move proves nothing if the same side moves next.
        let position = self.rules.null_move(node.position).filter(|next| self.is_ours(next) != ours)?;
        self.stack[node.ply].moved = 0;
        self.stack[node.ply + 1].pv.clear();
        let more = ((static_eval - window.beta) / params.null_move_margin.max(1)).min(3);
        let reduced = depth - params.null_move - depth / params.null_move_divisor.max(1) - more;
        let parent = Node { near: Some(board), is_cut: !node.is_cut, ..*node };
        let next = Node { is_after_null_move: true, ..parent.child(&position) };
        let null = Window::null(window.beta - 1);
        let score = -self.search_node(next, reduced, null.negated());
        if score < window.beta || self.stopped {
            return None;
        }
        let score = score.min(MIN_WIN - 1);
        if depth < params.null_move_verified || self.null_move_from > 0 {
            return Some(score);
        }
        self.null_move_from = node.ply + 1 + (reduced.max(0) as usize) * 3 / 4;
        let verified = self.search_moves(info, buffers, reduced.max(1), null, None);
        self.null_move_from = 0;
        (verified >= window.beta && !self.stopped).then_some(score)
    }
}
