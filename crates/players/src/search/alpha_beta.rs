//! Principal variation search between the root player's team and all other players.
//!
//! A score belongs to the side to move. The turn does not always change sides (partners in a row, two opponents in a row,
//! a player who moves twice), so a score is negated only where it does. A die throw is a chance node: all faces weigh the
//! same.

mod moves;
mod multiplayer;
mod pruning;
mod quiescence;
mod root;

use std::sync::atomic::{AtomicU64, Ordering};

use tabiya_engine::{Die, Move, Player, PlayerSet, Position, Rules};

use super::Search;
use super::bounds::{MAX_LOSS, MIN_WIN, WIN, Window};
use super::evaluator::{EvalInput, Evaluator};
use super::game_tables::GameTables;
use super::history::{Before, History, PieceTo};
use super::move_picker::{Ordering as MoveOrdering, PickerMemory};
use super::params::SearchParams;
use super::path::Path;
use super::transposition_table::{Entry, TranspositionTable};
use crate::evaluation::{EvalBoard, Evaluation};
use crate::{Limits, Net, Score};

/// The greatest depth of quiescence search.
const MAX_QUIESCENCE_DEPTH: i32 = 12;
/// The greatest distance from the root: full depth with extensions, then quiescence search.
pub(super) const MAX_PLY: usize = 2 * Search::MAX_PLIES as usize + MAX_QUIESCENCE_DEPTH as usize + 2;
/// The stop condition is checked whenever this much effort was spent: about one for each generated move. Counting moves
/// keeps the interval similar for all board sizes. The first interval lets a search that is stopped at once look at every move.
const STOP_CHECK_INTERVAL: u64 = 8192;
/// The effort of a node without move generation.
const NODE_EFFORT: u64 = 8;
/// The effort after which a search without limits ends.
const DEFAULT_EFFORT: u64 = 400_000;

/// What all threads of a search share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared<'a> {
    pub(super) rules: &'a Rules,
    pub(super) evaluation: &'a Evaluation,
    /// The net that evaluates positions, if the game has one.
    pub(super) net: Option<&'a Net>,
    pub(super) tables: &'a GameTables,
    pub(super) params: &'a SearchParams,
    pub(super) table: Option<&'a TranspositionTable>,
}

/// The state of one search thread.
pub(super) struct AlphaBeta<'a> {
    rules: &'a Rules,
    evaluation: &'a Evaluation,
    tables: &'a GameTables,
    params: &'a SearchParams,
    table: Option<&'a TranspositionTable>,
    evaluator: Evaluator<'a>,
    /// The player at the root.
    player: Player,
    /// The player at the root and its partners.
    team: PlayerSet,
    limits: &'a Limits<'a>,
    role: ThreadRole<'a>,
    nodes: u64,
    /// Generated moves, which dominate the running time.
    effort: u64,
    next_stop_check: u64,
    stopped: bool,
    /// The greatest distance from the root so far.
    greatest_ply: usize,
    /// The depth of the current iteration.
    root_depth: i32,
    /// Up to this distance from the root, no null move is made: one is being verified.
    null_move_from: usize,
    history: History,
    /// By ply.
    stack: Vec<Frame>,
    path: Path,
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

/// What belongs to one distance from the root.
#[derive(Debug, Default)]
struct Frame {
    /// The principal variation from there.
    pv: Vec<Move>,
    /// Taken while the node is searched.
    memory: Option<Box<Memory>>,
    /// The static evaluation of the node, if it is not in check.
    static_eval: Option<i32>,
    /// The side of that evaluation is the root team.
    ours: bool,
    /// The move that is being searched.
    moved: PieceTo,
}

/// Reusable memory of a node.
#[derive(Debug, Default)]
struct Memory {
    board: EvalBoard,
    moves: Vec<Move>,
    picker: PickerMemory,
    quiets: Vec<Move>,
    captures: Vec<Move>,
}

/// A position in the tree.
#[derive(Clone, Copy)]
struct Node<'p> {
    position: &'p Position,
    ply: usize,
    /// The number of quiet turns before the position; 0 if no line is long enough for it to matter.
    quiet: u32,
    /// The mobility scores of the opponents and of the root team, each from its last turn.
    mobility: [i32; 2],
    /// Whether the previous move was a null move.
    is_after_null_move: bool,
    /// A board that differs little from that of this position: that of the position before.
    near: Option<&'p EvalBoard>,
    /// Whether the node is expected to fail high.
    is_cut: bool,
}

/// A node from which a move is made.
#[derive(Clone, Copy)]
struct Branch<'n> {
    node: &'n Node<'n>,
    board: &'n EvalBoard,
    /// Whether the root team is to move.
    ours: bool,
}

/// How a position is searched.
#[derive(Clone, Copy)]
struct Ahead {
    depth: i32,
    /// For the side that has moved.
    window: Window,
    /// Whether the position is expected to fail high.
    is_cut: bool,
}

