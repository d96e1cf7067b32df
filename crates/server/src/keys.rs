//! Keys that nobody guesses: whoever has the key of a seat sits there.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Letters of a key: six bits each.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A secret of 132 bits. It is not shown by `Debug`.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Key(String);

impl Key {
    /// A new one.
    pub(crate) fn draw() -> Self {
        Key(random(22))
    }

    /// The key as text.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is this key. How long that takes says nothing about where they differ.
    pub(crate) fn is(&self, text: &str) -> bool {
        let differing = self.0.bytes().zip(text.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
        self.0.len() == text.len() && differing == 0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// So many letters by chance.
pub(crate) fn random(letters: usize) -> String {
    let mut bytes = vec![0; letters];
    // Without chance there are no secrets, and so no server: nothing sensible can follow.
    getrandom::fill(&mut bytes).expect("the system has a source of chance");
    bytes.into_iter().map(|byte| char::from(LETTERS[usize::from(byte & 63)])).collect()
}

/// What chance at a table starts from. Small enough for every program that reads JSON.
pub(crate) fn seed() -> u64 {
    getrandom::u64().expect("the system has a source of chance") >> 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_itself_and_no_other() {
        let (one, other) = (Key::draw(), Key::draw());
        assert!(one.is(one.text()) && !one.is(other.text()));
        assert!(!one.is("") && !one.is(&one.text()[1..]) && !one.is(&format!("{}A", one.text())));
        assert_eq!(format!("{one:?}"), "Key(…)");
    }
}
