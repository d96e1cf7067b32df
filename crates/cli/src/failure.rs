//! Why a verb ends without an answer, and the exit status that tells so. Programs rely on the numbers.

use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is no: a game has errors, a saved game does not fit.
    No(String),
    /// The question was wrong: no such game, no such state, no such player.
    Usage(String),
    /// The answer could not be printed.
    Output(io::Error),
}

impl Failure {
    /// Exit status if the answer is no.
    pub(crate) const NO: u8 = 1;
    /// Exit status if the question was wrong.
    pub(crate) const USAGE: u8 = 2;

    /// Tells it on standard error. A reader who has had enough (`tabiya games | head -1`) is no failure.
    pub(crate) fn report(&self) -> ExitCode {
        let status = match self {
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::No(_) => Self::NO,
            Failure::Usage(_) | Failure::Output(_) => Self::USAGE,
        };
        // If standard error is closed as well, the status still tells.
        let _ = writeln!(anstream::stderr().lock(), "error: {self}");
        ExitCode::from(status)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::No(message) | Failure::Usage(message) => f.write_str(message),
            Failure::Output(error) => write!(f, "the answer cannot be written: {error}"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}
