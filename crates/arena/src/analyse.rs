//! Is a game any good? Our own players play it against themselves, under the referee, and everything that can be counted
//! is: who wins, how games end and how long they take, how much there is to choose from, how often the lead changes, and
//! whether looking further ahead helps.
//!
//! Every game has its own seed, and figures are taken in the order of the games: the same study gives the same figures,
//! however many threads play it.

#![allow(
    clippy::cast_precision_loss,
    reason = "figures are shown with few digits, and counts are far below 2^52"
)]

mod figures;
mod json;
mod remarks;
mod trial;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tabiya_engine::{PlayerSet, Rules};
use tabiya_notation::State;
use tabiya_players::{NAMES, Values, by_name};

pub use figures::{Bin, Histogram, Share, Spread};

use crate::{chance, crew};
use trial::{Course, Trial};

/// What is to be measured.
#[derive(Clone, Debug)]
pub struct Study {
    /// What the game is called.
    pub label: String,
    /// The rules.
    pub rules: Arc<Rules>,
    /// Where games start.
    pub start: State,
    /// How many games the player plays against itself.
    pub games: u32,
    /// What chance starts from.
    pub seed: u64,
    /// The name of the player at all seats.
    pub player: String,
    /// How many positions a player who looks ahead looks at before each move.
    pub nodes: u64,
    /// A game that is not over after so many moves has no end.
    pub max_plies: u32,
}

/// Why there is nothing to measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// There is no player of that name.
    NoSuchPlayer(String),
    /// The game is over before it starts.
    GameOver,
    /// No game had a winner, so there is nothing to learn.
    NobodyWins,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::NoSuchPlayer(name) => {
                write!(f, "there is no player `{name}`; there are {}", NAMES.join(", "))
            }
            Unfit::GameOver => f.write_str("the game is over before it starts"),
            Unfit::NobodyWins => f.write_str("no game had a winner, so there is nothing to learn"),
        }
    }
}

impl std::error::Error for Unfit {}

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What was asked.
    pub label: String,
    /// The player at all seats.
    pub player: String,
    /// What chance started from.
    pub seed: u64,
    /// How many games were played. Fewer than were asked for, if none of the first ones ended.
    pub games: u32,
    /// A game that was not over after so many moves had no end.
    pub max_plies: u32,
    /// Who plays together, and how often they win.
    pub sides: Vec<SideFigures>,
    /// Games that nobody won.
    pub draws: Share,
    /// Games that somebody won.
    pub decisive: Share,
    /// Games that had no end.
    pub unfinished: Share,
    /// Why games ended, most frequent first.
    pub reasons: Vec<(String, u32)>,
    /// Moves of all players in a game.
    pub plies: Spread,
    /// The same, in bins.
    pub lengths: Histogram,
    /// Legal moves on a turn.
    pub branching: Spread,
    /// The mean number of legal moves as games go on.
    pub branching_at: Vec<BranchingAt>,
    /// Pieces that leave the board in a game.
    pub captures: Spread,
    /// How often in a game another side has the stronger army.
    pub lead_changes: Spread,
    /// Games that were won by a side that was once clearly behind.
    pub comebacks: Share,
    /// How often the player who looks further ahead wins.
    pub skill: Vec<Skill>,
    /// What pieces are worth, in hundredths, the most valuable first.
    pub values: Vec<(String, i32)>,
    /// What is conspicuous about all that, in sentences.
    pub remarks: Vec<String>,
}

/// One side: a team, or a player without one.
#[derive(Clone, Debug, PartialEq)]
pub struct SideFigures {
    /// Who that is.
    pub players: Vec<String>,
    /// Games that it won, alone or with others.
    pub wins: Share,
}

/// How much there is to choose from at some time of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BranchingAt {
    /// From this move on, counted from 0.
    pub from: u32,
    /// The mean number of legal moves.
    pub mean: f64,
    /// On so many turns.
    pub turns: u32,
}

/// How the player who looks further ahead does against the one who does not. It has one side, the other all others.
#[derive(Clone, Debug, PartialEq)]
pub struct Skill {
    /// Who looks further.
    pub deeper: &'static str,
    /// Who does not.
    pub shallower: &'static str,
    /// Games that the first one won.
    pub wins: Share,
    /// Games that nobody won.
    pub draws: u32,
    /// Games that somebody else won.
    pub losses: u32,
    /// Games that had no end.
    pub unfinished: u32,
}

