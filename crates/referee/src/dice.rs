//! The source of dice throws.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::str::FromStr;

use sha2::{Digest, Sha256};
use tabiya_engine::SplitMix;

/// The source of a game's throws.
#[derive(Clone, Debug)]
pub enum Dice {
    /// Random throws. The same seed gives the same throws.
    Seeded(SplitMix),
    /// Throws of a secret that was committed to, and how many there have been.
    Committed(DiceSecret, u64),
    /// Recorded throws, and no others.
    Recorded(VecDeque<u8>),
}

impl Dice {
    /// Creates dice with a seed.
    pub fn seeded(seed: u64) -> Self {
        Dice::Seeded(SplitMix::new(seed))
    }

    /// Throws a die with this number of faces.
    pub(crate) fn throw(&mut self, faces: u8) -> Option<u8> {
        match self {
            Dice::Seeded(numbers) => Some(numbers.throw(faces)),
            Dice::Committed(secret, number) => {
                *number += 1;
                Some(secret.throw(*number - 1, faces))
            }
            Dice::Recorded(throws) => throws.pop_front(),
        }
    }
}

impl Default for Dice {
    fn default() -> Self {
        Dice::seeded(0)
    }
}

/// A secret from which all throws of a game follow. Its [commitment](DiceSecret::commitment) is published before the first
/// throw and does not reveal it. When the secret is published after the game, anyone can check every throw. `Debug` hides it.
///
/// # Examples
///
/// ```
/// use tabiya_referee::DiceSecret;
///
/// let secret: DiceSecret = "00".repeat(32).parse().unwrap();
/// assert!(secret.commitment().starts_with("66687aadf862bd776c8fc18b8e9f8e20"), "SHA-256 of the 32 bytes");
/// let throws: Vec<u8> = (0..8).map(|number| secret.throw(number, 6)).collect();
/// assert_eq!(throws, [2, 1, 4, 1, 4, 6, 1, 2]);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct DiceSecret([u8; 32]);

impl DiceSecret {
    /// Creates a secret from random bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        DiceSecret(bytes)
    }

    /// Returns the SHA-256 hash of the secret, in hexadecimal digits.
    pub fn commitment(&self) -> String {
        hex(&Sha256::digest(self.0))
    }

    /// Returns the secret in hexadecimal digits.
    pub fn reveal(&self) -> String {
        hex(&self.0)
    }

    /// Returns a throw by its number, counted from 0: the first 8 bytes of the SHA-256 hash of the secret and the number (8
    /// bytes, the most significant first) are a number x below 2^64, and the face is 1 + ⌊x · faces / 2^64⌋.
    pub fn throw(&self, number: u64, faces: u8) -> u8 {
        let digest = Sha256::new().chain_update(self.0).chain_update(number.to_be_bytes()).finalize();
        let x = digest.iter().take(8).fold(0, |x, byte| x << 8 | u128::from(*byte));
        1 + ((x * u128::from(faces)) >> 64) as u8
    }
}

impl fmt::Debug for DiceSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DiceSecret(…)")
    }
}

impl FromStr for DiceSecret {
    type Err = ParseDiceSecretError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits: Option<Vec<u8>> =
            text.chars().map(|digit| digit.to_digit(16).map(|it| it as u8)).collect();
        let digits = digits.filter(|digits| digits.len() == 64).ok_or(ParseDiceSecretError)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Ok(DiceSecret(bytes))
    }
}

/// The text of a [`DiceSecret`] is not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDiceSecretError;

tabiya_engine::error_messages! { ParseDiceSecretError:
    ParseDiceSecretError => "a secret has 64 hexadecimal digits";
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_is_thrown_equally_often() {
        let secret = DiceSecret::new([7; 32]);
        let mut count = [0u32; 6];
        (0..6000).for_each(|number| count[usize::from(secret.throw(number, 6)) - 1] += 1);
        assert!(count.iter().all(|count| (850..1150).contains(count)), "{count:?}");
        assert!((0..1000).all(|number| (1..=255).contains(&secret.throw(number, 255))));
    }

    #[test]
    fn a_secret_reads_back() {
        let secret = DiceSecret::new(std::array::from_fn(|index| index as u8 * 8));
        assert_eq!(secret.reveal().parse(), Ok(secret.clone()));
        assert_eq!(format!("{secret:?}"), "DiceSecret(…)");
        for wrong in ["", "00", "zz", &"0".repeat(63), &"é".repeat(64)] {
            assert_eq!(wrong.parse::<DiceSecret>(), Err(ParseDiceSecretError), "{wrong}");
        }
    }
}
