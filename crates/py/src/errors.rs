//! The exceptions of the package. All of them are subclasses of `ValueError`.

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya_notation::StateError;
use tabiya_referee::IllegalAction;
use tabiya_spec::diagnostic::Diagnostic as Fault;

use crate::diagnostic::Diagnostic;

create_exception!(
    tabiya,
    SpecError,
    PyValueError,
    "A game file that cannot be played.\n\nThe text lists every error with its line and column; `diagnostics` has \
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
    "A text that is not a valid state of the game; it lists every reason."
);
create_exception!(tabiya, GameOver, PyValueError, "An action in a game that is over.");

/// Creates a `SpecError` from the errors of a game file.
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

/// Creates a `BadState`.
#[expect(clippy::needless_pass_by_value, reason = "used with `map_err`")]
pub(crate) fn bad_state(error: StateError) -> PyErr {
    BadState::new_err(error.to_string())
}

/// Creates a `GameOver` or an `IllegalMove`.
pub(crate) fn illegal(illegal: &IllegalAction) -> PyErr {
    match illegal {
        IllegalAction::GameOver => GameOver::new_err(illegal.to_string()),
        _ => IllegalMove::new_err(illegal.to_string()),
    }
}
