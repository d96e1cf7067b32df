//! The Monte Carlo tree search player, for any number of sides and with dice.
//!
//! Each simulation selects a path by PUCT, expands one leaf, evaluates it by quiescence search and backs the result up.
//! Every side maximises its own value. Priors come from [`Evaluation::move_score`].

#![allow(clippy::cast_precision_loss, reason = "values need few digits, and counts are far below 2^23")]

pub(crate) mod tree;

use tabiya_engine::{Die, Move, Position, Rules};

use crate::evaluation::{EvalBoard, Evaluation, StructureCache};
use crate::search::Quiescence;
use crate::{Chooser, Limits, Score, Search, SearchInfo, SplitMix, Values};
use tree::{Edge, Leaf, Tree, TreePath};

/// A player that chooses the most visited move.
#[derive(Clone, Debug)]
pub struct Mcts {
    rng: SplitMix,
    values: Option<Values>,
}

/// The number of simulations without limits.
const DEFAULT_SIMULATIONS: u64 = 2_000;
const C_PUCT: f32 = 1.4;
/// The value of an unvisited move: slightly worse than an even game.
const UNVISITED_VALUE: f32 = 0.4;
/// The evaluation in centipawns that corresponds to winning three games of four.
const THREE_TO_ONE: f32 = 400.0;
/// The softmax temperature of the priors, in centipawns.
const PRIOR_TEMPERATURE: f32 = 250.0;
const MAX_DEPTH: usize = 200;
/// The tree stops growing at this size. Further leaves are evaluated but not stored.
const MAX_TREE_SIZE: usize = 2_000_000;

impl Mcts {
    /// Creates a player from a seed.
    pub fn new(seed: u64) -> Self {
        Mcts { rng: SplitMix::new(seed), values: None }
    }

    /// Sets the evaluation weights. They apply only to the game that they belong to.
    #[must_use]
    pub fn with_values(self, values: impl Into<Option<Values>>) -> Self {
        Mcts { values: values.into(), ..self }
    }
}

impl Chooser for Mcts {
    fn choose_within(&mut self, rules: &Rules, position: &Position, limits: &Limits<'_>) -> Option<Move> {
        let evaluation = Values::cached(&mut self.values, rules).evaluation();
        let mut search = MctsSearch {
            rules,
            evaluation,
            quiescence: Quiescence::new(rules, evaluation),
            board: EvalBoard::default(),
            tree: Tree::default(),
            path: TreePath::default(),
            rng: &mut self.rng,
        };
        search.expand(position);
        if let [] | [_] = search.tree.edges(0) {
            return search.tree.edges(0).first().map(Edge::played);
        }
        let max_depth = limits.depth.map_or(MAX_DEPTH, |depth| depth as usize).clamp(1, MAX_DEPTH);
        // Deeper trees need more simulations.
        let simulations = match (limits.nodes, limits.depth, limits.stop) {
            (Some(nodes), _, _) => nodes,
            (None, Some(depth), _) => {
                DEFAULT_SIMULATIONS.saturating_mul(u64::from(depth.min(Search::MAX_PLIES)))
            }
            (None, None, Some(_)) => u64::MAX,
            (None, None, None) => DEFAULT_SIMULATIONS,
        };
        for done in 0..simulations.max(1) {
            search.simulate(position, max_depth);
            if limits.should_stop() {
                break;
            }
            if let Some(on_info) = limits.on_info
                && (done + 1).is_power_of_two()
            {
                on_info(&search.info(done + 1));
            }
        }
        search.best().map(Edge::played)
    }
}

/// The state of one search.
struct MctsSearch<'a> {
    rules: &'a Rules,
    evaluation: &'a Evaluation,
    quiescence: Quiescence<'a>,
    board: EvalBoard,
    tree: Tree,
    path: TreePath,
    rng: &'a mut SplitMix,
}

