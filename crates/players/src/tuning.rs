//! Texel-style tuning: fits evaluation weights to game results.
//!
//! A logistic curve converts an evaluation into an expected result. Gradient descent (Adam) moves the weights so that
//! expected results approach the real ones. Regularisation keeps each weight near its start unless the games justify a
//! change.

#![allow(clippy::cast_precision_loss, reason = "results need few digits, and counts are far below 2^23")]

use tabiya_engine::{Move, Player, Position, Rules};

use crate::evaluation::{EvalBoard, Evaluation, StructureCache};
use crate::values::Values;

/// A position, and the result of its game for one player.
#[derive(Clone, Debug)]
pub struct TuningSample {
    position: Position,
    player: Player,
    /// 1 for a win, 0 for a loss.
    result: f32,
    /// The moves of the player to move, and those of the next player after a null move.
    turns: Vec<(Player, Vec<Move>)>,
}

impl TuningSample {
    /// Creates a sample from a position and the result for a player, from 0 (lost) to 1 (won).
    pub fn new(rules: &Rules, position: &Position, player: Player, result: f32) -> Self {
        let turn = |position: &Position| (rules.mover(position), rules.unsorted_moves(position));
        let passed = rules.null_move(position);
        let turns = std::iter::once(position).chain(&passed).map(turn).collect();
        TuningSample { position: position.clone(), player, result, turns }
    }

    fn evaluate(&self, evaluation: &Evaluation, board: &mut EvalBoard, cache: &mut StructureCache) -> i32 {
        evaluation.scan(&self.position, board, cache);
        let mut score = evaluation.evaluate(board, self.player);
        for (index, (mover, moves)) in self.turns.iter().enumerate() {
            let tempo = if index == 0 { evaluation.weights.params.tempo } else { 0 };
            let bonus = evaluation.mobility(board, *mover, moves) + tempo;
            score += if evaluation.is_same_side(*mover, self.player) { bonus } else { -bonus };
        }
        score
    }
}

/// The result of tuning.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The new values.
    pub values: Values,
    /// The mean squared error of the old and of the new values.
    pub error: [f32; 2],
}

/// The finite difference for the effect of a weight.
const STEP: i32 = 16;
const ROUNDS: usize = 400;
/// The strength of regularisation.
const REGULARISATION: f32 = 4.0;
/// The initial learning rate, relative to the scale of each weight.
const LEARNING_RATE: f32 = 0.05;

/// Returns what counts as a large change of a weight.
fn scale(weight: i32) -> f32 {
    4.0 + weight.abs() as f32 / 4.0
}

/// Tunes values on samples.
pub fn tune(rules: &Rules, values: &Values, samples: &[TuningSample]) -> Tuned {
    let evaluation = values.evaluation();
    let mut weights = evaluation.weights.clone();
    let numbers: Vec<i32> = weights.named().iter().map(|(_, weight)| **weight).collect();
    let evaluate_all = |evaluation: &Evaluation| -> Vec<f32> {
        let (mut board, mut cache) = (EvalBoard::default(), StructureCache::enabled());
        samples.iter().map(|sample| sample.evaluate(evaluation, &mut board, &mut cache) as f32).collect()
    };
    let before = evaluate_all(evaluation);
    // By weight: the derivative of each sample's score.
    let gradients: Vec<Vec<f32>> = (0..numbers.len())
        .map(|index| {
            let mut moved = evaluation.weights.clone();
            *moved.named()[index].1 += STEP;
            let after = evaluate_all(&evaluation.with_weights(rules, moved));
            after.iter().zip(&before).map(|(after, before)| (after - before) / STEP as f32).collect()
        })
        .collect();
    let results: Vec<f32> = samples.iter().map(|sample| sample.result).collect();
    let slope = best_slope(&before, &results);
    let scales: Vec<f32> = numbers.iter().map(|number| scale(*number)).collect();
    let shifts = fit(&before, &gradients, &results, slope, &scales);
    for ((_, weight), shift) in weights.named().into_iter().zip(&shifts) {
        *weight += shift.round() as i32;
    }
    let tuned = evaluation.with_weights(rules, weights);
    let error = [mean_error(&before, &results, slope), mean_error(&evaluate_all(&tuned), &results, slope)];
    Tuned { values: values.with(tuned), error }
}

fn expected_result(score: f32, slope: f32) -> f32 {
    1.0 / (1.0 + (-score * slope).exp())
}

fn mean_error(scores: &[f32], results: &[f32], slope: f32) -> f32 {
    let square = |(score, result): (&f32, &f32)| (expected_result(*score, slope) - result).powi(2);
    scores.iter().zip(results).map(square).sum::<f32>() / results.len().max(1) as f32
}

/// Returns the slope of the logistic curve that fits best.
fn best_slope(scores: &[f32], results: &[f32]) -> f32 {
    let slopes = (0..40).map(|step| 0.0005 * 1.12f32.powi(step));
    let error = |slope: &f32| mean_error(scores, results, *slope);
    slopes.min_by(|one, other| error(one).total_cmp(&error(other))).unwrap_or(0.004)
}

/// Returns how far to move each weight: Adam with a linearly decreasing learning rate.
fn fit(before: &[f32], gradients: &[Vec<f32>], results: &[f32], slope: f32, scales: &[f32]) -> Vec<f32> {
    let mut shifts = vec![0.0f32; gradients.len()];
    let (mut means, mut squares) = (shifts.clone(), shifts.clone());
    for round in 1..=ROUNDS {
        let mut scores = before.to_vec();
        for ((gradient, shift), scale) in gradients.iter().zip(&shifts).zip(scales) {
            scores.iter_mut().zip(gradient).for_each(|(score, more)| *score += more * shift * scale);
        }
        let residuals: Vec<f32> = scores
            .iter()
            .zip(results)
            .map(|(score, result)| {
                let expected = expected_result(*score, slope);
                2.0 * (expected - result) * expected * (1.0 - expected) * slope
            })
            .collect();
        let rate = LEARNING_RATE * (1.0 - round as f32 / ROUNDS as f32);
        for (index, gradient) in gradients.iter().enumerate() {
            let pull: f32 =
                gradient.iter().zip(&residuals).map(|(gradient, residual)| gradient * residual).sum();
            let pull = pull * scales[index] + 2.0 * REGULARISATION * shifts[index];
            means[index] = 0.9 * means[index] + 0.1 * pull;
            squares[index] = 0.99 * squares[index] + 0.01 * pull * pull;
            let mean = means[index] / (1.0 - 0.9f32.powi(round as i32));
            let square = squares[index] / (1.0 - 0.99f32.powi(round as i32));
            shifts[index] -= rate * mean / (square.sqrt() + 1e-9);
        }
    }
    shifts.iter().zip(scales).map(|(shift, scale)| shift * scale).collect()
}
