//! What an answer turned out to be, and how an agent can fail: the words that verdicts, records and reports share.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::ActionKind;
use crate::protocol::{RejectedAnswer, Rule};

/// What an answer turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// An action that the game accepts.
    Accepted(ActionKind),
    /// A well-formed answer that breaks a rule.
    Illegal,
    /// Not an answer in the expected form.
    Malformed,
    /// No answer in time.
    Timeout,
    /// No answer: the process ended.
    Exited,
    /// No answer: the agent closed a pipe.
    Closed,
    /// More output than an answer may have.
    TooLong,
    /// Output that was not asked for.
    Unsolicited,
    /// No answer: the agent could not be reached. The game does not count.
    Unreachable,
    /// No answer: the agent never started.
    CouldNotStart,
}

/// The verdicts on answers that the game does not accept.
const FAILURES: [(Verdict, &str); 9] = [
    (Verdict::Illegal, "illegal"),
    (Verdict::Malformed, "malformed"),
    (Verdict::Timeout, "timeout"),
    (Verdict::Exited, "exited"),
    (Verdict::Closed, "closed"),
    (Verdict::TooLong, "too_long"),
    (Verdict::Unsolicited, "unsolicited"),
    (Verdict::Unreachable, "unreachable"),
    (Verdict::CouldNotStart, "could_not_start"),
];

impl Verdict {
    /// Returns every verdict.
    pub fn all() -> impl Iterator<Item = Verdict> {
        let accepted = ActionKind::ALL.into_iter().map(Verdict::Accepted);
        accepted.chain(FAILURES.into_iter().map(|(verdict, _)| verdict))
    }

    /// The word that programs see.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Accepted(kind) => kind.name(),
            failure => FAILURES.iter().find(|(verdict, _)| *verdict == failure).map_or("", |(_, word)| word),
        }
    }

    /// Returns the verdict of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::all().find(|verdict| verdict.word() == word)
    }

    /// Returns the verdict on a rejected answer.
    pub fn of_rejected(rejected: &RejectedAnswer) -> Self {
        if rejected.rule == Rule::Malformed { Verdict::Malformed } else { Verdict::Illegal }
    }

    /// Whether the verdict follows from the text of the answer. Otherwise it reports an event that cannot be replayed.
    pub fn is_about_output(self) -> bool {
        self <= Verdict::Malformed
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Verdict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        Verdict::from_word(&word).ok_or_else(|| D::Error::custom(format!("unknown verdict `{word}`")))
    }
}

/// Why an agent gave no answer, or did not stop properly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AgentFault {
    /// No answer before the deadline.
    Timeout,
    /// Only a part of an answer before the deadline.
    Unfinished {
        /// The part.
        output: String,
    },
    /// The process ended during the game.
    Exited {
        /// How it ended, in words.
        status: String,
    },
    /// The process runs, but it closed this pipe.
    Closed(&'static str),
    /// The answer cannot be read, for this reason.
    Malformed(String),
    /// The output is longer than one answer may be.
    TooLong,
    /// Output without a question, before the question was read, or after the answer.
    Unsolicited {
        /// The output; `None` if it is not text, or too long to be recorded.
        output: Option<String>,
    },
    /// The process did not exit when its input was closed, nor on SIGTERM.
    Lingered,
    /// The process exited and left this many descendants running.
    LeftChildren(usize),
    /// The endpoint could not be reached. The game does not count.
    Unreachable(String),
    /// The agent never started.
    CouldNotStart(String),
}

impl AgentFault {
    /// The verdict on a fault during the game; `None` for faults after its end.
    pub fn verdict(&self) -> Option<Verdict> {
        match self {
            AgentFault::Timeout | AgentFault::Unfinished { .. } => Some(Verdict::Timeout),
            AgentFault::Exited { .. } => Some(Verdict::Exited),
            AgentFault::Closed(_) => Some(Verdict::Closed),
            AgentFault::Malformed(_) => Some(Verdict::Malformed),
            AgentFault::TooLong => Some(Verdict::TooLong),
            AgentFault::Unsolicited { .. } => Some(Verdict::Unsolicited),
            AgentFault::Unreachable(_) => Some(Verdict::Unreachable),
            AgentFault::CouldNotStart(_) => Some(Verdict::CouldNotStart),
            AgentFault::Lingered | AgentFault::LeftChildren(_) => None,
        }
    }

