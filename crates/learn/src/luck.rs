//! Chance for search: numbers of the usual distributions, the same for the same seed on every machine.

#![allow(clippy::cast_precision_loss, reason = "53 bits fit, and so do counts")]

use tabiya_engine::SplitMix;

/// A number above 0 and below 1.
fn unit(dice: &mut SplitMix) -> f64 {
    ((dice.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
}

/// A number of the standard Gumbel distribution.
pub(crate) fn gumbel(dice: &mut SplitMix) -> f32 {
    -(-unit(dice).ln()).ln() as f32
}

/// A number of the standard normal distribution (Box and Muller).
fn normal(dice: &mut SplitMix) -> f64 {
    (-2.0 * unit(dice).ln()).sqrt() * (std::f64::consts::TAU * unit(dice)).cos()
}

/// A number of the gamma distribution (Marsaglia and Tsang).
fn gamma(shape: f64, dice: &mut SplitMix) -> f64 {
    if shape < 1.0 {
        return gamma(shape + 1.0, dice) * unit(dice).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(dice);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && unit(dice).ln() < 0.5 * x * x + d * (1.0 - v + v.ln()) {
            return d * v;
        }
    }
}

/// Shares of the Dirichlet distribution with one concentration for all.
pub(crate) fn dirichlet(concentration: f32, count: usize, dice: &mut SplitMix) -> Vec<f32> {
    let parts: Vec<f64> = (0..count).map(|_| gamma(f64::from(concentration), dice)).collect();
    let sum: f64 = parts.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    parts.into_iter().map(|part| (part / sum) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_have_their_means() {
        let mut dice = SplitMix::new(1);
        let mean = |numbers: Vec<f64>| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let gumbels = mean((0..20_000).map(|_| f64::from(gumbel(&mut dice))).collect());
        assert!((gumbels - 0.577).abs() < 0.03, "{gumbels}");
        for shape in [0.3, 1.0, 4.0] {
            let gammas = mean((0..20_000).map(|_| gamma(shape, &mut dice)).collect());
            assert!((gammas - shape).abs() < 0.05 * shape.max(1.0), "{shape}: {gammas}");
        }
        let shares = dirichlet(0.3, 7, &mut dice);
        assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-5 && shares.iter().all(|share| *share >= 0.0));
    }
}