impl MctsSearch<'_> {
    /// Runs one simulation: select, expand, evaluate, backup.
    fn simulate(&mut self, root: &Position, max_depth: usize) {
        let mut position = root.clone();
        let choose =
            |tree: &Tree, node: usize, _: usize| tree.select_puct(node, C_PUCT, Some(UNVISITED_VALUE));
        let Self { rules, tree, path, rng, .. } = self;
        let leaf = tree.select(path, max_depth, choose, |played| {
            position = rules.play_unchecked(&position, played);
            throw_die(rules, &mut position, rng);
            position.key()
        });
        if let Leaf::New(key) = leaf
            && let Some(node) = self.expand(&position)
        {
            self.tree.attach(&self.path, key, node);
        }
        let values = self.evaluate(&position);
        self.tree.backup(&self.path, &values);
    }

    /// Adds a position to the tree, unless the tree is full.
    fn expand(&mut self, position: &Position) -> Option<usize> {
        if self.tree.size() > MAX_TREE_SIZE {
            return None;
        }
        let over = position.ended().is_some();
        let mut moves = if over { Vec::new() } else { self.rules.unsorted_moves(position) };
        moves.sort_unstable();
        self.evaluation.scan(position, &mut self.board, &mut StructureCache::default());
        let mover = self.rules.mover(position);
        let logit = |played: &Move| {
            let gain = self.evaluation.move_score(&self.board, *played).min(2000) as f32;
            let risk = if self.rules.is_attacked(position, played.to, mover) {
                self.evaluation.piece_value(self.board.moving_piece(*played)) as f32
            } else {
                0.0
            };
            (gain - risk).clamp(-1000.0, 1000.0) / PRIOR_TEMPERATURE
        };
        // Noise breaks ties between equal moves, so that games differ.
        let mut noise = || (0.9 + 0.2 * self.rng.below(1000) as f32 / 1000.0).ln();
        let logits: Vec<(Move, f32)> =
            moves.iter().map(|played| (*played, logit(played) + noise())).collect();
        Some(self.tree.expand(self.evaluation.side(mover), 0.5, logits))
    }

    /// Returns the value of a position for each side, from 0 (lost) to 1 (won).
    fn evaluate(&mut self, position: &Position) -> Vec<f32> {
        let sides = self.evaluation.sides();
        if let Some(outcome) = self.rules.outcome(position) {
            let won: Vec<usize> = outcome.winners.iter().map(|player| self.evaluation.side(player)).collect();
            let value = |side: usize| match won.len() {
                0 => 1.0 / sides as f32,
                _ if won.contains(&side) => 1.0,
                _ => 0.0,
            };
            return (0..sides).map(value).collect();
        }
        let mover = self.rules.mover(position);
        let own = win_probability(self.quiescence.score(position) as f32);
        self.evaluation.scan(position, &mut self.board, &mut StructureCache::default());
        let mut values = vec![0.0f32; sides];
        for player in self.rules.alive(position).iter() {
            values[self.evaluation.side(player)] =
                win_probability(self.evaluation.evaluate(&self.board, player) as f32);
        }
        let side = self.evaluation.side(mover);
        let others: f32 = values.iter().enumerate().filter(|(other, _)| *other != side).map(|it| it.1).sum();
        // The other sides share the remaining probability.
        for (other, value) in values.iter_mut().enumerate() {
            *value = if other == side { own } else { *value * (1.0 - own) / others.max(f32::MIN_POSITIVE) };
        }
        values
    }

    fn best(&self) -> Option<&Edge> {
        self.tree.most_visited(0).map(|index| &self.tree.edges(0)[index])
    }

    fn info(&self, nodes: u64) -> SearchInfo {
        let mut line = Vec::new();
        let mut here = Some(0);
        while let Some(edge) =
            here.and_then(|node| self.tree.edges(node).iter().max_by_key(|edge| edge.visits()))
            && edge.visits() > 0
            && line.len() < MAX_DEPTH
        {
            line.push(edge.played());
            // With dice the next position is unknown, and the line ends.
            here = edge.only_child();
        }
        let mean = self.best().and_then(Edge::mean_value).unwrap_or(0.5).clamp(0.001, 0.999);
        let centipawns = THREE_TO_ONE / 3f32.ln() * (mean / (1.0 - mean)).ln();
        SearchInfo {
            depth: line.len() as u32,
            selective_depth: line.len() as u32,
            nodes,
            score: Score::Centipawns(centipawns as i32),
            rank: 0,
            table_permille: 0,
            line,
        }
    }
}

/// Throws the die until a player can move.
fn throw_die(rules: &Rules, position: &mut Position, rng: &mut SplitMix) {
    // Faces that allow no move may repeat; give up at some point.
    for _ in 0..100 {
        let (Some(Die::Awaited(_)), Some(faces)) = (rules.die(position), rules.faces()) else {
            return;
        };
        let Some(next) = rules.throw(position, rng.throw(faces)) else { return };
        *position = next;
    }
}

fn win_probability(centipawns: f32) -> f32 {
    1.0 / (1.0 + (-centipawns * 3f32.ln() / THREE_TO_ONE).exp())
}
