//! Asks for the promotion piece of a move. The move waits until the question is answered, or is dropped with a message if
//! the human does something else.

use std::io;

use tabiya_engine::Kind;
use tabiya_notation::{MoveError, parse_uci};

use crate::error::CliError;
use crate::text::clip;

use super::command::Command;
use super::event::Event;
use super::terminal::{Next, Terminal};

/// A move that waits for its promotion piece.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    asked: String,
    options: Vec<Kind>,
}

impl Pending {
    /// Creates it from the typed move and the promotion options.
    pub(super) fn new(asked: &str, options: &[Kind]) -> Self {
        // Several moves between the same squares may repeat a kind.
        let mut different = Vec::new();
        for kind in options {
            if !different.contains(kind) {
                different.push(*kind);
            }
        }
        // Collapse blanks, so that the answer does not exceed the length limit of moves.
        Pending { asked: asked.split_whitespace().collect::<Vec<_>>().join(" "), options: different }
    }

    /// Returns the complete move text. The move parser then accepts every form of the answer: `q`, `Q`, `=q`, `queen`.
    fn with(&self, answer: &str) -> String {
        match self.asked.rsplit_once('#') {
            Some((squares, id)) => format!("{squares} {answer}#{id}"),
            None => format!("{} {answer}", self.asked),
        }
    }
}

impl Terminal<'_> {
    /// Asks the pending question, if there is one.
    pub(super) fn ask_pending(&mut self) -> Result<Next, CliError> {
        if let Some(pending) = self.pending.clone() {
            self.emit(&Event::Promotion(&pending.options))?;
        }
        Ok(Next::Ask)
    }

    /// Cancels the pending move, if there is one.
    pub(super) fn drop_pending(&mut self) -> io::Result<()> {
        match self.pending.take() {
            Some(pending) => self.emit(&Event::Dropped(&pending.asked)),
            None => Ok(()),
        }
    }

    /// Reads a line as the answer. Returns `None` if it is another command; then the move is dropped.
    pub(super) fn promote(&mut self, pending: Pending, line: &str) -> Result<Option<Next>, CliError> {
        let (line, whole) = (line.trim(), pending.with(line.trim()));
        match parse_uci(self.session().rules(), self.session().position(), &whole) {
            // If the answer is ambiguous, `try_move` reports the candidates.
            Ok(_) | Err(MoveError::Ambiguous(_)) => return self.try_move(&whole).map(Some),
            Err(_) => self.pending = Some(pending),
        }
        if self.is_other_command(line) {
            self.drop_pending()?;
            return Ok(None);
        }
        if !line.is_empty() {
            let why = self.invalid_option(line);
            self.refuse(line, &why)?;
        }
        self.ask_pending().map(Some)
    }

    /// Returns whether a line is a command, a square or a move rather than an invalid answer.
    fn is_other_command(&self, line: &str) -> bool {
        let (rules, position) = (self.session().rules(), self.session().position());
        match Command::parse(rules.board(), line) {
            Command::Nothing => false,
            Command::Move(text) => {
                !matches!(parse_uci(rules, position, &text), Err(MoveError::Unreadable(_)))
            }
            _ => true,
        }
    }

    fn invalid_option(&self, line: &str) -> String {
        const SHOWN: usize = 40;
        let rules = self.session().rules();
        let options = self.pending.iter().flat_map(|pending| &pending.options);
        let codes: Vec<&str> = options.map(|kind| rules.kind(*kind).code.as_str()).collect();
        format!("`{}` is not one of {}", clip(line, SHOWN), codes.join(", "))
    }
}
