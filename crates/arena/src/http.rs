//! Agents behind a URL: they receive the state by POST and respond with the JSON object.

use tabiya_referee::AgentFault;

use crate::agent::{Agent, ExitReport, FirstFault, Question, answer_text};
use crate::endpoint::Endpoint;

/// An agent behind a URL.
#[derive(Debug)]
pub struct HttpAgent {
    endpoint: Endpoint,
    fault: FirstFault,
}

impl HttpAgent {
    /// Creates the agent without sending a request.
    ///
    /// # Errors
    ///
    /// Returns [`AgentFault::CouldNotStart`] if the URL is invalid or, for https, if there are no trusted certificates.
    pub fn new(url: &str) -> Result<Self, AgentFault> {
        Ok(Self { endpoint: Endpoint::new(url)?, fault: FirstFault::default() })
    }
}

impl Agent for HttpAgent {
    fn ask(&mut self, question: &Question) -> Result<String, AgentFault> {
        self.fault.check()?;
        let answer = self.endpoint.post(question.line, question.deadline).and_then(answer_text);
        self.fault.record(answer)
    }

    fn finish(&mut self) -> ExitReport {
        ExitReport::remote(self.fault.get())
    }
}
