//! The diagnostics of a custom game, as data and as text, limited in size.

use serde_json::Value;
use tabiya_spec::diagnostic::Diagnostic;

use crate::diagnostic_report::Problem;
use crate::text::{clip, sanitize};

/// The limit of all diagnostics as data. There may be a thousand of them, each of which may quote the file.
const MAX_BYTES: usize = 64 << 10;

/// The limits of the text: number of diagnostics, and characters of each.
const MAX_LINES: usize = 20;
const MAX_CHARACTERS: usize = 500;

/// The diagnostics of a file.
#[derive(Debug, Default)]
pub(super) struct Diagnostics {
    /// The objects that `tabiya check` prints.
    pub(super) data: Vec<Value>,
    /// The number of omitted diagnostics.
    pub(super) left_out: usize,
    /// A line for each; the last one counts those that are omitted.
    pub(super) lines: Vec<String>,
}

impl Diagnostics {
    /// Collects diagnostics. `left_out` counts those that the loader omitted.
    pub(super) fn new(found: Vec<Diagnostic>, left_out: usize) -> Self {
        let all = found.len() + left_out;
        let mut diagnostics = Diagnostics::default();
        let mut bytes = 0;
        for diagnostic in found {
            let line = line(&diagnostic);
            let value = Problem::Diagnostic(diagnostic).to_json();
            bytes += value.to_string().len();
            if bytes > MAX_BYTES {
                break;
            }
            diagnostics.data.push(value);
            diagnostics.lines.push(line);
        }
        diagnostics.left_out = all - diagnostics.data.len();
        diagnostics.lines.truncate(MAX_LINES);
        if all > diagnostics.lines.len() {
            diagnostics.lines.push(format!("and {} more", all - diagnostics.lines.len()));
        }
        diagnostics
    }
}

fn line(diagnostic: &Diagnostic) -> String {
    let place = if diagnostic.pointer.is_empty() { "/" } else { &diagnostic.pointer };
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    let (severity, code, message) = (diagnostic.severity(), diagnostic.code, &diagnostic.message);
    let line = format!("{severity}[{code}] at {}: {message}{help}", clip(place, MAX_CHARACTERS / 2));
    sanitize(&clip(&line, MAX_CHARACTERS)).into_owned()
}
