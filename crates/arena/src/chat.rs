//! A model behind an OpenAI-compatible endpoint: the rules are its system prompt, the state is what the user says, and
//! what it replies is the answer. Every move is a conversation of its own, for the state holds all that matters.

use serde_json::{Value, json};

use crate::agent::{Agent, Farewell, Fault, Question, answer_text};
use crate::endpoint::Endpoint;
use crate::secrets::Secrets;

/// A model behind an OpenAI-compatible endpoint.
#[derive(Debug)]
pub struct ChatAgent {
    endpoint: Endpoint,
    model: String,
    rulebook: String,
    secrets: Secrets,
    fault: Option<Fault>,
}

impl ChatAgent {
    /// The URL may leave out `/chat/completions`. The key is the value of the variable, if it has one; it goes into a
    /// header and nowhere else. Nothing is sent yet.
    pub fn new(url: &str, model: &str, rulebook: &str, key_variable: &str) -> Result<Self, Fault> {
        let url = url.trim_end_matches('/');
        let path = if url.ends_with("/chat/completions") { "" } else { "/chat/completions" };
        let mut endpoint = Endpoint::new(&format!("{url}{path}"))?;
        let secrets = Secrets::of_environment([&key_variable.to_owned()]);
        if let Some(key) = secrets.value(key_variable).filter(|key| !key.is_empty()) {
            endpoint.authorise(key, key_variable)?;
        }
        Ok(Self { endpoint, model: model.into(), rulebook: rulebook.into(), secrets, fault: None })
    }

    fn converse(&self, question: &Question) -> Result<String, Fault> {
        let request = json!({
            "model": self.model,
            "messages": [
                { "role": "system", "content": self.rulebook },
                { "role": "user", "content": question.line },
            ],
        });
        let body = self.endpoint.post(&request.to_string(), question.deadline)?;
        answer_text(self.secrets.hide(reply(&body)?.as_str()).into_owned().into_bytes())
    }
}

impl Agent for ChatAgent {
    fn ask(&mut self, question: &Question) -> Result<String, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let answer = self.converse(question);
        self.fault = answer.as_ref().err().filter(|fault| fault.is_final()).cloned();
        answer
    }

    fn finish(&mut self) -> Farewell {
        Farewell::remote(self.fault.clone())
    }
}

/// What the model said. What the endpoint said instead is not repeated: it may hold the key.
fn reply(body: &[u8]) -> Result<String, Fault> {
    let malformed = |why: &str| Fault::Malformed(why.into());
    let value: Value =
        serde_json::from_slice(body).map_err(|_| malformed("the endpoint did not answer with JSON"))?;
    match value.pointer("/choices/0/message/content") {
        Some(Value::String(text)) => Ok(text.clone()),
        _ => Err(malformed("the endpoint's answer has no choices[0].message.content")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_found_or_refused() {
        let good = br#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"{}"}}]}"#;
        assert_eq!(reply(good).unwrap(), "{}");
        for bad in
            [&b"oops"[..], b"{}", br#"{"choices":[]}"#, br#"{"choices":[{"message":{"content":null}}]}"#]
        {
            assert_eq!(reply(bad).unwrap_err().word(), "malformed");
        }
    }
}
