//! The net while it learns: floating-point weights, and how the error depends on each of them.

use tabiya_engine::SplitMix;
use tabiya_players::{Net, NetWeights};

use crate::sample::Label;

/// The greatest absolute weight of the output, so that it fits a byte.
const GREATEST_OUTPUT: f32 = 127.0 / Net::OUTPUT_SCALE as f32;
/// The greatest absolute weight of an input: the sum of 64 of them fits 16 bits.
const GREATEST_INPUT: f32 = 1.98;

/// The weights, or the slopes of the error by weight.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) hidden: usize,
    /// All weights, as in [`Parts`].
    pub(crate) numbers: Vec<f32>,
    inputs: usize,
}

/// The places of the parts in all weights.
struct Parts {
    input_bias: usize,
    output: usize,
    output_bias: usize,
    end: usize,
}

/// The buffers of one evaluation.
#[derive(Debug, Default)]
pub(crate) struct Buffers {
    sums: [Vec<f32>; 2],
    slopes: Vec<f32>,
}

impl Model {
    /// Creates a model with random weights.
    pub(crate) fn new(inputs: usize, hidden: usize, rng: &mut SplitMix) -> Self {
        let mut model = Model::zero(inputs, hidden);
        let parts = model.parts();
        let mut uniform = |reach: f32| (rng.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) * reach;
        for weight in &mut model.numbers[..parts.input_bias] {
            *weight = uniform(0.1);
        }
        for bias in &mut model.numbers[parts.input_bias..parts.output] {
            *bias = 0.3 + uniform(0.2);
        }
        let reach = 1.0 / (2.0 * hidden as f32).sqrt();
        for weight in &mut model.numbers[parts.output..parts.output_bias] {
            *weight = uniform(reach);
        }
        model
    }

    /// Creates a model whose numbers are zero.
    pub(crate) fn zero(inputs: usize, hidden: usize) -> Self {
        let mut model = Model { hidden, numbers: Vec::new(), inputs };
        model.numbers = vec![0.0; model.parts().end];
        model
    }

    /// Returns zeros in the shape of the model.
    pub(crate) fn zeros(&self) -> Self {
        Model::zero(self.inputs, self.hidden)
    }

    fn parts(&self) -> Parts {
        let input_bias = self.inputs * self.hidden;
        let output = input_bias + self.hidden;
        let output_bias = output + 2 * Net::BUCKETS * self.hidden;
        Parts { input_bias, output, output_bias, end: output_bias + Net::BUCKETS }
    }

    /// Returns the output, in units of [`Net::CENTIPAWNS`].
    pub(crate) fn evaluate(&self, views: [&[u16]; 2], bucket: u8, buffers: &mut Buffers) -> f32 {
        let parts = self.parts();
        let hidden = self.hidden;
        for (sums, view) in buffers.sums.iter_mut().zip(views) {
            sums.clear();
            sums.extend_from_slice(&self.numbers[parts.input_bias..parts.output]);
            for input in view {
                let row = &self.numbers[usize::from(*input) * hidden..][..hidden];
                for (sum, weight) in sums.iter_mut().zip(row) {
                    *sum += weight;
                }
            }
        }
        let bucket = usize::from(bucket);
        let rows = &self.numbers[parts.output + 2 * bucket * hidden..][..2 * hidden];
        let mut lanes = [0.0f32; 16];
        for (sums, rows) in buffers.sums.iter().zip(rows.chunks_exact(hidden)) {
            for (sums, rows) in sums.as_chunks::<16>().0.iter().zip(rows.as_chunks::<16>().0) {
                for lane in 0..16 {
                    let on = sums[lane].clamp(0.0, 1.0);
                    lanes[lane] += on * on * rows[lane];
                }
            }
        }
        self.numbers[parts.output_bias + bucket] + lanes.iter().sum::<f32>()
    }

