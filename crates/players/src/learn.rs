//! Weights that are learned from games: how positions stood, and how their games ended.
//!
//! A standing is turned into a chance to win by an S-shaped curve. The weights are moved so that these chances come close
//! to the results, and no further from what the rules say than the games give reason for.

#![allow(clippy::cast_precision_loss, reason = "chances need few digits, and counts are far below 2^23")]

use tabiya_engine::{Move, Player, Position, Rules};

use crate::structure::Recent;
use crate::values::Values;
use crate::worth::{Board, Worth};

/// A position, and how its game ended for one of the players.
#[derive(Clone, Debug)]
pub struct Lesson {
    position: Position,
    player: Player,
    /// 1 for a win, 0 for a loss.
    result: f32,
    /// The moves of whoever's turn it is, and those of the next one if that turn went by.
    turns: [Option<(Player, Vec<Move>)>; 2],
}

impl Lesson {
    /// What is there to learn from a position for a player whose game ended with this score, from 0 to 1.
    pub fn new(rules: &Rules, position: &Position, player: Player, result: f32) -> Self {
        let turn = |position: &Position| (rules.mover(position), rules.unsorted_moves(position));
        let passed = rules.null_move(position);
        Lesson {
            position: position.clone(),
            player,
            result,
            turns: [Some(turn(position)), passed.as_ref().map(turn)],
        }
    }

    fn standing(&self, worth: &Worth, board: &mut Board, recent: &mut Recent) -> i32 {
        worth.look(&self.position, board, recent);
        let mut standing = worth.standing(board, self.player);
        for (index, (mover, moves)) in self.turns.iter().flatten().enumerate() {
            let turn = if index == 0 { worth.weights.taste.turn } else { 0 };
            let counts = worth.reach(board, *mover, moves) + turn;
            standing += if worth.are_together(*mover, self.player) { counts } else { -counts };
        }
        standing
    }
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The new values.
    pub values: Values,
    /// The mean square of how far results are from what the old and the new values expect.
    pub error: [f32; 2],
}

/// How far a number is moved to find out what it does.
const STEP: i32 = 16;
/// How often all lessons are gone through.
const ROUNDS: usize = 400;
/// How much each number is held back: to move it by its scale must explain the results of so many lessons.
const HELD: f32 = 4.0;
/// How fast the numbers move at first, in parts of their scales.
const PACE: f32 = 0.05;

/// What is a great change of a number.
fn scale(number: i32) -> f32 {
    4.0 + number.abs() as f32 / 4.0
}

/// Learns from some lessons, starting from values.
pub fn learn(rules: &Rules, values: &Values, lessons: &[Lesson]) -> Learned {
    let worth = values.worth();
    let mut weights = worth.weights.clone();
    let numbers: Vec<i32> = weights.numbers().iter().map(|(_, number)| **number).collect();
    let standings = |worth: &Worth| -> Vec<f32> {
        let (mut board, mut recent) = (Board::default(), Recent::with_room());
        lessons.iter().map(|lesson| lesson.standing(worth, &mut board, &mut recent) as f32).collect()
    };
    let before = standings(worth);
    // By number: what one hundredth more of it adds to each standing.
    let effects: Vec<Vec<f32>> = (0..numbers.len())
        .map(|index| {
            let mut moved = worth.weights.clone();
            *moved.numbers()[index].1 += STEP;
            let after = standings(&worth.with(rules, moved));
            after.iter().zip(&before).map(|(after, before)| (after - before) / STEP as f32).collect()
        })
        .collect();
    let results: Vec<f32> = lessons.iter().map(|lesson| lesson.result).collect();
    let slope = best_slope(&before, &results);
    let scales: Vec<f32> = numbers.iter().map(|number| scale(*number)).collect();
    let shifts = fitted(&before, &effects, &results, slope, &scales);
    for ((_, number), shift) in weights.numbers().into_iter().zip(&shifts) {
        *number += shift.round() as i32;
    }
    let learned = worth.with(rules, weights);
    let error = [mean_error(&before, &results, slope), mean_error(&standings(&learned), &results, slope)];
    Learned { values: values.with(learned), error }
}

fn chance(standing: f32, slope: f32) -> f32 {
    1.0 / (1.0 + (-standing * slope).exp())
}

fn mean_error(standings: &[f32], results: &[f32], slope: f32) -> f32 {
    let square = |(standing, result): (&f32, &f32)| (chance(*standing, slope) - result).powi(2);
    standings.iter().zip(results).map(square).sum::<f32>() / results.len().max(1) as f32
}

/// How steep the curve is that fits best.
fn best_slope(standings: &[f32], results: &[f32]) -> f32 {
    let slopes = (0..40).map(|step| 0.0005 * 1.12f32.powi(step));
    let error = |slope: &f32| mean_error(standings, results, *slope);
    slopes.min_by(|one, other| error(one).total_cmp(&error(other))).unwrap_or(0.004)
}

/// How far to move each number: down the slope of the error, each at its own pace, which slows down.
fn fitted(before: &[f32], effects: &[Vec<f32>], results: &[f32], slope: f32, scales: &[f32]) -> Vec<f32> {
    let mut shifts = vec![0.0f32; effects.len()];
    let (mut means, mut squares) = (shifts.clone(), shifts.clone());
    for round in 1..=ROUNDS {
        let mut standings = before.to_vec();
        for ((effect, shift), scale) in effects.iter().zip(&shifts).zip(scales) {
            standings.iter_mut().zip(effect).for_each(|(standing, more)| *standing += more * shift * scale);
        }
        let pulls: Vec<f32> = standings
            .iter()
            .zip(results)
            .map(|(standing, result)| {
                let chance = chance(*standing, slope);
                2.0 * (chance - result) * chance * (1.0 - chance) * slope
            })
            .collect();
        let pace = PACE * (1.0 - round as f32 / ROUNDS as f32);
        for (index, effect) in effects.iter().enumerate() {
            let pull: f32 = effect.iter().zip(&pulls).map(|(effect, pull)| effect * pull).sum();
            let pull = pull * scales[index] + 2.0 * HELD * shifts[index];
            means[index] = 0.9 * means[index] + 0.1 * pull;
            squares[index] = 0.99 * squares[index] + 0.01 * pull * pull;
            let mean = means[index] / (1.0 - 0.9f32.powi(round as i32));
            let square = squares[index] / (1.0 - 0.99f32.powi(round as i32));
            shifts[index] -= pace * mean / (square.sqrt() + 1e-9);
        }
    }
    shifts.iter().zip(scales).map(|(shift, scale)| shift * scale).collect()
}
