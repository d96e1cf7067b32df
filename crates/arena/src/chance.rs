//! Where chance starts from in every corner of a match: one seed for all, and for each thing that is left to chance
//! another sequence, so that no game depends on which was played before it.

use tabiya_players::SplitMix;

/// What openings are drawn from.
pub(crate) const BOOK: u64 = 1;
/// What the players of a seat are drawn from; those of the next seat follow.
pub(crate) const SEATS: u64 = 1000;

/// The seed for a purpose, of the game or pair of games of a number.
pub(crate) fn seed(of_match: u64, purpose: u64, number: u64) -> u64 {
    let mix = |seed: u64| SplitMix::new(seed).next_u64();
    mix(mix(mix(of_match) ^ purpose) ^ number)
}
