//! Random secrets: the keys of seats, the seeds of games and the secrets of their dice.

use std::fmt;

use serde::{Deserialize, Serialize};
use tabiya_referee::DiceSecret;

/// The alphabet of keys and room ids, six bits per character.
pub(crate) const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A secret of 132 bits. Anyone who has the key of a seat can play there. `Debug` hides it.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Key(String);

impl Key {
    /// Generates a key.
    pub(crate) fn random() -> Self {
        Key(random_text(22))
    }

    /// Returns the key as text.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Compares the key with a text, in time that does not depend on where they differ.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let differing = self.0.bytes().zip(text.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
        self.0.len() == text.len() && differing == 0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

/// Generates a random text of the given length.
///
/// # Panics
///
/// Panics if the operating system provides no random numbers, because keys would not be secret.
pub(crate) fn random_text(length: usize) -> String {
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system provides random numbers");
    bytes.into_iter().map(|byte| char::from(ALPHABET[usize::from(byte & 63)])).collect()
}

/// Generates the random seed of a game, small enough to be exact in every JSON reader.
///
/// # Panics
///
/// Panics if the operating system provides no random numbers.
pub(crate) fn random_seed() -> u64 {
    getrandom::u64().expect("the system provides random numbers") >> 12
}

/// Generates the secret of a game's dice.
///
/// # Panics
///
/// Panics if the operating system provides no random numbers.
pub(crate) fn random_dice() -> DiceSecret {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system provides random numbers");
    DiceSecret::new(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_matches_only_its_own_text() {
        let (one, other) = (Key::random(), Key::random());
        assert!(one.matches(one.text()) && !one.matches(other.text()));
        assert!(!one.matches("") && !one.matches(&one.text()[1..]));
        assert!(!one.matches(&format!("{}A", one.text())));
        assert_eq!(format!("{one:?}"), "Key(…)");
    }
}
