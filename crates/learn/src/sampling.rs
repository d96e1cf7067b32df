//! Samples from Gumbel and Dirichlet distributions, reproducible on every machine.

#![allow(clippy::cast_precision_loss, reason = "53 bits fit, and so do counts")]

use tabiya_engine::SplitMix;

/// Samples uniformly between 0 and 1, exclusive.
fn unit(rng: &mut SplitMix) -> f64 {
    ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// Samples from the standard Gumbel distribution.
pub(crate) fn gumbel(rng: &mut SplitMix) -> f32 {
    -(-unit(rng).ln()).ln() as f32
}

/// Samples from the standard normal distribution (Box–Muller).
fn normal(rng: &mut SplitMix) -> f64 {
    (-2.0 * unit(rng).ln()).sqrt() * (std::f64::consts::TAU * unit(rng)).cos()
}

/// Samples from a gamma distribution (Marsaglia and Tsang).
fn gamma(shape: f64, rng: &mut SplitMix) -> f64 {
    if shape < 1.0 {
        return gamma(shape + 1.0, rng) * unit(rng).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && unit(rng).ln() < 0.5 * x * x + d * (1.0 - v + v.ln()) {
            return d * v;
        }
    }
}

/// Samples from a symmetric Dirichlet distribution.
pub(crate) fn dirichlet(alpha: f32, count: usize, rng: &mut SplitMix) -> Vec<f32> {
    let parts: Vec<f64> = (0..count).map(|_| gamma(f64::from(alpha), rng)).collect();
    let sum: f64 = parts.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    parts.into_iter().map(|part| (part / sum) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_the_expected_means() {
        let mut rng = SplitMix::new(1);
        let mean = |numbers: Vec<f64>| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let gumbels = mean((0..20_000).map(|_| f64::from(gumbel(&mut rng))).collect());
        assert!((gumbels - 0.577).abs() < 0.03, "{gumbels}");
        for shape in [0.3, 1.0, 4.0] {
            let gammas = mean((0..20_000).map(|_| gamma(shape, &mut rng)).collect());
            assert!((gammas - shape).abs() < 0.05 * shape.max(1.0), "{shape}: {gammas}");
        }
        let sample = dirichlet(0.3, 7, &mut rng);
        assert!((sample.iter().sum::<f32>() - 1.0).abs() < 1e-5 && sample.iter().all(|part| *part >= 0.0));
    }
}
