//! The sequential probability ratio test, which stops a match once it is decided.
//!
//! Games are played in pairs from one opening. The test compares the hypotheses that the new net is 0 or
//! [`ELO`] stronger, by the mean and the variance of the pairs' scores, and accepts either with an error of
//! 5 %.

use tabiya_arena::Elo;

/// The gain that a new net should have.
pub(crate) const ELO: f64 = 15.0;
/// ln((1 - 0.05) / 0.05): the log-likelihood ratio that decides.
const DECISION: f64 = 2.944_438_979_166_44;
/// The number of pairs before which nothing is decided.
const FEWEST_PAIRS: u32 = 10;

/// The results of a match so far, from the view of the new net.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MatchScore {
    /// The number of games won.
    pub won: u32,
    /// The number of games drawn.
    pub drawn: u32,
    /// The number of games lost.
    pub lost: u32,
    /// By half points of a pair: the number of pairs.
    pub pairs: [u32; 5],
}

/// What a match says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    Accept,
    Reject,
    Open,
}

impl MatchScore {
    /// Adds a pair of games by their half points.
    pub(crate) fn add(&mut self, pair: [u8; 2]) {
        for half_points in pair {
            match half_points {
                0 => self.lost += 1,
                1 => self.drawn += 1,
                _ => self.won += 1,
            }
        }
        self.pairs[usize::from(pair[0] + pair[1]).min(4)] += 1;
    }

    /// Returns the number of games.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Returns the difference in strength; `None` if it is not finite.
    pub fn elo(&self) -> Option<Elo> {
        let results = [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().zip(self.pairs);
        Elo::of_results(&results.collect::<Vec<_>>())
    }

    /// Returns the logarithm of how much more likely the score is if the new net is stronger.
    pub(crate) fn log_likelihood_ratio(&self) -> f64 {
        let pairs: f64 = self.pairs.iter().map(|count| f64::from(*count)).sum();
        if pairs < 1.0 {
            return 0.0;
        }
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let mean = |value: &dyn Fn(f64) -> f64| {
            scores.iter().zip(self.pairs).map(|(score, count)| value(*score) * f64::from(count)).sum::<f64>()
                / pairs
        };
        let score = mean(&|score| score);
        // A match without variance says less than its score seems to.
        let variance = mean(&|it| (it - score).powi(2)).max(0.25 / pairs / 2.0);
        let expected = 1.0 / (1.0 + 10f64.powf(-ELO / 400.0));
        pairs * (expected - 0.5) * (2.0 * score - expected - 0.5) / (2.0 * variance)
    }

    /// Decides the match if the ratio is clear.
    pub(crate) fn decision(&self) -> Decision {
        let ratio = self.log_likelihood_ratio();
        match ratio {
            _ if self.pairs.iter().sum::<u32>() < FEWEST_PAIRS => Decision::Open,
            ratio if ratio >= DECISION => Decision::Accept,
            ratio if ratio <= -DECISION => Decision::Reject,
            _ => Decision::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(pairs: [[u8; 2]; 4], times: usize) -> MatchScore {
        let mut score = MatchScore::default();
        pairs.iter().cycle().take(4 * times).for_each(|pair| score.add(*pair));
        score
    }

    #[test]
    fn clear_matches_are_decided_and_even_ones_are_not() {
        assert_eq!(score([[2, 2], [2, 1], [2, 0], [1, 2]], 20).decision(), Decision::Accept);
        assert_eq!(score([[0, 0], [0, 1], [2, 0], [1, 0]], 20).decision(), Decision::Reject);
        assert_eq!(score([[2, 0], [0, 2], [1, 1], [2, 0]], 3).decision(), Decision::Open);
        assert_eq!(score([[2, 2]; 4], 1).decision(), Decision::Open, "too few games");
    }

    #[test]
    fn the_ratio_is_that_of_two_normal_distributions() {
        // Mean 0.55 and variance 0.06 of 100 pairs, worked out by hand with 15 Elo.
        let match_score = MatchScore { pairs: [5, 15, 40, 35, 5], ..MatchScore::default() };
        let (mean, expected) = (0.55, 1.0 / (1.0 + 10f64.powf(-15.0 / 400.0)));
        let variance: f64 = (5.0 * 0.3025 + 15.0 * 0.09 + 40.0 * 0.0025 + 35.0 * 0.04 + 5.0 * 0.2025) / 100.0;
        let wanted = 100.0 * ((mean - 0.5_f64).powi(2) - (mean - expected).powi(2)) / (2.0 * variance);
        assert!((match_score.log_likelihood_ratio() - wanted).abs() < 1e-9);
    }
}
