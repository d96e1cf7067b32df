//! Measures a game with self-play of built-in players: winners, endings, lengths, the number of legal moves, changes of
//! the lead, the use of pieces and squares, its size, and whether deeper search wins.
//!
//! Every game has its own seed, and statistics are computed in the order of the games. The result does not depend on the
//! number of threads.

#![allow(
    clippy::cast_precision_loss,
    reason = "statistics are shown with few digits, and counts are far below 2^52"
)]

mod analysis;
mod board_use;
mod comparison;
mod default_nodes;
mod game_stats;
mod json;
mod opening;
mod piece_stats;
mod remarks;
mod size;
mod stats;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_engine::{PlayerSet, Rules};
use tabiya_notation::State;
use tabiya_players::{NAMES, Values, by_name};

pub use analysis::{Analysis, BranchingAt, SideStats, SkillResult};
pub use board_use::BoardUse;
pub use comparison::{Comparison, Difference};
pub use opening::OpeningDiversity;
pub use piece_stats::PieceStats;
pub use size::SizeEstimate;
pub use stats::{Bin, Histogram, Proportion, Summary};

use crate::parallel::map_in_order;
use crate::seeds;
use crate::self_play::SelfPlay;
use game_stats::{Conditions, GameStats};

/// The configuration of a study.
#[derive(Clone, Debug)]
pub struct Study {
    /// The name of the game.
    pub label: String,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The start of games.
    pub start: State,
    /// The number of games that the player plays against itself.
    pub games: u32,
    /// The seed of all random choices.
    pub seed: u64,
    /// The name of the built-in player for every seat.
    pub player: String,
    /// The number of positions that a searching player visits for each move. By default it grows with the number of legal
    /// moves.
    pub nodes: Option<u64>,
    /// The number of moves after which a game counts as unfinished.
    pub max_plies: u32,
}

/// The reason why a study or tuning run is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyError {
    /// There is no built-in player with this name.
    NoSuchPlayer(String),
    /// The game is over at its start.
    GameOver,
    /// No game had a winner, so there is nothing to learn.
    NoWinner,
}

impl fmt::Display for StudyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StudyError::NoSuchPlayer(name) => {
                write!(f, "there is no player `{name}`; there are {}", NAMES.join(", "))
            }
            StudyError::GameOver => f.write_str("the game is over at its start"),
            StudyError::NoWinner => f.write_str("no game had a winner, so there is nothing to learn"),
        }
    }
}

impl std::error::Error for StudyError {}

/// The progress of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyProgress {
    /// The current stage.
    pub stage: Stage,
    /// The number of finished games of this stage.
    pub done: u32,
    /// The number of games of this stage.
    pub of: u32,
    /// The wins of each side in this stage.
    pub wins: Vec<u32>,
    /// Games without a winner in this stage.
    pub draws: u32,
    /// The number of moves in this stage.
    pub plies: u64,
}

/// A stage of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Games of the player against itself.
    #[default]
    Games,
    /// Games of a deeper against a shallower player.
    Skill(&'static str, &'static str),
}

/// Parts of the seed, as in [`seeds`].
const SELF_PLAY: u64 = 2;
const SKILL: u64 = 3;
/// If none of the first games ends, the study stops after this number.
const FIRST_GAMES: u32 = 10;
/// The number of random moves of each player at the start.
const RANDOM_MOVES: usize = 2;
/// Pairs of a deeper and a shallower player.
const PAIRS: [(&str, &str); 2] = [("greedy", "random"), ("search", "greedy")];

impl Study {
    /// Creates a study of a hundred games with the searching player.
    pub fn new(label: impl Into<String>, rules: Arc<Rules>) -> Self {
        Study {
            label: label.into(),
            start: State::new(rules.start()),
            rules,
            games: 100,
            seed: 0,
            player: "search".to_owned(),
            nodes: None,
            max_plies: 1000,
        }
    }

    /// Plays on a number of threads. Calls `watch` after every game.
    ///
    /// # Errors
    ///
    /// Fails if the player is unknown or the game is over at its start.
    pub fn run(
        &self,
        threads: usize,
        watch: &(dyn Fn(&StudyProgress) + Sync),
    ) -> Result<Analysis, StudyError> {
        let known = NAMES.into_iter().find(|name| *name == self.player);
        let player = known.ok_or_else(|| StudyError::NoSuchPlayer(self.player.clone()))?;
        check_start(&self.rules, &self.start)?;
        let nodes = self.nodes.unwrap_or_else(|| default_nodes::default_nodes(self));
        let runner = StudyRunner {
            study: self,
            nodes,
            sides: sides(&self.rules),
            values: Values::of(&self.rules),
            threads,
            watch,
        };
        let seats = |_: u32| self.rules.players().map(|_| player).collect();
        let mut stats = runner.play(Stage::Games, SELF_PLAY, 0..self.games.min(FIRST_GAMES), &seats);
        let never_ends = stats.iter().all(|game| game.reason.is_none());
        if !never_ends {
            stats.extend(runner.play(Stage::Games, SELF_PLAY, FIRST_GAMES..self.games, &seats));
        }
        let skill = if never_ends { Vec::new() } else { PAIRS.map(|pair| runner.skill(pair)).into() };
        Ok(self.analysis(&runner, &stats, skill))
    }

