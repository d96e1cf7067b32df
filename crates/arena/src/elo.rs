//! Elo differences with confidence intervals.
//!
//! The difference is the one for which the logistic curve of the Elo scale expects the observed score:
//! `d(s) = -400 · log10(1/s - 1)`, where `s` is the score divided by the number of games. The error is half the width of
//! the curve's image of the interval `s ± 1.96 · σ/√n`, where `σ²` is the variance of single results (1, ½, 0, or with
//! more than two players the share of the winning seats). The interval is a 95 % confidence interval if games are
//! independent.

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The rating of the first agent minus that of the second.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval; `None` if the interval is unbounded.
    pub error: Option<f64>,
}

/// The 97.5 % quantile of the standard normal distribution, for 95 % confidence intervals.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

impl Elo {
    /// Returns the difference for the wins, draws and losses of one agent, or `None` if it is not finite: without games,
    /// or if one agent has won them all.
    ///
    /// # Examples
    ///
    /// ```
    /// use tabiya_arena::Elo;
    ///
    /// let elo = Elo::of(332, 352, 316).unwrap();
    /// assert_eq!((elo.difference.round(), elo.error.unwrap().round()), (6.0, 17.0));
    /// assert_eq!(Elo::of(7, 0, 0), None);
    /// ```
    pub fn of(wins: u32, draws: u32, losses: u32) -> Option<Elo> {
        Self::of_results(&[(1.0, wins), (0.5, draws), (0.0, losses)])
    }

    /// Returns the difference for pairs of a result (0 to 1) and its number of games.
    pub fn of_results(results: &[(f64, u32)]) -> Option<Elo> {
        let games: f64 = results.iter().map(|(_, count)| f64::from(*count)).sum();
        let mean = |value: &dyn Fn(f64) -> f64| {
            results.iter().map(|(result, count)| value(*result) * f64::from(*count)).sum::<f64>() / games
        };
        let score = mean(&|result| result);
        let difference = difference(score)?;
        let variance = mean(&|result| (result - score).powi(2));
        let reach = Z_95 * (variance / games).sqrt();
        let error = difference_between(score - reach, score + reach);
        Some(Elo { difference, error: error.map(|width| width / 2.0) })
    }

    /// Returns the difference from the other agent's view.
    #[must_use]
    pub fn reversed(self) -> Elo {
        // The subtraction avoids a negative zero.
        Elo { difference: 0.0 - self.difference, ..self }
    }
}

fn difference_between(low: f64, high: f64) -> Option<f64> {
    Some(difference(high)? - difference(low)?)
}

/// Returns the difference for which the Elo scale expects a score.
fn difference(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wins, draws and losses, with the difference and error that another match program reports.
    const KNOWN: [([u32; 3], f64, f64); 6] = [
        ([332, 352, 316], 5.6, 17.3),
        ([143, 368, 129], 7.6, 17.5),
        ([540, 1590, 531], 1.2, 8.4),
        ([509, 1058, 396], 20.0, 10.4),
        ([65, 69, 66], -1.7, 39.1),
        ([1342, 1341, 1317], 2.2, 8.8),
    ];

    #[test]
    fn numbers_agree_with_another_program() {
        for ([wins, draws, losses], difference, error) in KNOWN {
            let elo = Elo::of(wins, draws, losses).unwrap();
            assert!((elo.difference - difference).abs() < 0.051, "{wins} {draws} {losses}: {elo:?}");
            // The other program approximates the normal distribution.
            assert!((elo.error.unwrap() - error).abs() < 0.1, "{wins} {draws} {losses}: {elo:?}");
            let other = Elo::of(losses, draws, wins).unwrap();
            assert!((other.difference - elo.reversed().difference).abs() < 1e-9, "{other:?}");
        }
    }

    #[test]
    fn unbounded_differences_and_errors_are_none() {
        assert_eq!(Elo::of(0, 0, 0), None);
        assert_eq!(Elo::of(7, 0, 0), None);
        assert_eq!(Elo::of(0, 0, 1), None);
        assert_eq!(Elo::of(1, 0, 1), Some(Elo { difference: 0.0, error: None }));
        assert_eq!(Elo::of(0, 10, 0), Some(Elo { difference: 0.0, error: Some(0.0) }));
    }
}
