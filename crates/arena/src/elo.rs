//! How much stronger one agent is than another, and how sure that is.
//!
//! The difference is the one at which the logistic curve of the Elo scale expects the score that was reached:
//! `d(s) = -400 · log10(1/s - 1)`, where `s` is the score divided by the games. The error is half of what that curve makes
//! of the interval `s ± 1.96 · σ/√n`, in which `σ²` is the variance of the results of single games (1, ½, 0, and in games
//! for more than two whatever share of the winning seats one has). It holds
//! the truth 95 times of 100, if the games do not depend on each other.

/// A difference in strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// How much stronger the first one is.
    pub difference: f64,
    /// The truth is within so much of it, 95 times of 100; `None` if the games do not bound it.
    pub error: Option<f64>,
}

/// 95 hundredths of a normal distribution are within so many of its deviations.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

impl Elo {
    /// From the games that one agent won, drew and lost; `None` if there is no difference that would fit: without games,
    /// or if one has won them all.
    pub fn of(wins: u32, draws: u32, losses: u32) -> Option<Elo> {
        Self::of_results(&[(1.0, wins), (0.5, draws), (0.0, losses)])
    }

    /// The same from how much one agent got of a game, and in how many games.
    pub fn of_results(results: &[(f64, u32)]) -> Option<Elo> {
        let games: f64 = results.iter().map(|(_, count)| f64::from(*count)).sum();
        let mean = |value: &dyn Fn(f64) -> f64| {
            results.iter().map(|(result, count)| value(*result) * f64::from(*count)).sum::<f64>() / games
        };
        let score = mean(&|result| result);
        let difference = difference(score)?;
        let variance = mean(&|result| (result - score).powi(2));
        let reach = DEVIATIONS * (variance / games).sqrt();
        let error = difference_between(score - reach, score + reach);
        Some(Elo { difference, error: error.map(|width| width / 2.0) })
    }

    /// The same, seen by the other agent.
    #[must_use]
    pub fn reversed(self) -> Elo {
        // A zero has no sign that would mean anything.
        Elo { difference: 0.0 - self.difference, ..self }
    }
}

fn difference_between(low: f64, high: f64) -> Option<f64> {
    Some(difference(high)? - difference(low)?)
}

/// The difference at which a score is to be expected.
fn difference(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wins, draws, losses; then what another program for matches said about them.
    const KNOWN: [([u32; 3], f64, f64); 6] = [
        ([332, 352, 316], 5.6, 17.3),
        ([143, 368, 129], 7.6, 17.5),
        ([540, 1590, 531], 1.2, 8.4),
        ([509, 1058, 396], 20.0, 10.4),
        ([65, 69, 66], -1.7, 39.1),
        ([1342, 1341, 1317], 2.2, 8.8),
    ];

    #[test]
    fn the_numbers_are_those_of_others() {
        for ([wins, draws, losses], difference, error) in KNOWN {
            let elo = Elo::of(wins, draws, losses).unwrap();
            assert!((elo.difference - difference).abs() < 0.051, "{wins} {draws} {losses}: {elo:?}");
            // That program approximates the normal distribution.
            assert!((elo.error.unwrap() - error).abs() < 0.1, "{wins} {draws} {losses}: {elo:?}");
            let other = Elo::of(losses, draws, wins).unwrap();
            assert!((other.difference - elo.reversed().difference).abs() < 1e-9, "{other:?}");
        }
    }

    #[test]
    fn what_the_games_do_not_tell_is_not_told() {
        assert_eq!(Elo::of(0, 0, 0), None);
        assert_eq!(Elo::of(7, 0, 0), None);
        assert_eq!(Elo::of(0, 0, 1), None);
        assert_eq!(Elo::of(1, 0, 1), Some(Elo { difference: 0.0, error: None }));
        assert_eq!(Elo::of(0, 10, 0), Some(Elo { difference: 0.0, error: Some(0.0) }));
    }
}