    /// Returns the number of games of each pair of players.
    fn skill_games(&self) -> u32 {
        (self.games / 5).clamp(self.games.min(20), 100)
    }

    fn analysis(&self, runner: &StudyRunner<'_>, stats: &[GameStats], skill: Vec<SkillResult>) -> Analysis {
        let games = stats.len() as u32;
        let share = |is_one: &dyn Fn(&GameStats) -> bool| {
            Proportion::of(stats.iter().filter(|game| is_one(game)).count() as u32, games)
        };
        let spread = |figure: &dyn Fn(&GameStats) -> u32| {
            Summary::of(stats.iter().map(|game| f64::from(figure(game))))
        };
        let side = |side: &PlayerSet| SideStats {
            players: side.iter().map(|player| self.rules.player(player).name.clone()).collect(),
            wins: share(&|game| !game.winners.intersection(*side).is_empty()),
        };
        let mut analysis = Analysis {
            label: self.label.clone(),
            player: self.player.clone(),
            nodes: runner.nodes,
            seed: self.seed,
            games,
            max_plies: self.max_plies,
            sides: runner.sides.iter().map(side).collect(),
            draws: share(&|game| game.reason.is_some() && game.winners.is_empty()),
            decisive: share(&|game| !game.winners.is_empty()),
            unfinished: share(&|game| game.reason.is_none()),
            reasons: reasons(stats),
            plies: spread(&|game| game.plies),
            lengths: Histogram::of(stats.iter().map(|game| game.plies)),
            branching: Summary::of(stats.iter().flat_map(|game| &game.choices).map(|it| f64::from(*it))),
            branching_at: branching_at(stats),
            forced_moves: share_of_turns(stats, |choices| choices == 1),
            captures: spread(&|game| game.captures),
            promotions: spread(&|game| game.pieces.promotions()),
            lead_changes: spread(&|game| game.lead_changes),
            comebacks: share(&|game| game.is_comeback),
            turning_points: Summary::of(stats.iter().filter_map(|game| game.turning_point)),
            pieces: piece_stats::piece_stats(
                &self.rules,
                &self.start.position,
                &stats.iter().map(|game| &game.pieces).collect::<Vec<_>>(),
            ),
            board: board_use::board_use(
                &self.rules,
                &stats.iter().map(|game| &*game.landed).collect::<Vec<_>>(),
            ),
            opening: opening::opening_diversity(&self.rules, &self.start.position, runner.nodes),
            game_tree: size::game_tree(stats.iter().map(|game| &*game.choices)),
            state_space: size::state_space(&self.rules, &self.start.position),
            skill,
            values: self.values(&runner.values),
            remarks: Vec::new(),
        };
        let evidence = remarks::Evidence {
            short_games: share(&|game| game.plies < remarks::SHORT_GAME),
            narrow_turns: share_of_turns(stats, |choices| choices <= 2),
        };
        analysis.remarks = remarks::remarks(&analysis, &evidence);
        analysis
    }

    fn values(&self, values: &Values) -> Vec<(String, i32)> {
        let kinds = self.rules.kinds().filter(|kind| Some(*kind) != self.rules.leader());
        let mut list: Vec<(String, i32)> =
            kinds.map(|kind| (self.rules.kind(kind).code.clone(), values.kind(kind))).collect();
        list.sort_by_key(|(_, value)| -value);
        list
    }
}

/// A running study.
struct StudyRunner<'s> {
    study: &'s Study,
    nodes: u64,
    sides: Vec<PlayerSet>,
    values: Values,
    threads: usize,
    watch: &'s (dyn Fn(&StudyProgress) + Sync),
}

