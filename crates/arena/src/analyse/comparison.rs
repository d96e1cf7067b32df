//! The comparison of two analyses: the difference of each figure with its 95 % confidence interval.

use serde::Serialize;
use serde_json::{Value, json};

use super::analysis::Analysis;
use super::stats::{Proportion, Summary};
use crate::elo::Z_95;

/// Two analyses side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The first game.
    pub a: Analysis,
    /// The second game.
    pub b: Analysis,
    /// The differences of all figures.
    pub differences: Vec<Difference>,
}

/// The difference of one figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The name of the figure.
    pub figure: String,
    /// Whether the figure is a share, from 0 to 1.
    pub is_share: bool,
    /// Its value in the first game.
    pub a: f64,
    /// Its value in the second game.
    pub b: f64,
    /// The second value minus the first.
    pub difference: f64,
    /// The bounds of the difference; `None` for an estimate without an interval.
    pub interval: Option<(f64, f64)>,
    /// Whether the interval excludes zero.
    pub differs: bool,
}

impl Comparison {
    /// Compares two analyses.
    pub fn new(a: Analysis, b: Analysis) -> Self {
        let differences = differences(&a, &b);
        Comparison { a, b, differences }
    }

    /// Returns the comparison as a JSON object.
    pub fn to_json(&self) -> Value {
        json!({ "a": self.a.to_json(), "b": self.b.to_json(), "differences": self.differences })
    }
}

fn differences(a: &Analysis, b: &Analysis) -> Vec<Difference> {
    let mut list = Vec::new();
    if a.sides.len() == b.sides.len() {
        for (one, other) in a.sides.iter().zip(&b.sides) {
            let [first, second] = [one, other].map(|side| side.players.join(" and "));
            let name = if first == second { first } else { format!("{first} / {second}") };
            list.push(of_shares(&format!("{name} wins"), &one.wins, &other.wins));
        }
    }
    for (name, one, other) in [
        ("draws", &a.draws, &b.draws),
        ("decisive games", &a.decisive, &b.decisive),
        ("unfinished games", &a.unfinished, &b.unfinished),
        ("won from behind", &a.comebacks, &b.comebacks),
        ("forced moves", &a.forced_moves, &b.forced_moves),
    ] {
        list.push(of_shares(name, one, other));
    }
    for (name, one, other) in [
        ("length", &a.plies, &b.plies),
        ("legal moves per turn", &a.branching, &b.branching),
        ("captures", &a.captures, &b.captures),
        ("promotions", &a.promotions, &b.promotions),
        ("changes of the lead", &a.lead_changes, &b.lead_changes),
    ] {
        list.push(of_means(name, one, other, false));
    }
    list.push(of_means("turning point", &a.turning_points, &b.turning_points, true));
    list.push(of_means("coverage of the board", &a.board.coverage, &b.board.coverage, true));
    list.push(of_estimates("game tree, log10", a.game_tree.log10, b.game_tree.log10));
    list.push(of_estimates("state space, log10", a.state_space.log10, b.state_space.log10));
    list
}

/// Compares two shares by the interval of Newcombe (1998), method 10.
fn of_shares(figure: &str, a: &Proportion, b: &Proportion) -> Difference {
    let difference = b.share - a.share;
    let below = (b.share - b.low).hypot(a.high - a.share);
    let above = (b.high - b.share).hypot(a.share - a.low);
    let is_known = a.of > 0 && b.of > 0;
    let interval = is_known.then_some((difference - below, difference + above));
    new(figure, true, a.share, b.share, interval)
}

/// Compares two means by the normal approximation.
fn of_means(figure: &str, a: &Summary, b: &Summary, is_share: bool) -> Difference {
    let variance = |it: &Summary| it.deviation.powi(2) / f64::from(it.count.max(1));
    let (difference, reach) = (b.mean - a.mean, Z_95 * (variance(a) + variance(b)).sqrt());
    let is_known = a.count > 1 && b.count > 1;
    let interval = is_known.then_some((difference - reach, difference + reach));
    new(figure, is_share, a.mean, b.mean, interval)
}

fn of_estimates(figure: &str, a: f64, b: f64) -> Difference {
    new(figure, false, a, b, None)
}

fn new(figure: &str, is_share: bool, a: f64, b: f64, interval: Option<(f64, f64)>) -> Difference {
    let differs = interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0);
    Difference { figure: figure.to_owned(), is_share, a, b, difference: b - a, interval, differs }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe (1998), table II, method 10: 56/70 - 48/80.
    #[test]
    fn intervals_agree_with_the_literature() {
        let difference = of_shares("x", &Proportion::of(48, 80), &Proportion::of(56, 70));
        let (low, high) = difference.interval.unwrap();
        assert!((low - 0.0524).abs() < 1e-4 && (high - 0.3339).abs() < 1e-4, "{difference:?}");
        assert!(difference.differs);
        assert!(!of_shares("x", &Proportion::of(5, 10), &Proportion::of(6, 10)).differs);
        assert_eq!(of_shares("x", &Proportion::of(0, 0), &Proportion::of(6, 10)).interval, None);
    }
}
