//! Faults of a game file, drawn for people: the place, the sentence, the lines of the file, the advice.

mod excerpt;

use std::fmt;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use serde_json::{Value, json};
use tabiya_spec::diagnostic::{Diagnostic, Severity};

use crate::text::{clip, plain};

use excerpt::Excerpt;

/// Columns of a drawn fault.
const WIDTH: usize = 110;

/// A sentence may quote the file; people see no more of it than this. Programs see all of it.
const MAX_SENTENCE: usize = 1000;

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
    let lines = excerpt::line_starts(&text);
    let handler =
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode()).with_links(false).with_width(WIDTH);
    let mut drawn = String::new();
    for problem in problems {
        let shown = match problem {
            Problem::Fault(fault) => Shown::fault(file, fault, &text, &lines),
            Problem::Unreadable(why) => Shown {
                heading: format!("{}: error[{}]", plain(file), Problem::UNREADABLE),
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
            message: sentence(&fault.message),
            help: fault.help.as_deref().map(sentence),
            severity: match fault.severity() {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
            },
            excerpt: Excerpt::of(fault, text, lines),
        }
    }
}

fn sentence(text: &str) -> String {
    plain(&clip(text, MAX_SENTENCE)).into_owned()
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
