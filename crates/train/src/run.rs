//! The generations of a training: games, learning, match.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use tabiya_engine::{Rules, SplitMix};
use tabiya_notation::State;
use tabiya_players::{Features, Net, NetChoice, Values};

use crate::export::hash_text;
use crate::folder::{Folder, Generation, TrainError, TrainingState};
use crate::model::Model;
use crate::sample::Dataset;
use crate::self_play::{Conditions, without_known};
use crate::sprt::{Decision, MatchScore};
use crate::trainer::{Schedule, train};

/// What to train, and with what effort.
#[derive(Clone, Debug)]
pub struct Training {
    /// The rules. They must come from a file.
    pub rules: Arc<Rules>,
    /// The start of games.
    pub start: State,
    /// The effort.
    pub budget: Budget,
    /// The number of generations.
    pub generations: u32,
    /// The number of positions searched for each move; a quarter of it in games before a net is accepted.
    pub nodes: u64,
    /// The number of neurons for each view.
    pub hidden: usize,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of threads. The result does not depend on it, except through a budget of time.
    pub threads: usize,
    /// Where the state and the positions are kept.
    pub folder: PathBuf,
    /// Whether to continue the training in the folder.
    pub resume: bool,
    /// How the net was made, to be written into it.
    pub provenance: String,
}

/// The effort of a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// About this number of seconds. Later generations take more of them.
    Seconds(f64),
    /// About this number of positions in each generation.
    Positions(u64),
}

/// What a training is doing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Progress {
    /// It plays games.
    Games {
        /// The generation.
        generation: u32,
        /// The positions of this generation so far.
        positions: u64,
    },
    /// It learns.
    Learning {
        /// The generation.
        generation: u32,
        /// The number of times that all positions were seen.
        epoch: u32,
        /// The mean squared error on positions that are learned.
        loss: f64,
        /// The mean squared error on positions that are not.
        test_loss: f64,
    },
    /// The new net plays against the previous best.
    Match {
        /// The generation.
        generation: u32,
        /// The results so far.
        score: MatchScore,
    },
}

/// The result of a training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The best net, or `None` if none gained anything.
    pub net: Option<Net>,
    /// All generations.
    pub generations: Vec<Generation>,
}

/// The parts of the seed.
const GAMES: u64 = 1;
const MODEL: u64 = 2;
const LEARNING: u64 = 3;
const MATCHES: u64 = 4;

/// Games without a net search this part of the nodes.
const UNTRAINED_SHARE: u64 = 4;
/// The number of games after which the state is saved.
const GAMES_AT_ONCE: u64 = 16;
/// The number of pairs of games after which a match may stop.
const PAIRS_AT_ONCE: u32 = 8;
/// The greatest number of pairs in a match.
const MOST_PAIRS: u32 = 200;
/// The number of games in a row without any position after which a training gives up.
const MOST_FRUITLESS_GAMES: u64 = 2000;
/// A game is drawn after this number of moves.
const MAX_PLIES: u32 = 400;
/// The shares of a generation's time after which games and learning end.
const GAMES_END: f64 = 0.7;
const LEARNING_END: f64 = 0.85;
/// The number of samples that are learned in all, and the least and greatest number of epochs.
const SAMPLES_TO_LEARN: u64 = 40_000_000;
const EPOCHS: (u64, u64) = (6, 40);
/// The greatest number of positions in memory. The oldest are forgotten.
const MOST_SAMPLES: usize = 30_000_000;

impl Training {
    /// Runs the training to its end. `elapsed` returns the seconds since the call; `watch` is called with every step of
    /// progress and the seconds that are left, if the budget is one of time.
    ///
    /// # Errors
    /// Fails if the game cannot have a net, or the folder cannot be used.
    pub fn run(
        &self,
        elapsed: &(dyn Fn() -> f64 + Sync),
        watch: &mut dyn FnMut(Progress, Option<f64>),
    ) -> Result<Trained, TrainError> {
        let features = Features::of(&self.rules)?;
        // Creates an empty net to find out before any work whether the game can have one.
        Net::new(&self.rules, Model::zero(features.inputs(), self.hidden).quantise(1), &self.provenance)?;
        let state = TrainingState {
            game: hash_text(&self.rules),
            seed: self.seed,
            nodes: self.nodes,
            hidden: self.hidden,
            generations: Vec::new(),
            games: 0,
            positions: 0,
            bytes: 0,
            seconds: 0.0,
        };
        let (folder, state) = Folder::open(&self.folder, state, self.resume)?;
        let best = if state.generations.iter().any(|it| it.accepted) {
            let net = Net::read(&self.rules, &folder.read("best.net")?)?;
            Some(Arc::new(net))
        } else {
            None
        };
        let conditions = Conditions {
            rules: self.rules.clone(),
            start: self.start.clone(),
            values: Values::of(&self.rules),
            nodes: self.nodes,
            max_plies: MAX_PLIES,
        };
        let spent = state.seconds;
        let clock = move || spent + elapsed();
        let mut run = Run { training: self, features, conditions, folder, state, best, clock: &clock, watch };
        while (run.state.generations.len() as u32) < self.generations && !run.is_over() {
            run.generation()?;
        }
        let net = run.best.as_deref().cloned();
        Ok(Trained { net, generations: run.state.generations })
    }
}

