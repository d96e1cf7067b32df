//! What is raised: every refusal of the other rooms as an exception of its own, so that a program can tell them apart. All
//! of them are `ValueError`s: what was asked for was well typed and wrong.

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_notation::StateError;
use tabiya_referee::Illegal;
use tabiya_spec::diagnostic::Diagnostic as Fault;

use crate::diagnostic::Diagnostic;

create_exception!(
    tabiya,
    SpecError,
    PyValueError,
    "A game file that cannot be played.\n\nThe text shows every fault with its line and column; `diagnostics` has \
     them as a list of `Diagnostic`."
);
create_exception!(
    tabiya,
    IllegalMove,
    PyValueError,
    "A move that the rules forbid; the text names the rule."
);
create_exception!(
    tabiya,
    BadState,
    PyValueError,
    "A text that is no state of the game, for every reason there is."
);
create_exception!(tabiya, GameOver, PyValueError, "Something was done in a game that is over.");

/// The faults of a game that goes by this name.
pub(crate) fn spec_error(py: Python<'_>, label: &str, faults: &[Fault], left_out: usize) -> PyErr {
    let mut lines: Vec<String> = faults.iter().map(|fault| line(label, fault)).collect();
    if left_out > 0 {
        lines.push(format!("and {left_out} more"));
    }
    let error = SpecError::new_err(lines.join("\n"));
    let diagnostics: Vec<Diagnostic> = faults.iter().map(Diagnostic::from).collect();
    match error.value(py).setattr("diagnostics", diagnostics) {
        Ok(()) => error,
        Err(other) => other,
    }
}

fn line(label: &str, fault: &Fault) -> String {
    let Fault { code, message, line, column, .. } = fault;
    let help = fault.help.as_ref().map(|help| format!("\n  help: {help}")).unwrap_or_default();
    format!("{label}:{line}:{column}: {}[{code}]: {message}{help}", fault.severity())
}

/// A text that is no state.
pub(crate) fn bad_state(error: &StateError) -> PyErr {
    BadState::new_err(error.to_string())
}

/// Something that cannot be done.
pub(crate) fn illegal(illegal: &Illegal) -> PyErr {
    match illegal {
        Illegal::GameOver => GameOver::new_err(illegal.to_string()),
        _ => IllegalMove::new_err(illegal.to_string()),
    }
}
