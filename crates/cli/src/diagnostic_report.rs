//! Renders the diagnostics of a game file: place, message, excerpt of the file, help.

mod excerpt;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use tabiya_spec::diagnostic::{Diagnostic, Severity};

use crate::text::{clip, sanitize};

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

    /// Returns how serious the problem is. An error prevents the game from being played.
    pub(crate) fn severity(&self) -> Severity {
        match self {
            Problem::Diagnostic(diagnostic) => diagnostic.severity(),
            Problem::Unreadable(_) => Severity::Error,
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
    let file = sanitize(file);
    problems.iter().map(|problem| render_one(&file, &text, &lines, problem)).collect()
}

fn render_one(file: &str, text: &str, lines: &[usize], problem: &Problem) -> String {
    let (heading, sentence, help, excerpt) = match problem {
        Problem::Diagnostic(it) => (
            format!("{file}:{}:{}: {}[{}]", it.line, it.column, it.severity(), it.code),
            message(&it.message),
            it.help.as_deref().map(message),
            Excerpt::of(it, text, lines),
        ),
        Problem::Unreadable(why) => {
            (format!("{file}: error[{}]", Problem::UNREADABLE), unreadable(why), None, None)
        }
    };
    let (icon, colour) = match problem.severity() {
        Severity::Error => ('×', AnsiColor::Red),
        Severity::Warning => ('⚠', AnsiColor::Yellow),
        Severity::Note => ('•', AnsiColor::Cyan),
    };
    let style = Style::new().fg_color(Some(colour.into()));
    let mut rendered = format!("{style}{heading}{style:#}\n\n");
    rendered += &wrap(&sentence, &format!("  {style}{icon}{style:#} "), &format!("  {style}│{style:#} "));
    rendered += &excerpt.map(|excerpt| excerpt.render()).unwrap_or_default();
    if let Some(help) = help {
        let style = Style::new().fg_color(Some(AnsiColor::Cyan.into()));
        rendered += &wrap(&help, &format!("{style}  help: {style:#}"), "        ");
    }
    rendered + "\n"
}

fn message(text: &str) -> String {
    sanitize(&clip(text, MAX_MESSAGE)).into_owned()
}

fn wrap(text: &str, first_indent: &str, indent: &str) -> String {
    let options = textwrap::Options::new(WIDTH - 2).initial_indent(first_indent).subsequent_indent(indent);
    textwrap::fill(text, options) + "\n"
}