/// Plays a match of two nets at a fixed number of nodes a move: `pairs` pairs of games, each from one random opening with the
/// sides exchanged. Returns the result of the first net. The same seed gives the same games on any number of threads.
pub fn compare(
    rules: &Arc<Rules>,
    nets: [&NetChoice; 2],
    nodes: u64,
    pairs: u32,
    seed: u64,
    threads: usize,
) -> MatchScore {
    let conditions = Conditions {
        rules: rules.clone(),
        start: State::new(rules.start()),
        values: Values::of(rules),
        nodes,
        max_plies: MAX_PLIES,
    };
    let mut seeds = SplitMix::new(seed);
    let seeds: Vec<u64> = (0..pairs).map(|_| seeds.next_u64()).collect();
    let mut score = MatchScore::default();
    for pair in conditions.compare(nets, &seeds, threads) {
        score.add(pair);
    }
    score
}

/// A training under way.
struct Run<'r> {
    training: &'r Training,
    features: Features,
    conditions: Conditions,
    folder: Folder,
    state: TrainingState,
    best: Option<Arc<Net>>,
    /// Returns the seconds that the training has taken, with those before it was continued.
    clock: &'r (dyn Fn() -> f64 + Sync),
    watch: &'r mut dyn FnMut(Progress, Option<f64>),
}