/// What is known about a node before its moves are searched.
#[derive(Clone, Copy)]
struct NodeInfo<'n> {
    node: &'n Node<'n>,
    board: &'n EvalBoard,
    /// Whether the root team is to move.
    ours: bool,
    moves: &'n [Move],
    entry: Option<Entry>,
    in_check: bool,
    static_eval: i32,
    /// Whether the static evaluation is better than at the last turn of this side.
    improving: bool,
    before: Before,
}

impl<'a> AlphaBeta<'a> {
    pub(super) fn new(
        shared: Shared<'a>,
        player: Player,
        limits: &'a Limits<'a>,
        history: Option<History>,
    ) -> Self {
        let Shared { rules, evaluation, net, tables, params, table } = shared;
        AlphaBeta {
            rules,
            evaluation,
            tables,
            params,
            table,
            evaluator: Evaluator::new(evaluation, net),
            player,
            team: rules.team(player),
            limits,
            role: ThreadRole::Single,
            nodes: 0,
            effort: 0,
            next_stop_check: STOP_CHECK_INTERVAL,
            stopped: false,
            greatest_ply: 0,
            root_depth: 0,
            null_move_from: 0,
            history: history.unwrap_or_else(|| History::new(evaluation, MAX_PLY)),
            stack: std::iter::repeat_with(Frame::default).take(MAX_PLY).collect(),
            path: Path::new(limits.earlier),
            best_reply: evaluation.sides() > 2 && rules.faces().is_none(),
        }
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

    /// Returns the score of a move for the side that makes it.
    fn search_move(&mut self, from: &Branch<'_>, played: Move, ahead: Ahead) -> i32 {
        let position = self.rules.play_unchecked(from.node.position, played);
        self.search_made_move(from, played, &position, ahead)
    }

    /// Returns the score of a move that leads to a position, for the side that makes it.
    fn search_made_move(
        &mut self,
        from: &Branch<'_>,
        played: Move,
        position: &Position,
        ahead: Ahead,
    ) -> i32 {
        let Branch { node, board, ours } = *from;
        self.stack[node.ply].moved = self.history.piece_to(board, played);
        self.stack[node.ply + 1].pv.clear();
        let quiet = self.quiet_after(node, played, position);
        let parent = Node { near: Some(board), is_cut: ahead.is_cut, quiet, ..*node };
        self.search_child(&parent, position, ours, ahead.depth, ahead.window)
    }

    /// Returns the number of quiet turns after a move.
    fn quiet_after(&self, node: &Node<'_>, played: Move, next: &Position) -> u32 {
        let matters = self
            .tables
            .most_quiet
            .is_some_and(|most| self.limits.quiet.saturating_add(MAX_PLY as u32 / 2) > most);
        let is_quiet = || {
            let kind = self.rules.moving_kind(node.position, played);
            !self.rules.is_zeroing(node.position, kind, next)
        };
        if matters && is_quiet() { node.quiet.saturating_add(1) } else { 0 }
    }

    /// Whether the game is drawn by its history: by repetition or quiet turns.
    fn is_drawn(&self, node: &Node<'_>) -> bool {
        self.tables.has_repetition_draw && self.path.contains(node.position.key())
            || self.tables.most_quiet.is_some_and(|most| node.quiet >= most)
                // The last quiet turn may be mate.
                && !self.rules.in_check(node.position, self.rules.mover(node.position))
    }

    /// Returns the score of a child position for the side that moved in `node`. The flag `is_cut` of `node` is that of the
    /// child.
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

    /// Evaluates a position without searching it, for the side that `ours` describes.
    fn evaluate_position(&mut self, position: &Position, ply: usize, ours: bool) -> i32 {
        let mut memory = self.stack[ply].memory.take().unwrap_or_default();
        self.evaluation.scan(position, &mut memory.board, &mut self.history.structures);
        let is_mover = self.is_ours(position) == ours;
        let score = self.evaluator.evaluate(EvalInput {
            position,
            ply,
            board: &memory.board,
            mover: self.rules.mover(position),
            root: self.player,
            ours: self.is_ours(position),
            mobility: 0,
        });
        self.stack[ply].memory = Some(memory);
        if is_mover { score } else { -score }
    }

    fn is_ours(&self, position: &Position) -> bool {
        self.team.contains(self.rules.mover(position))
    }

    fn scan(&mut self, node: &Node<'_>, board: &mut EvalBoard) {
        match node.near {
            Some(near) => {
                self.evaluation.scan_after(node.position, near, board, &mut self.history.structures);
            }
            None => self.evaluation.scan(node.position, board, &mut self.history.structures),
        }
    }

    fn search_node(&mut self, node: Node<'_>, mut depth: i32, window: Window) -> i32 {
        let key = node.position.key();
        if self.is_drawn(&node) {
            return 0;
        }
        if node.ply + MAX_QUIESCENCE_DEPTH as usize + 2 >= MAX_PLY {
            return self.quiescence(node, 0, window);
        }
        let window = match window.at_distance(node.ply) {
            Ok(window) => window,
            Err(score) => return score,
        };
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
        let mut memory = self.stack[node.ply].memory.take().unwrap_or_default();
        self.scan(&node, &mut memory.board);
        let score = self.search_scanned(node, &mut memory, entry, in_check, depth, window);
        self.stack[node.ply].memory = Some(memory);
        score
    }

    /// Searches a node whose board is known.
    fn search_scanned(
        &mut self,
        mut node: Node<'_>,
        memory: &mut Memory,
        entry: Option<Entry>,
        in_check: bool,
        depth: i32,
        window: Window,
    ) -> i32 {
        let ours = self.is_ours(node.position);
        let Memory { board, moves, picker, quiets, captures } = memory;
        if let Err(score) = self.generate_moves(&mut node, board, ours, moves) {
            return score;
        }
        let before = self.moves_before(node.ply);
        let static_eval = self.static_eval(&node, board, ours);
        self.stack[node.ply].static_eval = (!in_check).then_some(static_eval);
        self.stack[node.ply].ours = ours;
        let improving = !in_check && self.is_improving(node.ply, static_eval, ours);
        self.history.clear_killers(node.ply + 2);
        let mut buffers = moves::Buffers { picker: std::mem::take(picker), quiets, captures };
        let info =
            NodeInfo { node: &node, board, ours, moves, entry, in_check, static_eval, improving, before };
        self.path.push(node.position.key());
        let pruned = self.prune(&info, &mut buffers, depth, window);
        let score = pruned.unwrap_or_else(|| {
            // Internal iterative reduction: without a table move, a shallower search finds one for next time.
            let has_move = entry.is_some_and(|entry| entry.best.is_some());
            let is_reduced = !has_move && depth >= self.params.internal_depth;
            self.search_moves(&info, &mut buffers, depth - i32::from(is_reduced), window, None)
        });
        self.path.pop();
        *picker = buffers.picker;
        score
    }

    /// Returns the last two moves before a node, the latest one first.
    fn moves_before(&self, ply: usize) -> Before {
        [1, 2].map(|back| ply.checked_sub(back).map_or(0, |ply| self.stack[ply].moved))
    }

    fn is_improving(&self, ply: usize, static_eval: i32, ours: bool) -> bool {
        let earlier = [2, 4].into_iter().filter_map(|back| self.stack.get(ply.checked_sub(back)?));
        let earlier = earlier.filter(|frame| frame.ours == ours).find_map(|frame| frame.static_eval);
        earlier.is_some_and(|earlier| static_eval > earlier)
    }

    /// Returns what the order of a node's moves depends on.
    fn order<'n>(&self, info: &NodeInfo<'n>) -> MoveOrdering<'n>
    where
        'a: 'n,
    {
        MoveOrdering {
            rules: self.rules,
            evaluation: self.evaluation,
            exchanges: self.tables.exchanges.as_ref(),
            position: info.node.position,
            board: info.board,
            table_move: info.entry.and_then(|entry| entry.best),
            ply: info.node.ply,
            before: info.before,
        }
    }

