//! Perft of our engine beside others.

use super::Report;
use super::comparison::{Comparison, Timed};
use super::engines::{Engines, Weight};
use super::machine::Machine;
use super::{plan, plot, tables};
use crate::shell::Result;

/// Everything that was measured.
pub(super) struct Figures {
    /// Our paths, from the slowest.
    pub(super) paths: Vec<String>,
    pub(super) has_fairy: bool,
    pub(super) chess: Vec<Timed>,
    /// With every leaf made.
    pub(super) made: Vec<Timed>,
    pub(super) games: Vec<Timed>,
    /// Chess under other names.
    pub(super) renamed: Vec<Timed>,
    /// Larger boards and more players.
    pub(super) growth: Vec<(Timed, Weight)>,
}

/// Measures everything.
pub(super) fn measure(machine: &Machine, rounds: u32) -> Result<Report> {
    let mut engines = Engines::start(machine)?;
    let (paths, has_fairy) = (engines.paths(), engines.has_fairy());
    let mut all = |comparisons: Vec<Comparison>| -> Result<Vec<Timed>> {
        comparisons.into_iter().map(|comparison| comparison.measure(&mut engines, rounds)).collect()
    };
    let chess = all(plan::chess(&paths))?;
    let made = all(plan::made())?;
    let games = all(plan::games(&paths)?)?;
    let renamed = all(plan::renamed(&paths))?;
    let mut growth = Vec::new();
    for timed in all(plan::growth())? {
        let weight = engines.weigh(&timed.comparison.requests[0])?;
        growth.push((timed, weight));
    }
    let figures = Figures { paths, has_fairy, chess, made, games, renamed, growth };
    let text = format!("{}{}", machine.text("perft", rounds), tables::all(&figures));
    Ok(Report { text, plot: Some(plot::svg(&figures)), ..Report::default() })
}
