//! Statistics: proportions with confidence intervals, summaries and histograms.

use serde::Serialize;

use crate::elo::Z_95;

/// A proportion with its 95 % confidence interval (Wilson score interval).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// The number of games with a property.
    pub count: u32,
    /// The number of all games.
    pub of: u32,
    /// The proportion, from 0 to 1.
    pub share: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Proportion {
    /// Returns the proportion `count / of`. Without games the interval is 0 to 1.
    pub fn of(count: u32, of: u32) -> Self {
        if of == 0 {
            return Proportion { count, of, share: 0.0, low: 0.0, high: 1.0 };
        }
        let (games, share) = (f64::from(of), f64::from(count) / f64::from(of));
        let square = Z_95 * Z_95;
        let centre = (share + square / (2.0 * games)) / (1.0 + square / games);
        let reach = Z_95 / (1.0 + square / games)
            * (share * (1.0 - share) / games + square / (4.0 * games * games)).sqrt();
        Proportion { count, of, share, low: (centre - reach).max(0.0), high: (centre + reach).min(1.0) }
    }
}

/// A summary of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// How many numbers there are.
    pub count: u32,
    /// The mean.
    pub mean: f64,
    /// The median.
    pub median: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// The minimum.
    pub least: f64,
    /// The maximum.
    pub most: f64,
}

impl Summary {
    /// Summarises numbers. Without numbers the summary is zero.
    pub fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(least), Some(most)) = (sorted.first(), sorted.last()) else { return Summary::default() };
        let count = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / count;
        let variance = sorted.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count;
        let half = sorted.len() / 2;
        let median =
            if sorted.len() % 2 == 1 { sorted[half] } else { f64::midpoint(sorted[half - 1], sorted[half]) };
        Summary {
            count: sorted.len() as u32,
            mean,
            median,
            deviation: variance.sqrt(),
            least: *least,
            most: *most,
        }
    }
}

/// A histogram with bins of equal width.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Histogram {
    /// The width of the bins.
    pub width: u32,
    /// The bins without gaps.
    pub bins: Vec<Bin>,
}

/// A bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The smallest number of the bin.
    pub from: u32,
    /// The count of numbers in the bin.
    pub count: u32,
}

impl Histogram {
    const MOST_BINS: u32 = 20;

    /// Counts numbers in at most twenty bins with a round width.
    pub fn of(numbers: impl Iterator<Item = u32>) -> Self {
        let numbers: Vec<u32> = numbers.collect();
        let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
            return Histogram::default();
        };
        let round = (0..9).flat_map(|power| [1, 2, 5].map(|digit| digit * 10u32.pow(power)));
        let fits = |width: &u32| most / width - least / width < Self::MOST_BINS;
        let width = { round }.find(fits).unwrap_or(u32::MAX);
        let first = least / width;
        let bins = (first..=most / width).map(|bin| {
            let count = numbers.iter().filter(|number| **number / width == bin).count() as u32;
            Bin { from: bin * width, count }
        });
        Histogram { width, bins: bins.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe (1998), table I, method 3 (Wilson).
    #[test]
    fn intervals_agree_with_the_literature() {
        for (count, of, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let share = Proportion::of(count, of);
            assert!((share.low - low).abs() < 1e-4 && (share.high - high).abs() < 1e-4, "{share:?}");
        }
        assert_eq!((Proportion::of(0, 0).low, Proportion::of(0, 0).high), (0.0, 1.0));
    }

    #[test]
    fn summaries_and_histograms() {
        let summary = Summary::of([4.0, 1.0, 3.0, 2.0].into_iter());
        assert_eq!((summary.mean, summary.median, summary.least, summary.most), (2.5, 2.5, 1.0, 4.0));
        let histogram = Histogram::of([3, 47, 45, 199].into_iter());
        assert_eq!((histogram.width, histogram.bins.len()), (10, 20));
        assert_eq!(histogram.bins.iter().map(|bin| bin.count).sum::<u32>(), 4);
        assert_eq!(histogram.bins[4], Bin { from: 40, count: 2 });
        assert_eq!(Histogram::of([].into_iter()), Histogram::default());
    }
}
