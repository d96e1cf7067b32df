//! Monte Carlo search in many games at once: in every round each tree brings one leaf, and one judge is asked about all of
//! them together.
//!
//! The trees are those of `tabiya-players`; here they are given positions, repetition and all.

#![allow(clippy::cast_precision_loss, reason = "counts are far below 2^23")]

use std::fmt;

use tabiya_engine::SplitMix;
use tabiya_players::{Arrival, Halving, Tree, Way};
use tabiya_tensor::ring;

use crate::course::Course;
use crate::env::Env;
use crate::luck::{dirichlet, gumbel};
use crate::table::{House, reward};

/// How moves are chosen inside the trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// What a move came to, and what it may come to (AlphaZero).
    Puct {
        /// How much it likes to try what it knows little about.
        curiosity: f32,
        /// Chance that is mixed into the priors of the root: its concentration and its share.
        noise: Option<(f32, f32)>,
    },
    /// A few moves drawn by chance, and the better half again and again.
    Gumbel {
        /// How many moves of the root are looked at.
        considered: usize,
        /// How much chance there is: 1 to learn, 0 to play as well as it can.
        luck: f32,
    },
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// How many lines are tried in each game.
    pub lines: u32,
    /// How moves are chosen.
    pub method: Method,
}

/// No line is longer.
const LONGEST: usize = 512;

/// The trees of all games of an environment that are not over.
#[derive(Debug)]
pub struct Forest {
    plan: Plan,
    stands: Vec<Stand>,
}

/// The tree of one game.
#[derive(Debug)]
struct Stand {
    game: usize,
    tree: Tree,
    way: Way,
    leaf: Course,
    /// The key of the leaf, while the judge is asked about it.
    asked: Option<u64>,
    halving: Halving,
    luck: Vec<f32>,
    /// How many lines were tried.
    lines: u32,
    /// By player: the chances that all of them came to, and that the judge saw in the root.
    sums: Vec<f32>,
    dice: SplitMix,
}

/// What is wrong with an answer of the judge. Nothing of it was used.
#[derive(Clone, Debug, PartialEq)]
pub enum BadAnswer {
    /// A logit of a legal move is no number.
    Logit {
        /// Which leaf of this round.
        leaf: usize,
        /// Which action.
        action: u32,
        /// What it is.
        number: f32,
    },
    /// All legal moves of a leaf are ruled out.
    NoMove {
        /// Which leaf.
        leaf: usize,
    },
    /// A value is not from -1 to 1.
    Value {
        /// Which leaf.
        leaf: usize,
        /// Which seat, counted from whoever moves.
        seat: usize,
        /// What it is.
        number: f32,
    },
}

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadAnswer::Logit { leaf, action, number } => {
                write!(f, "logits[{leaf}, {action}] is {number}, and belongs to a legal move")
            }
            BadAnswer::NoMove { leaf } => write!(f, "logits[{leaf}] rules out every legal move"),
            BadAnswer::Value { leaf, seat, number } => {
                write!(f, "values[{leaf}, {seat}] is {number}, wanted a number from -1 to 1")
            }
        }
    }
}

impl std::error::Error for BadAnswer {}

/// Numbers may be off by so much: judges count in few digits.
const SLACK: f32 = 1e-3;

impl Forest {
    /// A tree for every game that is not over; the judge is asked about all roots.
    pub fn new(env: &Env, plan: Plan, seed: u64) -> Self {
        let mut dice = SplitMix::new(seed);
        let open = env.tables.iter().enumerate().filter(|(_, table)| !table.is_over());
        let stands = open.map(|(game, table)| {
            let mut dice = SplitMix::new(dice.next_u64() ^ table.seed());
            let moves = table.course.moves().len();
            let (halving, luck) = match plan.method {
                Method::Puct { .. } => (Halving::new(0, moves, 1), Vec::new()),
                Method::Gumbel { considered, luck } => {
                    let drawn = (0..moves).map(|_| luck * gumbel(&mut dice)).collect();
                    (Halving::new(plan.lines, moves, considered), drawn)
                }
            };
            Stand {
                game,
                tree: Tree::default(),
                way: Way::default(),
                leaf: table.course.clone(),
                asked: Some(0),
                halving,
                luck,
                lines: 0,
                sums: vec![0.0; env.players()],
                dice,
            }
        });
        Forest { plan, stands: stands.collect() }
    }

    /// How many leaves the judge is asked about.
    pub fn asked(&self) -> usize {
        self.stands.iter().filter(|stand| stand.asked.is_some()).count()
    }

