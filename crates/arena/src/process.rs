//! Agents that are processes: one state per line in, one JSON object per line out. Linux only.
//!
//! The match continues in time, and no process remains, however the agent behaves:
//!
//! - [`child`] talks to a process over non-blocking pipes and waits for output, exit and deadline at once.
//! - [`first_event`] finds out whether a process wrote before it read its first question.
//! - [`spawner`] runs the only thread of this module. It starts processes and drains their standard error, so that they
//!   never block on it. [`command`] prepares a process before its program runs.
//! - [`descendants`] finds and kills a process with all its descendants, and documents the limits of that.

mod child;
mod command;
mod descendants;
mod first_event;
mod procfs;
mod spawner;
mod stderr;
mod syscalls;

use std::time::Duration;

use tabiya_referee::AgentFault;
use tabiya_referee::protocol::{Strictness, contains_object};

use crate::agent::{ANSWER_LIMIT, Agent, ExitReport, FirstFault, Question, answer_text};
use crate::agent_options::AgentOptions;

use first_event::FirstEvent;

pub(crate) use child::ChildProcess;
pub(crate) use descendants::kill_all;

/// An agent that is a process.
#[derive(Debug)]
pub struct ProcessAgent {
    process: ChildProcess,
    grace: Duration,
    fault: FirstFault,
    /// What the process did first, until its first output.
    first_event: Option<FirstEvent>,
    /// How the last answer was read.
    strictness: Strictness,
}

impl ProcessAgent {
    /// Starts the process. The command is split into words as by a shell, but no shell runs it.
    ///
    /// # Errors
    ///
    /// Returns [`AgentFault::CouldNotStart`].
    pub fn start(command: &str, options: &AgentOptions) -> Result<Self, AgentFault> {
        let process = ChildProcess::start(command, options)?;
        let first_event = process.watch_first_event();
        Ok(Self {
            process,
            grace: options.grace,
            fault: FirstFault::default(),
            first_event,
            strictness: Strictness::Strict,
        })
    }

    fn exchange(&mut self, question: &Question) -> Result<String, AgentFault> {
        self.strictness = question.strictness;
        if self.process.has_output()? {
            self.discard_early_output()?;
        }
        self.process.send(&line(question.line), question.deadline)?;
        // Output that is here by now was written before the whole question could be read.
        let mut is_early = self.process.has_buffered_output();
        loop {
            self.process.wait_for_output(question.deadline)?;
            // A write is reported before its process can read, so this order misses no early write.
            let has_read = self.process.has_read_question();
            let wrote_first = self.first_event.take().is_some_and(|event| event.is_output());
            if !is_early && !wrote_first && has_read {
                break;
            }
            self.discard_early_output()?;
            is_early = false;
        }
        let mut answer = Vec::new();
        let read = match question.strictness {
            Strictness::Strict => self.read_answer(question, &mut answer),
            Strictness::Lenient => self.read_object(question, &mut answer),
        };
        match read {
            Ok(()) => Ok(self.process.secrets.hide(&answer_text(answer)?).into_owned()),
            Err(AgentFault::Timeout) => Err(self.unfinished(answer)),
            Err(fault) => Err(fault),
        }
    }

    /// Discards output that was written before the question was read. It is a fault, except for the rest of a lenient answer:
    /// text without an object, such as the end of a Markdown fence.
    fn discard_early_output(&mut self) -> Result<(), AgentFault> {
        let output = self.process.take_output();
        let is_rest = self.strictness == Strictness::Lenient && !output.contains(&b'{');
        if is_rest { Ok(()) } else { Err(self.unsolicited(output)) }
    }

    /// Reads a strict answer: one line, and nothing but white space after it. The rest of an answer that begins with something else
    /// than an object is left: its first line is the answer, whether the rest is here yet or not.
    fn read_answer(&mut self, question: &Question, answer: &mut Vec<u8>) -> Result<(), AgentFault> {
        *answer = self.process.read_line(question.deadline, ANSWER_LIMIT)?;
        if self.process.has_buffered_output() && contains_object(&String::from_utf8_lossy(answer)) {
            let rest = self.process.take_output();
            if !rest.iter().all(u8::is_ascii_whitespace) {
                answer.push(b'\n');
                answer.extend(rest);
                return Err(self.unsolicited(std::mem::take(answer)));
            }
        }
        Ok(())
    }

    /// Reads a lenient answer: everything up to the end of an object, and what was written together with it.
    fn read_object(&mut self, question: &Question, answer: &mut Vec<u8>) -> Result<(), AgentFault> {
        loop {
            self.process.wait_for_output(question.deadline)?;
            let output = self.process.take_output();
            let may_be_end = output.contains(&b'}');
            answer.extend(output);
            if answer.len() > ANSWER_LIMIT {
                return Err(AgentFault::TooLong);
            }
            if may_be_end && contains_object(&String::from_utf8_lossy(answer)) {
                return Ok(());
            }
        }
    }

    /// Returns the fault of a process that did not finish its answer in time.
    fn unfinished(&mut self, mut answer: Vec<u8>) -> AgentFault {
        answer.extend(self.process.take_output());
        match String::from_utf8(answer) {
            Ok(text) if !text.is_empty() && text.len() <= ANSWER_LIMIT => {
                AgentFault::Unfinished { output: self.process.secrets.hide(&text).into_owned() }
            }
            _ => AgentFault::Timeout,
        }
    }

    fn unsolicited(&self, output: Vec<u8>) -> AgentFault {
        let text = String::from_utf8(output).ok().filter(|text| text.len() <= ANSWER_LIMIT);
        AgentFault::Unsolicited { output: text.map(|text| self.process.secrets.hide(&text).into_owned()) }
    }
}

/// Returns the JSON as one line. Line breaks in it are white space and become blanks.
fn line(json: &str) -> Vec<u8> {
    let mut line = json.replace(['\n', '\r'], " ").into_bytes();
    line.push(b'\n');
    line
}

impl Agent for ProcessAgent {
    fn ask(&mut self, question: &Question) -> Result<String, AgentFault> {
        self.fault.check()?;
        let answer = self.exchange(question);
        let answer = self.fault.record(answer);
        self.process.kill_after(&self.fault);
        answer
    }

    fn finish(&mut self) -> ExitReport {
        if self.fault.get().is_none() && !self.process.is_finished() {
            // A process that exited after its last answer is not at fault.
            let has_output = self.process.has_output().unwrap_or(false);
            let unsolicited = has_output.then(|| self.discard_early_output().err()).flatten();
            let fault = self.process.shut_down(b"", self.grace);
            self.fault.set(unsolicited.or(fault));
        }
        self.process.finish(self.fault.get())
    }
}