impl StudyRunner<'_> {
    /// Plays a range of games. `seats` returns the names of the built-in players of a game.
    fn play(
        &self,
        stage: Stage,
        part: u64,
        numbers: std::ops::Range<u32>,
        seats: &(dyn Fn(u32) -> Vec<&'static str> + Sync),
    ) -> Vec<GameStats> {
        let of = if stage == Stage::Games { self.study.games } else { numbers.end };
        let progress = StudyProgress {
            stage,
            done: numbers.start,
            of,
            wins: vec![0; self.sides.len()],
            ..StudyProgress::default()
        };
        let progress = Mutex::new(progress);
        let play = |index: u32| {
            let number = numbers.start + index;
            let game = self.play_game(part, number, &seats(number));
            let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
            self.count(&game, &mut progress);
            (self.watch)(&progress);
            game
        };
        map_in_order(numbers.len() as u32, self.threads, play)
    }

    fn count(&self, game: &GameStats, progress: &mut StudyProgress) {
        progress.done += 1;
        progress.plies += u64::from(game.plies);
        progress.draws += u32::from(game.winners.is_empty());
        for (wins, side) in progress.wins.iter_mut().zip(&self.sides) {
            *wins += u32::from(!game.winners.intersection(*side).is_empty());
        }
    }

    fn play_game(&self, part: u64, number: u32, names: &[&str]) -> GameStats {
        let Study { rules, start, max_plies, .. } = self.study;
        let seed = |seat: u64| seeds::derive(self.study.seed, part + seeds::SEATS * seat, u64::from(number));
        let players = names.iter().zip(1..).filter_map(|(name, seat)| by_name(name, seed(seat))).collect();
        let random_plies = RANDOM_MOVES * rules.order().len();
        let games = SelfPlay { rules, start, random_plies, max_plies: *max_plies };
        let conditions = Conditions { games, sides: &self.sides, values: &self.values, nodes: self.nodes };
        conditions.play(players, seed(0))
    }

    /// Plays the games of one pair of players. The deeper player alternates between the sides.
    fn skill(&self, (deeper, shallower): (&'static str, &'static str)) -> SkillResult {
        let own = |number: u32| self.sides[number as usize % self.sides.len()];
        let seats = |number: u32| {
            let name = |player| if own(number).contains(player) { deeper } else { shallower };
            self.study.rules.players().map(name).collect()
        };
        let games = self.study.skill_games();
        let part = SKILL + PAIRS.iter().position(|pair| *pair == (deeper, shallower)).unwrap_or(0) as u64;
        let stats = self.play(Stage::Skill(deeper, shallower), part, 0..games, &seats);
        let numbered = || (0u32..).zip(&stats);
        let wins =
            numbered().filter(|(number, game)| !game.winners.intersection(own(*number)).is_empty()).count();
        let count =
            |is_one: &dyn Fn(&GameStats) -> bool| stats.iter().filter(|game| is_one(game)).count() as u32;
        let draws = count(&|game| game.reason.is_some() && game.winners.is_empty());
        let unfinished = count(&|game| game.reason.is_none());
        let wins = Proportion::of(wins as u32, games);
        SkillResult {
            deeper,
            shallower,
            draws,
            unfinished,
            losses: games - wins.count - draws - unfinished,
            wins,
        }
    }
}

/// Fails if the game is over at its start.
pub(crate) fn check_start(rules: &Rules, start: &State) -> Result<(), StudyError> {
    // In a game with a die, moves are known after the throw.
    let is_over = rules.legal_moves(&start.position).is_empty() && rules.faces().is_none();
    if is_over { Err(StudyError::GameOver) } else { Ok(()) }
}

/// Returns the teams, and the players without one, that have turns.
pub(crate) fn sides(rules: &Rules) -> Vec<PlayerSet> {
    let mut sides: Vec<PlayerSet> = Vec::new();
    for player in rules.order() {
        let team = rules.team(*player);
        if !sides.contains(&team) {
            sides.push(team);
        }
    }
    sides
}

/// Returns the share of turns whose number of legal moves has a property.
fn share_of_turns(stats: &[GameStats], has: fn(u16) -> bool) -> Proportion {
    let turns = stats.iter().flat_map(|game| &game.choices);
    let (count, of) = turns.fold((0, 0), |(count, of), it| (count + u32::from(has(*it)), of + 1));
    Proportion::of(count, of)
}

fn reasons(stats: &[GameStats]) -> Vec<(String, u32)> {
    let mut reasons: Vec<(String, u32)> = Vec::new();
    for reason in stats.iter().filter_map(|game| game.reason.as_ref()) {
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason.clone(), 1)),
        }
    }
    reasons.sort_by(|(one, a), (other, b)| b.cmp(a).then_with(|| one.cmp(other)));
    reasons
}

/// The maximal number of phases of the longest game.
const PHASES: usize = 40;

fn branching_at(stats: &[GameStats]) -> Vec<BranchingAt> {
    let longest = stats.iter().map(|game| game.choices.len()).max().unwrap_or(0);
    let width = longest.div_ceil(PHASES).max(1);
    let part = |from: usize| {
        let choices = stats.iter().flat_map(|game| game.choices.iter().skip(from).take(width));
        let (sum, turns) = choices.fold((0u64, 0u32), |(sum, turns), it| (sum + u64::from(*it), turns + 1));
        (turns > 0).then(|| BranchingAt { from: from as u32, mean: sum as f64 / f64::from(turns), turns })
    };
    (0..longest).step_by(width).filter_map(part).collect()
}
