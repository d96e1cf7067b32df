//! The answer of a tool, as text and as data, or its error.

use serde_json::{Map, Value, json};

/// A successful answer.
#[derive(Debug)]
pub(super) struct Answer {
    /// The answer as text, complete without the data.
    pub(super) words: String,
    /// The answer as an object.
    pub(super) data: Value,
}

/// The result of a tool in the form of the protocol. Since version 2026-07-28 it says that it is complete.
pub(super) fn result(answered: Result<Answer, ToolError>, is_inline: bool) -> Value {
    let is_error = answered.is_err();
    let Answer { words, data } = answered.unwrap_or_else(Answer::from);
    let mut result = Map::new();
    if is_inline {
        result.insert("resultType".into(), json!("complete"));
    }
    result.insert("content".into(), json!([{ "type": "text", "text": words }]));
    result.insert("structuredContent".into(), data);
    result.insert("isError".into(), json!(is_error));
    Value::Object(result)
}

/// An error that the caller can correct. The call had no effect.
#[derive(Debug)]
pub(super) struct ToolError {
    /// The reason as a sentence.
    message: String,
    /// The invalid argument.
    argument: Option<&'static str>,
    /// Further data by key.
    more: Vec<(&'static str, Value)>,
}

impl ToolError {
    /// Creates an error that does not concern an argument.
    pub(super) fn because(message: impl Into<String>) -> Self {
        ToolError { message: message.into(), argument: None, more: Vec::new() }
    }

    /// Creates an error about an argument. `rule` continues the sentence after its name.
    pub(super) fn argument(name: &'static str, rule: impl AsRef<str>) -> Self {
        let message = format!("the argument `{name}` {}", rule.as_ref());
        ToolError { message, argument: Some(name), more: Vec::new() }
    }

    /// Adds data.
    pub(super) fn with(mut self, name: &'static str, value: Value) -> Self {
        self.more.push((name, value));
        self
    }

    /// Adds lines to the text.
    pub(super) fn with_lines(mut self, lines: &[String]) -> Self {
        for line in lines {
            self.message.push_str("\n- ");
            self.message.push_str(line);
        }
        self
    }
}

impl From<ToolError> for Answer {
    fn from(error: ToolError) -> Self {
        let ToolError { message, argument, more } = error;
        // Only the first line is the message; the lists after it are separate data.
        let sentence = message.lines().next().unwrap_or_default().trim_end_matches(':');
        let mut error = json!({ "message": sentence });
        if let Some(name) = argument {
            error["argument"] = json!(name);
        }
        for (name, value) in more {
            error[name] = value;
        }
        Answer { words: message, data: json!({ "error": error }) }
    }
}
