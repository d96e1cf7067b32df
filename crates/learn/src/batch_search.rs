//! Monte Carlo tree search in many games at once. In every round each tree selects one leaf, and a single batch evaluates
//! all of them.
//!
//! The trees are those of `tabiya-players`; this module supplies positions, repetitions and evaluations.

#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^23")]

use tabiya_engine::{Move, SplitMix};
use tabiya_players::{Edge, Leaf, SequentialHalving, Tree, TreePath};
use tabiya_tensor::turn_order_from;

use crate::batch_env::BatchEnv;
use crate::episode::Episode;
use crate::sampling::{dirichlet, gumbel};
use crate::slot::{Shared, write_rewards};

/// How moves are selected inside the trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// AlphaZero's PUCT.
    Puct {
        /// The exploration constant.
        c_puct: f32,
        /// Dirichlet noise at the root: its alpha, and its fraction of the prior.
        dirichlet: Option<(f32, f32)>,
    },
    /// Gumbel search with sequential halving.
    Gumbel {
        /// The greatest number of root moves to consider.
        considered: usize,
        /// The scale of the Gumbel samples: 1 to train, 0 to play at full strength.
        gumbel_scale: f32,
    },
}

/// The configuration of a [`BatchSearch`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchConfig {
    /// The number of simulations in each game.
    pub simulations: u32,
    /// How moves are selected.
    pub method: Method,
}

const MAX_DEPTH: usize = 512;

/// The search trees of all games of an environment that are not over.
#[derive(Debug)]
pub struct BatchSearch {
    config: SearchConfig,
    searches: Vec<GameSearch>,
}

/// The search in one game.
#[derive(Debug)]
struct GameSearch {
    game: usize,
    tree: Tree,
    path: TreePath,
    leaf: Episode,
    /// The key of the leaf while it waits for its evaluation.
    pending: Option<u64>,
    halving: SequentialHalving,
    /// One Gumbel sample for each root move.
    gumbel: Vec<f32>,
    /// The number of simulations done.
    simulations: u32,
    /// By player: the sum of all values, including that of the root.
    value_sums: Vec<f32>,
    rng: SplitMix,
}

/// An invalid evaluation. None of the batch was used.
#[derive(Clone, Debug, PartialEq)]
pub enum EvaluationError {
    /// The logit of a legal move is NaN or infinite.
    Logit {
        /// The index of the leaf.
        leaf: usize,
        /// The action.
        action: u32,
        /// The logit.
        number: f32,
    },
    /// All legal moves of a leaf have the logit -∞.
    NoLegalMove {
        /// The index of the leaf.
        leaf: usize,
    },
    /// A value is not from -1 to 1.
    Value {
        /// The index of the leaf.
        leaf: usize,
        /// The seat, counted from the player to move.
        seat: usize,
        /// The value.
        number: f32,
    },
}

tabiya_engine::error_messages! { EvaluationError:
    EvaluationError::Logit { leaf, action, number } => "logits[{leaf}, {action}] is {number}, but the move is legal";
    EvaluationError::NoLegalMove { leaf } => "logits[{leaf}] gives every legal move the probability 0";
    EvaluationError::Value { leaf, seat, number }
        => "values[{leaf}, {seat}] is {number}, expected a number from -1 to 1";
}

/// Values may exceed their range by this much: evaluators compute with few digits.
const TOLERANCE: f32 = 1e-3;

impl BatchSearch {
    /// Creates a tree for every game that is not over. All roots wait for their evaluation.
    pub fn new(env: &BatchEnv, config: SearchConfig, seed: u64) -> Self {
        let mut rng = SplitMix::new(seed);
        let open = env.slots.iter().enumerate().filter(|(_, slot)| !slot.is_over());
        let searches = open.map(|(game, slot)| {
            let mut rng = SplitMix::new(rng.next_u64() ^ slot.seed());
            let moves = slot.episode.moves().len();
            let (halving, gumbel) = match config.method {
                Method::Puct { .. } => (SequentialHalving::new(0, moves, 1), Vec::new()),
                Method::Gumbel { considered, gumbel_scale } => {
                    let samples = (0..moves).map(|_| gumbel_scale * gumbel(&mut rng)).collect();
                    (SequentialHalving::new(config.simulations, moves, considered), samples)
                }
            };
            GameSearch {
                game,
                tree: Tree::default(),
                path: TreePath::default(),
                leaf: slot.episode.clone(),
                pending: Some(0),
                halving,
                gumbel,
                simulations: 0,
                value_sums: vec![0.0; env.players()],
                rng,
            }
        });
        BatchSearch { config, searches: searches.collect() }
    }

    /// The number of leaves that wait for an evaluation; 0 when the search is complete.
    pub fn pending(&self) -> usize {
        self.searches.iter().filter(|search| search.pending.is_some()).count()
    }

