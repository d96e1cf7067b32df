//! Agents behind a URL. A plain agent receives the state by POST and responds with the JSON object.
//!
//! A chat agent is a model behind an OpenAI-compatible endpoint. The rules are the system prompt, the state is the user
//! message, and the reply is the answer. Every move is a new conversation, because the state contains everything that
//! matters.

use serde_json::{Value, json};
use tabiya_referee::AgentFault;

use crate::agent::{Agent, ExitReport, FirstFault, Question, answer_text};
use crate::endpoint::Endpoint;
use crate::secrets::Secrets;

/// An agent behind a URL.
#[derive(Debug)]
pub struct HttpAgent {
    endpoint: Endpoint,
    chat: Option<Chat>,
    fault: FirstFault,
}

#[derive(Debug)]
struct Chat {
    model: String,
    rulebook: String,
    secrets: Secrets,
}

impl HttpAgent {
    /// Creates a plain agent without sending a request.
    ///
    /// # Errors
    ///
    /// Returns [`AgentFault::CouldNotStart`] if the URL is invalid or, for https, if there are no trusted certificates.
    pub fn new(url: &str) -> Result<Self, AgentFault> {
        Ok(Self { endpoint: Endpoint::new(url)?, chat: None, fault: FirstFault::default() })
    }

    /// Creates a chat agent without sending a request.
    ///
    /// `url` may omit `/chat/completions`. The key is the value of the environment variable `key_variable`, if it is
    /// set; it is sent in the `Authorization` header only.
    ///
    /// # Errors
    ///
    /// Returns [`AgentFault::CouldNotStart`] if the URL or the key is invalid, or if the key would be sent to another
    /// machine without encryption.
    pub fn chat(url: &str, model: &str, rulebook: &str, key_variable: &str) -> Result<Self, AgentFault> {
        let url = url.trim_end_matches('/');
        let path = if url.ends_with("/chat/completions") { "" } else { "/chat/completions" };
        let mut agent = Self::new(&format!("{url}{path}"))?;
        let secrets = Secrets::of_environment([&key_variable.to_owned()]);
        if let Some(key) = secrets.value(key_variable).filter(|key| !key.is_empty()) {
            agent.endpoint.set_key(key, key_variable)?;
        }
        agent.chat = Some(Chat { model: model.into(), rulebook: rulebook.into(), secrets });
        Ok(agent)
    }

    fn exchange(&self, question: &Question) -> Result<String, AgentFault> {
        let Some(Chat { model, rulebook, secrets }) = &self.chat else {
            return self.endpoint.post(question.line, question.deadline).and_then(answer_text);
        };
        let request = json!({
            "model": model,
            "messages": [
                { "role": "system", "content": rulebook },
                { "role": "user", "content": question.line },
            ],
        });
        let body = self.endpoint.post(&request.to_string(), question.deadline)?;
        answer_text(secrets.hide(reply(&body)?.as_str()).into_owned().into_bytes())
    }
}

impl Agent for HttpAgent {
    fn ask(&mut self, question: &Question) -> Result<String, AgentFault> {
        self.fault.check()?;
        let answer = self.exchange(question);
        self.fault.record(answer)
    }

    fn finish(&mut self) -> ExitReport {
        ExitReport { fault: self.fault.get(), exit: None, stderr: String::new(), gone: true }
    }
}

/// Returns the model's reply. Errors do not quote the body, because it may contain the key.
fn reply(body: &[u8]) -> Result<String, AgentFault> {
    let malformed = |why: &str| AgentFault::Malformed(why.into());
    let value: Value =
        serde_json::from_slice(body).map_err(|_| malformed("the endpoint did not respond with JSON"))?;
    match value.pointer("/choices/0/message/content") {
        Some(Value::String(text)) => Ok(text.clone()),
        _ => Err(malformed("the endpoint's response has no choices[0].message.content")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_extracted_or_malformed() {
        let good = br#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"{}"}}]}"#;
        assert_eq!(reply(good).unwrap(), "{}");
        for bad in
            [&b"oops"[..], b"{}", br#"{"choices":[]}"#, br#"{"choices":[{"message":{"content":null}}]}"#]
        {
            assert_eq!(reply(bad).unwrap_err().word(), "malformed");
        }
    }
}
