//! The root of the tree: iterative deepening with aspiration windows.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use tabiya_engine::{Move, Position};

use super::{Ahead, AlphaBeta, Branch, Node, public_score, with_noise};
use crate::evaluation::EvalBoard;
use crate::search::bounds::{MAX_LOSS, MIN_WIN, WIN, Window};
use crate::search::history::History;
use crate::search::transposition_table::TranspositionTable;
use crate::{Score, SearchInfo};

/// Of nearly equal moves, one that gains material now is better than one that puts it off: its bonus in centipawns.
const DIRECTNESS: i32 = 20;
/// From this depth on, a depth begins with a narrow window around the last score.
const ASPIRATION_DEPTH: i32 = 4;

/// A root move with what is known about it.
#[derive(Clone, Debug)]
struct RootLine {
    /// The score with noise, once a depth was completed.
    score: Option<i32>,
    public: Score,
    moves: Vec<Move>,
}

impl RootLine {
    fn of(played: Move) -> Self {
        RootLine { score: None, public: Score::Centipawns(0), moves: vec![played] }
    }
}

/// Puts the lines of a completed depth in order, best first, and their moves with them.
fn sort_lines(lines: &mut [RootLine], moves: &mut [(Move, i32)]) {
    let mut pairs: Vec<(RootLine, (Move, i32))> = lines.iter().cloned().zip(moves.iter().copied()).collect();
    pairs.sort_by_key(|(line, _)| Reverse(line.score));
    for (index, (line, played)) in pairs.into_iter().enumerate() {
        (lines[index], moves[index]) = (line, played);
    }
}

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
        self.evaluation.scan(position, &mut board, &mut self.history.structures);
        moves.sort_by_key(|(played, _)| Reverse(self.evaluation.move_score(&board, *played)));
        for (played, noise) in &mut moves {
            if self.evaluation.move_score(&board, *played) > 0 {
                *noise += DIRECTNESS;
            }
        }
        let mut lines = vec![RootLine::of(moves[0].0); self.limits.lines.clamp(1, moves.len())];
        let (mut completed, mut reported) = (0, lines.clone());
        for depth in depths {
            self.root_depth = depth as i32;
            for rank in 0..lines.len() {
                // The moves of better lines come first, and are left out.
                let last = lines[rank].score.filter(|_| completed > 0);
                let score = self.search_depth(position, &board, &mut moves[rank..], last, &mut lines[rank]);
                if self.stopped {
                    break;
                }
                lines[rank].score = Some(score);
            }
            if self.stopped {
                break;
            }
            completed = depth;
            sort_lines(&mut lines, &mut moves);
            self.report(&lines, depth);
            reported.clone_from(&lines);
            let is_decided = lines.iter().all(|line| !matches!(line.public, Score::Centipawns(_)));
            if is_decided || self.limits.enough.is_some_and(|enough| enough()) {
                break;
            }
        }
        if self.stopped && completed > 0 {
            if lines.len() > 1 {
                // An incomplete depth has not compared all lines.
                lines = reported;
            } else if lines[0].moves.first() != reported[0].moves.first() {
                self.report(&lines, completed + 1);
            }
        }
        (self.info(&lines[0], 0, completed), self.history)
    }

    /// Reports the lines of a completed depth, best first.
    fn report(&self, lines: &[RootLine], depth: u32) {
        if let Some(on_info) = self.limits.on_info {
            (0..).zip(lines).for_each(|(rank, line)| on_info(&self.info(line, rank, depth)));
        }
    }

    fn info(&self, line: &RootLine, rank: usize, depth: u32) -> SearchInfo {
        SearchInfo {
            depth,
            selective_depth: self.greatest_ply as u32,
            nodes: self.total_nodes(),
            score: line.public,
            rank,
            table_permille: self.table.map_or(0, TranspositionTable::permille_full),
            line: line.moves.clone(),
        }
    }

    /// Searches to the depth of this iteration, with a wider window as long as the score is outside of it.
    fn search_depth(
        &mut self,
        position: &Position,
        board: &EvalBoard,
        moves: &mut [(Move, i32)],
        last: Option<i32>,
        line: &mut RootLine,
    ) -> i32 {
        let mut width = self.params.aspiration.max(1);
        let mut window = match last {
            Some(last) if self.root_depth >= ASPIRATION_DEPTH && last.abs() < MIN_WIN => {
                Window { alpha: last - width, beta: last + width }
            }
            _ => Window::FULL,
        };
        loop {
            let score = self.search_root(position, board, moves, window, line);
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

    /// Searches every root move. Each improvement is written to `line` at once, so a stopped search keeps it. Returns the best
    /// score with noise.
    fn search_root(
        &mut self,
        position: &Position,
        board: &EvalBoard,
        moves: &mut [(Move, i32)],
        window: Window,
        line: &mut RootLine,
    ) -> i32 {
        let root = Node::root(position, self.limits.quiet);
        let from = Branch { node: &root, board, ours: true };
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
                let first = Ahead { depth: reduced, window: Window::null(bound), is_cut: true };
                score = self.search_move(&from, played, first);
                if score > bound && reduced < depth && !self.stopped {
                    score = self.search_move(&from, played, Ahead { depth, ..first });
                }
            }
            if index == 0 || score > bound && !self.stopped {
                score = self.search_move(&from, played, Ahead { depth, window: full, is_cut: false });
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
                line.public = public_score(score);
                line.moves.clone_from(&self.stack[0].pv);
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