    /// Writes what whoever moves on each of these leaves sees.
    ///
    /// # Panics
    /// If `out` is not as long as that.
    pub fn write(&self, env: &Env, out: &mut [f32]) {
        let House { rules, encoding, .. } = &env.house;
        assert_eq!(out.len(), self.asked() * encoding.len(), "planes of every leaf");
        let asked: Vec<&Stand> = self.stands.iter().filter(|stand| stand.asked.is_some()).collect();
        let share = env.crew.share(asked.len());
        env.crew.spread(asked.chunks(share).zip(out.chunks_mut(share * encoding.len())), |(stands, out)| {
            for (stand, out) in stands.iter().zip(out.chunks_mut(encoding.len())) {
                let mover = rules.mover(stand.leaf.position());
                encoding.write(rules, &stand.leaf.sight(), mover, out);
            }
        });
    }

    /// Takes the answer of the judge: for each leaf a logit for each action, and a value for each seat from whoever moves on,
    /// from -1 for lost to 1 for won. Then every tree goes on to its next leaf. An answer that is none changes nothing.
    ///
    /// # Panics
    /// If the slices are not as long as that.
    pub fn answer(&mut self, env: &Env, logits: &[f32], values: &[f32]) -> Result<(), BadAnswer> {
        let (actions, players) = (env.house.encoding.actions(), env.players());
        let leaves = self.asked();
        assert!(logits.len() == leaves * actions && values.len() == leaves * players);
        let plan = self.plan;
        let answers: Vec<(&[f32], &[f32])> = logits.chunks(actions).zip(values.chunks(players)).collect();
        let asked: Vec<&Stand> = self.stands.iter().filter(|stand| stand.asked.is_some()).collect();
        let share = env.crew.share(leaves);
        let heard = env.crew.spread(asked.chunks(share).zip(answers.chunks(share)).enumerate(), |job| {
            let (job, (stands, answers)) = job;
            let pairs = (job * share..).zip(stands.iter().zip(answers));
            let heard = pairs.map(|(leaf, (stand, answer))| stand.hear(&env.house, leaf, *answer));
            heard.collect::<Result<Vec<Heard>, BadAnswer>>()
        });
        let mut heard = heard.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten();
        let mut work: Vec<(&mut Stand, Heard)> = Vec::with_capacity(leaves);
        for stand in self.stands.iter_mut().filter(|stand| stand.asked.is_some()) {
            work.extend(heard.next().map(|heard| (stand, heard)));
        }
        env.crew.spread(work.chunks_mut(share), |work| {
            for (stand, heard) in work {
                stand.learn(&env.house, plan, heard);
                stand.go_on(env, plan);
            }
        });
        Ok(())
    }

    /// Writes for every game of the environment what its search found: for each action its share (of the lines, or what
    /// Gumbel search makes of them), for each player the value of the position, and the action to play. Games that are over
    /// get zeros and -1.
    ///
    /// # Panics
    /// If the slices are not as long as that.
    pub fn found(&self, env: &Env, shares: &mut [f32], values: &mut [f32], best: &mut [i64]) {
        let (games, actions, players) = (env.games(), env.house.encoding.actions(), env.players());
        assert!(shares.len() == games * actions && values.len() == games * players && best.len() == games);
        shares.fill(0.0);
        values.fill(0.0);
        best.fill(-1);
        for stand in &self.stands {
            let game = stand.game;
            let table = &env.tables[game];
            let (tree, edges) = (&stand.tree, stand.tree.edges(0));
            let numbers: Vec<u32> = edges
                .iter()
                .map(|edge| {
                    env.house.encoding.action(&env.house.rules, table.course.position(), edge.played())
                })
                .collect();
            let all: u32 = edges.iter().map(tabiya_players::Edge::visits).sum();
            let found: Vec<f32> = match self.plan.method {
                Method::Gumbel { .. } => tree.seen(0).shares,
                Method::Puct { .. } if all == 0 => edges.iter().map(tabiya_players::Edge::prior).collect(),
                Method::Puct { .. } => edges.iter().map(|edge| edge.visits() as f32 / all as f32).collect(),
            };
            for (number, share) in numbers.iter().zip(found) {
                shares[game * actions + *number as usize] = share;
            }
            let chosen = match self.plan.method {
                Method::Gumbel { .. } => Halving::best(tree, &stand.luck),
                Method::Puct { .. } => tree.most_tried(0),
            };
            best[game] = chosen.map_or(-1, |index| i64::from(numbers[index]));
            let heard = stand.lines as f32 + 1.0;
            for (value, sum) in values[game * players..].iter_mut().zip(&stand.sums) {
                *value = 2.0 * sum / heard - 1.0;
            }
        }
    }
}

