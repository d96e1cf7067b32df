//! Faults of a game file, drawn for people: the place, the sentence, the lines of the file, the advice.
//!
//! The file may be anything, so an excerpt is cut out by line numbers (never searched for from the start of the file),
//! control characters in it are replaced, and a line as long as a book is not shown.

use std::fmt;
use std::ops::Range;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents};
use miette::{SourceCode, SourceSpan, SpanContents};
use serde_json::{Value, json};
use tabiya_spec::diagnostic::{Diagnostic, Severity};

use crate::text::plain;

/// Longer lines are not shown.
const MAX_LINE: usize = 300;
/// Columns of a drawn fault.
const WIDTH: usize = 110;

/// What is wrong with a file.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A fault of its contents.
    Fault(Diagnostic),
    /// It cannot be read at all.
    Unreadable(String),
}

impl Problem {
    /// The code of a file that cannot be read; not one of the reader's own, which never opens files.
    pub(crate) const UNREADABLE: &'static str = "unreadable";

    /// Whether the game cannot be played because of it.
    pub(crate) fn is_error(&self) -> bool {
        match self {
            Problem::Fault(fault) => fault.severity() == Severity::Error,
            Problem::Unreadable(_) => true,
        }
    }

    /// For programs.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Problem::Fault(fault) => json!({
                "code": fault.code.as_str(),
                "severity": fault.severity().to_string(),
                "message": fault.message,
                "help": fault.help,
                "pointer": fault.pointer,
                "line": fault.line,
                "column": fault.column,
            }),
            Problem::Unreadable(why) => json!({
                "code": Self::UNREADABLE,
                "severity": "error",
                "message": unreadable(why),
                "help": null,
                "pointer": "",
                "line": 1,
                "column": 1,
            }),
        }
    }
}

fn unreadable(why: &str) -> String {
    format!("The file cannot be read: {why}.")
}

/// Every problem of a file, drawn one below the other, each headed by `file:line:column`.
pub(crate) fn render(file: &str, bytes: &[u8], problems: &[Problem]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines = line_starts(&text);
    let handler =
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode()).with_links(false).with_width(WIDTH);
    let mut drawn = String::new();
    for problem in problems {
        let shown = match problem {
            Problem::Fault(fault) => Shown::fault(file, fault, &text, &lines),
            Problem::Unreadable(why) => Shown {
                heading: format!("{} error[{}]", plain(file), Problem::UNREADABLE),
                message: unreadable(why),
                help: None,
                severity: miette::Severity::Error,
                excerpt: None,
            },
        };
        // Writing to a string does not fail, and the excerpt never refuses a span.
        let _ = handler.render_report(&mut drawn, &shown);
        drawn.push('\n');
    }
    drawn
}

/// The byte at which each line starts.
fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// A problem as it is drawn.
#[derive(Debug)]
struct Shown {
    heading: String,
    message: String,
    help: Option<String>,
    severity: miette::Severity,
    excerpt: Option<Excerpt>,
}

impl Shown {
    fn fault(file: &str, fault: &Diagnostic, text: &str, lines: &[usize]) -> Shown {
        let (line, column) = (fault.line, fault.column);
        let heading = format!("{}:{line}:{column}: {}[{}]", plain(file), fault.severity(), fault.code);
        Shown {
            heading,
            message: plain(&fault.message).into_owned(),
            help: fault.help.as_deref().map(|help| plain(help).into_owned()),
            severity: match fault.severity() {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
            },
            excerpt: Excerpt::of(fault, text, lines),
        }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown {}

impl miette::Diagnostic for Shown {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.heading))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.excerpt.as_ref()?.span.clone();
        Some(Box::new(std::iter::once(LabeledSpan::new(None, span.start, span.len()))))
    }
}

/// The line of a fault and its neighbours. Spans count from the start of the excerpt.
#[derive(Debug)]
struct Excerpt {
    text: String,
    /// Number of the first line, from 0.
    first: usize,
    span: Range<usize>,
    /// Line and column of the fault, from 0.
    at: (usize, usize),
}

impl Excerpt {
    fn of(fault: &Diagnostic, text: &str, lines: &[usize]) -> Option<Excerpt> {
        let at = (fault.line.checked_sub(1)?, fault.column.checked_sub(1)?);
        let bounds = |line: usize| -> Option<Range<usize>> {
            let start = *lines.get(line)?;
            let end = lines.get(line + 1).map_or(text.len(), |next| next - 1);
            (end - start <= MAX_LINE || text[start..end].chars().count() <= MAX_LINE).then_some(start..end)
        };
        let own = bounds(at.0)?;
        let before = at.0.checked_sub(1).and_then(bounds);
        let after = bounds(at.0 + 1);
        let start = before.as_ref().map_or(own.start, |line| line.start);
        let end = after.map_or(own.end, |line| line.end);
        let span = fault.span.start.clamp(own.start, own.end)..fault.span.end.clamp(own.start, own.end);
        Some(Excerpt {
            text: harmless(&text[start..end]),
            first: at.0 - usize::from(before.is_some()),
            span: span.start - start..span.end.max(span.start) - start,
            at,
        })
    }
}

/// The same text, byte for byte as long, without control characters but the ends of lines.
fn harmless(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => clean.push(character),
            '\r' => clean.push(' '),
            _ if character.is_control() => clean.extend(std::iter::repeat_n('?', character.len_utf8())),
            _ => clean.push(character),
        }
    }
    clean
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        // Without context, it is the place of the fault that is asked for; else the lines around it.
        let contents = if before + after == 0 {
            let data = &self.text.as_bytes()[self.span.clone()];
            MietteSpanContents::new(data, *span, self.at.0, self.at.1, 1)
        } else {
            let whole = SourceSpan::from(0..self.text.len());
            let count = self.text.matches('\n').count() + 1;
            MietteSpanContents::new(self.text.as_bytes(), whole, self.first, 0, count)
        };
        Ok(Box::new(contents))
    }
}
