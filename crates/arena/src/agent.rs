//! The interface between a match and an agent, independent of the transport.

use std::time::{Duration, Instant};

use tabiya_referee::protocol::Strictness;
use tabiya_referee::{AgentFault, AnswerFormat};

use crate::uci_search::UciSearch;

/// The maximal length of an answer in bytes. A state of the largest game is much shorter.
pub const ANSWER_LIMIT: usize = 1 << 20;

/// An upper bound for waits, which keeps times far from overflow.
pub(crate) const DAY: Duration = Duration::from_secs(86_400);

/// Returns the time after `wait`, at most a day from now.
#[cfg(target_os = "linux")]
pub(crate) fn time_after(wait: Duration) -> Instant {
    Instant::now() + wait.min(DAY)
}

/// A question to an agent.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The state as JSON, on one line.
    pub line: &'a str,
    /// The time after which an answer is too late.
    pub deadline: Instant,
    /// Whether the answer may be surrounded by other text, on several lines.
    pub strictness: Strictness,
    /// The question in the form that UCI engines need. They ignore the line.
    pub search: Option<UciSearch<'a>>,
}

impl<'a> Question<'a> {
    /// Creates a question for agents that read JSON and answer strictly.
    pub fn new(line: &'a str, deadline: Instant) -> Self {
        Self { line, deadline, strictness: Strictness::Strict, search: None }
    }
}

/// A player outside of this program. One agent plays one game.
pub trait Agent: Send {
    /// Asks a question and waits for the answer, at most until the deadline.
    ///
    /// # Errors
    ///
    /// After a [final](AgentFault::is_final) fault the agent fails every later question with the same fault, so that a
    /// late answer is never taken for the answer to another question.
    fn ask(&mut self, question: &Question) -> Result<String, AgentFault>;

    /// Ends the agent after its game and cleans up. Later calls return the same report.
    fn finish(&mut self) -> ExitReport;

    /// Returns the format of the agent's answers.
    fn format(&self) -> AnswerFormat {
        AnswerFormat::Object
    }
}

/// How an agent ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitReport {
    /// The agent's first fault, during the game or at its end.
    pub fault: Option<AgentFault>,
    /// The exit status of the process; `None` for an agent without one.
    pub exit: Option<String>,
    /// The last output of the process to standard error, at most 8 KiB.
    pub stderr: String,
    /// Whether the process and all its descendants are gone. Only the kernel can prevent that, for example for a process
    /// that is blocked by a broken device.
    pub gone: bool,
}

/// The first final fault of an agent, which it repeats for every later question.
#[derive(Debug, Default)]
pub(crate) struct FirstFault(Option<AgentFault>);

impl FirstFault {
    /// Fails with the recorded fault.
    pub(crate) fn check(&self) -> Result<(), AgentFault> {
        self.get().map_or(Ok(()), Err)
    }

    /// Records a final fault and passes the answer on.
    pub(crate) fn record(&mut self, answer: Result<String, AgentFault>) -> Result<String, AgentFault> {
        self.0 = answer.as_ref().err().filter(|fault| fault.is_final()).cloned();
        answer
    }

    /// Returns the recorded fault.
    pub(crate) fn get(&self) -> Option<AgentFault> {
        self.0.clone()
    }

    /// Records a fault at the end of the game.
    #[cfg(target_os = "linux")]
    pub(crate) fn set(&mut self, fault: Option<AgentFault>) {
        self.0 = fault;
    }
}

/// Returns the answer as trimmed text. It must be UTF-8 and not empty.
pub(crate) fn answer_text(bytes: Vec<u8>) -> Result<String, AgentFault> {
    let malformed = |why: &str| Err(AgentFault::Malformed(why.into()));
    match String::from_utf8(bytes) {
        Err(_) => malformed("it is not valid UTF-8"),
        Ok(text) if text.contains('\0') => malformed("it has a NUL byte"),
        Ok(text) if text.trim().is_empty() => malformed("it is empty"),
        Ok(text) => Ok(text.trim().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_text() {
        assert_eq!(answer_text(b" {\"a\":1}\r\n".to_vec()).unwrap(), "{\"a\":1}");
        for bytes in [&b"\xff{}"[..], b"{\0}", b"", b" \r"] {
            assert_eq!(answer_text(bytes.to_vec()).unwrap_err().word(), "malformed", "{bytes:?}");
        }
    }
}