    /// The stable word for records and programs.
    pub fn word(&self) -> &'static str {
        match self {
            AgentFault::Lingered => "lingered",
            AgentFault::LeftChildren(_) => "left_children",
            _ => self.verdict().map_or("", Verdict::word),
        }
    }

    /// Whether the agent cannot be asked again. After a complete answer that cannot be read, it can.
    pub fn is_final(&self) -> bool {
        !matches!(self, AgentFault::Malformed(_))
    }

    /// The fault in a sentence without details of the machine, which may hold paths and host names.
    pub fn public_sentence(&self) -> &'static str {
        match self {
            AgentFault::Timeout | AgentFault::Unfinished { .. } => "it did not answer in time",
            AgentFault::Exited { .. } => "its process ended during the game",
            AgentFault::Closed(_) => "its process closed its input or output",
            AgentFault::Malformed(_) => "its answer cannot be read",
            AgentFault::TooLong => "its output is longer than an answer may be",
            AgentFault::Unsolicited { .. } => "it sent output without being asked",
            AgentFault::Lingered | AgentFault::LeftChildren(_) => "it did not exit properly",
            AgentFault::Unreachable(_) => "it could not be reached",
            AgentFault::CouldNotStart(_) => "it could not be started",
        }
    }
}

tabiya_engine::error_messages! { AgentFault:
    AgentFault::Timeout => "did not answer in time";
    AgentFault::Unfinished { .. } => "did not finish its answer in time";
    AgentFault::Exited { status } => "exited during the game ({status})";
    AgentFault::Closed(pipe) => "closed its {pipe}";
    AgentFault::Malformed(why) => "gave an answer that cannot be read: {why}";
    AgentFault::TooLong => "wrote more than an answer may contain";
    AgentFault::Unsolicited { .. } => "sent output without being asked";
    AgentFault::Lingered => "did not exit when asked to";
    AgentFault::LeftChildren(1) => "left a process behind";
    AgentFault::LeftChildren(count) => "left {count} processes behind";
    AgentFault::Unreachable(why) => "could not be reached: {why}";
    AgentFault::CouldNotStart(why) => "could not be started: {why}";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_read_back() {
        for verdict in Verdict::all() {
            assert_eq!(Verdict::from_word(verdict.word()), Some(verdict));
        }
        assert_eq!(Verdict::all().count(), 18);
        assert!(Verdict::Accepted(ActionKind::Throw) < Verdict::Illegal);
    }

    #[test]
    fn every_fault_has_a_word_and_a_sentence() {
        let faults = [
            (AgentFault::Timeout, "timeout"),
            (AgentFault::Unfinished { output: "x".into() }, "timeout"),
            (AgentFault::Exited { status: "exit status: 1".into() }, "exited"),
            (AgentFault::Closed("output"), "closed"),
            (AgentFault::Malformed("x".into()), "malformed"),
            (AgentFault::TooLong, "too_long"),
            (AgentFault::Unsolicited { output: None }, "unsolicited"),
            (AgentFault::Lingered, "lingered"),
            (AgentFault::LeftChildren(2), "left_children"),
            (AgentFault::Unreachable("x".into()), "unreachable"),
            (AgentFault::CouldNotStart("x".into()), "could_not_start"),
        ];
        for (fault, word) in faults {
            assert_eq!(fault.word(), word);
            assert!(!fault.to_string().is_empty() && !fault.public_sentence().is_empty());
            assert_eq!(fault.is_final(), word != "malformed", "{word}");
        }
    }
}
