//! Seeds for the parts of a match. Each part draws from a sequence of random numbers that does not depend on the other
//! parts, so a game does not depend on the games before it.

use tabiya_players::SplitMix;

/// The part that draws openings.
pub(crate) const OPENINGS: u64 = 1;
/// The part of the player at seat 0; the parts of the other seats follow.
pub(crate) const SEATS: u64 = 1000;

/// Derives the seed of a part, for the game or pair of games with a number.
pub(crate) fn derive(match_seed: u64, part: u64, number: u64) -> u64 {
    let mix = |seed: u64| SplitMix::new(seed).next_u64();
    mix(mix(mix(match_seed) ^ part) ^ number)
}