    /// Generates the moves of a node, or returns its score if the game or the search is over.
    fn generate_moves(
        &mut self,
        node: &mut Node<'_>,
        board: &EvalBoard,
        ours: bool,
        moves: &mut Vec<Move>,
    ) -> Result<(), i32> {
        if self.must_stop() {
            return Err(0);
        }
        self.nodes += 1;
        self.greatest_ply = self.greatest_ply.max(node.ply);
        self.rules.moves_into(node.position, moves);
        self.effort += NODE_EFFORT + moves.len() as u64;
        if moves.is_empty() || node.position.eliminated().contains(self.player) {
            let score = self.final_score(node);
            return Err(if ours { score } else { -score });
        }
        if self.evaluator.counts_mobility() {
            let mover = self.rules.mover(node.position);
            node.mobility[usize::from(ours)] = self.evaluation.mobility(board, mover, moves);
        }
        Ok(())
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
        let [opponents, own] = node.mobility;
        self.evaluator.evaluate(EvalInput {
            position: node.position,
            ply: node.ply,
            board,
            mover: self.rules.mover(node.position),
            root: self.player,
            ours,
            mobility: if ours { own - opponents } else { opponents - own },
        })
    }

    /// Sets the principal variation of a node to a move and the variation after it.
    fn update_pv(&mut self, ply: usize, played: Move) {
        let (before, after) = self.stack.split_at_mut(ply + 1);
        let pv = &mut before[ply].pv;
        pv.clear();
        pv.push(played);
        // With best-reply search the line after this move skips turns and cannot be played.
        if !self.best_reply {
            pv.extend_from_slice(&after[0].pv);
        }
    }
}

impl<'p> Node<'p> {
    fn root(position: &'p Position, quiet: u32) -> Self {
        Node {
            position,
            ply: 0,
            quiet,
            mobility: [0, 0],
            is_after_null_move: false,
            near: None,
            is_cut: false,
        }
    }

    fn child<'c>(&self, position: &'c Position) -> Node<'c>
    where
        'p: 'c,
    {
        Node { position, ply: self.ply + 1, is_after_null_move: false, ..*self }
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
