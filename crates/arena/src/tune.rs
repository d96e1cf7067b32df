//! What pieces are worth, learned from games that the search plays against itself.
//!
//! Positions of those games are lessons: how they stood, and who won. Whether the new values are better than the old ones
//! is not taken on trust: they meet in games that nobody learned from.

#![allow(
    clippy::cast_precision_loss,
    reason = "figures are shown with few digits, and counts are far below 2^52"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tabiya_engine::{Player, PlayerSet, Position, Rules, SplitMix};
use tabiya_notation::State;
use tabiya_players::{Chooser as _, Limits, Search, TuningSample, Values, tune};
use tabiya_referee::{Act, Dice, Game, bargain};

use crate::analyse::{Unfit, sides};
use crate::{chance, crew};

/// What is to be learned, and from how much.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The rules.
    pub rules: Arc<Rules>,
    /// Where games start.
    pub start: State,
    /// The values to start from; those of the rules, if there are none.
    pub values: Option<Values>,
    /// How many games are played to learn from.
    pub games: u32,
    /// How many games the new values play against the old ones.
    pub proof: u32,
    /// How many positions a player looks at before each move.
    pub nodes: u64,
    /// What chance starts from.
    pub seed: u64,
    /// A game that is not over after so many moves is a draw.
    pub max_plies: u32,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The values before.
    pub before: Values,
    /// The values now.
    pub after: Values,
    /// From so many positions.
    pub lessons: usize,
    /// The mean square of how far results were from what the values expect: before, now.
    pub error: [f32; 2],
    /// How often the side with the new values won, drew and lost against the old ones.
    pub proof: [u32; 3],
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lap {
    /// Whether the new values are being tried already.
    pub is_proof: bool,
    /// How many games are over.
    pub done: u32,
    /// How many there are to be.
    pub of: u32,
}

/// What games are drawn from.
const LESSONS: u64 = 4;
const PROOFS: u64 = 5;
/// Everybody makes so many moves at random first, so that no two games are alike.
const AT_RANDOM: usize = 4;
/// One position of so many becomes a lesson.
const ONE_OF: usize = 3;

/// How one game went.
struct Course {
    winners: PlayerSet,
    is_decided: bool,
    positions: Vec<Position>,
}

impl Tuning {
    /// Plays on so many threads, and tells `watch` after every game how far it is.
    pub fn run(&self, threads: usize, watch: &(dyn Fn(Lap) + Sync)) -> Result<Tuned, Unfit> {
        if self.rules.legal_moves(&self.start.position).is_empty() && self.rules.faces().is_none() {
            return Err(Unfit::GameOver);
        }
        let before = self.values.clone().unwrap_or_else(|| Values::of(&self.rules));
        let sides = sides(&self.rules);
        let done = AtomicU32::new(0);
        let lessons = crew::in_order(self.games, threads, &|number| {
            let seed = chance::seed(self.seed, LESSONS, u64::from(number));
            let course = self.play(&|_| &before, seed);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch(Lap { is_proof: false, done, of: self.games });
            (!course.winners.is_empty(), self.lessons(&course, &sides))
        });
        if !lessons.iter().any(|(is_won, _)| *is_won) {
            return Err(Unfit::NobodyWins);
        }
        let lessons: Vec<TuningSample> = lessons.into_iter().flat_map(|(_, lessons)| lessons).collect();
        let learned = tune(&self.rules, &before, &lessons);
        let after = learned.values;
        let done = AtomicU32::new(0);
        let results = crew::in_order(self.proof, threads, &|number| {
            // The sides take turns with the new values, from the same openings.
            let side = sides[number as usize % sides.len()];
            let seed = chance::seed(self.seed, PROOFS, u64::from(number) / sides.len() as u64);
            let course = self.play(&|player| if side.contains(player) { &after } else { &before }, seed);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            watch(Lap { is_proof: true, done, of: self.proof });
            match course.winners {
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

    /// Two sides learn the same from a position; with more, each learns its own.
    fn lessons(&self, course: &Course, sides: &[PlayerSet]) -> Vec<TuningSample> {
        let sides = if sides.len() == 2 { &sides[..1] } else { sides };
        let first = |side: &PlayerSet| side.iter().next();
        let result = |player: Player| match course.winners {
            winners if winners.contains(player) => 1.0,
            winners if winners.is_empty() || !course.is_decided => 0.5,
            _ => 0.0,
        };
        let of = |position: &Position, player: Player| {
            TuningSample::new(&self.rules, position, player, result(player))
        };
        let players: Vec<Player> = sides.iter().filter_map(first).collect();
        course
            .positions
            .iter()
            .flat_map(|position| players.iter().map(move |player| of(position, *player)))
            .collect()
    }

    fn play<'v>(&self, values: &dyn Fn(Player) -> &'v Values, seed: u64) -> Course {
        let mut dice = SplitMix::new(seed);
        let mut game =
            Game::resume(self.rules.clone(), self.start.clone(), &[], Dice::seeded(dice.next_u64()));
        let mut players: Vec<Search> = self
            .rules
            .players()
            .map(|player| Search::new(dice.next_u64()).with_values(values(player).clone()).hash_megabytes(1))
            .collect();
        let warm_up = AT_RANDOM * self.rules.order().len();
        let (mut plies, mut positions) = (0, Vec::new());
        // What is done beside moves is done at most a few times on a turn.
        for _ in 0..self.max_plies.saturating_mul(8) {
            if game.end().is_some() || plies >= self.max_plies as usize {
                break;
            }
            if let Some(act) = bargain(&game) {
                if game.submit(&act).is_err() {
                    break;
                }
                continue;
            }
            let position = game.state().position.clone();
            let moves = self.rules.legal_moves(&position);
            let chosen = if plies < warm_up && !moves.is_empty() {
                Some(moves[dice.below(moves.len())])
            } else {
                let earlier = game.earlier_keys();
                let limits = Limits { nodes: Some(self.nodes), earlier: &earlier, ..Limits::default() };
                players[game.actor().index()].choose_within(&self.rules, &position, &limits)
            };
            let Some(played) = chosen else { break };
            if game.submit(&Act::Move(played)).is_err() {
                break;
            }
            let is_quiet = game.state().position.piece_count() == position.piece_count()
                && !self.rules.in_check(&position, self.rules.mover(&position));
            if plies >= warm_up && is_quiet && dice.below(ONE_OF) == 0 {
                positions.push(position);
            }
            plies += 1;
        }
        let winners = game.end().map(|end| end.winners).unwrap_or_default();
        Course { winners, is_decided: game.end().is_some(), positions }
    }
}
