//! One row of a table: several contenders on one position, taking turns.

use crate::bench::field::Field;
use crate::shell::Done;

/// A count that a contender is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) contender: String,
    pub(crate) game: String,
    pub(crate) state: String,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// What a contender answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) seconds: f64,
    /// How many leaves are check, from those that look at every leaf.
    pub(crate) checks: Option<u64>,
}

/// Contenders that take turns.
pub(crate) struct Contest {
    pub(crate) name: String,
    pub(crate) requests: Vec<Request>,
}

/// A contest and its medians; `None` for who did not take part.
pub(crate) struct Held {
    pub(crate) contest: Contest,
    seconds: Vec<Option<f64>>,
}

impl Contest {
    /// A round to warm up, which also shows who takes part; then in each round each contender once.
    pub(crate) fn hold(self, field: &mut Field, rounds: u32) -> Done<Held> {
        println!("{}", self.name);
        let mut times: Vec<Option<Vec<f64>>> = Vec::new();
        let mut checks = None;
        for request in &self.requests {
            let answer = field.ask(request)?;
            times.push(answer.is_some().then(Vec::new));
            if let Some(found) = answer.and_then(|answer| answer.checks)
                && *checks.get_or_insert(found) != found
            {
                return Err(format!("{}: they do not agree how many leaves are check", self.name));
            }
        }
        for _ in 0..rounds {
            for (request, times) in self.requests.iter().zip(&mut times) {
                if let Some(times) = times {
                    let answer = field.ask(request)?.ok_or("a contender has changed its mind")?;
                    times.push(answer.seconds);
                }
            }
        }
        let seconds = times.into_iter().map(|times| times.and_then(median)).collect();
        let held = Held { contest: self, seconds };
        for (request, rate) in held.rates() {
            println!("  {:<20} {:<18} {rate:8.1} million a second", request.contender, request.game);
        }
        Ok(held)
    }
}

impl Held {
    /// Million nodes a second of each who took part.
    pub(crate) fn rates(&self) -> impl Iterator<Item = (&Request, f64)> {
        let timed = self.contest.requests.iter().zip(&self.seconds);
        timed.filter_map(|(request, seconds)| Some((request, million(request.nodes) / (*seconds)?)))
    }

    /// The rate of one contender.
    pub(crate) fn rate(&self, contender: &str) -> Option<f64> {
        self.rates().find(|(request, _)| request.contender == contender).map(|(_, rate)| rate)
    }

    /// The rate of one contender in one game.
    pub(crate) fn rate_in(&self, contender: &str, game: &str) -> Option<f64> {
        let mut rates = self.rates();
        rates.find(|(it, _)| it.contender == contender && it.game == game).map(|(_, rate)| rate)
    }

    /// Nanoseconds of the only contender for each of so many things.
    pub(crate) fn nanoseconds_each(&self, things: u64) -> Option<f64> {
        Some((*self.seconds.first()?)? * 1e3 / million(things))
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn million(count: u64) -> f64 {
    count as f64 / 1e6
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    let (low, high) = (times.len().checked_sub(1)? / 2, times.len() / 2);
    Some(f64::midpoint(times[low], times[high]))
}

/// The geometric mean; `None` if one is missing or there are none.
pub(crate) fn geometric_mean(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let values: Option<Vec<f64>> = values.into_iter().collect();
    let values = values.filter(|values| !values.is_empty())?;
    let count = u32::try_from(values.len()).ok()?;
    Some((values.iter().map(|value| value.ln()).sum::<f64>() / f64::from(count)).exp())
}
