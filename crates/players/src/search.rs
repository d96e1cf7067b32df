//! The alpha-beta player: iterative deepening with a quiescence search at the leaves.
//!
//! With more than two sides the tree follows best-reply search: of all opponents, only the one with the strongest reply
//! moves, and the others pass. This keeps alpha-beta cut-offs and searches deeper than letting every opponent move,
//! without assuming that the opponents cooperate. With dice, the opponents are treated as one side.

mod alpha_beta;
mod attack_lines;
mod bounds;
mod evaluator;
mod exchange;
mod game_tables;
mod history;
mod move_picker;
mod params;
mod path;
mod transposition_table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use tabiya_engine::{Move, Player, Position, Rules};

use crate::evaluation::Evaluation;
use crate::{Chooser, Limits, NetChoice, SearchInfo, SplitMix, Values};
use alpha_beta::{AlphaBeta, Shared, ThreadRole};
use game_tables::GameTables;
use history::History;
pub use params::SearchParams;
use transposition_table::TranspositionTable;

/// A player that chooses the move with the best minimax score.
#[derive(Clone, Debug)]
pub struct Search {
    rng: SplitMix,
    values: Option<Values>,
    net: NetChoice,
    /// Upper bound, exclusive, of the random centipawns added to each root move.
    noise: usize,
    threads: usize,
    hash_megabytes: usize,
    params: SearchParams,
    table: Option<Arc<TranspositionTable>>,
    tables: Option<Arc<GameTables>>,
    /// What the threads learned about moves in earlier searches of the game.
    histories: Vec<History>,
}

impl Search {
    /// The greatest search depth.
    pub const MAX_PLIES: u32 = 64;
    /// The greatest number of threads.
    pub const MAX_THREADS: usize = 256;

    const DEFAULT_NOISE: usize = 10;
    const DEFAULT_HASH_MEGABYTES: usize = 8;

    /// Creates a single-threaded player. Without limits it searches for a fixed effort: some hundredths of a second in
    /// most games, up to a second in the largest.
    pub fn new(seed: u64) -> Self {
        Search {
            rng: SplitMix::new(seed),
            values: None,
            net: NetChoice::default(),
            noise: Self::DEFAULT_NOISE,
            threads: 1,
            hash_megabytes: Self::DEFAULT_HASH_MEGABYTES,
            params: SearchParams::default(),
            table: None,
            tables: None,
            histories: Vec::new(),
        }
    }

    /// Sets the number of threads, which share one transposition table. With more than one thread, the same seed may
    /// choose different moves.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Search { threads: threads.clamp(1, Self::MAX_THREADS), ..self }
    }

    /// Sets the size of the transposition table.
    #[must_use]
    pub fn hash_megabytes(self, megabytes: usize) -> Self {
        Search { hash_megabytes: megabytes.clamp(1, 1 << 16), table: None, ..self }
    }

    /// Sets the evaluation weights. They apply only to the game that they belong to, and replace the bundled net.
    #[must_use]
    pub fn with_values(self, values: impl Into<Option<Values>>) -> Self {
        let values = values.into();
        let net = match self.net {
            NetChoice::Bundled if values.is_some() => NetChoice::Nothing,
            net => net,
        };
        Search { values, net, table: None, tables: None, histories: Vec::new(), ..self }
    }

    /// Sets which net evaluates positions.
    #[must_use]
    pub fn with_net(self, net: NetChoice) -> Self {
        Search { net, table: None, histories: Vec::new(), ..self }
    }

    /// Sets the numbers that steer the search.
    #[must_use]
    pub fn with_params(self, params: SearchParams) -> Self {
        Search { params, tables: None, ..self }
    }

    /// Sets the noise: each root move gets a random bonus below this many centipawns.
    #[must_use]
    pub fn noise(self, centipawns: usize) -> Self {
        Search { noise: centipawns.max(1), ..self }
    }
}

