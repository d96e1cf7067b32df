//! The transposition table, shared by all threads without locks.
//!
//! Each slot stores the XOR of its key and its data. If two threads write a slot at the same time, the key does not match
//! and the slot reads as empty.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya_engine::Move;

use super::bounds::{Bound, MAX_LOSS, MIN_WIN, Window};

/// A search result for one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    depth: i32,
    score: i32,
    bound: Bound,
    pub(super) best: Move,
}

impl Entry {
    /// Creates an entry for a node at distance `ply` from the root, searched to `depth`.
    pub(super) fn new(depth: i32, ply: usize, score: i32, bound: Bound, best: Move) -> Self {
        Entry { depth: depth.clamp(-128, 127), score: shifted(score, ply as i32), bound, best }
    }

    /// Returns the score at distance `ply` from the root, if it is deep enough and decides `window`.
    pub(super) fn cutoff_score(&self, depth: i32, ply: usize, window: Window) -> Option<i32> {
        let score = shifted(self.score, -(ply as i32));
        let is_decisive = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        (self.depth >= depth && is_decisive).then_some(score)
    }

    fn pack(&self) -> [u64; 2] {
        let played = self.best.to_bits();
        let data = u64::from(self.score as u32) | u64::from(self.depth as i8 as u8) << 32;
        [played, data | (self.bound as u64 + 1) << 40]
    }

    fn unpack([played, data]: [u64; 2]) -> Option<Self> {
        let bound = match (data >> 40) as u8 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let best = Move::from_bits(played);
        Some(Entry { depth: i32::from((data >> 32) as i8), score: data as u32 as i32, bound, best })
    }
}

/// Converts a win score between "plies from the root" (in the tree) and "plies from this position" (in the table).
fn shifted(score: i32, ply: i32) -> i32 {
    match score {
        MIN_WIN.. => score + ply,
        ..=MAX_LOSS => score - ply,
        _ => score,
    }
}

/// A hash table with one slot per index.
pub(super) struct TranspositionTable(Vec<[AtomicU64; 3]>);

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TranspositionTable({} slots)", self.0.len())
    }
}

impl TranspositionTable {
    pub(super) fn new(megabytes: usize) -> Self {
        let slots = (megabytes << 20) / size_of::<[AtomicU64; 3]>();
        TranspositionTable((0..slots.max(1)).map(|_| Default::default()).collect())
    }

    /// Returns the entry of a position.
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let [check, played, data] = self.slot(key).each_ref().map(|word| word.load(Ordering::Relaxed));
        if check ^ played ^ data == key { Entry::unpack([played, data]) } else { None }
    }

    /// Stores an entry, unless the slot holds a much deeper one of the same position.
    pub(super) fn store(&self, key: u64, entry: Entry) {
        if self.probe(key).is_some_and(|old| old.depth > entry.depth + 3 && entry.bound != Bound::Exact) {
            return;
        }
        let [played, data] = entry.pack();
        for (word, value) in self.slot(key).iter().zip([key ^ played ^ data, played, data]) {
            word.store(value, Ordering::Relaxed);
        }
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 3] {
        // The high bits select the slot, so any table size distributes keys evenly.
        let index = (u128::from(key) * self.0.len() as u128) >> 64;
        &self.0[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probe_returns_what_was_stored() {
        let best = Move {
            from: Square(1023),
            to: Square(7),
            pattern: 255,
            guest: true,
            promotion: Some(Kind(0)),
            then: 0,
        };
        let table = TranspositionTable::new(1);
        for (score, ply) in [(-77, 3), (MIN_WIN + 50, 4), (MAX_LOSS - 50, 9)] {
            table.store(42, Entry::new(-5, ply, score, Bound::Lower, best));
            let entry = table.probe(42).expect("it was stored");
            assert_eq!((entry.best, entry.depth), (best, -5));
            let window = Window { alpha: score - 1, beta: score };
            assert_eq!(entry.cutoff_score(-5, ply, window), Some(score));
            assert_eq!(entry.cutoff_score(-4, ply, window), None, "not deep enough");
        }
        assert!(table.probe(43).is_none());
        assert!(TranspositionTable::new(1).probe(0).is_none(), "an empty slot has no entry");
    }
}
