//! What a match and an agent say to each other, whatever carries it.

use std::fmt;
use std::time::{Duration, Instant};

use crate::search::Search;

/// How long one answer may be, in bytes. A state of the largest game fits many times.
pub const ANSWER_LIMIT: usize = 1 << 20;

/// Longer than any move or wait, and far from any overflow.
pub(crate) const DAY: Duration = Duration::from_secs(86_400);

/// The time after so long a wait, at most a day.
#[cfg(target_os = "linux")]
pub(crate) fn time_after(wait: Duration) -> Instant {
    Instant::now() + wait.min(DAY)
}

/// What an agent is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The state as JSON, on one line.
    pub line: &'a str,
    /// When the answer is too late.
    pub deadline: Instant,
    /// The same for an engine that speaks UCI; it is asked with this and not with the line.
    pub search: Option<Search<'a>>,
}

impl<'a> Question<'a> {
    /// A question for agents that read JSON.
    pub fn new(line: &'a str, deadline: Instant) -> Self {
        Self { line, deadline, search: None }
    }
}

/// In which form an agent answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// One JSON object.
    Object,
    /// A move as text, as in UCI: `e2e4`, `a7a8q`.
    MoveText,
}

/// Somebody who is asked for moves. One agent plays one game.
pub trait Agent: Send {
    /// Asks and waits, at the latest until the deadline. After a fault that is [final](Fault::is_final) the agent is done
    /// for: it answers every later question with the same fault, so that a late answer is never taken for another turn.
    fn ask(&mut self, question: &Question) -> Result<String, Fault>;

    /// The game is over: lets the agent leave and clears up after it. Asked again, it tells the same.
    fn finish(&mut self) -> Farewell;

    /// In which form it answers.
    fn answers(&self) -> Answers {
        Answers::Object
    }
}

/// How an agent left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Farewell {
    /// What it was guilty of first: in the game, or in leaving.
    pub fault: Option<Fault>,
    /// How its process ended; `None` where there is none.
    pub exit: Option<String>,
    /// The last that its process wrote to standard error, at most 8 KiB.
    pub stderr: String,
    /// Whether its process and every descendant are gone. Only the kernel can prevent that, for instance with a
    /// process that hangs in a broken device.
    pub gone: bool,
}

impl Farewell {
    /// Of an agent that has no process.
    pub(crate) fn remote(fault: Option<Fault>) -> Self {
        Self { fault, exit: None, stderr: String::new(), gone: true }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// There was no whole answer when the time was up.
    Timeout,
    /// The process ended in the game.
    Exited {
        /// How, in words.
        status: String,
    },
    /// It lives, but closed its input or output.
    Closed(&'static str),
    /// The answer cannot be read, for this reason.
    Malformed(String),
    /// More than [`ANSWER_LIMIT`] for one answer, or a flood of other lines.
    TooLong,
    /// It spoke without being asked, or twice.
    Unsolicited,
    /// It did not leave when its input was closed, nor when it was told to terminate.
    Lingered,
    /// It left, and so many descendants did not.
    LeftChildren(usize),
    /// The endpoint could not be reached. Transport is not chess: this voids the game.
    Unreachable(String),
    /// The agent never came to the board.
    CouldNotStart(String),
}

impl Fault {
    /// The stable word for records and programs.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Exited { .. } => "exited",
            Self::Closed(_) => "closed",
            Self::Malformed(_) => "malformed",
            Self::TooLong => "too_long",
            Self::Unsolicited => "unsolicited",
            Self::Lingered => "lingered",
            Self::LeftChildren(_) => "left_children",
            Self::Unreachable(_) => "unreachable",
            Self::CouldNotStart(_) => "could_not_start",
        }
    }

    /// Whether nothing more can be expected of the agent. Whoever gave a whole answer that cannot be read may do better if
    /// it is asked again.
    pub fn is_final(&self) -> bool {
        !matches!(self, Self::Malformed(_))
    }

    /// Whether the game counts for nobody.
    pub fn voids(&self) -> bool {
        matches!(self, Self::Unreachable(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Timeout => f.write_str("did not answer in time"),
            Self::Exited { status } => write!(f, "ended in the middle of the game ({status})"),
            Self::Closed(what) => write!(f, "closed its {what}"),
            Self::Malformed(why) => write!(f, "gave an answer that cannot be read: {why}"),
            Self::TooLong => f.write_str("wrote more than one answer may hold"),
            Self::Unsolicited => f.write_str("spoke without being asked"),
            Self::Lingered => f.write_str("did not end when it was told to"),
            Self::LeftChildren(1) => f.write_str("left a process behind"),
            Self::LeftChildren(count) => write!(f, "left {count} processes behind"),
            Self::Unreachable(why) => write!(f, "could not be reached: {why}"),
            Self::CouldNotStart(why) => write!(f, "could not be started: {why}"),
        }
    }
}

impl std::error::Error for Fault {}

/// The answer as text: UTF-8 that is not empty. White space around it does not count.
pub(crate) fn answer_text(bytes: Vec<u8>) -> Result<String, Fault> {
    let malformed = |why: &str| Err(Fault::Malformed(why.into()));
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
    fn every_fault_has_its_word_and_sentence() {
        let faults = [
            (Fault::Timeout, "timeout"),
            (Fault::Exited { status: "exit status: 1".into() }, "exited"),
            (Fault::Closed("output"), "closed"),
            (Fault::Malformed("x".into()), "malformed"),
            (Fault::TooLong, "too_long"),
            (Fault::Unsolicited, "unsolicited"),
            (Fault::Lingered, "lingered"),
            (Fault::LeftChildren(2), "left_children"),
            (Fault::Unreachable("x".into()), "unreachable"),
            (Fault::CouldNotStart("x".into()), "could_not_start"),
        ];
        for (fault, word) in faults {
            assert_eq!(fault.word(), word);
            assert!(!fault.to_string().is_empty());
            assert_eq!(fault.voids(), word == "unreachable", "{word}");
            assert_eq!(fault.is_final(), word != "malformed", "{word}");
        }
    }

    #[test]
    fn answers_are_text() {
        assert_eq!(answer_text(b" {\"a\":1}\r\n".to_vec()).unwrap(), "{\"a\":1}");
        for bytes in [&b"\xff{}"[..], b"{\0}", b"", b" \r"] {
            assert_eq!(answer_text(bytes.to_vec()).unwrap_err().word(), "malformed", "{bytes:?}");
        }
    }
}