/// A value from -1 to 1 as a chance from 0 to 1, in which trees count.
fn chance_of(value: f32) -> f32 {
    f32::midpoint(value, 1.0)
}

/// What the judge said about a leaf.
struct Heard {
    /// The legal moves, by number, with their logits.
    moves: Vec<(tabiya_engine::Move, f32)>,
    /// The chance of each player, from 0 to 1.
    chances: Vec<f32>,
}

impl Stand {
    /// Reads what the judge says.
    fn hear(
        &self,
        house: &House,
        leaf: usize,
        (logits, values): (&[f32], &[f32]),
    ) -> Result<Heard, BadAnswer> {
        let House { rules, encoding, .. } = house;
        let position = self.leaf.position();
        let mut moves = Vec::with_capacity(self.leaf.moves().len());
        for played in self.leaf.moves() {
            let action = encoding.action(rules, position, *played);
            let number = logits[action as usize];
            if number.is_nan() || number == f32::INFINITY {
                return Err(BadAnswer::Logit { leaf, action, number });
            }
            moves.push((action, *played, number.max(-1e9)));
        }
        if moves.iter().all(|(.., logit)| *logit <= -1e9) {
            return Err(BadAnswer::NoMove { leaf });
        }
        // By number, so that it does not hang on the machine in which order moves are found.
        moves.sort_unstable_by_key(|(action, ..)| *action);
        let mut chances = vec![0.0; values.len()];
        for (seat, player) in ring(rules, rules.mover(position)).into_iter().enumerate() {
            let number = values[seat];
            if !(-1.0 - SLACK..=1.0 + SLACK).contains(&number) {
                return Err(BadAnswer::Value { leaf, seat, number });
            }
            chances[player.index()] = chance_of(number.clamp(-1.0, 1.0));
        }
        Ok(Heard { moves: moves.into_iter().map(|(_, played, logit)| (played, logit)).collect(), chances })
    }

    /// Hangs the leaf into the tree.
    fn learn(&mut self, house: &House, plan: Plan, heard: &Heard) {
        let mover = house.rules.mover(self.leaf.position()).index();
        let is_root = self.tree.is_empty();
        self.sums.iter_mut().zip(&heard.chances).for_each(|(sum, chance)| *sum += chance);
        let node = self.tree.grow(mover, heard.chances[mover], heard.moves.iter().copied());
        if let Some(key) = self.asked.take().filter(|_| !is_root) {
            self.tree.hang(&self.way, key, node);
            self.tree.learn(&self.way, &heard.chances);
            self.lines += 1;
        }
        if let (true, Method::Puct { noise: Some((concentration, share)), .. }) = (is_root, plan.method) {
            let noise = dirichlet(concentration, heard.moves.len(), &mut self.dice);
            self.tree.mix(0, share, &noise);
        }
    }

    /// Goes on to the next leaf that the judge must be asked about, if lines are left. What is over needs no judge.
    fn go_on(&mut self, env: &Env, plan: Plan) {
        let rules = &env.house.rules;
        while self.lines < plan.lines && self.asked.is_none() {
            let Stand { tree, way, leaf, halving, luck, lines, dice, game, .. } = self;
            leaf.copy_from(&env.tables[*game].course);
            let line = *lines as usize;
            let choose = |tree: &Tree, node: usize, depth: usize| match plan.method {
                Method::Puct { curiosity, .. } => tree.promising(node, curiosity, None),
                Method::Gumbel { .. } if depth == 0 => halving.choose(tree, line, luck),
                Method::Gumbel { .. } => tree.lagging(node),
            };
            let arrival = tree.descend(way, LONGEST, choose, |played| {
                leaf.advance(rules, played, dice);
                leaf.position().key()
            });
            leaf.settle(rules);
            let mut chances = vec![0.5; env.players()];
            match (leaf.end(), arrival) {
                (None, Arrival::New(key)) => {
                    self.asked = Some(key);
                    continue;
                }
                // The line is as long as it may be: nobody has won.
                (None, Arrival::Known(_)) => {}
                (Some(end), arrival) => {
                    let mut rewards = vec![0.0; chances.len()];
                    reward(end.winners, &mut rewards);
                    chances.iter_mut().zip(rewards).for_each(|(chance, reward)| *chance = chance_of(reward));
                    if let Arrival::New(key) = arrival {
                        let mover = rules.mover(leaf.position()).index();
                        let node = tree.grow(mover, chances[mover], []);
                        tree.hang(way, key, node);
                    }
                }
            }
            self.tree.learn(&self.way, &chances);
            self.sums.iter_mut().zip(&chances).for_each(|(sum, chance)| *sum += chance);
            self.lines += 1;
        }
    }
}
