//! The parts of a position's Zobrist key. They are computed, not looked up: boards and armies differ too much for one
//! table. Keys are the same on every machine.

use crate::piece::{Kind, Player, PlayerSet};
use crate::position::{Mark, Spot};

/// The finaliser of `SplitMix64`: every input bit affects every output bit.
fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns one part of a key. The tag in the top byte separates the kinds of parts.
fn part(tag: u64, number: u64) -> u64 {
    mix(tag << 56 | number)
}

/// Returns a number for a spot. Guests have numbers above all squares.
fn place(spot: Spot) -> u64 {
    u64::from(spot.guest) << 32 | u64::from(spot.square.0)
}

pub(crate) fn piece(player: Player, kind: Kind, spot: Spot) -> u64 {
    part(1, u64::from(player.0) << 24 | u64::from(kind.0) << 16 | place(spot))
}

pub(crate) fn unmoved(spot: Spot) -> u64 {
    part(2, place(spot))
}

pub(crate) fn tag(tag: u8, spot: Spot) -> u64 {
    part(6, u64::from(tag) << 16 | place(spot))
}

/// A register of 0 does not change the key.
pub(crate) fn register(index: usize, word: u64) -> u64 {
    if word == 0 { 0 } else { mix(part(7, index as u64) ^ word) }
}

pub(crate) fn slot(slot: u16) -> u64 {
    part(3, u64::from(slot))
}

pub(crate) fn eliminated(players: PlayerSet) -> u64 {
    if players.is_empty() { 0 } else { mix(part(4, 0) ^ players.bits()) }
}

pub(crate) fn mark(mark: &Mark) -> u64 {
    let place = part(5, u64::from(mark.square.0) << 8 | u64::from(mark.flag.0));
    match mark.countdown {
        None => place,
        Some(countdown) => {
            mix(place ^ (u64::from(countdown.slot) + 1) << 32 ^ u64::from(countdown.remaining))
        }
    }
}
