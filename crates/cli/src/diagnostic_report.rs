//! Renders the diagnostics of a game file: place, message, excerpt of the file, help.

mod excerpt;

use anstyle::{AnsiColor, Style};
use serde_json::{Value, json};
use tabiya_spec::code::Code;
use tabiya_spec::diagnostic::{Diagnostic, Severity};

use crate::text::{clip, pluralize, sanitize};

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

    fn diagnostic(&self) -> Option<&Diagnostic> {
        match self {
            Problem::Diagnostic(diagnostic) => Some(diagnostic),
            Problem::Unreadable(_) => None,
        }
    }

    /// Returns the code, if problems with this code are rendered together. Each error needs its own fix and stands alone.
    fn group(&self) -> Option<Code> {
        self.diagnostic().filter(|it| it.severity() != Severity::Error).map(|it| it.code)
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

/// Renders every problem of a file, each headed by `file:line:column`. Warnings and notes with the same code form one entry:
/// the first in full, the others by their places.
pub(crate) fn render(file: &str, bytes: &[u8], problems: &[Problem]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines = excerpt::line_starts(&text);
    let file = sanitize(file);
    let mut rendered = String::new();
    for (index, problem) in problems.iter().enumerate() {
        let is_same = |other: &&Problem| problem.group().is_some_and(|code| other.group() == Some(code));
        if problems[..index].iter().any(|other| is_same(&other)) {
            continue;
        }
        rendered += &render_one(&file, &text, &lines, problem);
        let others: Vec<&Diagnostic> =
            problems[index + 1..].iter().filter(is_same).filter_map(Problem::diagnostic).collect();
        rendered += &render_others(problem, &others);
        rendered += "\n";
    }
    rendered
}

/// Lists the places of further warnings or notes with the same code, and their messages where these differ.
fn render_others(first: &Problem, others: &[&Diagnostic]) -> String {
    const SHOWN: usize = 20;
    if others.is_empty() {
        return String::new();
    }
    let mut rendered = format!("  also at {}:\n", pluralize(others.len(), "other place"));
    let same_message = first.diagnostic().map(|it| it.message.as_str());
    for other in &others[..others.len().min(SHOWN)] {
        let own = if same_message == Some(&other.message) { "the same" } else { &other.message };
        let place = format!("    {}:{}: ", other.line, other.column);
        rendered += &wrap(&message(own), &place, "      ");
    }
    if others.len() > SHOWN {
        rendered += &format!("    and {} more\n", others.len() - SHOWN);
    }
    rendered
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
    rendered
}

fn message(text: &str) -> String {
    sanitize(&clip(text, MAX_MESSAGE)).into_owned()
}

fn wrap(text: &str, first_indent: &str, indent: &str) -> String {
    let options = textwrap::Options::new(WIDTH - 2).initial_indent(first_indent).subsequent_indent(indent);
    textwrap::fill(text, options) + "\n"
}
