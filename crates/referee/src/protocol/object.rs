//! JSON objects with the order of their keys and with duplicates, which strict parsers reject.
//!
//! Values stay text until they are read, so that deep nesting needs no stack.

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::value::RawValue;
use tabiya_notation::Entries;

/// An object with unparsed values.
#[derive(Debug)]
pub(crate) struct Object<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Object<'t> {
    /// Parses a text that consists of one object.
    pub(crate) fn parse(text: &'t str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| reason(&error))
    }

    /// Parses an object at the start of a text and returns its length in bytes.
    pub(super) fn parse_start(text: &'t str) -> Option<(Self, usize)> {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter();
        let object = stream.next()?.ok()?;
        Some((object, stream.byte_offset()))
    }

    /// Keeps the first entry of each key and reports the others. `place` names the object.
    pub(super) fn once(self, place: &str, reasons: &mut Vec<String>) -> Self {
        Object(Entries(self.0).unique(place, reasons))
    }

    /// Whether there is a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(other, _)| other == key)
    }

    /// Removes a key and returns its value.
    pub(crate) fn take(&mut self, key: &str) -> Option<&'t RawValue> {
        let at = self.0.iter().position(|(other, _)| other == key)?;
        Some(self.0.remove(at).1)
    }

    /// Returns the remaining keys and values in order.
    pub(super) fn into_pairs(self) -> Vec<(String, &'t RawValue)> {
        self.0
    }
}

/// Parses a value, if it has this type.
pub(crate) fn read<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// The beginning of a text, for a message.
pub(super) fn clip(text: &str) -> std::borrow::Cow<'_, str> {
    tabiya_notation::clip(text, 40)
}

/// The message of the JSON parser, with lines and columns from 1.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = text.rsplit_once(" at line ").map_or(text.as_str(), |(words, _)| words);
    format!("{} (line {}, column {})", clip(words), error.line().max(1), error.column().max(1))
}

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Entries::deserialize(deserializer).map(|Entries(entries)| Object(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_keys_are_errors() {
        let mut reasons = Vec::new();
        let object = Object::parse(r#" {"a":1,"b":{"a":2},"a":3} "#).unwrap().once("it", &mut reasons);
        assert_eq!(reasons, ["it has the key `a` twice"]);
        assert_eq!(object.into_pairs().len(), 2);
    }

    #[test]
    fn other_json_is_not_an_object() {
        for text in
            ["", "\n", "{\n", "\n[]", "[]", "{", "{}x", "{} {}", "7", "{'a':1}", "{\"a\":}", "\u{a0}{}"]
        {
            let why = Object::parse(text).unwrap_err();
            assert!(why.contains(", column ") && !why.contains("column 0"), "{text}: {why}");
        }
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(Object::parse(&deep).is_ok(), "nesting takes no stack");
    }

    #[test]
    fn an_object_can_precede_other_text() {
        let (object, length) = Object::parse_start("{\"a\":1} and more").unwrap();
        assert!(object.has("a"));
        assert_eq!(length, 7);
        assert!(Object::parse_start("{\"a\":1").is_none());
    }
}
