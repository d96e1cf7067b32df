//! The trainer: mini-batches of random samples, `AdamW`, a learning rate that rises and falls.
//!
//! A batch is divided into a fixed number of parts, whose slopes are added in a fixed order, so that the number of threads
//! does not change the result.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tabiya_engine::SplitMix;

use crate::model::{Buffers, Model};
use crate::sample::Dataset;

/// How a net learns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Schedule {
    /// How often each sample is seen.
    pub(crate) epochs: u32,
    /// The greatest learning rate.
    pub(crate) rate: f32,
    /// The share of the result in what is to be predicted.
    pub(crate) blend: f32,
    /// The greatest number of samples in a batch.
    pub(crate) batch: usize,
}

/// The state of the training after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EpochReport {
    pub(crate) epoch: u32,
    /// The mean squared error of the predictions during the epoch.
    pub(crate) loss: f64,
    /// The error on samples that are not learned.
    pub(crate) test_loss: f64,
}

/// The parts of a batch.
const PARTS: usize = 16;
const WEIGHT_DECAY: f32 = 0.01;
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;
/// The number of weights that are updated at once.
const CHUNK: usize = 8192;
/// The share of the steps in which the learning rate rises.
const RISE: f32 = 0.1;
/// One of this number of samples is kept for the test.
const TEST_SHARE: usize = 20;
/// A smaller batch than this number of batches in an epoch would allow.
const BATCHES_PER_EPOCH: usize = 60;

/// The memory of `AdamW`.
struct Optimiser {
    mean: Vec<f32>,
    square: Vec<f32>,
    step: i32,
}

/// Trains a model. `progress` turns the share of steps that are done into the share of the training that is over, which time may
/// shorten; `watch` is called after every epoch.
pub(crate) fn train(
    model: &mut Model,
    data: &Dataset,
    schedule: &Schedule,
    seed: u64,
    threads: usize,
    progress: &dyn Fn(f64) -> f64,
    watch: &mut dyn FnMut(EpochReport),
) {
    let mut rng = SplitMix::new(seed);
    let mut order: Vec<u32> = (0..data.len() as u32).collect();
    rng.shuffle(&mut order);
    let tests = order.split_off(data.len() - data.len() / TEST_SHARE);
    let batch = (order.len() / BATCHES_PER_EPOCH).clamp(512, schedule.batch.max(512));
    let steps = order.len().div_ceil(batch) * schedule.epochs as usize;
    let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build().ok();
    let count = model.numbers.len();
    let mut optimiser = Optimiser { mean: vec![0.0; count], square: vec![0.0; count], step: 0 };
    let mut slopes: Vec<Model> = (0..PARTS).map(|_| model.zeros()).collect();
    for epoch in 1..=schedule.epochs {
        rng.shuffle(&mut order);
        let (mut loss, mut learned, mut is_over) = (0.0, 0, false);
        for batch in order.chunks(batch) {
            loss += batch_slopes(model, data, batch, schedule.blend, &mut slopes, pool.as_ref());
            let done = progress(f64::from(optimiser.step) / steps.max(1) as f64);
            optimiser.apply(model, &mut slopes, rate(schedule, done as f32), batch.len(), pool.as_ref());
            learned += batch.len();
            is_over = done >= 1.0;
            if is_over {
                break;
            }
        }
        let report = EpochReport {
            epoch,
            loss: loss / learned.max(1) as f64,
            test_loss: error(model, data, &tests, schedule.blend),
        };
        watch(report);
        if is_over {
            return;
        }
    }
}

/// Returns the learning rate: it rises for a while and then falls to a hundredth along a cosine.
fn rate(schedule: &Schedule, done: f32) -> f32 {
    let done = done.min(1.0);
    let share = if done < RISE {
        done / RISE
    } else {
        0.5 * (1.0 + ((done - RISE) / (1.0 - RISE) * std::f32::consts::PI).cos())
    };
    schedule.rate * share.max(0.01)
}

/// Computes the slopes of a batch, by part, and returns the sum of its errors.
fn batch_slopes(
    model: &Model,
    data: &Dataset,
    batch: &[u32],
    blend: f32,
    slopes: &mut [Model],
    pool: Option<&ThreadPool>,
) -> f64 {
    let size = batch.len().div_ceil(PARTS).max(1);
    let part = |(number, slopes): (usize, &mut Model)| {
        slopes.numbers.fill(0.0);
        let mut buffers = Buffers::default();
        let samples = batch.iter().skip(number * size).take(size);
        samples
            .map(|index| {
                let (views, label) = data.get(*index as usize);
                f64::from(model.learn(views, label, blend, slopes, &mut buffers))
            })
            .sum::<f64>()
    };
    let losses: Vec<f64> = match pool {
        Some(pool) => pool.install(|| slopes.par_iter_mut().enumerate().map(part).collect()),
        None => slopes.iter_mut().enumerate().map(part).collect(),
    };
    losses.iter().sum()
}

impl Optimiser {
    /// Moves the weights against the mean slope of a batch. The slopes of all parts are added to the first.
    fn apply(
        &mut self,
        model: &mut Model,
        slopes: &mut [Model],
        rate: f32,
        batch: usize,
        pool: Option<&ThreadPool>,
    ) {
        self.step += 1;
        let [mean_left, square_left] = BETAS.map(|beta| 1.0 - beta.powi(self.step));
        let share = 1.0 / batch as f32;
        let parts: Vec<&[f32]> = slopes.iter().map(|part| part.numbers.as_slice()).collect();
        let update = |number: usize, weights: &mut [f32], mean: &mut [f32], square: &mut [f32]| {
            let first = number * CHUNK;
            for index in 0..weights.len() {
                let slope = parts.iter().map(|part| part[first + index]).sum::<f32>() * share;
                mean[index] = BETAS[0] * mean[index] + (1.0 - BETAS[0]) * slope;
                square[index] = BETAS[1] * square[index] + (1.0 - BETAS[1]) * slope * slope;
                let step = mean[index] / mean_left / ((square[index] / square_left).sqrt() + EPSILON);
                weights[index] -= rate * (step + WEIGHT_DECAY * weights[index]);
            }
        };
        let (weights, mean, square) = (&mut model.numbers, &mut self.mean, &mut self.square);
        if let Some(pool) = pool {
            pool.install(|| {
                let weights = weights.par_chunks_mut(CHUNK);
                let chunks = weights.zip(mean.par_chunks_mut(CHUNK)).zip(square.par_chunks_mut(CHUNK));
                chunks.enumerate().for_each(|(number, ((weights, mean), square))| {
                    update(number, weights, mean, square);
                });
            });
        } else {
            let weights = weights.chunks_mut(CHUNK);
            let chunks = weights.zip(mean.chunks_mut(CHUNK)).zip(square.chunks_mut(CHUNK));
            for (number, ((weights, mean), square)) in chunks.enumerate() {
                update(number, weights, mean, square);
            }
        }
        model.clip();
    }
}

/// Returns the mean squared error on some samples.
fn error(model: &Model, data: &Dataset, samples: &[u32], blend: f32) -> f64 {
    let (mut unused, mut buffers) = (model.clone(), Buffers::default());
    let errors = samples.iter().map(|index| {
        let (views, label) = data.get(*index as usize);
        f64::from(model.learn(views, label, blend, &mut unused, &mut buffers))
    });
    errors.sum::<f64>() / samples.len().max(1) as f64
}
