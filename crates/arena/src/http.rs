//! An agent behind a URL: it gets the state by POST and answers with the object as the body.

use crate::agent::{Agent, Farewell, Fault, Question, answer_text};
use crate::endpoint::Endpoint;

/// An agent behind a URL.
#[derive(Debug)]
pub struct HttpAgent {
    endpoint: Endpoint,
    fault: Option<Fault>,
}

impl HttpAgent {
    /// Nothing is sent yet.
    pub fn new(url: &str) -> Result<Self, Fault> {
        Ok(Self { endpoint: Endpoint::new(url)?, fault: None })
    }
}

impl Agent for HttpAgent {
    fn ask(&mut self, question: &Question) -> Result<String, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let answer = self.endpoint.post(question.line, question.deadline).and_then(answer_text);
        self.fault = answer.as_ref().err().filter(|fault| fault.is_final()).cloned();
        answer
    }

    fn finish(&mut self) -> Farewell {
        Farewell::remote(self.fault.clone())
    }
}
