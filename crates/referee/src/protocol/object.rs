//! JSON objects as they were written: in order, and with keys that stand twice, which strict readers refuse.
//!
//! Values stay text until somebody asks for them, so that nesting costs no stack, and what nobody asks for costs nothing.

use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::value::RawValue;
use tabiya_notation::Entries;

/// An object whose values have not been read yet.
#[derive(Debug)]
pub(crate) struct Object<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Object<'t> {
    /// The object that a text is, with nothing but white space around it.
    pub(crate) fn parse(text: &'t str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| reason(&error))
    }

    /// The object at the beginning of a text, and how many bytes it takes.
    pub(super) fn parse_start(text: &'t str) -> Option<(Self, usize)> {
        let mut stream = serde_json::Deserializer::from_str(text).into_iter();
        let object = stream.next()?.ok()?;
        Some((object, stream.byte_offset()))
    }

    /// Keeps the first entry of each key and reports the others. `place` names the object.
    pub(super) fn once(self, place: &str, reasons: &mut Vec<String>) -> Self {
        Object(Entries(self.0).unique(place, reasons))
    }

    /// Whether a key is there.
    pub(super) fn has(&self, key: &str) -> bool {
        self.0.iter().any(|(other, _)| other == key)
    }

    /// Takes a key out.
    pub(crate) fn take(&mut self, key: &str) -> Option<&'t RawValue> {
        let at = self.0.iter().position(|(other, _)| other == key)?;
        Some(self.0.remove(at).1)
    }

    /// What is left, in its order.
    pub(super) fn into_pairs(self) -> Vec<(String, &'t RawValue)> {
        self.0
    }
}

/// The value, if it is of that type.
pub(crate) fn read<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

/// The beginning of a text, for a message.
pub(super) fn clip(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// What the reader of JSON says. It counts the letters that it has read, which are none at the beginning of a line; people
/// count from 1.
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
    fn keys_that_stand_twice_are_seen() {
        let mut reasons = Vec::new();
        let object = Object::parse(r#" {"a":1,"b":{"a":2},"a":3} "#).unwrap().once("it", &mut reasons);
        assert_eq!(reasons, ["it has the key `a` twice"]);
        assert_eq!(object.into_pairs().len(), 2);
    }

    #[test]
    fn what_is_no_object_says_so() {
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
    fn an_object_may_stand_before_other_text() {
        let (object, length) = Object::parse_start("{\"a\":1} and more").unwrap();
        assert!(object.has("a"));
        assert_eq!(length, 7);
        assert!(Object::parse_start("{\"a\":1").is_none());
    }
}
