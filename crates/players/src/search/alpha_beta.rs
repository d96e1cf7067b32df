//! Principal variation search between the root player's team and all other players.
//!
//! A score belongs to the side to move. The turn does not always change sides (partners in a row, two opponents in a row,
//! a player who moves twice), so a score is negated only where it does. A die throw is a chance node: all faces weigh the
//! same.

mod multiplayer;
mod quiescence;

use std::cmp::Reverse;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya_engine::ending::Clause;
use tabiya_engine::{Die, Move, Player, PlayerSet, Position, Rules};

use super::Search;
use super::bounds::{Bound, MAX_LOSS, MIN_WIN, WIN, Window};
use super::move_picker::{History, MovePicker};
use super::path::Path;
use super::transposition_table::{Entry, TranspositionTable};
use crate::evaluation::{EvalBoard, Evaluation, StructureCache};
use crate::net::{Accumulators, Net};
use crate::{Limits, Score, SearchInfo};

/// The greatest depth of quiescence search.
const MAX_QUIESCENCE_DEPTH: i32 = 12;
/// The greatest distance from the root: full depth with check extensions, then quiescence search.
const MAX_PLY: usize = 2 * Search::MAX_PLIES as usize + MAX_QUIESCENCE_DEPTH as usize + 2;
/// The futility margin per ply, in centipawns.
const FUTILITY_MARGIN: i32 = 90;
/// The stop condition is checked whenever this many moves have been generated. Counting moves keeps the interval
/// similar for all board sizes.
const STOP_CHECK_INTERVAL: u64 = 8192;
/// The number of generated moves after which a search without limits ends.
const DEFAULT_EFFORT: u64 = 300_000;

/// The state of one search thread.
pub(super) struct AlphaBeta<'a> {
    rules: &'a Rules,
    evaluation: &'a Evaluation,
    /// The player at the root.
    player: Player,
    /// The player at the root and its partners.
    team: PlayerSet,
    limits: &'a Limits<'a>,
    table: Option<&'a TranspositionTable>,
    role: ThreadRole<'a>,
    nodes: u64,
    /// Generated moves, which dominate the running time.
    effort: u64,
    next_stop_check: u64,
    stopped: bool,
    history: History,
    /// By ply: the principal variation from there.
    pv: Vec<Vec<Move>>,
    /// By ply: a reusable board.
    boards: Vec<EvalBoard>,
    path: Path,
    structure_cache: StructureCache,
    /// The net that evaluates positions, if the game has one.
    net: Option<&'a Net>,
    accumulators: Accumulators,
    /// Whether the rules have an ending by repetition.
    has_repetition_draw: bool,
    /// Whether only one opponent replies to a move; see [`super`].
    best_reply: bool,
}

/// The role of a thread. Helpers add their node counts to a shared total.
#[derive(Clone, Copy, Debug)]
pub(super) enum ThreadRole<'a> {
    Single,
    Main(&'a AtomicU64),
    Helper(&'a AtomicU64),
}

/// A position in the tree.
struct Node<'p> {
    position: &'p Position,
    ply: usize,
    /// The mobility scores of the opponents and of the root team, each from its last turn.
    mobility: [i32; 2],
    /// Whether the previous move was a null move.
    is_after_null_move: bool,
}

/// What is known about a node before its moves are searched.
struct NodeInfo<'n> {
    node: &'n Node<'n>,
    board: &'n EvalBoard,
    /// Whether the root team is to move.
    ours: bool,
    moves: &'n [Move],
    table_move: Option<Move>,
    in_check: bool,
    static_eval: i32,
}

