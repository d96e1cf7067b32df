//! Learns piece values from self-play games of the search.
//!
//! Each lesson is a position of a game with its result. The new values then play against the old ones, in games that
//! were not used for learning.

#![allow(
    clippy::cast_precision_loss,
    reason = "figures are shown with few digits, and counts are far below 2^52"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tabiya_engine::{Player, PlayerSet, Position, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_players::{Chooser as _, Limits, Search, TuningSample, Values, tune};

use crate::analyse::{StudyError, check_start, sides};
use crate::parallel::map_in_order;
use crate::seeds;
use crate::self_play::SelfPlay;

/// The configuration of a tuning run.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The start of games.
    pub start: State,
    /// The initial values. The default is derived from the rules.
    pub values: Option<Values>,
    /// The number of games for learning.
    pub games: u32,
    /// The number of games of the new values against the old ones.
    pub proof: u32,
    /// The number of positions searched for each move.
    pub nodes: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of moves after which a game is drawn.
    pub max_plies: u32,
}

/// The result of a tuning run.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The values before.
    pub before: Values,
    /// The values after.
    pub after: Values,
    /// The number of positions learned from.
    pub lessons: usize,
    /// The mean squared difference between results and expected results, before and after.
    pub error: [f32; 2],
    /// The wins, draws and losses of the new values against the old ones.
    pub proof: [u32; 3],
}

/// The progress of a tuning run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TuningProgress {
    /// Whether the new values play against the old ones.
    pub is_proof: bool,
    /// The number of finished games.
    pub done: u32,
    /// The number of games in this phase.
    pub of: u32,
}

/// Parts of the seed, as in [`seeds`].
const LESSONS: u64 = 4;
const PROOFS: u64 = 5;
/// The number of random moves of each player at the start.
const RANDOM_MOVES: usize = 4;
/// One of this number of positions becomes a lesson.
const ONE_OF: usize = 3;

/// A finished game.
struct PlayedGame {
    winners: PlayerSet,
    is_decided: bool,
    positions: Vec<Position>,
}

impl Tuning {
    /// Plays, learns and compares on a number of threads. Calls `watch` after every game. The result does not depend on the
    /// number of threads.
    ///
    /// # Errors
    ///
    /// Fails if the game is over at its start, or if no game has a winner.
    pub fn run(&self, threads: usize, watch: &(dyn Fn(TuningProgress) + Sync)) -> Result<Tuned, StudyError> {
        check_start(&self.rules, &self.start)?;
        let before = self.values.clone().unwrap_or_else(|| Values::of(&self.rules));
        let sides = sides(&self.rules);
        let done = AtomicU32::new(0);
        let lessons = map_in_order(self.games, threads, |number| {
            let seed = seeds::derive(self.seed, LESSONS, u64::from(number));
            let game = self.play(&|_| &before, seed);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch(TuningProgress { is_proof: false, done, of: self.games });
            (!game.winners.is_empty(), self.lessons(&game, &sides))
        });
        if !lessons.iter().any(|(is_won, _)| *is_won) {
            return Err(StudyError::NoWinner);
        }
        let lessons: Vec<TuningSample> = lessons.into_iter().flat_map(|(_, lessons)| lessons).collect();
        let learned = tune(&self.rules, &before, &lessons);
        let after = learned.values;
        let done = AtomicU32::new(0);
        let results = map_in_order(self.proof, threads, |number| {
            // The sides alternate with the new values, from the same openings.
            let side = sides[number as usize % sides.len()];
            let seed = seeds::derive(self.seed, PROOFS, u64::from(number) / sides.len() as u64);
            let game = self.play(&|player| if side.contains(player) { &after } else { &before }, seed);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch(TuningProgress { is_proof: true, done, of: self.proof });
            match game.winners {
                winners if winners.is_empty() => 1,
                winners if winners.intersection(side).is_empty() => 2,
                _ => 0,
            }
        });
        let count = |wanted: usize| results.iter().filter(|result| **result == wanted).count() as u32;
        Ok(Tuned {
            before,
            after,
            lessons: lessons.len(),
            error: learned.error,
            proof: [count(0), count(1), count(2)],
        })
    }

    /// Returns one lesson per position if there are two sides, because theirs would be equal, and one per side otherwise.
    fn lessons(&self, game: &PlayedGame, sides: &[PlayerSet]) -> Vec<TuningSample> {
        let sides = if sides.len() == 2 { &sides[..1] } else { sides };
        let first = |side: &PlayerSet| side.iter().next();
        let result = |player: Player| match game.winners {
            winners if winners.contains(player) => 1.0,
            winners if winners.is_empty() || !game.is_decided => 0.5,
            _ => 0.0,
        };
        let of = |position: &Position, player: Player| {
            TuningSample::new(&self.rules, position, player, result(player))
        };
        let players: Vec<Player> = sides.iter().filter_map(first).collect();
        game.positions
            .iter()
            .flat_map(|position| players.iter().map(move |player| of(position, *player)))
            .collect()
    }

    fn play<'v>(&self, values: &dyn Fn(Player) -> &'v Values, seed: u64) -> PlayedGame {
        let mut dice = SplitMix::new(seed);
        let Tuning { rules, start, max_plies, .. } = self;
        let random_plies = RANDOM_MOVES * rules.order().len();
        let games = SelfPlay { rules, start, random_plies, max_plies: *max_plies };
        let mut game = games.game(&mut dice);
        let mut players: Vec<Search> = rules
            .players()
            .map(|player| Search::new(dice.next_u64()).with_values(values(player).clone()).hash_megabytes(1))
            .collect();
        let mut positions = Vec::new();
        games.play(
            &mut game,
            &mut dice,
            |game| {
                let earlier = game.earlier_keys();
                let limits = Limits { nodes: Some(self.nodes), earlier: &earlier, ..Limits::default() };
                players[game.actor().index()].choose_within(rules, &game.state().position, &limits)
            },
            |ply, dice| {
                let is_quiet = ply.after.piece_count() == ply.before.piece_count()
                    && !rules.in_check(ply.before, rules.mover(ply.before));
                if !ply.is_random && is_quiet && dice.below(ONE_OF) == 0 {
                    positions.push(ply.before.clone());
                }
            },
        );
        let winners = game.end().map(|end| end.winners).unwrap_or_default();
        PlayedGame { winners, is_decided: game.end().is_some(), positions }
    }
}
