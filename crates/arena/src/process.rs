//! An agent that is a process: one state a line in, one object a line out.
//!
//! Whatever the process does, the match goes on in time, and nothing of it stays behind:
//!
//! - It is asked with [`running`]: pipes that never block, one wait for what comes first of output, exit and deadline.
//! - It is started by the [`warden`], the only thread of this module, which also listens to the standard error of all
//!   agents so that none can block on it. How a process is set up before it runs is in [`setup`].
//! - It and all its descendants are found and killed by [`kin`], which also says how and where the limits of that are.

mod kin;
mod procfs;
mod raw;
mod running;
mod setup;
mod tail;
mod warden;

use std::time::Duration;

use crate::agent::{ANSWER_LIMIT, Agent, Farewell, Fault, Question, answer_text};
use crate::launch::Launch;

pub(crate) use kin::end_all;
pub(crate) use running::Running;

/// An agent that is a process.
#[derive(Debug)]
pub struct ProcessAgent {
    running: Running,
    grace: Duration,
    fault: Option<Fault>,
}

impl ProcessAgent {
    /// Starts the process. When its game is over it has this much time to leave, and again after it was told to
    /// terminate.
    pub fn start(launch: &Launch, grace: Duration) -> Result<Self, Fault> {
        Ok(Self { running: Running::start(launch)?, grace, fault: None })
    }

    fn exchange(&mut self, question: &Question) -> Result<String, Fault> {
        if self.running.overheard()? {
            return Err(Fault::Unsolicited);
        }
        self.running.say(&line(question.line), question.deadline)?;
        // What has come by now was written before the question was there to be read.
        if self.running.has_heard() {
            return Err(Fault::Unsolicited);
        }
        let answer = self.running.hear(question.deadline, ANSWER_LIMIT)?;
        if self.running.has_heard() {
            return Err(Fault::Unsolicited);
        }
        Ok(self.running.secrets().hide(&answer_text(answer)?).into_owned())
    }
}

/// The line with its end. A break within it is white space of JSON and may as well be a blank.
fn line(json: &str) -> Vec<u8> {
    let mut line = json.as_bytes().to_vec();
    for byte in &mut line {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    line.push(b'\n');
    line
}

impl Agent for ProcessAgent {
    fn ask(&mut self, question: &Question) -> Result<String, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let answer = self.exchange(question);
        if let Err(fault) = &answer
            && fault.is_final()
        {
            self.fault = Some(fault.clone());
            self.running.condemn();
        }
        answer
    }

    fn finish(&mut self) -> Farewell {
        if self.fault.is_none() && !self.running.is_over() {
            // One that is gone already, after its last answer, has done nothing wrong.
            let has_spoken = self.running.overheard().unwrap_or(false);
            let left = self.running.leave(b"", self.grace);
            self.fault = if has_spoken { Some(Fault::Unsolicited) } else { left };
        }
        self.running.end(self.fault.clone())
    }
}
