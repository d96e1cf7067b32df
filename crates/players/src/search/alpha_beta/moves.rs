//! The moves of a node: which are skipped, reduced or extended, and what is learned from the result.

use tabiya_engine::Move;

use super::{Ahead, AlphaBeta, Branch, NodeInfo};
use crate::search::bounds::{Bound, MAX_LOSS, MIN_WIN, WIN, Window};
use crate::search::move_picker::{MovePicker, PickerMemory, ScoredMove};
use crate::search::transposition_table::Entry;

/// Reusable memory of a node while its moves are searched.
pub(super) struct Buffers<'m> {
    pub(super) picker: PickerMemory,
    /// The moves that were searched.
    pub(super) quiets: &'m mut Vec<Move>,
    pub(super) captures: &'m mut Vec<Move>,
}

/// What the search of a node's moves has found so far.
struct Found {
    alpha: i32,
    best: i32,
    best_move: Option<Move>,
    bound: Bound,
}

/// How a move is searched.
struct Plan {
    /// The number of the move, counted from 1.
    number: usize,
    /// The depth after the move.
    depth: i32,
    /// How much less deep a late move is searched first.
    reduction: i32,
}

impl AlphaBeta<'_> {
    /// Searches the moves of a node, except one that is excluded.
    pub(super) fn search_moves(
        &mut self,
        info: &NodeInfo<'_>,
        buffers: &mut Buffers<'_>,
        depth: i32,
        window: Window,
        excluded: Option<Move>,
    ) -> i32 {
        let NodeInfo { node, board, ours, moves, .. } = *info;
        let order = self.order(info);
        buffers.quiets.clear();
        buffers.captures.clear();
        let extension = match excluded {
            None => match self.singular_extension(info, depth, window) {
                Ok(extension) => extension,
                Err(score) => return score,
            },
            Some(_) => 0,
        };
        let mut picker = MovePicker::new(order, moves, std::mem::take(&mut buffers.picker));
        let mut found = Found { alpha: window.alpha, best: -WIN, best_move: None, bound: Bound::Upper };
        let mut number = 0;
        while let Some(it) = picker.next(&self.history) {
            if Some(it.played) == excluded {
                continue;
            }
            number += 1;
            if found.best > MAX_LOSS && self.is_skipped(info, &mut picker, &it, number, depth, found.alpha) {
                continue;
            }
            let is_table_move = Some(it.played) == order.table_move;
            let reduction = self.reduction(info, &picker, &it, number, depth, window);
            let after = depth - 1 + if is_table_move { extension } else { 0 };
            let plan = Plan { number, depth: after, reduction };
            let rest = Window { alpha: found.alpha, beta: window.beta };
            let score = self.search_planned(info, it.played, &plan, rest);
            if self.stopped {
                buffers.picker = picker.into_memory();
                return 0;
            }
            if score > found.best {
                found.best = score;
                if score > found.alpha {
                    (found.alpha, found.best_move) = (score, Some(it.played));
                    found.bound = Bound::Exact;
                    self.update_pv(node.ply, it.played);
                }
            }
            if score >= window.beta {
                found.bound = Bound::Lower;
                break;
            }
            if it.gain == 0 { buffers.quiets.push(it.played) } else { buffers.captures.push(it.played) }
        }
        buffers.picker = picker.into_memory();
        if number == 0 {
            // Only the excluded move is legal.
            return window.alpha;
        }
        if found.bound != Bound::Lower && !ours {
            let rest = Window { alpha: found.alpha, beta: window.beta };
            if let Some(score) = self.best_other_reply(node, board, depth, rest) {
                if self.stopped {
                    return 0;
                }
                found.best = found.best.max(score);
                found.bound = match score {
                    _ if score >= window.beta => Bound::Lower,
                    _ if score > found.alpha => Bound::Exact,
                    _ => found.bound,
                };
            }
        }
        if excluded.is_none() {
            self.learn(info, buffers, &found, depth, window);
        }
        found.best
    }

    /// Updates the histories and the table after a node.
    fn learn(
        &mut self,
        info: &NodeInfo<'_>,
        buffers: &Buffers<'_>,
        found: &Found,
        depth: i32,
        window: Window,
    ) {
        let NodeInfo { node, board, in_check, static_eval, before, .. } = *info;
        let best_gain = found.best_move.map_or(0, |played| self.evaluation.move_score(board, played));
        if found.bound == Bound::Lower
            && let Some(best) = found.best_move
        {
            if best_gain == 0 {
                let cutoff = (best, node.ply, depth);
                self.history.record_quiet_cutoff(board, cutoff, before, buffers.quiets);
            }
            let capture = (best_gain != 0).then_some(best);
            self.history.record_captures(board, capture, depth, buffers.captures);
        }
        if let Some(table) = self.table {
            let eval = (!self.evaluator.counts_mobility() && !in_check).then_some(static_eval);
            let entry = Entry::new(depth, node.ply, found.best, found.bound, found.best_move);
            table.store(node.position.key(), entry.with_eval(eval, !window.is_null()));
        }
    }

    /// Whether a move at a shallow depth is hopeless.
    fn is_skipped(
        &mut self,
        info: &NodeInfo<'_>,
        picker: &mut MovePicker<'_>,
        it: &ScoredMove,
        number: usize,
        depth: i32,
        alpha: i32,
    ) -> bool {
        let NodeInfo { in_check, static_eval, improving, .. } = *info;
        let params = self.params;
        if Some(it.played) == info.entry.and_then(|entry| entry.best) {
            return false;
        }
        if it.gain != 0 {
            return picker.is_losing()
                && depth <= params.exchange_depth
                && !in_check
                && it.gain > 0
                && !self.order(info).gains(it, -params.exchange_capture * depth);
        }
        if in_check || it.is_check {
            return false;
        }
        let reduced = (depth - self.tables.reduction(depth, number) / 100).max(0);
        let most = (params.late_moves + 2 * depth * depth) / if improving { 1 } else { 2 };
        let is_late = depth <= params.late_depth && number > most.max(3) as usize;
        let hope = params.futility + params.futility_ply * reduced;
        if is_late || reduced < params.futility_depth && static_eval + hope <= alpha {
            picker.skip_quiets();
            return true;
        }
        depth <= params.history_depth && it.history < -params.history * depth
            || depth <= params.exchange_depth + 1
                && !self.order(info).gains(it, -params.exchange_quiet * reduced * reduced / 2)
    }

    /// Returns how much less deep a move is searched at first.
    fn reduction(
        &self,
        info: &NodeInfo<'_>,
        picker: &MovePicker<'_>,
        it: &ScoredMove,
        number: usize,
        depth: i32,
        window: Window,
    ) -> i32 {
        let is_quiet = it.gain == 0;
        if depth < 3 || number < 2 + usize::from(!window.is_null()) || !is_quiet && !picker.is_losing() {
            return 0;
        }
        let NodeInfo { node, in_check, improving, entry, .. } = *info;
        let params = self.params;
        let mut reduction = self.tables.reduction(depth, number);
        if node.is_cut {
            reduction += 100;
        }
        if !improving {
            reduction += 50;
        }
        if in_check {
            reduction -= 100;
        }
        if !window.is_null() || entry.is_some_and(|entry| entry.is_pv) {
            reduction -= 80;
        }
        if it.is_check {
            reduction -= 100;
        }
        if is_quiet {
            reduction -= it.history * 100 / params.reduction_history.max(1);
            if self.history.killers(node.ply).contains(&Some(it.played)) {
                reduction -= 80;
            }
        }
        (reduction / 100).clamp(0, depth - 2)
    }

    /// Searches a move: the first one with the whole window, others with a null window and a reduced depth, and again with
    /// more depth or a wider window if they turn out to be better than expected.
    fn search_planned(&mut self, info: &NodeInfo<'_>, played: Move, plan: &Plan, window: Window) -> i32 {
        let NodeInfo { node, board, ours, .. } = *info;
        let position = self.rules.play_unchecked(node.position, played);
        let from = Branch { node, board, ours };
        if plan.number == 1 {
            let is_cut = window.is_null() && !node.is_cut;
            return self.search_made_move(
                &from,
                played,
                &position,
                Ahead { depth: plan.depth, window, is_cut },
            );
        }
        let null = Window::null(window.alpha);
        let is_cut = plan.reduction > 0 || !node.is_cut;
        let first = Ahead { depth: plan.depth - plan.reduction, window: null, is_cut };
        let mut score = self.search_made_move(&from, played, &position, first);
        if plan.reduction > 0 && score > window.alpha && !self.stopped {
            let second = Ahead { depth: plan.depth, window: null, is_cut: !node.is_cut };
            score = self.search_made_move(&from, played, &position, second);
        }
        if score > window.alpha && score < window.beta && !self.stopped {
            let last = Ahead { depth: plan.depth, window, is_cut: false };
            score = self.search_made_move(&from, played, &position, last);
        }
        score
    }

    /// Returns how much deeper the table move is searched: if all other moves are clearly worse than it is known to be, it
    /// is extended. If even without it the node fails high, returns a score.
    fn singular_extension(&mut self, info: &NodeInfo<'_>, depth: i32, window: Window) -> Result<i32, i32> {
        let NodeInfo { node, moves, entry, .. } = *info;
        let params = self.params;
        let Some((entry, best)) = entry.and_then(|entry| Some((entry, entry.best?))) else { return Ok(0) };
        let known = entry.score(node.ply);
        if depth < params.singular_depth
            || node.ply as i32 >= 2 * self.root_depth
            || entry.depth < depth - 3
            || entry.bound == Bound::Upper
            || known.abs() >= MIN_WIN
            || self.best_reply
            || moves.len() < 2
            || !moves.contains(&best)
        {
            return Ok(0);
        }
        let bound = known - params.singular * depth / 16;
        let (mut quiets, mut captures) = (Vec::new(), Vec::new());
        let mut buffers =
            Buffers { picker: PickerMemory::default(), quiets: &mut quiets, captures: &mut captures };
        let null = Window::null(bound - 1);
        let score = self.search_moves(info, &mut buffers, (depth - 1) / 2, null, Some(best));
        if self.stopped {
            return Err(0);
        }
        self.stack[node.ply].pv.clear();
        if score < bound {
            let is_far = window.is_null() && score < bound - params.singular_double;
            return Ok(if is_far { 2 } else { 1 });
        }
        if bound >= window.beta && window.is_null() {
            // Several moves fail high.
            return Err(bound);
        }
        Ok(if known >= window.beta { -1 } else { 0 })
    }
}
