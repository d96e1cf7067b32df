//! A single diagnostic, and the collector for all diagnostics of a file.
//!
//! Checking never stops at the first problem: readers and checks report to [`Diagnostics`] and continue.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

use jsonc_parser::ast::Value as Json;

use crate::choices::is_unused_warning;
use crate::code::Code;
use crate::place::{Place, Places, Step};
use crate::pointer;
use crate::read::shorten;
use crate::short::Sources;
use crate::suggest::nearest;

/// How serious a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The game cannot be played.
    Error,
    /// The game can be played, but probably not as intended.
    Warning,
    /// Something that the file leaves open, and how it was decided.
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// A problem in a game file: what, where, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable code; `docs/diagnostics.md` describes each.
    pub code: Code,
    /// One sentence about this case.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// JSON pointer to the value. For a missing key, it points to the object that lacks it.
    pub pointer: String,
    /// The bytes of the file to highlight.
    pub span: Range<usize>,
    /// Line of the span's start, counted from 1.
    pub line: usize,
    /// Column of the span's start in characters, counted from 1.
    pub column: usize,
    /// Where the problem is, if it is in a game that the file extends. The other places are those of `extends`.
    pub inherited: Option<InheritedPlace>,
}

/// A place in a game that a file extends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InheritedPlace {
    /// The name of the game in the library, or the path of its file.
    pub game: String,
    /// The line, counted from 1.
    pub line: usize,
}

impl Diagnostic {
    /// Returns whether this is an error, a warning or a note.
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

/// The number of diagnostics kept per file. Beyond it, one cause usually repeats.
pub const MAX_DIAGNOSTICS: usize = 1000;

/// Collects the diagnostics of one file.
#[derive(Debug)]
pub struct Diagnostics<'s> {
    text: &'s str,
    /// Bytes of the file before the text: a byte-order mark.
    skipped: usize,
    places: Places,
    /// The file before choices were resolved and short forms written out. Pointers refer to it.
    origin: Option<&'s Json<'s>>,
    /// The texts of the file and of the games that it extends, if it does.
    sources: Option<&'s Sources<'s>>,
    found: Vec<Diagnostic>,
    left_out: usize,
    any_error: bool,
}

impl<'s> Diagnostics<'s> {
    pub(crate) fn new(text: &'s str) -> Self {
        Diagnostics {
            text,
            skipped: 0,
            places: Places::new(0..text.len()),
            origin: None,
            sources: None,
            found: Vec::new(),
            left_out: 0,
            any_error: false,
        }
    }

    /// Sets the number of bytes before the text.
    pub(crate) fn after(self, skipped: usize) -> Self {
        Diagnostics { skipped, ..self }
    }

    /// Sets the original file, before choices were resolved.
    pub(crate) fn within(self, origin: &'s Json<'s>) -> Self {
        Diagnostics { origin: Some(origin), ..self }
    }

    /// Sets the texts of the file and of the games that it extends.
    pub(crate) fn among(self, sources: &'s Sources<'s>) -> Self {
        Diagnostics { sources: Some(sources), ..self }
    }

    pub(crate) fn places(&mut self) -> &mut Places {
        &mut self.places
    }

    /// Reports a problem with the value at `place`.
    pub(crate) fn report(&mut self, code: Code, place: Place, message: impl Into<String>) {
        self.push(code, place, self.places.span(place), message.into(), None);
    }

    /// Reports a problem with advice.
    pub(crate) fn report_with_help(
        &mut self,
        code: Code,
        place: Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.push(code, place, self.places.span(place), message.into(), Some(help.into()));
    }

    /// Reports a problem at a span other than the whole value, such as a key.
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
        let Some(origin) = self.sources.and_then(|sources| sources.origin(&span)) else {
            return self.add(code, place, span, message, help);
        };
        // What a game does not use of another is not worth a warning.
        if is_unused_warning(code) || code == Code::EndingNeverHolds {
            return;
        }
        let before = self.found.len();
        let place = self.places.add(Place::ROOT, Step::Key("extends".into()), origin.at.clone());
        self.add(code, place, origin.at, format!("{}{message}", origin.sentence), help);
        for diag in &mut self.found[before..] {
            diag.inherited = Some(origin.place.clone());
        }
    }

    /// Adds a problem of the file itself.
    fn add(&mut self, code: Code, place: Place, span: Range<usize>, message: String, help: Option<String>) {
        self.any_error |= code.severity() == Severity::Error;
        if self.is_full() {
            self.left_out += 1;
            return;
        }
        let pointer = match self.origin.filter(|_| place != Place::ROOT) {
            Some(origin) => pointer::to_span(origin, &self.places.span(place)),
            None => self.places.pointer(place),
        };
        let span = first_line(self.text, span);
        self.found.push(Diagnostic {
            code,
            message,
            help,
            pointer,
            span,
            line: 0,
            column: 0,
            inherited: None,
        });
    }

    /// Whether an error, not just a warning, has been reported.
    pub(crate) fn any_error(&self) -> bool {
        self.any_error
    }

    /// Whether a diagnostic with this code has been reported.
    pub(crate) fn has(&self, code: Code) -> bool {
        self.found.iter().any(|diag| diag.code == code)
    }

    /// Whether further diagnostics are only counted, so that computing help is pointless.
    pub(crate) fn is_full(&self) -> bool {
        self.found.len() >= MAX_DIAGNOSTICS
    }

    /// Returns help text that names the most similar candidate.
    pub(crate) fn suggest<'w>(
        &self,
        word: &str,
        candidates: impl IntoIterator<Item = &'w str>,
    ) -> Option<String> {
        let near = if self.is_full() { None } else { nearest(word, candidates) };
        near.map(|near| format!("did you mean `{}`?", shorten(near)))
    }

    /// Returns all diagnostics in text order, with line numbers, and the number of those left out.
    pub(crate) fn finish(mut self) -> (Vec<Diagnostic>, usize) {
        self.found.sort_by_key(|diag| (diag.span.start, diag.severity()));
        // The parts of a layout are read twice: in the layout, and in place of the defaults.
        let mut seen = HashSet::new();
        self.found.retain(|diag| {
            seen.insert((diag.code, diag.span.clone(), diag.pointer.clone(), diag.message.clone()))
        });
        let (mut line, mut line_start, mut at) = (1, 0, 0);
        for diag in &mut self.found {
            for (offset, _) in self.text[at..diag.span.start].match_indices('\n') {
                line += 1;
                line_start = at + offset + 1;
            }
            at = diag.span.start;
            diag.line = line;
            diag.column = self.text[line_start..at].chars().count() + 1;
            diag.span = diag.span.start + self.skipped..diag.span.end + self.skipped;
        }
        (self.found, self.left_out)
    }
}

/// Cuts a span to its first line. A problem with an object is shown at its brace.
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