impl Chooser for Search {
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        let mut moves = rules.legal_moves(position);
        // A forced move needs no search unless a depth was requested.
        let is_forced = moves.len() == 1 && limits.moves.is_empty();
        let depth = limits.depth.unwrap_or(if is_forced { 1 } else { Self::MAX_PLIES });
        if moves.iter().any(|played| limits.moves.contains(played)) {
            moves.retain(|played| limits.moves.contains(played));
        }
        let mut moves: Vec<(Move, i32)> =
            moves.iter().map(|played| (*played, self.rng.below(self.noise) as i32)).collect();
        // The first of equally good moves is chosen.
        self.rng.shuffle(&mut moves);
        if moves.is_empty() {
            return None;
        }
        let is_new_game = !self.values.as_ref().is_some_and(|values| values.belong_to(rules));
        if is_new_game {
            (self.table, self.tables) = (None, None);
            self.histories.clear();
        }
        let table =
            self.table.take().unwrap_or_else(|| Arc::new(TranspositionTable::new(self.hash_megabytes)));
        table.grow_older();
        let evaluation = Values::cached(&mut self.values, rules).evaluation();
        let tables = self.tables.take();
        let tables = tables.unwrap_or_else(|| Arc::new(GameTables::of(rules, evaluation, &self.params)));
        let net = self.net.resolve(rules);
        let shared = Shared {
            rules,
            evaluation,
            net: net.as_deref(),
            tables: &tables,
            params: &self.params,
            table: Some(&table),
        };
        let root = Root {
            shared,
            player: rules.decider(position, rules.mover(position)),
            position,
            moves: &moves,
            depth: depth.clamp(1, Self::MAX_PLIES),
        };
        let mut histories = std::mem::take(&mut self.histories);
        let info = root.search(self.threads, limits, &mut histories);
        (self.table, self.tables, self.histories) = (Some(table), Some(tables), histories);
        info.line.first().copied()
    }
}

/// The input of one search, shared by all threads.
struct Root<'a> {
    shared: Shared<'a>,
    player: Player,
    position: &'a Position,
    /// Legal moves with their noise.
    moves: &'a [(Move, i32)],
    depth: u32,
}

impl<'a> Root<'a> {
    fn tree(&self, limits: &'a Limits<'a>, history: Option<History>) -> AlphaBeta<'a> {
        AlphaBeta::new(self.shared, self.player, limits, history)
    }

    /// Searches with a number of threads. The histories are those of the threads, and are replaced by what they learned.
    fn search(&self, threads: usize, limits: &'a Limits<'a>, histories: &mut Vec<History>) -> SearchInfo {
        if threads > 1 {
            return self.search_in_parallel(threads, limits, histories);
        }
        let (info, history) =
            self.tree(limits, histories.pop()).iterate(self.position, self.moves, 1..=self.depth);
        *histories = vec![history];
        info
    }

    /// Lazy SMP: all threads search the same moves to different depths and share the transposition table. The result is
    /// that of the main thread.
    fn search_in_parallel(
        &self,
        threads: usize,
        limits: &'a Limits<'a>,
        histories: &mut Vec<History>,
    ) -> SearchInfo {
        let is_over = AtomicBool::new(false);
        let helper_nodes = AtomicU64::new(0);
        let Limits { depth, earlier, quiet, .. } = *limits;
        let own = histories.pop();
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            for number in 1..threads {
                let (is_over, helper_nodes, history) = (&is_over, &helper_nodes, histories.pop());
                let help = move || {
                    let stop = || is_over.load(Ordering::Relaxed);
                    let limits = Limits { depth, stop: Some(&stop), earlier, quiet, ..Limits::default() };
                    let first = 1 + (number % 2) as u32;
                    let tree = self.tree(&limits, history).with_role(ThreadRole::Helper(helper_nodes));
                    tree.iterate(self.position, self.moves, first..=self.depth + 1).1
                };
                // If the system provides no more threads, search with those that exist.
                let Ok(helper) = thread::Builder::new().spawn_scoped(scope, help) else { break };
                helpers.push(helper);
            }
            let tree = self.tree(limits, own).with_role(ThreadRole::Main(&helper_nodes));
            let (info, own) = tree.iterate(self.position, self.moves, 1..=self.depth);
            is_over.store(true, Ordering::Relaxed);
            histories.clear();
            histories.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
            histories.push(own);
            info
        })
    }
}

/// Quiescence search without a tree above it, for other players.
pub(crate) struct Quiescence<'a>(AlphaBeta<'a>);

impl<'a> Quiescence<'a> {
    pub(crate) fn new(rules: &'a Rules, evaluation: &'a Evaluation) -> Self {
        let (tables, params) = (GameTables::of_quiescence(), &SearchParams::DEFAULT);
        let shared = Shared { rules, evaluation, net: None, tables, params, table: None };
        Quiescence(AlphaBeta::new(shared, rules.turn_of(0), &Limits::UNLIMITED, None))
    }

    /// Returns the quiescence score for the player to move.
    pub(crate) fn score(&mut self, position: &Position) -> i32 {
        self.0.quiescence_score(position)
    }
}
