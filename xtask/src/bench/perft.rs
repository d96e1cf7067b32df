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
    /// Chess under other names.
    pub(super) renamed: Vec<Timed>,
    /// Larger boards and more players.
    pub(super) growth: Vec<(Timed, Weight)>,
}

/// Measures chess, chess under other names, and larger boards.
pub(super) fn measure(machine: &Machine, rounds: u32) -> Result<Report> {
    let mut engines = Engines::start(machine, true)?;
    let (paths, has_fairy) = (engines.paths(), engines.has_fairy());
    let mut all = |comparisons: Vec<Comparison>| -> Result<Vec<Timed>> {
        comparisons.into_iter().map(|comparison| comparison.measure(&mut engines, rounds)).collect()
    };
    let chess = all(plan::chess(&paths))?;
    let made = all(plan::made())?;
    let renamed = all(plan::renamed(&paths))?;
    let mut growth = Vec::new();
    for timed in all(plan::growth())? {
        let weight = engines.weigh(&timed.comparison.requests[0])?;
        growth.push((timed, weight));
    }
    let figures = Figures { paths, has_fairy, chess, made, renamed, growth };
    let text = format!("{}{}", machine.text("perft", rounds), tables::all(&figures));
    Ok(Report { text, plot: Some(plot::svg(&figures)), ..Report::default() })
}

/// Measures the other games of the library, beside Fairy-Stockfish where it has them.
pub(super) fn measure_games(machine: &Machine, rounds: u32) -> Result<Report> {
    let mut engines = Engines::start(machine, false)?;
    let (paths, has_fairy) = (engines.paths(), engines.has_fairy());
    let comparisons = plan::games(&paths)?.into_iter();
    let games: Vec<Timed> =
        comparisons.map(|comparison| comparison.measure(&mut engines, rounds)).collect::<Result<_>>()?;
    let table = tables::games(&games, &paths, has_fairy);
    let missed = if has_fairy { tables::slower_than_required(&games, &paths) } else { Vec::new() };
    Ok(Report { text: format!("{}{table}", machine.text("games", rounds)), missed, ..Report::default() })
}
