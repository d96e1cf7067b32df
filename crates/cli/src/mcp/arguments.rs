//! The arguments of a tool. One definition gives the JSON Schema and the validation.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::answer::ToolError;
use crate::text::{clip, did_you_mean, join_and};

/// An argument of a tool.
#[derive(Debug)]
pub(super) struct Argument {
    pub(super) name: &'static str,
    /// Its purpose in a sentence.
    pub(super) about: &'static str,
    pub(super) kind: Kind,
    pub(super) is_required: bool,
}

/// The type of an argument.
#[derive(Debug)]
pub(super) enum Kind {
    /// A text.
    Text,
    /// A JSON object, or a text that may contain one, of at most this many bytes.
    Document(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number.
    Whole(RangeInclusive<u64>),
}

/// The maximum length of a text that is not a document.
const MAX_TEXT: usize = 1000;

impl Argument {
    /// Returns the JSON Schema.
    pub(super) fn schema(&self) -> Value {
        let mut schema = match &self.kind {
            Kind::Text => json!({ "type": "string", "maxLength": MAX_TEXT }),
            Kind::Document(_) => json!({ "type": ["object", "string"] }),
            Kind::Word(words) => json!({ "type": "string", "enum": words }),
            Kind::Whole(range) => {
                json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() })
            }
        };
        schema["description"] = json!(self.about);
        schema
    }

    /// Returns what is wrong with a value, as the end of a sentence.
    fn error(&self, value: &Value) -> Option<String> {
        match (&self.kind, value) {
            (Kind::Text, Value::String(text)) if text.len() <= MAX_TEXT => None,
            (Kind::Text, _) => Some(format!("must be a text of at most {MAX_TEXT} bytes")),
            (Kind::Document(most), Value::Object(_) | Value::String(_)) => {
                let is_good = document(value).len() <= *most;
                (!is_good).then(|| format!("has more than {most} bytes"))
            }
            (Kind::Document(_), _) => Some("must be a JSON object, or a text".to_owned()),
            (Kind::Word(words), value) => {
                let is_good = value.as_str().is_some_and(|text| words.contains(&text));
                (!is_good).then(|| format!("must be one of {}", words.join(", ")))
            }
            (Kind::Whole(range), value) => {
                let is_good = value.as_u64().is_some_and(|number| range.contains(&number));
                let (least, most) = (range.start(), range.end());
                (!is_good).then(|| format!("must be a whole number from {least} to {most}"))
            }
        }
    }
}

/// Returns a document as text.
fn document(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

/// Validated arguments.
#[derive(Debug)]
pub(super) struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Validates arguments. `null` counts as absent.
    pub(super) fn check(
        given: &'a Map<String, Value>,
        known: &'static [Argument],
    ) -> Result<Self, ToolError> {
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            let argument = known.iter().find(|argument| argument.name == name);
            let argument = argument.ok_or_else(|| unknown(name, known))?;
            if let Some(error) = argument.error(value) {
                return Err(ToolError::argument(argument.name, error));
            }
        }
        let arguments = Arguments(given);
        let missing =
            known.iter().find(|argument| argument.is_required && arguments.value(argument.name).is_none());
        match missing {
            Some(argument) => Err(ToolError::argument(argument.name, "is missing")),
            None => Ok(arguments),
        }
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Returns a text or a word.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    /// Returns a number.
    pub(super) fn whole(&self, name: &str) -> Option<u64> {
        self.value(name)?.as_u64()
    }

    /// Returns a document as text.
    pub(super) fn document(&self, name: &str) -> Option<Cow<'a, str>> {
        self.value(name).map(document)
    }
}

fn unknown(name: &str, known: &[Argument]) -> ToolError {
    let names: Vec<&str> = known.iter().map(|argument| argument.name).collect();
    let hint = did_you_mean(name, names.iter().copied());
    let takes = join_and(&names);
    ToolError::because(format!("there is no argument `{}`{hint} (this tool takes {takes})", clip(name, 40)))
}
