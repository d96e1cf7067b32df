//! UCI engines, which use the same pipes as other processes. An engine receives the moves that led to the position and
//! answers with the text of its `bestmove`; the referee interprets the text.
//!
//! Other output of engines is skipped, up to a limit. A `bestmove` without a question is a fault, because it might be
//! taken for the answer to the next question.

mod commands;
mod handshake;

use std::time::{Duration, Instant};

use tabiya_referee::{AgentFault, AnswerFormat};

use crate::agent::{ANSWER_LIMIT, Agent, ExitReport, FirstFault, Question, time_after};
use crate::agent_options::AgentOptions;
use crate::process::ChildProcess;
use crate::uci_search::UciSearch;

/// The maximal output for one answer in bytes. A long search writes much less.
const OUTPUT_LIMIT: usize = 16 * ANSWER_LIMIT;

/// The maximal length of a move. Moves of all games are shorter.
const MOVE_LIMIT: usize = 64;

/// A UCI engine.
#[derive(Debug)]
pub struct UciAgent {
    process: ChildProcess,
    grace: Duration,
    fault: FirstFault,
}

impl UciAgent {
    /// Starts the engine and sets it up for a new game.
    ///
    /// # Errors
    ///
    /// Returns [`AgentFault::CouldNotStart`] if the command fails or the engine lacks an option or the game, and the
    /// engine's fault if its handshake fails.
    pub fn start(command: &str, options: &AgentOptions) -> Result<Self, AgentFault> {
        let mut process = ChildProcess::start(command, options)?;
        handshake::run(&mut process, &options.uci, time_after(options.uci.handshake))?;
        Ok(Self { process, grace: options.grace, fault: FirstFault::default() })
    }

    /// Asks for the best move and returns it as the engine writes it, for example `e2e4`, `resign` or `(none)`.
    ///
    /// # Errors
    ///
    /// Returns the engine's fault, as [`Agent::ask`] does.
    pub fn best_move(&mut self, search: &UciSearch, deadline: Instant) -> Result<String, AgentFault> {
        self.fault.check()?;
        let answer = self.exchange(search, deadline);
        let answer = self.fault.record(answer);
        self.process.kill_after(&self.fault);
        answer
    }

    fn exchange(&mut self, search: &UciSearch, deadline: Instant) -> Result<String, AgentFault> {
        self.discard_old_output(deadline)?;
        self.process.send(commands::search_commands(search).as_bytes(), deadline)?;
        let mut output = EngineOutput::new(&mut self.process, deadline);
        loop {
            let line = output.line()?;
            if let Some(best) = best_move(&line) {
                // The engine cannot answer a command that it has not read.
                let is_answer = output.process.has_read_question();
                return if is_answer { best } else { Err(AgentFault::Unsolicited { output: Some(line) }) };
            }
        }
    }

    /// Discards output since the last answer, which does not belong to the next question.
    fn discard_old_output(&mut self, deadline: Instant) -> Result<(), AgentFault> {
        let mut output = EngineOutput::new(&mut self.process, deadline);
        while output.process.has_output()? {
            let line = output.line()?;
            if best_move(&line).is_some() {
                return Err(AgentFault::Unsolicited { output: Some(line) });
            }
        }
        Ok(())
    }
}

impl Agent for UciAgent {
    fn ask(&mut self, question: &Question) -> Result<String, AgentFault> {
        match &question.search {
            Some(search) => self.best_move(search, question.deadline),
            None => Err(AgentFault::CouldNotStart("the question for a UCI engine has no search".into())),
        }
    }

    fn finish(&mut self) -> ExitReport {
        if self.fault.get().is_none() && !self.process.is_finished() {
            let fault = self.process.shut_down(b"quit\n", self.grace);
            self.fault.set(fault);
        }
        self.process.finish(self.fault.get())
    }

    fn format(&self) -> AnswerFormat {
        AnswerFormat::Text
    }
}

/// The limited output of an engine for one question.
pub(crate) struct EngineOutput<'p> {
    process: &'p mut ChildProcess,
    deadline: Instant,
    allowed: usize,
}

impl<'p> EngineOutput<'p> {
    fn new(process: &'p mut ChildProcess, deadline: Instant) -> Self {
        Self { process, deadline, allowed: OUTPUT_LIMIT }
    }

    /// Returns the next line without secrets. Invalid UTF-8 is replaced: most lines are skipped, and in a move the
    /// replacement is detected.
    fn line(&mut self) -> Result<String, AgentFault> {
        let line = self.process.read_line(self.deadline, ANSWER_LIMIT)?;
        self.allowed = self.allowed.checked_sub(line.len() + 1).ok_or(AgentFault::TooLong)?;
        Ok(self.process.secrets.hide(&String::from_utf8_lossy(&line)).into_owned())
    }
}

/// Returns the word after `bestmove`, or `None` for any other line.
fn best_move(line: &str) -> Option<Result<String, AgentFault>> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("bestmove") {
        return None;
    }
    let is_move = |word: &&str| word.len() <= MOVE_LIMIT && word.bytes().all(|byte| byte.is_ascii_graphic());
    Some(match words.next().filter(is_move) {
        Some(word) => Ok(word.to_owned()),
        None => Err(AgentFault::Malformed("no move follows `bestmove`".into())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_after_bestmove_is_the_answer() {
        assert_eq!(best_move("bestmove e2e4 ponder e7e5"), Some(Ok("e2e4".into())));
        assert_eq!(best_move("  bestmove\ta7a8q"), Some(Ok("a7a8q".into())));
        for word in ["(none)", "0000", "resign"] {
            assert_eq!(best_move(&format!("bestmove {word}")), Some(Ok(word.into())));
        }
        assert_eq!(best_move("info depth 1 pv e2e4"), None);
        assert_eq!(best_move(""), None);
        for line in ["bestmove", "bestmove ", "bestmove é", &format!("bestmove {}", "x".repeat(65))] {
            assert!(best_move(line).unwrap().is_err(), "{line}");
        }
    }
}
