//! Agents that are processes: one state per line in, one JSON object per line out. Linux only.
//!
//! The match continues in time, and no process remains, however the agent behaves:
//!
//! - [`child`] talks to a process over non-blocking pipes and waits for output, exit and deadline at once.
//! - [`spawner`] runs the only thread of this module. It starts processes and drains their standard error, so that they
//!   never block on it. [`command`] prepares a process before its program runs.
//! - [`descendants`] finds and kills a process with all its descendants, and documents the limits of that.

mod child;
mod command;
mod descendants;
mod procfs;
mod spawner;
mod stderr;
mod syscalls;

use std::time::Duration;

use tabiya_referee::AgentFault;

use crate::agent::{ANSWER_LIMIT, Agent, ExitReport, FirstFault, Question, answer_text};
use crate::agent_options::AgentOptions;

pub(crate) use child::ChildProcess;
pub(crate) use descendants::kill_all;

/// An agent that is a process.
#[derive(Debug)]
pub struct ProcessAgent {
    process: ChildProcess,
    grace: Duration,
    fault: FirstFault,
}

impl ProcessAgent {
    /// Starts the process. The command is split into words as by a shell, but no shell runs it.
    ///
    /// # Errors
    ///
    /// Returns [`AgentFault::CouldNotStart`].
    pub fn start(command: &str, options: &AgentOptions) -> Result<Self, AgentFault> {
        let process = ChildProcess::start(command, options)?;
        Ok(Self { process, grace: options.grace, fault: FirstFault::default() })
    }

    fn exchange(&mut self, question: &Question) -> Result<String, AgentFault> {
        if self.process.has_output()? {
            return Err(AgentFault::Unsolicited);
        }
        self.process.send(&line(question.line), question.deadline)?;
        // Output that is here by now was written before the whole question could be read.
        if self.process.has_buffered_output() {
            return Err(AgentFault::Unsolicited);
        }
        let answer = self.process.read_line(question.deadline, ANSWER_LIMIT)?;
        if self.process.has_buffered_output() {
            return Err(AgentFault::Unsolicited);
        }
        Ok(self.process.secrets.hide(&answer_text(answer)?).into_owned())
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
            let fault = self.process.shut_down(b"", self.grace);
            self.fault.set(if has_output { Some(AgentFault::Unsolicited) } else { fault });
        }
        self.process.finish(self.fault.get())
    }
}