impl Run<'_> {
    fn number(&self) -> u32 {
        self.state.generations.len() as u32 + 1
    }

    /// Whether the time is up. A training has at least one generation.
    fn is_over(&self) -> bool {
        let is_late = |total: f64| (self.clock)() >= 0.98 * total;
        matches!(self.training.budget, Budget::Seconds(total) if is_late(total)) && self.number() > 1
    }

    /// Returns the second at which a share of the current generation is over. Generations take time in proportion to their
    /// numbers.
    fn end_of(&self, share: f64) -> Option<f64> {
        let Budget::Seconds(total) = self.training.budget else { return None };
        let weight = |generations: u32| f64::from(generations * (generations + 1) / 2);
        let (before, after) = (weight(self.number() - 1), weight(self.number()));
        Some(total * (before + (after - before) * share) / weight(self.training.generations))
    }

    fn report(&mut self, progress: Progress) {
        let left = match self.training.budget {
            Budget::Seconds(total) => Some((total - (self.clock)()).max(0.0)),
            Budget::Positions(_) => None,
        };
        (self.watch)(progress, left);
    }

    /// Returns the seed of one of many games or choices.
    fn seed(&self, part: u64, number: u64) -> u64 {
        let mix = |seed: u64| SplitMix::new(seed).next_u64();
        mix(mix(mix(mix(self.training.seed) ^ part) ^ u64::from(self.number())) ^ number)
    }

    fn save(&mut self) -> Result<(), TrainError> {
        self.state.seconds = (self.clock)();
        self.folder.save(&self.state)
    }

    fn generation(&mut self) -> Result<(), TrainError> {
        self.play_games()?;
        let (net, loss) = self.learn()?;
        let score = self.compare(&net);
        let accepted = match score.decision() {
            Decision::Accept => true,
            Decision::Reject => false,
            Decision::Open => score.log_likelihood_ratio() > 0.0,
        };
        if accepted {
            self.folder.write("best.net", &net.to_bytes())?;
            self.best = Some(net);
        }
        let generation =
            Generation { number: self.number(), positions: self.state.positions, loss, score, accepted };
        self.state.generations.push(generation);
        (self.state.games, self.state.positions, self.state.bytes) = (0, 0, 0);
        self.save()
    }

    /// Returns the number of positions searched for each move of the games. While positions are evaluated without a net, a
    /// net can only learn to imitate that, for which many positions count more than deep searches.
    fn nodes(&self) -> u64 {
        match self.best {
            None => (self.training.nodes / UNTRAINED_SHARE).max(1),
            Some(_) => self.training.nodes,
        }
    }

    fn choice(&self) -> NetChoice {
        self.best.clone().map_or(NetChoice::Nothing, NetChoice::Given)
    }

    fn play_games(&mut self) -> Result<(), TrainError> {
        let number = self.number();
        let known = self.folder.samples(&self.features, number)?;
        let mut known: HashSet<u64> = known.into_iter().map(|sample| sample.key).collect();
        let end = self.end_of(GAMES_END);
        let mut fruitless = 0;
        let conditions = Conditions { nodes: self.nodes(), ..self.conditions.clone() };
        loop {
            let is_done = match self.training.budget {
                Budget::Positions(count) => self.state.positions >= count,
                Budget::Seconds(_) => {
                    self.state.positions > 0 && end.is_some_and(|end| (self.clock)() >= end)
                }
            };
            if is_done {
                return Ok(());
            }
            let count = GAMES_AT_ONCE.max(self.training.threads as u64);
            let seeds: Vec<u64> =
                (self.state.games..self.state.games + count).map(|game| self.seed(GAMES, game)).collect();
            let games = conditions.generate(&self.features, &self.choice(), &seeds, self.training.threads);
            let mut bytes = Vec::new();
            for game in games {
                let samples = without_known(game, &mut known);
                fruitless = if samples.is_empty() { fruitless + 1 } else { 0 };
                self.state.games += 1;
                self.state.positions += samples.len() as u64;
                for sample in &samples {
                    sample.write(&mut bytes);
                }
                if matches!(self.training.budget, Budget::Positions(count) if self.state.positions >= count) {
                    break;
                }
            }
            if fruitless >= MOST_FRUITLESS_GAMES {
                return if self.state.positions > 0 { Ok(()) } else { Err(TrainError::NoPositions) };
            }
            self.folder.append(number, &bytes)?;
            self.state.bytes += bytes.len() as u64;
            self.save()?;
            self.report(Progress::Games { generation: number, positions: self.state.positions });
        }
    }

    /// Trains a net on all positions. Returns it with its error on positions that were not learned.
    fn learn(&mut self) -> Result<(Arc<Net>, f64), TrainError> {
        let number = self.number();
        let most_pieces = self.training.rules.start().piece_count().max(1) as u16;
        let mut data = Dataset::default();
        for generation in (1..=number).rev() {
            for sample in self.folder.samples(&self.features, generation)? {
                if data.len() < MOST_SAMPLES {
                    let pieces = sample.pieces(&self.features);
                    data.push(&self.features, &sample, Net::bucket_of(pieces, most_pieces));
                }
            }
        }
        let mut rng = SplitMix::new(self.seed(MODEL, 0));
        let mut model = Model::new(self.features.inputs(), self.training.hidden, &mut rng);
        let epochs = (SAMPLES_TO_LEARN / data.len().max(1) as u64).clamp(EPOCHS.0, EPOCHS.1) as u32;
        let schedule = Schedule { epochs, rate: 1.5e-3, blend: 0.3, batch: 16_384 };
        let (seed, threads, clock) = (self.seed(LEARNING, 0), self.training.threads, self.clock);
        let span = self.end_of(LEARNING_END).map(|end| (clock(), end));
        let time = |step: f64| match span {
            Some((begin, end)) => step.max((clock() - begin) / (end - begin).max(1.0)),
            None => step,
        };
        let mut loss = 0.0;
        train(&mut model, &data, &schedule, seed, threads, &time, &mut |report| {
            loss = report.test_loss;
            let (epoch, test_loss) = (report.epoch, report.test_loss);
            self.report(Progress::Learning { generation: number, epoch, loss: report.loss, test_loss });
        });
        let provenance =
            format!("{}; generation {number}; {} positions", self.training.provenance, data.len());
        let net = Net::new(&self.training.rules, model.quantise(most_pieces), &provenance)?;
        Ok((Arc::new(net), loss))
    }

    /// Plays a net against the best so far until the match is decided, the time is up or there are enough games.
    fn compare(&mut self, net: &Arc<Net>) -> MatchScore {
        let choices = [NetChoice::Given(net.clone()), self.choice()];
        let end = self.end_of(1.0);
        let mut score = MatchScore::default();
        for first in (0..MOST_PAIRS).step_by(PAIRS_AT_ONCE as usize) {
            let seeds: Vec<u64> =
                (first..first + PAIRS_AT_ONCE).map(|pair| self.seed(MATCHES, u64::from(pair))).collect();
            let pairs = self.conditions.compare([&choices[0], &choices[1]], &seeds, self.training.threads);
            for pair in pairs {
                score.add(pair);
            }
            self.report(Progress::Match { generation: self.number(), score });
            let is_late = first >= 2 * PAIRS_AT_ONCE && end.is_some_and(|end| (self.clock)() >= end);
            if score.decision() != Decision::Open || is_late {
                break;
            }
        }
        score
    }
}
