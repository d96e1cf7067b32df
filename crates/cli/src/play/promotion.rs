//! The question what a piece becomes. It waits until it is answered, or until the human does something else and is told
//! that the move is dropped: a move is never forgotten in silence.

use std::io;

use tabiya_engine::Kind;
use tabiya_notation::{MoveError, parse_uci};

use crate::error::CliError;
use crate::text::truncate;

use super::event::Event;
use super::request::Request;
use super::table::{Next, Table};

/// A move that waits for the kind that the piece becomes.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    asked: String,
    options: Vec<Kind>,
}

impl Pending {
    /// A move as it was typed, and what the piece may become.
    pub(super) fn new(asked: &str, options: &[Kind]) -> Self {
        // Moves that coincide offer the same kinds again.
        let mut different = Vec::new();
        for kind in options {
            if !different.contains(kind) {
                different.push(*kind);
            }
        }
        // Blanks without end would leave no room for the answer.
        Pending { asked: asked.split_whitespace().collect::<Vec<_>>().join(" "), options: different }
    }

    /// The whole move. So an answer is read by the reader of moves, and everything is understood that may stand there:
    /// `q`, `Q`, `=q`, `queen`.
    fn with(&self, answer: &str) -> String {
        match self.asked.rsplit_once('#') {
            Some((squares, id)) => format!("{squares} {answer}#{id}"),
            None => format!("{} {answer}", self.asked),
        }
    }
}

impl Table<'_> {
    /// Asks the question that waits, if one does.
    pub(super) fn ask_pending(&mut self) -> Result<Next, CliError> {
        if let Some(pending) = self.pending.clone() {
            self.tell(&Event::Promotion(&pending.options))?;
        }
        Ok(Next::Stay)
    }

    /// Gives up the move that waits, if one does.
    pub(super) fn drop_pending(&mut self) -> io::Result<()> {
        match self.pending.take() {
            Some(pending) => self.tell(&Event::Dropped(&pending.asked)),
            None => Ok(()),
        }
    }

    /// Takes a line as the answer. `None` if it asks for something else; then the move is dropped.
    pub(super) fn promote(&mut self, pending: Pending, line: &str) -> Result<Option<Next>, CliError> {
        let (line, whole) = (line.trim(), pending.with(line.trim()));
        match parse_uci(self.session().rules(), self.session().position(), &whole) {
            // If several moves fit, that refusal names them.
            Ok(_) | Err(MoveError::Ambiguous(_)) => return self.try_move(&whole).map(Some),
            Err(_) => self.pending = Some(pending),
        }
        if self.asks_something_else(line) {
            self.drop_pending()?;
            return Ok(None);
        }
        if !line.is_empty() {
            let why = self.no_option(line);
            self.refuse(line, &why)?;
        }
        self.ask_pending().map(Some)
    }

    /// A command, a square or a move, and not just a word that is no option.
    fn asks_something_else(&self, line: &str) -> bool {
        let (rules, position) = (self.session().rules(), self.session().position());
        match Request::parse(rules.board(), line) {
            Request::Nothing => false,
            Request::Move(text) => {
                !matches!(parse_uci(rules, position, &text), Err(MoveError::Unreadable(_)))
            }
            _ => true,
        }
    }

    fn no_option(&self, line: &str) -> String {
        const SHOWN: usize = 40;
        let rules = self.session().rules();
        let options = self.pending.iter().flat_map(|pending| &pending.options);
        let codes: Vec<&str> = options.map(|kind| rules.kind(*kind).code.as_str()).collect();
        format!("`{}` is none of {}", truncate(line, SHOWN), codes.join(", "))
    }
}
