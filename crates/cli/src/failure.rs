//! Why a verb ends without an answer, and the exit status that tells so. Programs rely on the numbers, and on the one
//! JSON object that they get in place of the answer.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::output::Output;
use crate::text::{plain, plain_text};

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is no: a saved game does not fit, a count is too large.
    No(String),
    /// A game cannot be played, because its file has errors.
    Faulty {
        /// Its name or path.
        game: String,
        /// The faults, drawn for people.
        drawn: String,
        /// The faults for programs.
        diagnostics: Vec<Value>,
        /// How many more there are.
        left_out: usize,
    },
    /// The question was wrong: no such game, no such player.
    Usage(String),
    /// A text is no state of the game, for each of these reasons.
    NoState(Vec<String>),
    /// The answer could not be printed.
    Output(io::Error),
}

impl Failure {
    /// Exit status if the answer is no.
    pub(crate) const NO: u8 = 1;
    /// Exit status if the question was wrong.
    pub(crate) const USAGE: u8 = 2;

    /// Tells it: in words on standard error, and to programs as JSON where they wait for the answer. A reader who has
    /// had enough (`tabiya games | head -1`) is no failure.
    pub(crate) fn report(&self, out: &mut Output) -> ExitCode {
        let status = match self {
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::No(_) | Failure::Faulty { .. } => Self::NO,
            Failure::Usage(_) | Failure::NoState(_) | Failure::Output(_) => Self::USAGE,
        };
        // If nobody listens any more, the status still tells.
        if out.is_json() {
            let _ = out.json(&self.to_json()).and_then(|()| out.flush());
        }
        let _ = writeln!(anstream::stderr().lock(), "error: {self}");
        ExitCode::from(status)
    }

    /// For programs.
    pub(crate) fn to_json(&self) -> Value {
        let mut error = json!({ "message": self.message() });
        match self {
            Failure::NoState(reasons) => error["reasons"] = json!(reasons),
            Failure::Faulty { diagnostics, left_out, .. } => {
                error["diagnostics"] = json!(diagnostics);
                if *left_out > 0 {
                    error["left_out"] = json!(left_out);
                }
            }
            Failure::No(_) | Failure::Usage(_) | Failure::Output(_) => {}
        }
        json!({ "error": error })
    }

    /// What is wrong, without what belongs to it.
    fn message(&self) -> String {
        match self {
            Failure::No(message) | Failure::Usage(message) => message.clone(),
            Failure::Faulty { game, .. } => format!("`{game}` cannot be played"),
            Failure::NoState(_) => "this is no state of the game".to_owned(),
            Failure::Output(error) => format!("the answer cannot be written: {error}"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // It may quote a file.
        f.write_str(&plain_text(&self.message()))?;
        match self {
            Failure::NoState(reasons) => {
                f.write_str(":")?;
                reasons.iter().try_for_each(|reason| write!(f, "\n  - {}", plain(reason)))
            }
            Failure::Faulty { drawn, .. } => write!(f, "\n\n{}", drawn.trim_end()),
            Failure::No(_) | Failure::Usage(_) | Failure::Output(_) => Ok(()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_a_file_is_no_command_to_the_terminal() {
        let failure = Failure::No("another match:\n  \u{1b}[31mseed is null".to_owned());
        assert_eq!(failure.to_string(), "another match:\n  \u{fffd}[31mseed is null");
    }
}
