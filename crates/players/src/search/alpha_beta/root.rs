//! The root of the tree: iterative deepening with aspiration windows.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use tabiya_engine::{Move, Position};

use super::{AlphaBeta, Node, public_score, with_noise};
use crate::evaluation::EvalBoard;
use crate::search::bounds::{MAX_LOSS, MIN_WIN, WIN, Window};
use crate::search::history::History;
use crate::{Score, SearchInfo};

/// From this depth on, a depth begins with a narrow window around the last score.
const ASPIRATION_DEPTH: i32 = 4;

impl AlphaBeta<'_> {
    /// Runs iterative deepening over a non-empty list of root moves, each with the noise added to its score. Returns the
    /// result of the last depth, which may be incomplete, and what was learned.
    pub(in crate::search) fn iterate(
        mut self,
        position: &Position,
        moves: &[(Move, i32)],
        depths: RangeInclusive<u32>,
    ) -> (SearchInfo, History) {
        let mut moves = moves.to_vec();
        let mut board = EvalBoard::default();
        self.evaluation.scan(position, &mut board, &mut self.structure_cache);
        moves.sort_by_key(|(played, _)| Reverse(self.evaluation.move_score(&board, *played)));
        let mut info = SearchInfo { depth: 0, nodes: 0, score: Score::Centipawns(0), line: vec![moves[0].0] };
        let mut last = None;
        for depth in depths {
            self.root_depth = depth as i32;
            last = Some(self.search_depth(position, &board, &mut moves, last, &mut info));
            if self.stopped {
                break;
            }
            (info.depth, info.nodes) = (depth, self.total_nodes());
            if let Some(on_info) = self.limits.on_info {
                on_info(&info);
            }
            if !matches!(info.score, Score::Centipawns(_)) {
                break;
            }
        }
        info.nodes = self.total_nodes();
        (info, self.history)
    }

    /// Searches to the depth of this iteration, with a wider window as long as the score is outside of it.
    fn search_depth(
        &mut self,
        position: &Position,
        board: &EvalBoard,
        moves: &mut [(Move, i32)],
        last: Option<i32>,
        info: &mut SearchInfo,
    ) -> i32 {
        let mut width = self.params.aspiration.max(1);
        let mut window = match last {
            Some(last) if self.root_depth >= ASPIRATION_DEPTH && last.abs() < MIN_WIN => {
                Window { alpha: last - width, beta: last + width }
            }
            _ => Window::FULL,
        };
        loop {
            let score = self.search_root(position, board, moves, window, info);
            if self.stopped || score > window.alpha && score < window.beta {
                return score;
            }
            width = width.saturating_mul(3);
            if score <= window.alpha {
                window.alpha = if width > 1500 || score <= MAX_LOSS { -WIN } else { score - width };
            } else {
                window.beta = if width > 1500 || score >= MIN_WIN { WIN } else { score + width };
            }
            if window.alpha <= -WIN && score <= -WIN || window.beta >= WIN && score >= WIN {
                return score;
            }
        }
    }

    /// Searches every root move. Each improvement is written to `info` at once, so a stopped search keeps it. Returns the best
    /// score with noise.
    fn search_root(
        &mut self,
        position: &Position,
        board: &EvalBoard,
        moves: &mut [(Move, i32)],
        window: Window,
        info: &mut SearchInfo,
    ) -> i32 {
        let root = Node::root(position);
        let depth = self.root_depth - 1;
        self.path.push(position.key());
        let (mut best, mut alpha) = (-WIN, window.alpha);
        for index in 0..moves.len() {
            let (played, noise) = moves[index];
            let bound = with_noise(alpha, -noise);
            let full = Window { alpha: bound, beta: with_noise(window.beta, -noise) };
            let mut score = bound;
            if index > 0 {
                let reduced = depth - self.root_reduction(index, played, board);
                let null = Window::null(bound);
                score = self.search_move(&root, board, true, played, reduced, null, true);
                if score > bound && reduced < depth && !self.stopped {
                    score = self.search_move(&root, board, true, played, depth, null, true);
                }
            }
            if index == 0 || score > bound && !self.stopped {
                score = self.search_move(&root, board, true, played, depth, full, false);
            }
            if self.stopped {
                break;
            }
            let noisy = with_noise(score, noise);
            best = best.max(noisy);
            if score > bound {
                alpha = noisy;
                // The next depth starts with the best move.
                moves[..=index].rotate_right(1);
                self.update_pv(0, played);
                info.score = public_score(score);
                info.line.clone_from(&self.stack[0].pv);
            }
            if noisy >= window.beta {
                break;
            }
        }
        self.path.pop();
        best
    }

    /// Returns how much less deep a late quiet root move is searched at first.
    fn root_reduction(&self, index: usize, played: Move, board: &EvalBoard) -> i32 {
        if index < 4 || self.root_depth < 4 || self.evaluation.move_score(board, played) != 0 {
            return 0;
        }
        (self.tables.reduction(self.root_depth, index) / 100 - 1).clamp(0, self.root_depth - 2)
    }
}
