//! Quiescence search: follows captures and promotions until the position is quiet.

use tabiya_engine::{Move, Position};

use super::{AlphaBeta, MAX_QUIESCENCE_DEPTH, Memory, NODE_EFFORT, Node};
use crate::evaluation::EvalBoard;
use crate::search::bounds::{Bound, MAX_LOSS, WIN, Window};
use crate::search::move_picker::{CapturePicker, Ordering};
use crate::search::transposition_table::Entry;

/// The greatest depth to which compulsory captures are followed. All of them are searched, so that the limit is lower.
const MAX_FORCED_DEPTH: i32 = 6;

impl AlphaBeta<'_> {
    /// Returns the quiescence score of a root position for the player to move.
    pub(in crate::search) fn quiescence_score(&mut self, position: &Position) -> i32 {
        self.player = self.rules.decider(position, self.rules.mover(position));
        self.team = self.rules.team(self.player);
        (self.effort, self.next_stop_check, self.stopped) = (0, 0, false);
        self.quiescence(Node::root(position, 0), 0, Window::FULL)
    }

    /// Searches captures and promotions only. The side to move may also stand pat, unless it must capture.
    pub(super) fn quiescence(&mut self, node: Node<'_>, depth: i32, window: Window) -> i32 {
        let entry = self.table.and_then(|table| table.probe(node.position.key()));
        if let Some(score) = entry.and_then(|entry| entry.cutoff_score(0, node.ply, window))
            && window.is_null()
        {
            return score;
        }
        let mut memory = self.stack[node.ply].memory.take().unwrap_or_default();
        self.scan(&node, &mut memory.board);
        let score = self.quiescence_of(node, &mut memory, entry, depth, window);
        self.stack[node.ply].memory = Some(memory);
        score
    }

    fn quiescence_of(
        &mut self,
        mut node: Node<'_>,
        memory: &mut Memory,
        entry: Option<Entry>,
        depth: i32,
        window: Window,
    ) -> i32 {
        let ours = self.is_ours(node.position);
        let stand_pat = self.static_eval(&node, &memory.board, ours);
        if let Some(score) = self.clear_score(&node, &memory.board, stand_pat, window) {
            if self.must_stop() {
                return 0;
            }
            self.nodes += 1;
            self.effort += NODE_EFFORT;
            return score;
        }
        if let Err(score) = self.generate_moves(&mut node, &memory.board, ours, &mut memory.moves) {
            return score;
        }
        let mut stand_pat = self.static_eval(&node, &memory.board, ours);
        if let Some(score) = entry.and_then(|entry| entry.cutoff_score(0, node.ply, Window::null(stand_pat)))
        {
            // A search has found more than the static evaluation.
            stand_pat = score;
        }
        let (score, best) = self.search_captures(&node, memory, ours, (entry, stand_pat), depth, window);
        if let Some(table) = self.table
            && !self.stopped
        {
            let bound = if score >= window.beta { Bound::Lower } else { Bound::Upper };
            let entry = Entry::new(0, node.ply, score, bound, best);
            table.store(node.position.key(), entry.with_eval(None, false));
        }
        score
    }

    /// Returns the score of a node that needs no moves: the side to move is so far ahead that it fails high, or no capture can
    /// bring it into the window. The mobility score is then out of date.
    fn clear_score(&self, node: &Node<'_>, board: &EvalBoard, stand_pat: i32, window: Window) -> Option<i32> {
        if node.position.ended().is_some() || self.evaluation.has_priority() {
            return None;
        }
        if stand_pat - self.params.mobility >= window.beta {
            return Some(stand_pat);
        }
        let side = self.evaluation.side(self.rules.mover(node.position));
        let hope = stand_pat + board.greatest_victim(side) + self.params.delta + self.params.mobility;
        let is_hopeless =
            window.alpha > MAX_LOSS && hope <= window.alpha && !self.evaluation.promotes_soon(board, side);
        is_hopeless.then_some(stand_pat)
    }

    /// Returns the score and the best capture.
    fn search_captures(
        &mut self,
        node: &Node<'_>,
        memory: &mut Memory,
        ours: bool,
        (entry, stand_pat): (Option<Entry>, i32),
        depth: i32,
        window: Window,
    ) -> (i32, Option<Move>) {
        let Memory { board, moves, picker, .. } = memory;
        let must_capture = depth > -MAX_FORCED_DEPTH && self.must_capture(board, moves);
        let (mut best, mut alpha) =
            if must_capture { (-WIN, window.alpha) } else { (stand_pat, window.alpha.max(stand_pat)) };
        let mut best_move = None;
        if best >= window.beta || depth <= -MAX_QUIESCENCE_DEPTH {
            return (best, None);
        }
        let order = Ordering {
            rules: self.rules,
            evaluation: self.evaluation,
            exchanges: self.tables.exchanges.as_ref(),
            position: node.position,
            board,
            table_move: entry.and_then(|entry| entry.best),
            ply: node.ply,
            before: [0, 0],
        };
        let picker = if must_capture {
            CapturePicker::forced(&order, moves, picker)
        } else {
            CapturePicker::captures(&order, &self.history, moves, picker)
        };
        for it in picker {
            let is_hopeless = || stand_pat + it.gain + self.params.delta <= alpha || !order.gains(&it, 0);
            if !must_capture && best > MAX_LOSS && is_hopeless() {
                continue;
            }
            let position = self.rules.play_unchecked(node.position, it.played);
            self.stack[node.ply].moved = self.history.piece_to(board, it.played);
            self.stack[node.ply + 1].pv.clear();
            let next = Node { near: Some(board), ..node.child(&position) };
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
                return (0, None);
            }
            best = best.max(score);
            if score > alpha {
                (alpha, best_move) = (score, Some(it.played));
                self.update_pv(node.ply, it.played);
            }
            if score >= window.beta {
                break;
            }
        }
        (best, best_move)
    }
}