    /// Writes the observations of the pending leaves, each of its player to move.
    ///
    /// # Panics
    /// If `out` does not have [`Encoding::len`](tabiya_tensor::Encoding::len) numbers for each leaf.
    pub fn observe(&self, env: &BatchEnv, out: &mut [f32]) {
        let pending: Vec<&GameSearch> = self.searches.iter().filter(|it| it.pending.is_some()).collect();
        assert_eq!(out.len(), pending.len() * env.shared.encoding.len(), "planes of every leaf");
        env.pool.fill_rows(&pending, out, |search, out| env.shared.write(&search.leaf, out));
    }

    /// Takes the evaluations of the pending leaves: for each leaf a logit for every action, and a value from -1 (lost) to
    /// 1 (won) for every seat, starting with the player to move. Expands the leaves, backs the values up and selects the
    /// next leaf of every tree.
    ///
    /// # Errors
    /// Returns the first invalid evaluation. No tree has changed then.
    ///
    /// # Panics
    /// If a slice does not match the number of pending leaves.
    pub fn submit(&mut self, env: &BatchEnv, logits: &[f32], values: &[f32]) -> Result<(), EvaluationError> {
        let (actions, players) = (env.shared.encoding.actions(), env.players());
        let leaves = self.pending();
        assert!(
            logits.len() == leaves * actions && values.len() == leaves * players,
            "one evaluation for each leaf"
        );
        let config = self.config;
        let outputs: Vec<(&[f32], &[f32])> = logits.chunks(actions).zip(values.chunks(players)).collect();
        let pending: Vec<&GameSearch> = self.searches.iter().filter(|it| it.pending.is_some()).collect();
        let chunk = env.pool.chunk_size(leaves);
        let evaluations = env.pool.map(pending.chunks(chunk).zip(outputs.chunks(chunk)).enumerate(), |job| {
            let (job, (searches, outputs)) = job;
            let pairs = (job * chunk..).zip(searches.iter().zip(outputs));
            let read = pairs.map(|(leaf, (search, output))| search.read_output(&env.shared, leaf, *output));
            read.collect::<Result<Vec<Evaluation>, EvaluationError>>()
        });
        let mut evaluations = evaluations.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
        let mut work: Vec<(&mut GameSearch, Evaluation)> = Vec::with_capacity(leaves);
        for search in self.searches.iter_mut().filter(|search| search.pending.is_some()) {
            work.extend(evaluations.next().map(|evaluation| (search, evaluation)));
        }
        env.pool.map(work.chunks_mut(chunk), |work| {
            for (search, evaluation) in work {
                search.expand_and_backup(&env.shared, config, evaluation);
                search.select_leaf(env, config);
            }
        });
        Ok(())
    }

    /// Writes the result for every game: the policy over all actions (visit fractions, or the improved policy of Gumbel
    /// search), the value of the position for each player, and the action to play. Games that are over get zeros and -1.
    ///
    /// # Panics
    /// If a slice does not match the number of games.
    pub fn results(&self, env: &BatchEnv, policy: &mut [f32], values: &mut [f32], best: &mut [i64]) {
        let (games, actions, players) = (env.games(), env.shared.encoding.actions(), env.players());
        assert!(
            policy.len() == games * actions && values.len() == games * players && best.len() == games,
            "output for every game"
        );
        policy.fill(0.0);
        values.fill(0.0);
        best.fill(-1);
        for search in &self.searches {
            let game = search.game;
            let position = env.slots[game].episode.position();
            let (tree, edges) = (&search.tree, search.tree.edges(0));
            let Shared { rules, encoding, .. } = &env.shared;
            let numbers: Vec<u32> =
                edges.iter().map(|edge| encoding.action(rules, position, edge.played())).collect();
            let visits: u32 = edges.iter().map(Edge::visits).sum();
            let probabilities: Vec<f32> = match self.config.method {
                Method::Gumbel { .. } => tree.improved_policy(0).probabilities,
                Method::Puct { .. } if visits == 0 => edges.iter().map(Edge::prior).collect(),
                Method::Puct { .. } => {
                    edges.iter().map(|edge| edge.visits() as f32 / visits as f32).collect()
                }
            };
            for (number, probability) in numbers.iter().zip(probabilities) {
                policy[game * actions + *number as usize] = probability;
            }
            let chosen = match self.config.method {
                Method::Gumbel { .. } => SequentialHalving::best(tree, &search.gumbel),
                Method::Puct { .. } => tree.most_visited(0),
            };
            best[game] = chosen.map_or(-1, |index| i64::from(numbers[index]));
            let count = search.simulations as f32 + 1.0;
            for (value, sum) in values[game * players..].iter_mut().zip(&search.value_sums) {
                *value = 2.0 * sum / count - 1.0;
            }
        }
    }
}