    /// Adds the slopes of the squared error of one sample to `slopes`, and returns the error. `blend` is the share of the
    /// result in what is to be predicted; the rest is the score.
    pub(crate) fn learn(
        &self,
        views: [&[u16]; 2],
        label: Label,
        blend: f32,
        slopes: &mut Model,
        buffers: &mut Buffers,
    ) -> f32 {
        let output = self.evaluate(views, label.bucket, buffers);
        let predicted = sigmoid(output);
        let wanted = (1.0 - blend) * sigmoid(label.score / Net::CENTIPAWNS as f32) + blend * label.result;
        let error = predicted - wanted;
        let slope = 2.0 * error * predicted * (1.0 - predicted);
        let parts = self.parts();
        let hidden = self.hidden;
        let bucket = usize::from(label.bucket);
        slopes.numbers[parts.output_bias + bucket] += slope;
        for (half, view) in views.into_iter().enumerate() {
            let first = parts.output + (2 * bucket + half) * hidden;
            let weights = &self.numbers[first..][..hidden];
            let sums = &buffers.sums[half][..hidden];
            let outputs = &mut slopes.numbers[first..][..hidden];
            buffers.slopes.resize(hidden, 0.0);
            for neuron in 0..hidden {
                let sum = sums[neuron];
                let on = sum.clamp(0.0, 1.0);
                outputs[neuron] += slope * on * on;
                let inside = if sum > 0.0 && sum < 1.0 { 2.0 * slope } else { 0.0 };
                buffers.slopes[neuron] = inside * on * weights[neuron];
            }
            let biases = &mut slopes.numbers[parts.input_bias..parts.output];
            add(biases, &buffers.slopes);
            for input in view {
                add(&mut slopes.numbers[usize::from(*input) * hidden..][..hidden], &buffers.slopes);
            }
        }
        error * error
    }

    /// Limits the weights to those that integers can express.
    pub(crate) fn clip(&mut self) {
        let Parts { output, output_bias, .. } = self.parts();
        for weight in &mut self.numbers[..output] {
            *weight = weight.clamp(-GREATEST_INPUT, GREATEST_INPUT);
        }
        for weight in &mut self.numbers[output..output_bias] {
            *weight = weight.clamp(-GREATEST_OUTPUT, GREATEST_OUTPUT);
        }
    }

    /// Rounds the weights to integers.
    pub(crate) fn quantise(&self, most_pieces: u16) -> NetWeights {
        let Parts { input_bias, output, output_bias, end } = self.parts();
        let input_scale = Net::INPUT_SCALE as f32;
        let output_scale = Net::OUTPUT_SCALE as f32;
        let small = |weight: &f32| (weight * input_scale).round() as i16;
        NetWeights {
            hidden: self.hidden,
            most_pieces,
            input: self.numbers[..input_bias].iter().map(small).collect(),
            input_bias: self.numbers[input_bias..output].iter().map(small).collect(),
            output: self.numbers[output..output_bias]
                .iter()
                .map(|it| (it * output_scale).round() as i8)
                .collect(),
            output_bias: self.numbers[output_bias..end]
                .iter()
                .map(|bias| (bias * input_scale * output_scale).round() as i32)
                .collect(),
        }
    }
}

fn add(sums: &mut [f32], more: &[f32]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

fn sigmoid(number: f32) -> f32 {
    1.0 / (1.0 + (-number).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: usize = 20;
    const HIDDEN: usize = 32;

    fn model(seed: u64) -> Model {
        Model::new(INPUTS, HIDDEN, &mut SplitMix::new(seed))
    }

    fn label(score: f32, result: f32) -> Label {
        Label { score, result, bucket: 3 }
    }

    #[test]
    fn slopes_are_those_of_the_error() {
        let mut model = model(1);
        let views: [&[u16]; 2] = [&[0, 3, 7], &[1, 3, 19]];
        let mut buffers = Buffers::default();
        let mut slopes = model.zeros();
        model.learn(views, label(300.0, 1.0), 0.3, &mut slopes, &mut buffers);
        let mut unused = model.zeros();
        let mut error = |model: &Model| {
            f64::from(model.learn(views, label(300.0, 1.0), 0.3, &mut unused, &mut Buffers::default()))
        };
        let step = 1e-2;
        let mut checked = 0;
        for index in (0..model.numbers.len()).step_by(7) {
            let weight = model.numbers[index];
            model.numbers[index] = weight + step;
            let above = error(&model);
            model.numbers[index] = weight - step;
            let below = error(&model);
            model.numbers[index] = weight;
            let expected = (above - below) / f64::from(2.0 * step);
            let slope = f64::from(slopes.numbers[index]);
            assert!((slope - expected).abs() < 1e-4 + 0.05 * expected.abs(), "{index}: {slope} {expected}");
            checked += u32::from(slope != 0.0);
        }
        assert!(checked > 20, "{checked}");
    }

    #[test]
    fn integers_keep_the_weights() {
        let mut model = model(2);
        model.numbers[0] = 100.0;
        model.clip();
        let weights = model.quantise(32);
        assert_eq!(weights.input.len(), INPUTS * HIDDEN);
        assert_eq!(weights.output_bias.len(), Net::BUCKETS);
        assert_eq!(weights.input[0], 505);
        let parts = model.parts();
        let weight = model.numbers[parts.output + 5] * Net::OUTPUT_SCALE as f32;
        assert!((f32::from(weights.output[5]) - weight).abs() <= 0.5);
    }
}
