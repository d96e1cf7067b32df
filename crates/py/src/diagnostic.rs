//! The `Diagnostic` class.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabiya_spec::diagnostic::Diagnostic as Fault;

/// An error or warning about a game file.
///
/// >>> import tabiya
/// >>> try:
/// ...     tabiya.Game.from_json('{ "name": "Nothing" }')
/// ... except tabiya.SpecError as error:
/// ...     fault = error.diagnostics[0]
/// >>> fault.code, fault.severity, fault.line, fault.column
/// ('missing-key', 'error', 1, 1)
#[pyclass(module = "tabiya", frozen, get_all, eq, hash)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Diagnostic {
    /// The stable code, explained in `docs/diagnostics.md`.
    code: String,
    /// `error` if the file cannot be played, `warning` if it can but contains a likely mistake.
    severity: String,
    /// A sentence that describes the problem.
    message: String,
    /// How to fix it, if known.
    help: Option<String>,
    /// JSON pointer to the value; a missing key points at the object that lacks it.
    pointer: String,
    /// The line in the file, from 1.
    line: usize,
    /// The column in characters, from 1.
    column: usize,
}

impl From<&Fault> for Diagnostic {
    fn from(fault: &Fault) -> Self {
        Diagnostic {
            code: fault.code.as_str().to_owned(),
            severity: fault.severity().to_string(),
            message: fault.message.clone(),
            help: fault.help.clone(),
            pointer: fault.pointer.clone(),
            line: fault.line,
            column: fault.column,
        }
    }
}

#[pymethods]
impl Diagnostic {
    #[new]
    fn new(
        code: String,
        severity: String,
        message: String,
        help: Option<String>,
        pointer: String,
        line: usize,
        column: usize,
    ) -> Self {
        Diagnostic { code, severity, message, help, pointer, line, column }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Diagnostic { code, severity, message, help, pointer, line, column } = self;
        (code, severity, message, help, pointer, line, column).into_pyobject(py)
    }

    fn __repr__(&self) -> String {
        let Diagnostic { code, severity, message, line, column, .. } = self;
        format!("<Diagnostic {line}:{column}: {severity}[{code}]: {message}>")
    }
}
