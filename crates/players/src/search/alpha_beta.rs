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
use crate::evaluation::{EvalBoard, Evaluation, StructureCache};
use crate::{Limits, Net, Score};

/// The greatest depth of quiescence search.
const MAX_QUIESCENCE_DEPTH: i32 = 12;
/// The greatest distance from the root: full depth with extensions, then quiescence search.
pub(super) const MAX_PLY: usize = 2 * Search::MAX_PLIES as usize + MAX_QUIESCENCE_DEPTH as usize + 2;
/// The stop condition is checked whenever this much effort was spent: about one for each generated move. Counting moves
/// keeps the interval similar for all board sizes.
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
    structure_cache: StructureCache,
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
    memory: Memory,
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
    /// The mobility scores of the opponents and of the root team, each from its last turn.
    mobility: [i32; 2],
    /// Whether the previous move was a null move.
    is_after_null_move: bool,
    /// A board that differs little from that of this position: that of the position before.
    near: Option<&'p EvalBoard>,
    /// Whether the node is expected to fail high.
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
    /// The static evaluation before corrections.
    raw_eval: i32,
    /// The static evaluation, corrected by what searches have found.
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
            next_stop_check: 0,
            stopped: false,
            greatest_ply: 0,
            root_depth: 0,
            null_move_from: 0,
            history: history.unwrap_or_else(|| History::new(evaluation, MAX_PLY)),
            stack: std::iter::repeat_with(Frame::default).take(MAX_PLY).collect(),
            path: Path::new(limits.earlier),
            structure_cache: StructureCache::enabled(),
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
    fn search_move(
        &mut self,
        node: &Node<'_>,
        board: &EvalBoard,
        ours: bool,
        played: Move,
        depth: i32,
        window: Window,
        is_cut: bool,
    ) -> i32 {
        let position = self.rules.play_unchecked(node.position, played);
        self.search_made_move(node, board, ours, (played, &position), depth, window, is_cut)
    }

    /// Returns the score of a move that leads to a position, for the side that makes it.
    #[expect(clippy::too_many_arguments, reason = "a struct of them would be used only here")]
    fn search_made_move(
        &mut self,
        node: &Node<'_>,
        board: &EvalBoard,
        ours: bool,
        (played, position): (Move, &Position),
        depth: i32,
        window: Window,
        is_cut: bool,
    ) -> i32 {
        self.stack[node.ply].moved = self.history.piece_to(board, played);
        self.stack[node.ply + 1].pv.clear();
        let parent = Node { near: Some(board), is_cut, ..*node };
        self.search_child(&parent, position, ours, depth, window)
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
        let mut board = std::mem::take(&mut self.stack[ply].memory.board);
        self.evaluation.scan(position, &mut board, &mut self.structure_cache);
        let is_mover = self.is_ours(position) == ours;
        let score = self.evaluator.evaluate(EvalInput {
            position,
            ply,
            board: &board,
            mover: self.rules.mover(position),
            root: self.player,
            ours: self.is_ours(position),
            mobility: 0,
        });
        self.stack[ply].memory.board = board;
        if is_mover { score } else { -score }
    }

    fn is_ours(&self, position: &Position) -> bool {
        self.team.contains(self.rules.mover(position))
    }

    fn scan(&mut self, node: &Node<'_>, board: &mut EvalBoard) {
        match node.near {
            Some(near) => self.evaluation.scan_after(node.position, near, board, &mut self.structure_cache),
            None => self.evaluation.scan(node.position, board, &mut self.structure_cache),
        }
    }

    fn search_node(&mut self, node: Node<'_>, mut depth: i32, window: Window) -> i32 {
        let key = node.position.key();
        if self.tables.has_repetition_draw && self.path.contains(key) {
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
        let mut memory = std::mem::take(&mut self.stack[node.ply].memory);
        self.scan(&node, &mut memory.board);
        let score = self.search_scanned(node, &mut memory, entry, in_check, depth, window);
        self.stack[node.ply].memory = memory;
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
        let raw_eval = self.static_eval(&node, board, ours);
        let static_eval = self.corrected(raw_eval, board, before);
        self.stack[node.ply].static_eval = (!in_check).then_some(static_eval);
        self.stack[node.ply].ours = ours;
        let improving = !in_check && self.is_improving(node.ply, static_eval, ours);
        self.history.clear_killers(node.ply + 2);
        let mut buffers = moves::Buffers { picker: std::mem::take(picker), quiets, captures };
        let info = NodeInfo {
            node: &node,
            board,
            ours,
            moves,
            entry,
            in_check,
            raw_eval,
            static_eval,
            improving,
            before,
        };
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

    /// Adds what searches of similar positions have found to a static evaluation.
    fn corrected(&self, raw: i32, board: &EvalBoard, before: Before) -> i32 {
        let correction = self.history.correction(self.structure_key(board), before[0]);
        raw + correction * self.params.correction / (256 * 256)
    }

    fn structure_key(&self, board: &EvalBoard) -> u64 {
        board.structure_key() ^ u64::from(board.is_first_players_turn()) << 63
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
    fn root(position: &'p Position) -> Self {
        Node { position, ply: 0, mobility: [0, 0], is_after_null_move: false, near: None, is_cut: false }
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
