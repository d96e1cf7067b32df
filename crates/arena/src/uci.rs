//! An engine that speaks UCI, asked through the same pipes as any other process. It is told how the position came
//! about, and answers with a move as text; turning that into what the game understands is up to the match.
//!
//! Engines talk much: what they tell of their search is skipped, up to a bound. A move that nobody asked for is a fault,
//! as it might be taken for the answer to the next question.

mod handshake;

use std::time::{Duration, Instant};

use crate::agent::{ANSWER_LIMIT, Agent, Answers, Farewell, Fault, Question, time_after};
use crate::launch::Launch;
use crate::process::Running;
use crate::search::{Search, UciSettings};

/// How much an engine may say for one answer, in bytes. A long search tells much, a flood tells more.
const TALK_LIMIT: usize = 16 * ANSWER_LIMIT;

/// No move of any game is as long as this.
const MOVE_LIMIT: usize = 64;

/// An engine that speaks UCI.
#[derive(Debug)]
pub struct UciAgent {
    running: Running,
    grace: Duration,
    fault: Option<Fault>,
}

impl UciAgent {
    /// Starts the engine and sets it up for a new game. The grace is as for
    /// [`ProcessAgent`](crate::ProcessAgent::start).
    pub fn start(launch: &Launch, settings: &UciSettings, grace: Duration) -> Result<Self, Fault> {
        let mut running = Running::start(launch)?;
        handshake::shake(&mut running, settings, time_after(settings.handshake))?;
        Ok(Self { running, grace, fault: None })
    }

    /// The best move in the engine's view, as it writes it.
    pub fn best_move(&mut self, search: &Search, deadline: Instant) -> Result<String, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let answer = self.exchange(search, deadline);
        if let Err(fault) = &answer
            && fault.is_final()
        {
            self.fault = Some(fault.clone());
            self.running.condemn();
        }
        answer
    }

    fn exchange(&mut self, search: &Search, deadline: Instant) -> Result<String, Fault> {
        self.skip_old_talk(deadline)?;
        self.running.say(search.commands().as_bytes(), deadline)?;
        let mut talk = Talk::new(&mut self.running, deadline);
        loop {
            if let Some(best) = best_move(&talk.line()?) {
                return best;
            }
        }
    }

    /// Whatever was said since the last answer is not about this question.
    fn skip_old_talk(&mut self, deadline: Instant) -> Result<(), Fault> {
        let mut allowed = TALK_LIMIT;
        while self.running.overheard()? {
            let line = self.running.hear(deadline, ANSWER_LIMIT)?;
            allowed = allowed.checked_sub(line.len() + 1).ok_or(Fault::TooLong)?;
            if best_move(&String::from_utf8_lossy(&line)).is_some() {
                return Err(Fault::Unsolicited);
            }
        }
        Ok(())
    }
}

impl Agent for UciAgent {
    fn ask(&mut self, question: &Question) -> Result<String, Fault> {
        match &question.search {
            Some(search) => self.best_move(search, question.deadline),
            None => {
                Err(Fault::CouldNotStart("a UCI engine has to be told how the position came about".into()))
            }
        }
    }

    fn finish(&mut self) -> Farewell {
        if self.fault.is_none() && !self.running.is_over() {
            self.fault = self.running.leave(b"quit\n", self.grace);
        }
        self.running.end(self.fault.clone())
    }

    fn answers(&self) -> Answers {
        Answers::MoveText
    }
}

/// Lines of an engine for one question, of which there may only be so many.
pub(crate) struct Talk<'r> {
    running: &'r mut Running,
    deadline: Instant,
    allowed: usize,
}

impl<'r> Talk<'r> {
    fn new(running: &'r mut Running, deadline: Instant) -> Self {
        Self { running, deadline, allowed: TALK_LIMIT }
    }

    /// The next line, without secrets. What is no text in it is replaced: most of what engines say is skipped anyway, and
    /// in a move it does not go unnoticed.
    fn line(&mut self) -> Result<String, Fault> {
        let line = self.running.hear(self.deadline, ANSWER_LIMIT)?;
        self.allowed = self.allowed.checked_sub(line.len() + 1).ok_or(Fault::TooLong)?;
        Ok(self.running.secrets().hide(&String::from_utf8_lossy(&line)).into_owned())
    }
}

/// The move in a line `bestmove MOVE [ponder MOVE]`; `None` for any other line.
fn best_move(line: &str) -> Option<Result<String, Fault>> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("bestmove") {
        return None;
    }
    let is_move = |word: &&str| word.len() <= MOVE_LIMIT && word.bytes().all(|byte| byte.is_ascii_graphic());
    Some(match words.next().filter(is_move) {
        Some(word) => Ok(word.to_owned()),
        None => Err(Fault::Malformed("`bestmove` is followed by no move".into())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_is_found_in_its_line() {
        assert_eq!(best_move("bestmove e2e4 ponder e7e5"), Some(Ok("e2e4".into())));
        assert_eq!(best_move("  bestmove\ta7a8q"), Some(Ok("a7a8q".into())));
        assert_eq!(best_move("bestmove (none)"), Some(Ok("(none)".into())));
        assert_eq!(best_move("info depth 1 pv e2e4"), None);
        assert_eq!(best_move(""), None);
        for line in ["bestmove", "bestmove ", "bestmove é", &format!("bestmove {}", "x".repeat(65))] {
            assert!(best_move(line).unwrap().is_err(), "{line}");
        }
    }
}
