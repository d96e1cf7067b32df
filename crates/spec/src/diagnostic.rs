//! One fault of a file, and the list that collects them all.
//!
//! Checking never stops at the first fault: readers and checks report into [`Faults`] and go on.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use jsonc_parser::ast::Value as Json;

use crate::code::Code;
use crate::origin;
use crate::place::{Place, Places};

/// How bad a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be played.
    Error,
    /// It can be played, but surely not as meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// One fault: what, where, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable name of the fault; `docs/diagnostics.md` has an entry for each.
    pub code: Code,
    /// One sentence about this very case.
    pub message: String,
    /// How to mend it, where that can be said.
    pub help: Option<String>,
    /// JSON pointer to the value. A missing key points at the object that lacks it.
    pub pointer: String,
    /// The bytes of the file that are shown.
    pub span: Range<usize>,
    /// Line of the span's start, counted from 1.
    pub line: usize,
    /// Column of the span's start in characters, counted from 1.
    pub column: usize,
}

impl Diagnostic {
    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

/// How many faults of one file are kept; a file with more has one cause that is repeated.
pub const MAX_FAULTS: usize = 1000;

/// The faults of one file, as they are found.
#[derive(Debug)]
pub struct Faults<'s> {
    text: &'s str,
    /// Bytes of the file before the text: a byte-order mark.
    skipped: usize,
    places: Places,
    /// The file as it was written, if what is read is not all of it: pointers lead through that one.
    origin: Option<&'s Json<'s>>,
    found: Vec<Diagnostic>,
    left_out: usize,
    any_error: bool,
}

impl<'s> Faults<'s> {
    pub(crate) fn new(text: &'s str) -> Self {
        Faults {
            text,
            skipped: 0,
            places: Places::new(0..text.len()),
            origin: None,
            found: Vec::new(),
            left_out: 0,
            any_error: false,
        }
    }

    /// For a text that starts so many bytes into its file.
    pub(crate) fn after(self, skipped: usize) -> Self {
        Faults { skipped, ..self }
    }

    /// For what is read of a file that leaves something open.
    pub(crate) fn within(self, origin: &'s Json<'s>) -> Self {
        Faults { origin: Some(origin), ..self }
    }

    pub(crate) fn places(&mut self) -> &mut Places {
        &mut self.places
    }

    /// Reports a fault of the value at `place`.
    pub(crate) fn report(&mut self, code: Code, place: Place, message: impl Into<String>) {
        self.push(code, place, self.places.span(place), message.into(), None);
    }

    /// The same, with advice.
    pub(crate) fn report_with_help(
        &mut self,
        code: Code,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(code, place, self.places.span(place), message.into(), Some(help.into()));
    }

    /// A fault that is shown elsewhere than at the whole value: a key, a point in the text.
    pub(crate) fn report_span(
        &mut self,
        code: Code,
        place: Place,
        span: Range<usize>,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.push(code, place, span, message.into(), help);
    }

    fn push(&mut self, code: Code, place: Place, span: Range<usize>, message: String, help: Option<String>) {
        self.any_error |= code.severity() == Severity::Error;
        if self.is_full() {
            self.left_out += 1;
            return;
        }
        let pointer = match self.origin.filter(|_| place != Place::ROOT) {
            Some(origin) => origin::pointer(origin, &self.places.span(place)),
            None => self.places.pointer(place),
        };
        let span = first_line(self.text, span);
        self.found.push(Diagnostic { code, message, help, pointer, span, line: 0, column: 0 });
    }

    /// Whether an error (not only warnings) has been found so far.
    pub(crate) fn any_error(&self) -> bool {
        self.any_error
    }

    /// Whether a fault of that kind has been reported.
    pub(crate) fn told(&self, code: Code) -> bool {
        self.found.iter().any(|fault| fault.code == code)
    }

    /// Whether further faults are only counted, so that advice about them need not be looked for.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= MAX_FAULTS
    }

    /// All faults in the order of the text, lines counted, and how many more there were.
    pub(crate) fn finish(mut self) -> (Vec<Diagnostic>, usize) {
        self.found.sort_by_key(|fault| (fault.span.start, fault.severity()));
        // What a layout says is read twice: by itself, and in the place of what the file says.
        let mut seen = HashSet::new();
        self.found.retain(|fault| {
            seen.insert((fault.code, fault.span.clone(), fault.pointer.clone(), fault.message.clone()))
        });
        let (mut line, mut line_start, mut at) = (1, 0, 0);
        for fault in &mut self.found {
            for (offset, _) in self.text[at..fault.span.start].match_indices('\n') {
                line += 1;
                line_start = at + offset + 1;
            }
            at = fault.span.start;
            fault.line = line;
            fault.column = self.text[line_start..at].chars().count() + 1;
            fault.span = fault.span.start + self.skipped..fault.span.end + self.skipped;
        }
        (self.found, self.left_out)
    }
}

/// Only the first line of a span is shown: a fault of an object is shown at its brace.
fn first_line(text: &str, span: Range<usize>) -> Range<usize> {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    match text[start..end].find('\n') {
        Some(_) => start..start + 1,
        None => start..end,
    }
}