/// How far a study has come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interim {
    /// What is being played.
    pub stage: Stage,
    /// How many games of this stage are over.
    pub done: u32,
    /// How many there are to be.
    pub of: u32,
    /// How often each side has won in this stage.
    pub wins: Vec<u32>,
    /// Games without a winner.
    pub draws: u32,
    /// Moves in all of them.
    pub plies: u64,
}

/// A part of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// The player against itself.
    #[default]
    Games,
    /// One who looks further ahead against one who does not.
    Skill(&'static str, &'static str),
}

/// What games are drawn from.
const SELF_PLAY: u64 = 2;
const CONTESTS: u64 = 3;
/// If none of so many games ends, none will.
const PATIENCE: u32 = 10;
/// Who meets to show skill: the first looks further ahead.
const PAIRS: [(&str, &str); 2] = [("greedy", "random"), ("search", "greedy")];

impl Study {
    /// Without any wishes: a hundred games of the player who looks one move ahead.
    pub fn new(label: impl Into<String>, rules: Arc<Rules>) -> Self {
        Study {
            label: label.into(),
            start: State::new(rules.start()),
            rules,
            games: 100,
            seed: 0,
            player: "greedy".to_owned(),
            nodes: 200,
            max_plies: 1000,
        }
    }

    /// Plays on so many threads, and tells `watch` after every game how it stands.
    pub fn run(&self, threads: usize, watch: &(dyn Fn(&Interim) + Sync)) -> Result<Analysis, Unfit> {
        let known = NAMES.into_iter().find(|name| *name == self.player);
        let player = known.ok_or_else(|| Unfit::NoSuchPlayer(self.player.clone()))?;
        if self.rules.legal_moves(&self.start.position).is_empty() && self.rules.faces().is_none() {
            return Err(Unfit::GameOver);
        }
        let hall =
            Hall { study: self, sides: sides(&self.rules), values: Values::of(&self.rules), threads, watch };
        let seats = |_: u32| self.rules.players().map(|_| player).collect();
        let mut trials = hall.play(Stage::Games, SELF_PLAY, 0..self.games.min(PATIENCE), &seats);
        let never_ends = trials.iter().all(|trial| trial.reason.is_none());
        if !never_ends {
            trials.extend(hall.play(Stage::Games, SELF_PLAY, PATIENCE..self.games, &seats));
        }
        let skill = if never_ends { Vec::new() } else { PAIRS.map(|pair| hall.skill(pair)).into() };
        Ok(self.analysis(&hall, &trials, skill))
    }

    /// How many games show skill.
    fn contests(&self) -> u32 {
        (self.games / 5).clamp(self.games.min(20), 100)
    }

