//! One row of a table: several engines on one position, taking turns.

use crate::bench::engines::Engines;
use crate::shell::Result;

/// A perft that an engine is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) engine: String,
    pub(crate) game: String,
    pub(crate) state: String,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// The answer of an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) seconds: f64,
    /// Leaves in check, from engines that examine every leaf.
    pub(crate) checks: Option<u64>,
}

/// Requests whose times are compared.
pub(crate) struct Comparison {
    pub(crate) name: String,
    pub(crate) requests: Vec<Request>,
}

/// A comparison with its medians; `None` for engines that do not support the game.
pub(crate) struct Timed {
    pub(crate) comparison: Comparison,
    seconds: Vec<Option<f64>>,
}

impl Comparison {
    /// Measures in rounds: each engine once per round, after a warm-up round.
    pub(crate) fn measure(self, engines: &mut Engines, rounds: u32) -> Result<Timed> {
        println!("{}", self.name);
        let mut times: Vec<Option<Vec<f64>>> = Vec::new();
        let mut checks = None;
        for request in &self.requests {
            let answer = engines.perft(request)?;
            times.push(answer.is_some().then(Vec::new));
            if let Some(found) = answer.and_then(|answer| answer.checks)
                && *checks.get_or_insert(found) != found
            {
                return Err(format!("{}: the engines disagree how many leaves are check", self.name));
            }
        }
        for _ in 0..rounds {
            for (request, times) in self.requests.iter().zip(&mut times) {
                if let Some(times) = times {
                    let answer = engines.perft(request)?.ok_or("an engine no longer supports a game")?;
                    times.push(answer.seconds);
                }
            }
        }
        let seconds = times.into_iter().map(|times| times.and_then(median)).collect();
        let timed = Timed { comparison: self, seconds };
        for (request, rate) in timed.rates() {
            println!("  {:<20} {:<18} {rate:8.1} million nodes per second", request.engine, request.game);
        }
        Ok(timed)
    }
}

impl Timed {
    /// Returns each request with its rate, in million nodes per second.
    pub(crate) fn rates(&self) -> impl Iterator<Item = (&Request, f64)> {
        let timed = self.comparison.requests.iter().zip(&self.seconds);
        timed.filter_map(|(request, seconds)| Some((request, million(request.nodes) / (*seconds)?)))
    }

    /// Returns the rate of an engine.
    pub(crate) fn rate(&self, engine: &str) -> Option<f64> {
        self.rates().find(|(request, _)| request.engine == engine).map(|(_, rate)| rate)
    }

    /// Returns the rate of an engine in a game.
    pub(crate) fn rate_in(&self, engine: &str, game: &str) -> Option<f64> {
        let mut rates = self.rates();
        rates.find(|(it, _)| it.engine == engine && it.game == game).map(|(_, rate)| rate)
    }

    /// Returns the nanoseconds of the only engine per item.
    pub(crate) fn nanoseconds_per(&self, items: u64) -> Option<f64> {
        Some((*self.seconds.first()?)? * 1e3 / million(items))
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn million(count: u64) -> f64 {
    count as f64 / 1e6
}

/// Returns the median.
pub(crate) fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    let (low, high) = (times.len().checked_sub(1)? / 2, times.len() / 2);
    Some(f64::midpoint(times[low], times[high]))
}

/// Returns the geometric mean; `None` if a value is missing or there are none.
pub(crate) fn geometric_mean(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let values: Option<Vec<f64>> = values.into_iter().collect();
    let values = values.filter(|values| !values.is_empty())?;
    let count = u32::try_from(values.len()).ok()?;
    Some((values.iter().map(|value| value.ln()).sum::<f64>() / f64::from(count)).exp())
}
