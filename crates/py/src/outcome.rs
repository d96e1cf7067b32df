//! The `Outcome` class.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabiya_engine::Rules;
use tabiya_referee::End;

/// How a game ended: who won, and why.
///
/// >>> from tabiya import Outcome
/// >>> Outcome(("WHITE",), "checkmate").winners
/// ('WHITE',)
#[pyclass(module = "tabiya", frozen, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    winners: Vec<String>,
    reason: String,
}

impl Outcome {
    /// Converts the end of a game.
    pub(crate) fn new(rules: &Rules, end: &End) -> Self {
        let winners = end.winners.iter().map(|player| rules.player(player).name.clone()).collect();
        Outcome { winners, reason: end.reason.clone() }
    }
}

#[pymethods]
impl Outcome {
    #[new]
    fn of(winners: Vec<String>, reason: String) -> Self {
        Outcome { winners, reason }
    }

    /// The names of the winners; empty for a draw.
    #[getter]
    fn winners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.winners)
    }

    /// Why the game ended: `checkmate`, `fivefold_repetition`, `resignation` …
    #[getter]
    fn reason(&self) -> &str {
        &self.reason
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (self.winners(py)?, &self.reason).into_pyobject(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (winners, reason) = (self.winners(py)?.repr()?, self.reason.as_str().into_pyobject(py)?.repr()?);
        Ok(format!("Outcome(winners={winners}, reason={reason})"))
    }
}