impl<'a> AlphaBeta<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        evaluation: &'a Evaluation,
        player: Player,
        limits: &'a Limits<'a>,
        table: Option<&'a TranspositionTable>,
    ) -> Self {
        let is_repetition = |clause: &Clause| matches!(clause, Clause::Repetition(_));
        AlphaBeta {
            rules,
            evaluation,
            player,
            team: rules.team(player),
            limits,
            table,
            role: ThreadRole::Single,
            nodes: 0,
            effort: 0,
            next_stop_check: 0,
            stopped: false,
            history: History::new(evaluation, MAX_PLY),
            pv: vec![Vec::new(); MAX_PLY],
            boards: vec![EvalBoard::default(); MAX_PLY],
            path: Path::new(limits.earlier),
            structure_cache: StructureCache::enabled(),
            net: None,
            accumulators: Accumulators::new(),
            has_repetition_draw: rules.endings().iter().any(|plan| plan.when.iter().any(is_repetition)),
            best_reply: evaluation.sides() > 2 && rules.faces().is_none(),
        }
    }

    /// Evaluates positions with a net instead of the derived evaluation.
    pub(super) fn with_net(self, net: Option<&'a Net>) -> Self {
        AlphaBeta { net, ..self }
    }

    pub(super) fn with_role(self, role: ThreadRole<'a>) -> Self {
        AlphaBeta { role, ..self }
    }

    fn total_nodes(&self) -> u64 {
        match self.role {
            ThreadRole::Main(helper_nodes) => self.nodes + helper_nodes.load(Ordering::Relaxed),
            ThreadRole::Single | ThreadRole::Helper(_) => self.nodes,
        }
    }

    /// Runs iterative deepening over a non-empty list of root moves, each with the noise added to its score. Returns
    /// the result of the last depth, which may be incomplete.
    pub(super) fn iterate(
        mut self,
        position: &Position,
        moves: &[(Move, i32)],
        depths: RangeInclusive<u32>,
    ) -> SearchInfo {
        let mut moves = moves.to_vec();
        let mut board = EvalBoard::default();
        self.evaluation.scan(position, &mut board, &mut self.structure_cache);
        moves.sort_by_key(|(played, _)| Reverse(self.evaluation.move_score(&board, *played)));
        let mut info = SearchInfo { depth: 0, nodes: 0, score: Score::Centipawns(0), line: vec![moves[0].0] };
        for depth in depths {
            self.search_root(position, &mut moves, depth as i32, &mut info);
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
        info
    }

    /// Searches every root move to a depth. Each improvement is written to `info` at once, so a stopped search keeps it.
    fn search_root(
        &mut self,
        position: &Position,
        moves: &mut [(Move, i32)],
        depth: i32,
        info: &mut SearchInfo,
    ) {
        let root = Node { position, ply: 0, mobility: [0, 0], is_after_null_move: false };
        self.path.push(position.key());
        let mut best = -WIN;
        for index in 0..moves.len() {
            let (played, noise) = moves[index];
            let alpha = with_noise(best, -noise);
            let full = Window { alpha, beta: WIN };
            let first = if index == 0 { full } else { Window::null(alpha) };
            let mut score = self.search_move(&root, true, played, depth - 1, first);
            if index > 0 && score > alpha && !self.stopped {
                score = self.search_move(&root, true, played, depth - 1, full);
            }
            if self.stopped {
                break;
            }
            if score > alpha {
                best = with_noise(score, noise);
                // The next depth starts with the best move.
                moves[..=index].rotate_right(1);
                self.update_pv(0, played);
                info.score = public_score(score);
                info.line.clone_from(&self.pv[0]);
            }
        }
        self.path.pop();
    }

    /// Returns the score of a move for the side that makes it.
    fn search_move(&mut self, node: &Node<'_>, ours: bool, played: Move, depth: i32, window: Window) -> i32 {
        let position = self.rules.play_unchecked(node.position, played);
        self.pv[node.ply + 1].clear();
        self.search_child(node, &position, ours, depth, window)
    }

    /// Returns the score of a child position for the side that moved in `node`.
    fn search_child(
        &mut self,
        node: &Node<'_>,
        position: &Position,
        ours: bool,
        depth: i32,
        window: Window,
    ) -> i32 {
        if let Some(Die::Awaited(_)) = self.rules.die(position) {
            return self.search_chance_node(node, position, ours, depth);
        }
        let after_passes = if self.best_reply && !ours { self.after_passes(position) } else { None };
        let position = after_passes.as_ref().unwrap_or(position);
        let next = node.child(position);
        if self.is_ours(position) == ours {
            self.search_node(next, depth, window)
        } else {
            -self.search_node(next, depth, window.negated())
        }
    }

    /// Evaluates a position without searching it.
    fn evaluate_position(&mut self, position: &Position, ply: usize, ours: bool) -> i32 {
        if let Some(net) = self.net {
            let score = self.accumulators.evaluate(net, position, ply, self.rules.mover(position));
            return if self.is_ours(position) == ours { score } else { -score };
        }
        self.evaluation.scan(position, &mut self.boards[ply], &mut self.structure_cache);
        let score = self.evaluation.evaluate(&self.boards[ply], self.player);
        if ours { score } else { -score }
    }

    fn is_ours(&self, position: &Position) -> bool {
        self.team.contains(self.rules.mover(position))
    }

    fn search_node(&mut self, mut node: Node<'_>, mut depth: i32, window: Window) -> i32 {
        let key = node.position.key();
        if self.has_repetition_draw && self.path.contains(key) {
            return 0;
        }
        if node.ply + MAX_QUIESCENCE_DEPTH as usize + 2 >= MAX_PLY {
            return self.quiescence(node, 0, window);
        }
        let mover = self.rules.mover(node.position);
        let in_check = depth >= 0 && self.rules.in_check(node.position, mover);
        // Check extension.
        depth += i32::from(in_check);
        if depth <= 0 {
            return self.quiescence(node, 0, window);
        }
        let entry = self.table.and_then(|table| table.probe(key));
        if let Some(score) = entry.and_then(|entry| entry.cutoff_score(depth, node.ply, window))
            && window.is_null()
        {
            return score;
        }
        let ours = self.is_ours(node.position);
        let mut board = std::mem::take(&mut self.boards[node.ply]);
        self.evaluation.scan(node.position, &mut board, &mut self.structure_cache);
        let score = match self.generate_moves(&mut node, &board, ours) {
            Ok(moves) => {
                let static_eval = self.static_eval(&node, &board, ours);
                let table_move = entry.map(|entry| entry.best);
                let info = NodeInfo {
                    node: &node,
                    board: &board,
                    ours,
                    moves: &moves,
                    table_move,
                    in_check,
                    static_eval,
                };
                self.prune(&info, depth, window).unwrap_or_else(|| {
                    // Internal iterative reduction: without a table move, a shallower search finds one for next time.
                    let depth = if table_move.is_none() && depth >= 4 { depth - 1 } else { depth };
                    self.path.push(key);
                    let score = self.search_moves(&info, depth, window);
                    self.path.pop();
                    score
                })
            }
            Err(score) => score,
        };
        self.boards[node.ply] = board;
        score
    }

    /// Reverse futility and null-move pruning. Returns a score if the node fails high without searching its moves.
    fn prune(&mut self, info: &NodeInfo<'_>, depth: i32, window: Window) -> Option<i32> {
        let NodeInfo { node, board, ours, moves, in_check, static_eval, .. } = *info;
        let is_allowed = window.is_null() && !in_check && window.beta < MIN_WIN && window.beta > MAX_LOSS;
        if !is_allowed || static_eval < window.beta || self.must_capture(board, moves) {
            return None;
        }
        if depth <= 6 && static_eval - FUTILITY_MARGIN * depth >= window.beta {
            return Some(static_eval);
        }
        let mover = self.rules.mover(node.position);
        if depth < 3 || node.is_after_null_move || !self.evaluation.has_phase_material(board, mover) {
            return None;
        }
        // A null move proves nothing if the same side moves next.
        let position = self.rules.null_move(node.position).filter(|next| self.is_ours(next) != ours)?;
        self.pv[node.ply + 1].clear();
        let next = Node { is_after_null_move: true, ..node.child(&position) };
        self.path.push(node.position.key());
        let score = -self.search_node(next, depth - 3 - depth / 4, Window::null(window.beta - 1).negated());
        self.path.pop();
        (score >= window.beta && !self.stopped).then_some(score.min(MIN_WIN - 1))
    }

    fn search_moves(&mut self, info: &NodeInfo<'_>, depth: i32, window: Window) -> i32 {
        let NodeInfo { node, board, ours, moves, table_move, in_check, static_eval } = *info;
        let (rules, evaluation) = (self.rules, self.evaluation);
        let mover = rules.mover(node.position);
        let is_bad = |played: Move, gain: i32| {
            gain < evaluation.piece_value(board.moving_piece(played))
                && rules.is_attacked(node.position, played.to, mover)
        };
        let picker = MovePicker::all(evaluation, &self.history, board, node.ply, moves, table_move, is_bad);
        let mut alpha = window.alpha;
        let (mut best, mut best_move, mut bound) = (-WIN, moves[0], Bound::Upper);
        let mut quiet: Vec<Move> = Vec::new();
        for (index, it) in picker.enumerate() {
            let is_quiet = it.gain == 0;
            if is_quiet && !in_check && best > MAX_LOSS && window.is_null() && depth <= 3 {
                // Late move pruning and futility pruning.
                let is_late = quiet.len() > (4 + 3 * depth * depth) as usize;
                if is_late || index > 0 && static_eval + 2 * FUTILITY_MARGIN * depth <= alpha {
                    continue;
                }
            }
            let reduction = if is_quiet && !in_check && depth >= 3 && index >= 3 {
                self.reduction(board, it.played, index, depth)
            } else {
                0
            };
            let rest = Window { alpha, beta: window.beta };
            let score = if index == 0 {
                self.search_move(node, ours, it.played, depth - 1, rest)
            } else {
                self.search_late_move(info, it.played, depth - 1, reduction, rest)
            };
            if self.stopped {
                return 0;
            }
            if score > best {
                (best, best_move) = (score, it.played);
            }
            if score > alpha {
                alpha = score;
                bound = Bound::Exact;
                self.update_pv(node.ply, it.played);
            }
            if score >= window.beta {
                bound = Bound::Lower;
                if is_quiet {
                    self.history.record_cutoff(board, it.played, node.ply, depth, &quiet);
                }
                break;
            }
            if is_quiet {
                quiet.push(it.played);
            }
        }
        if bound != Bound::Lower
            && !ours
            && let Some(score) = self.best_other_reply(node, depth, Window { alpha, beta: window.beta })
        {
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            bound = match score {
                _ if score >= window.beta => Bound::Lower,
                _ if score > alpha => Bound::Exact,
                _ => bound,
            };
        }
        if let Some(table) = self.table {
            table.store(node.position.key(), Entry::new(depth, node.ply, best, bound, best_move));
        }
        best
    }

    /// Searches a move with a null window and a reduced depth, and again with more depth or a wider window if it turns
    /// out to be better than expected.
    fn search_late_move(
        &mut self,
        info: &NodeInfo<'_>,
        played: Move,
        depth: i32,
        reduction: i32,
        window: Window,
    ) -> i32 {
        let NodeInfo { node, ours, .. } = *info;
        let null = Window::null(window.alpha);
        let mut score = self.search_move(node, ours, played, depth - reduction, null);
        if reduction > 0 && score > window.alpha && !self.stopped {
            score = self.search_move(node, ours, played, depth, null);
        }
        if score > window.alpha && score < window.beta && !self.stopped {
            score = self.search_move(node, ours, played, depth, window);
        }
        score
    }

    /// Returns the late move reduction of a quiet move.
    fn reduction(&self, board: &EvalBoard, played: Move, index: usize, depth: i32) -> i32 {
        let log = |number: usize| f32::from(number.min(255) as u8).ln();
        let late = log(index) * log(depth as usize) / 2.2;
        let history = self.history.score(board, played) / 6000;
        (1 + late as i32 - history).clamp(0, depth - 2)
    }

    /// Returns the moves of a node, or its score if the game or the search is over.
    fn generate_moves(
        &mut self,
        node: &mut Node<'_>,
        board: &EvalBoard,
        ours: bool,
    ) -> Result<Vec<Move>, i32> {
        if self.must_stop() {
            return Err(0);
        }
        self.nodes += 1;
        let moves = self.rules.unsorted_moves(node.position);
        self.effort += 1 + moves.len() as u64;
        if moves.is_empty() || node.position.eliminated().contains(self.player) {
            let score = self.final_score(node);
            return Err(if ours { score } else { -score });
        }
        let mover = self.rules.mover(node.position);
        node.mobility[usize::from(ours)] = self.evaluation.mobility(board, mover, &moves);
        Ok(moves)
    }

    /// Whether the rules leave only captures and promotions, so that a static evaluation means little.
    fn must_capture(&self, board: &EvalBoard, moves: &[Move]) -> bool {
        self.evaluation.has_priority()
            && moves.iter().all(|played| self.evaluation.move_score(board, *played) != 0)
    }

    fn must_stop(&mut self) -> bool {
        if self.effort >= self.next_stop_check {
            self.next_stop_check = self.effort + STOP_CHECK_INTERVAL;
            if let ThreadRole::Helper(total) = self.role {
                total.fetch_add(std::mem::take(&mut self.nodes), Ordering::Relaxed);
            }
            self.stopped |=
                self.limits.should_stop() || self.limits.is_unlimited() && self.effort >= DEFAULT_EFFORT;
        }
        self.stopped |= self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        self.stopped
    }

    /// Returns the score for the root team of a position in which the game is over, at least for the root player.
    /// Earlier wins score more.
    fn final_score(&self, node: &Node<'_>) -> i32 {
        let lost = node.ply as i32 - WIN;
        match self.rules.outcome(node.position) {
            Some(outcome) if outcome.winners.contains(self.player) => -lost,
            Some(outcome) if !outcome.winners.is_empty() => lost,
            _ if node.position.eliminated().contains(self.player) => lost,
            _ => 0,
        }
    }

    /// Returns the static evaluation for the side to move.
    fn static_eval(&mut self, node: &Node<'_>, board: &EvalBoard, ours: bool) -> i32 {
        if let Some(net) = self.net {
            let mover = self.rules.mover(node.position);
            return self.accumulators.evaluate(net, node.position, node.ply, mover);
        }
        let [opponents, own] = node.mobility;
        let score = self.evaluation.evaluate(board, self.player) + own - opponents;
        self.evaluation.weights.params.tempo + if ours { score } else { -score }
    }

    /// Sets the principal variation of a node to a move and the variation after it.
    fn update_pv(&mut self, ply: usize, played: Move) {
        let (before, after) = self.pv.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(played);
        // With best-reply search the line after this move skips turns and cannot be played.
        if !self.best_reply {
            before[ply].extend_from_slice(&after[0]);
        }
    }
}

impl Node<'_> {
    fn child<'p>(&self, position: &'p Position) -> Node<'p> {
        Node { position, ply: self.ply + 1, mobility: self.mobility, is_after_null_move: false }
    }
}

/// Adds noise to a score. Wins and losses stay exact.
fn with_noise(score: i32, noise: i32) -> i32 {
    match public_score(score) {
        Score::Centipawns(score) => score + noise,
        Score::Win(_) | Score::Loss(_) => score,
    }
}

fn public_score(score: i32) -> Score {
    match score {
        MIN_WIN.. => Score::Win((WIN - score) as u32),
        ..=MAX_LOSS => Score::Loss((WIN + score) as u32),
        score => Score::Centipawns(score),
    }
}
