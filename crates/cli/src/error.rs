//! Errors of verbs, with their exit status. Scripts rely on the status, and on the JSON object that is printed in place of
//! the answer.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::output::Output;
use crate::text::{fit, sanitize, sanitize_lines};

/// Why a verb has no answer.
#[derive(Debug)]
pub(crate) enum CliError {
    /// A negative answer: a saved game does not fit, a count is too large.
    No(String),
    /// The game file has errors.
    InvalidGame {
        /// Name or path of the game.
        game: String,
        /// The diagnostics with excerpts of the file.
        report: String,
        /// The diagnostics as JSON.
        diagnostics: Vec<Value>,
        /// How many diagnostics are not in the list.
        left_out: usize,
    },
    /// The command line is wrong: an unknown game or player, an unreadable file.
    Usage(String),
    /// A text is not a state of the game, for each of these reasons.
    InvalidState(Vec<String>),
    /// Standard output cannot be written.
    Output(io::Error),
}

/// The exit status of a command that ran, or why it did not.
pub(crate) type CommandResult = Result<ExitCode, CliError>;

impl CliError {
    /// Exit status of a negative answer.
    pub(crate) const EXIT_NO: u8 = 1;
    /// Exit status of a usage error.
    pub(crate) const EXIT_USAGE: u8 = 2;

    /// Writes the error to standard error and, with `--format json`, as an object to standard output. A reader that
    /// closes the pipe early (`tabiya games | head -1`) is not an error.
    pub(crate) fn report(&self, out: &mut Output) -> ExitCode {
        let status = match self {
            CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            CliError::No(_) | CliError::InvalidGame { .. } => Self::EXIT_NO,
            CliError::Usage(_) | CliError::InvalidState(_) | CliError::Output(_) => Self::EXIT_USAGE,
        };
        // If writing fails as well, the exit status still reports the error.
        if out.is_json() {
            let _ = out.json(&self.to_json()).and_then(|()| out.flush());
        }
        let width =
            terminal_size::terminal_size_of(io::stderr()).map_or(usize::MAX, |(it, _)| usize::from(it.0));
        let text = format!("error: {self}");
        let text = match self {
            // The report has its own form.
            CliError::InvalidGame { .. } => text,
            _ => text.lines().map(|line| fit(line, width)).collect::<Vec<_>>().join("\n"),
        };
        let _ = writeln!(anstream::stderr().lock(), "{text}");
        ExitCode::from(status)
    }

    /// Returns the object that `--format json` prints.
    pub(crate) fn to_json(&self) -> Value {
        let mut error = json!({ "message": self.message() });
        match self {
            CliError::InvalidState(reasons) => error["reasons"] = json!(reasons),
            CliError::InvalidGame { diagnostics, left_out, .. } => {
                error["diagnostics"] = json!(diagnostics);
                if *left_out > 0 {
                    error["left_out"] = json!(left_out);
                }
            }
            CliError::No(_) | CliError::Usage(_) | CliError::Output(_) => {}
        }
        json!({ "error": error })
    }

    /// Returns the message without reasons and diagnostics.
    fn message(&self) -> String {
        match self {
            CliError::No(message) | CliError::Usage(message) => message.clone(),
            CliError::InvalidGame { game, .. } => format!("`{game}` cannot be played"),
            CliError::InvalidState(_) => "not a valid state of this game".to_owned(),
            CliError::Output(error) => format!("the answer cannot be written: {error}"),
        }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Messages may quote a file.
        f.write_str(&sanitize_lines(&self.message()))?;
        match self {
            CliError::InvalidState(reasons) => {
                f.write_str(":")?;
                reasons.iter().try_for_each(|reason| write!(f, "\n  - {}", sanitize(reason)))
            }
            CliError::InvalidGame { report, .. } => write!(f, "\n\n{}", report.trim_end()),
            CliError::No(_) | CliError::Usage(_) | CliError::Output(_) => Ok(()),
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        CliError::Output(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced_and_line_breaks_kept() {
        let error = CliError::No("another match:\n  \u{1b}[31mseed is null".to_owned());
        assert_eq!(error.to_string(), "another match:\n  \u{fffd}[31mseed is null");
    }
}