    fn analysis(&self, hall: &Hall<'_>, trials: &[Trial], skill: Vec<Skill>) -> Analysis {
        let games = trials.len() as u32;
        let share = |is_one: &dyn Fn(&Trial) -> bool| {
            Share::of(trials.iter().filter(|trial| is_one(trial)).count() as u32, games)
        };
        let spread =
            |figure: &dyn Fn(&Trial) -> u32| Spread::of(trials.iter().map(|trial| f64::from(figure(trial))));
        let side = |side: &PlayerSet| SideFigures {
            players: side.iter().map(|player| self.rules.player(player).name.clone()).collect(),
            wins: share(&|trial| !trial.winners.intersection(*side).is_empty()),
        };
        let mut analysis = Analysis {
            label: self.label.clone(),
            player: self.player.clone(),
            seed: self.seed,
            games,
            max_plies: self.max_plies,
            sides: hall.sides.iter().map(side).collect(),
            draws: share(&|trial| trial.reason.is_some() && trial.winners.is_empty()),
            decisive: share(&|trial| !trial.winners.is_empty()),
            unfinished: share(&|trial| trial.reason.is_none()),
            reasons: reasons(trials),
            plies: spread(&|trial| trial.plies),
            lengths: Histogram::of(trials.iter().map(|trial| trial.plies)),
            branching: Spread::of(trials.iter().flat_map(|trial| &trial.choices).map(|it| f64::from(*it))),
            branching_at: branching_at(trials),
            captures: spread(&|trial| trial.captures),
            lead_changes: spread(&|trial| trial.lead_changes),
            comebacks: share(&|trial| trial.is_comeback),
            skill,
            values: self.values(&hall.values),
            remarks: Vec::new(),
        };
        analysis.remarks = remarks::remarks(&analysis);
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

/// Where games are played.
struct Hall<'s> {
    study: &'s Study,
    sides: Vec<PlayerSet>,
    values: Values,
    threads: usize,
    watch: &'s (dyn Fn(&Interim) + Sync),
}

impl Hall<'_> {
    /// Plays the games of these numbers; `seats` says who plays for each player.
    fn play(
        &self,
        stage: Stage,
        purpose: u64,
        numbers: std::ops::Range<u32>,
        seats: &(dyn Fn(u32) -> Vec<&'static str> + Sync),
    ) -> Vec<Trial> {
        let of = if stage == Stage::Games { self.study.games } else { numbers.end };
        let interim =
            Interim { stage, done: numbers.start, of, wins: vec![0; self.sides.len()], ..Interim::default() };
        let interim = Mutex::new(interim);
        let play = |index: u32| {
            let number = numbers.start + index;
            let trial = self.trial(purpose, number, &seats(number));
            let mut interim = interim.lock().unwrap_or_else(PoisonError::into_inner);
            self.enter(&trial, &mut interim);
            (self.watch)(&interim);
            trial
        };
        crew::in_order(numbers.len() as u32, self.threads, &play)
    }

    fn enter(&self, trial: &Trial, interim: &mut Interim) {
        interim.done += 1;
        interim.plies += u64::from(trial.plies);
        interim.draws += u32::from(trial.winners.is_empty());
        for (wins, side) in interim.wins.iter_mut().zip(&self.sides) {
            *wins += u32::from(!trial.winners.intersection(*side).is_empty());
        }
    }

    fn trial(&self, purpose: u64, number: u32, names: &[&str]) -> Trial {
        let study = self.study;
        let seed = |of: u64| chance::seed(study.seed, purpose + chance::SEATS * of, u64::from(number));
        let players =
            names.iter().zip(1..).filter_map(|(name, seat)| by_name(name, seed(seat))).collect::<Vec<_>>();
        Course {
            rules: &study.rules,
            sides: &self.sides,
            values: &self.values,
            nodes: study.nodes,
            max_plies: study.max_plies,
        }
        .play(&study.start, players, seed(0))
    }

    /// The one who looks further has each side in turn.
    fn skill(&self, (deeper, shallower): (&'static str, &'static str)) -> Skill {
        let own = |number: u32| self.sides[number as usize % self.sides.len()];
        let seats = |number: u32| {
            let name = |player| if own(number).contains(player) { deeper } else { shallower };
            self.study.rules.players().map(name).collect()
        };
        let games = self.study.contests();
        let purpose =
            CONTESTS + PAIRS.iter().position(|pair| *pair == (deeper, shallower)).unwrap_or(0) as u64;
        let trials = self.play(Stage::Skill(deeper, shallower), purpose, 0..games, &seats);
        let numbered = || (0u32..).zip(&trials);
        let wins =
            numbered().filter(|(number, trial)| !trial.winners.intersection(own(*number)).is_empty()).count();
        let count =
            |is_one: &dyn Fn(&Trial) -> bool| trials.iter().filter(|trial| is_one(trial)).count() as u32;
        let draws = count(&|trial| trial.reason.is_some() && trial.winners.is_empty());
        let unfinished = count(&|trial| trial.reason.is_none());
        let wins = Share::of(wins as u32, games);
        Skill { deeper, shallower, draws, unfinished, losses: games - wins.count - draws - unfinished, wins }
    }
}

/// Teams, and players without one, who ever have a turn.
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

fn reasons(trials: &[Trial]) -> Vec<(String, u32)> {
    let mut reasons: Vec<(String, u32)> = Vec::new();
    for reason in trials.iter().filter_map(|trial| trial.reason.as_ref()) {
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason.clone(), 1)),
        }
    }
    reasons.sort_by(|(one, a), (other, b)| b.cmp(a).then_with(|| one.cmp(other)));
    reasons
}

/// In at most so many parts of the longest game.
const PARTS: usize = 40;

fn branching_at(trials: &[Trial]) -> Vec<BranchingAt> {
    let longest = trials.iter().map(|trial| trial.choices.len()).max().unwrap_or(0);
    let width = longest.div_ceil(PARTS).max(1);
    let part = |from: usize| {
        let choices = trials.iter().flat_map(|trial| trial.choices.iter().skip(from).take(width));
        let (sum, turns) = choices.fold((0u64, 0u32), |(sum, turns), it| (sum + u64::from(*it), turns + 1));
        (turns > 0).then(|| BranchingAt { from: from as u32, mean: sum as f64 / f64::from(turns), turns })
    };
    (0..longest).step_by(width).filter_map(part).collect()
}