/// Converts a value from -1 to 1 into the range of the trees, 0 to 1.
fn tree_value(value: f32) -> f32 {
    f32::midpoint(value, 1.0)
}

/// The evaluation of a leaf.
struct Evaluation {
    /// The legal moves ordered by action, with their logits.
    moves: Vec<(Move, f32)>,
    /// By player, from 0 to 1.
    values: Vec<f32>,
}

impl GameSearch {
    /// Reads and checks the evaluator's output for the leaf.
    fn read_output(
        &self,
        shared: &Shared,
        leaf: usize,
        (logits, values): (&[f32], &[f32]),
    ) -> Result<Evaluation, EvaluationError> {
        let Shared { rules, encoding, .. } = shared;
        let position = self.leaf.position();
        let mut moves = Vec::with_capacity(self.leaf.moves().len());
        for played in self.leaf.moves() {
            let action = encoding.action(rules, position, *played);
            let number = logits[action as usize];
            if number.is_nan() || number == f32::INFINITY {
                return Err(EvaluationError::Logit { leaf, action, number });
            }
            moves.push((action, *played, number.max(-1e9)));
        }
        if moves.iter().all(|(.., logit)| *logit <= -1e9) {
            return Err(EvaluationError::NoLegalMove { leaf });
        }
        // Generation order differs between machines.
        moves.sort_unstable_by_key(|(action, ..)| *action);
        let mut by_player = vec![0.0; values.len()];
        for (seat, player) in turn_order_from(rules, rules.mover(position)).into_iter().enumerate() {
            let number = values[seat];
            if !(-1.0 - TOLERANCE..=1.0 + TOLERANCE).contains(&number) {
                return Err(EvaluationError::Value { leaf, seat, number });
            }
            by_player[player.index()] = tree_value(number.clamp(-1.0, 1.0));
        }
        let moves = moves.into_iter().map(|(_, played, logit)| (played, logit)).collect();
        Ok(Evaluation { moves, values: by_player })
    }

    /// Adds the evaluated leaf to the tree.
    fn expand_and_backup(&mut self, shared: &Shared, config: SearchConfig, evaluation: &Evaluation) {
        let Evaluation { moves, values } = evaluation;
        let mover = shared.rules.mover(self.leaf.position()).index();
        let is_root = self.tree.is_empty();
        let node = self.tree.expand(mover, values[mover], moves.iter().copied());
        if let Some(key) = self.pending.take().filter(|_| !is_root) {
            self.tree.attach(&self.path, key, node);
            self.backup(values);
        } else {
            self.add_values(values);
        }
        if let (true, Method::Puct { dirichlet: Some((alpha, fraction)), .. }) = (is_root, config.method) {
            let noise = dirichlet(alpha, moves.len(), &mut self.rng);
            self.tree.mix_noise(0, fraction, &noise);
        }
    }

    /// Ends a simulation with the values of its leaf.
    fn backup(&mut self, values: &[f32]) {
        self.tree.backup(&self.path, values);
        self.add_values(values);
        self.simulations += 1;
    }

    fn add_values(&mut self, values: &[f32]) {
        self.value_sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    }

    /// Runs simulations until a leaf needs an evaluation. Finished games do not need one.
    fn select_leaf(&mut self, env: &BatchEnv, config: SearchConfig) {
        let rules = &env.shared.rules;
        while self.simulations < config.simulations && self.pending.is_none() {
            let GameSearch { tree, path, leaf, halving, gumbel, simulations, rng, game, .. } = self;
            leaf.copy_from(&env.slots[*game].episode);
            let simulation = *simulations as usize;
            let choose = |tree: &Tree, node: usize, depth: usize| match config.method {
                Method::Puct { c_puct, .. } => tree.select_puct(node, c_puct, None),
                Method::Gumbel { .. } if depth == 0 => halving.select(tree, simulation, gumbel),
                Method::Gumbel { .. } => tree.select_gumbel(node),
            };
            let selected = tree.select(path, MAX_DEPTH, choose, |played| {
                leaf.advance(rules, played, rng);
                leaf.position().key()
            });
            leaf.update(rules);
            let mut values = vec![0.5; env.players()];
            match (leaf.end(), selected) {
                (None, Leaf::New(key)) => {
                    self.pending = Some(key);
                    continue;
                }
                // The depth limit was reached: the game counts as a draw.
                (None, Leaf::Known(_)) => {}
                (Some(end), selected) => {
                    let mut rewards = vec![0.0; values.len()];
                    write_rewards(end.winners, &mut rewards);
                    values.iter_mut().zip(rewards).for_each(|(value, reward)| *value = tree_value(reward));
                    if let Leaf::New(key) = selected {
                        let mover = rules.mover(leaf.position()).index();
                        let node = tree.expand(mover, values[mover], []);
                        tree.attach(path, key, node);
                    }
                }
            }
            self.backup(&values);
        }
    }
}
