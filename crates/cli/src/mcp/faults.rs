//! The faults of a game that was sent along: as data, as many as fit, and as lines for people.

use serde_json::Value;
use tabiya_spec::diagnostic::Diagnostic;

use crate::diagnostic_report::Problem;
use crate::text::{sanitize, truncate};

/// A fault may quote the file and point far into it, and there may be a thousand: so many bytes of them are enough.
const MOST_BYTES: usize = 64 << 10;

/// So many are told in words, each in so many characters.
const MOST_LINES: usize = 20;
const MOST_CHARACTERS: usize = 500;

/// The faults of one file.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// As `tabiya check` tells them.
    pub(super) data: Vec<Value>,
    /// How many are not among them.
    pub(super) left_out: usize,
    /// A line for each, for people; the last says how many more there are.
    pub(super) lines: Vec<String>,
}

impl Faults {
    /// Of what was found, and how many more there were.
    pub(super) fn new(found: Vec<Diagnostic>, left_out: usize) -> Self {
        let all = found.len() + left_out;
        let mut faults = Faults::default();
        let mut bytes = 0;
        for fault in found {
            let line = line(&fault);
            let value = Problem::Diagnostic(fault).to_json();
            bytes += value.to_string().len();
            if bytes > MOST_BYTES {
                break;
            }
            faults.data.push(value);
            faults.lines.push(line);
        }
        faults.left_out = all - faults.data.len();
        faults.lines.truncate(MOST_LINES);
        if all > faults.lines.len() {
            faults.lines.push(format!("and {} more", all - faults.lines.len()));
        }
        faults
    }
}

fn line(fault: &Diagnostic) -> String {
    let place = if fault.pointer.is_empty() { "/" } else { &fault.pointer };
    let help = fault.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    let (severity, code, message) = (fault.severity(), fault.code, &fault.message);
    let line = format!("{severity}[{code}] at {}: {message}{help}", truncate(place, MOST_CHARACTERS / 2));
    sanitize(&truncate(&line, MOST_CHARACTERS)).into_owned()
}
