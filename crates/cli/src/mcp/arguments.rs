//! The arguments of a tool: one definition says what the client is told and what is let in.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::answer::Refused;
use crate::text::{join_and, nearest_word, truncate};

/// An argument that a tool takes.
#[derive(Debug)]
pub(super) struct Argument {
    /// Its name.
    pub(super) name: &'static str,
    /// What it is for, in a sentence.
    pub(super) about: &'static str,
    /// What may stand there.
    pub(super) kind: Kind,
    /// Whether it must be there.
    pub(super) is_required: bool,
}

/// What may stand there.
#[derive(Debug)]
pub(super) enum Kind {
    /// A text.
    Text,
    /// A JSON object of at most so many bytes; or a text, which may hold one.
    Document(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A whole number.
    Whole(RangeInclusive<u64>),
}

/// No text that is not a document is longer.
const MOST_TEXT: usize = 1000;

impl Argument {
    /// As JSON Schema says it.
    pub(super) fn schema(&self) -> Value {
        let mut schema = match &self.kind {
            Kind::Text => json!({ "type": "string", "maxLength": MOST_TEXT }),
            Kind::Document(_) => json!({ "type": ["object", "string"] }),
            Kind::Word(words) => json!({ "type": "string", "enum": words }),
            Kind::Whole(range) => {
                json!({ "type": "integer", "minimum": range.start(), "maximum": range.end() })
            }
        };
        schema["description"] = json!(self.about);
        schema
    }

    /// What is wrong with a value, behind the name of the argument.
    fn fault(&self, value: &Value) -> Option<String> {
        match (&self.kind, value) {
            (Kind::Text, Value::String(text)) if text.len() <= MOST_TEXT => None,
            (Kind::Text, _) => Some(format!("must be a text of at most {MOST_TEXT} bytes")),
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

/// The text of a document.
fn document(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => text.into(),
        other => other.to_string().into(),
    }
}

/// Arguments that fit their tool.
#[derive(Debug)]
pub(super) struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Lets in what fits. `null` is the same as nothing.
    pub(super) fn check(given: &'a Map<String, Value>, known: &'static [Argument]) -> Result<Self, Refused> {
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            let argument = known.iter().find(|argument| argument.name == name);
            let argument = argument.ok_or_else(|| unknown(name, known))?;
            if let Some(fault) = argument.fault(value) {
                return Err(Refused::argument(argument.name, fault));
            }
        }
        let arguments = Arguments(given);
        let missing =
            known.iter().find(|argument| argument.is_required && arguments.value(argument.name).is_none());
        match missing {
            Some(argument) => Err(Refused::argument(argument.name, "is missing")),
            None => Ok(arguments),
        }
    }

    fn value(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text or a word.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.value(name)?.as_str()
    }

    /// A number.
    pub(super) fn whole(&self, name: &str) -> Option<u64> {
        self.value(name)?.as_u64()
    }

    /// A document, as text.
    pub(super) fn document(&self, name: &str) -> Option<Cow<'a, str>> {
        self.value(name).map(document)
    }
}

fn unknown(name: &str, known: &[Argument]) -> Refused {
    let names: Vec<&str> = known.iter().map(|argument| argument.name).collect();
    let near = nearest_word(name, names.iter().copied());
    let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let takes = if names.is_empty() { "none".to_owned() } else { join_and(&names) };
    Refused::because(format!("there is no argument `{}`{hint} (this tool takes {takes})", truncate(name, 40)))
}
