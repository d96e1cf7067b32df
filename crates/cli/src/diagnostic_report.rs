//! Renders the diagnostics of a game file: place, message, excerpt of the file, help.

mod excerpt;

use std::fmt;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use serde_json::{Value, json};
use tabiya_spec::diagnostic::{Diagnostic, Severity};

use crate::text::{sanitize, truncate};

use excerpt::Excerpt;

/// Columns of a rendered diagnostic.
const WIDTH: usize = 110;

/// A message may quote the file. Text output truncates it to this many characters; JSON has all of it.
const MAX_MESSAGE: usize = 1000;

/// A problem with a file.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A diagnostic of its contents.
    Diagnostic(Diagnostic),
    /// The file cannot be read, for this reason.
    Unreadable(String),
}

impl Problem {
    /// The diagnostic code of a file that cannot be read. `tabiya_spec` does not open files and has no such code.
    pub(crate) const UNREADABLE: &'static str = "unreadable";

    /// Returns whether the problem prevents the game from being played.
    pub(crate) fn is_error(&self) -> bool {
        match self {
            Problem::Diagnostic(diagnostic) => diagnostic.severity() == Severity::Error,
            Problem::Unreadable(_) => true,
        }
    }

    /// Returns the object that `check --format json` prints.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Problem::Diagnostic(diagnostic) => json!({
                "code": diagnostic.code.as_str(),
                "severity": diagnostic.severity().to_string(),
                "message": diagnostic.message,
                "help": diagnostic.help,
                "pointer": diagnostic.pointer,
                "line": diagnostic.line,
                "column": diagnostic.column,
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

/// Renders every problem of a file, each headed by `file:line:column`.
pub(crate) fn render(file: &str, bytes: &[u8], problems: &[Problem]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines = excerpt::line_starts(&text);
    let handler =
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode()).with_links(false).with_width(WIDTH);
    let mut rendered = String::new();
    for problem in problems {
        let rendered_problem = match problem {
            Problem::Diagnostic(diagnostic) => Rendered::new(file, diagnostic, &text, &lines),
            Problem::Unreadable(why) => Rendered {
                heading: format!("{}: error[{}]", sanitize(file), Problem::UNREADABLE),
                message: unreadable(why),
                help: None,
                severity: miette::Severity::Error,
                excerpt: None,
            },
        };
        // Writing to a string does not fail, and an excerpt accepts every span.
        let _ = handler.render_report(&mut rendered, &rendered_problem);
        rendered.push('\n');
    }
    rendered
}

/// A problem in the form that miette renders.
#[derive(Debug)]
struct Rendered {
    heading: String,
    message: String,
    help: Option<String>,
    severity: miette::Severity,
    excerpt: Option<Excerpt>,
}

impl Rendered {
    fn new(file: &str, diagnostic: &Diagnostic, text: &str, lines: &[usize]) -> Self {
        let (line, column) = (diagnostic.line, diagnostic.column);
        let heading =
            format!("{}:{line}:{column}: {}[{}]", sanitize(file), diagnostic.severity(), diagnostic.code);
        Rendered {
            heading,
            message: message(&diagnostic.message),
            help: diagnostic.help.as_deref().map(message),
            severity: match diagnostic.severity() {
                Severity::Error => miette::Severity::Error,
                Severity::Warning => miette::Severity::Warning,
            },
            excerpt: Excerpt::of(diagnostic, text, lines),
        }
    }
}

fn message(text: &str) -> String {
    sanitize(&truncate(text, MAX_MESSAGE)).into_owned()
}

impl fmt::Display for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Rendered {}

impl miette::Diagnostic for Rendered {
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
