//! What a tool gives back: the same in words and as data, or why it does nothing.

use serde_json::{Map, Value, json};

/// What was asked for.
#[derive(Debug)]
pub(super) struct Answer {
    /// For people, and for models who read as people do. It says everything that matters.
    pub(super) words: String,
    /// For programs: an object.
    pub(super) data: Value,
}

/// The result of a tool in the form of the protocol. Since version 2026-07-28 it says that it is complete.
pub(super) fn result(answered: Result<Answer, Refused>, is_inline: bool) -> Value {
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

/// Nothing was done, for a reason that the caller can do something about.
#[derive(Debug)]
pub(super) struct Refused {
    /// The reason, in a sentence.
    message: String,
    /// The argument that is wrong.
    argument: Option<&'static str>,
    /// What else belongs to it: lists by their name.
    more: Vec<(&'static str, Value)>,
}

impl Refused {
    /// For a reason that lies in no argument.
    pub(super) fn because(message: impl Into<String>) -> Self {
        Refused { message: message.into(), argument: None, more: Vec::new() }
    }

    /// Because of an argument; the sentence goes on behind its name.
    pub(super) fn argument(name: &'static str, rule: impl AsRef<str>) -> Self {
        let message = format!("the argument `{name}` {}", rule.as_ref());
        Refused { message, argument: Some(name), more: Vec::new() }
    }

    /// With something that belongs to it.
    pub(super) fn with(mut self, name: &'static str, value: Value) -> Self {
        self.more.push((name, value));
        self
    }

    /// With more words, on lines of their own.
    pub(super) fn with_lines(mut self, lines: &[String]) -> Self {
        for line in lines {
            self.message.push_str("\n- ");
            self.message.push_str(line);
        }
        self
    }
}

impl From<Refused> for Answer {
    fn from(refused: Refused) -> Self {
        let Refused { message, argument, more } = refused;
        // The first line says what is wrong; the lists that follow it are data of their own.
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
