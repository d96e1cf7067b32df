//! A bounded table of perft counts, shared by threads without locks.
//!
//! A slot has two words: the count packed with its depth, and the XOR of that word with the key of the position. A slot that two
//! threads have written at the same time, or that belongs to another position, fails this check and is ignored.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts by position and depth.
#[derive(Debug)]
pub(crate) struct PerftTable {
    slots: Vec<Slot>,
}

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Bits of a word that hold the depth; the rest holds the count. Larger counts are not stored.
const DEPTH_BITS: u32 = 7;
const DEPTH_MASK: u64 = (1 << DEPTH_BITS) - 1;

impl PerftTable {
    /// Allocates a table of this size. Returns `None` if there is not enough memory.
    pub(crate) fn new(megabytes: usize) -> Option<Self> {
        let count = megabytes.checked_mul(1 << 20)? / size_of::<Slot>();
        let mut slots = Vec::new();
        slots.try_reserve_exact(count.max(1)).ok()?;
        slots.resize_with(count.max(1), Slot::default);
        Some(PerftTable { slots })
    }

    /// Returns the count below the position with this key, if it is stored.
    pub(super) fn probe(&self, key: u64, depth: u32) -> Option<u64> {
        let slot = self.slot(key, depth);
        let data = slot.data.load(Ordering::Relaxed);
        let check = slot.check.load(Ordering::Relaxed);
        let fits = check ^ data == key && data & DEPTH_MASK == u64::from(depth);
        fits.then_some(data >> DEPTH_BITS)
    }

    /// Stores a count and replaces what the slot held.
    pub(super) fn store(&self, key: u64, depth: u32, nodes: u64) {
        if nodes >> (u64::BITS - DEPTH_BITS) != 0 {
            return;
        }
        let data = nodes << DEPTH_BITS | u64::from(depth);
        let slot = self.slot(key, depth);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key ^ data, Ordering::Relaxed);
    }

    /// Returns the slot of a position. Each depth has another one, so that depths do not replace each other.
    fn slot(&self, key: u64, depth: u32) -> &Slot {
        let spread = key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = (u128::from(spread) * self.slots.len() as u128) >> 64;
        &self.slots[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_key_and_depth() {
        let table = PerftTable::new(1).expect("a megabyte");
        table.store(42, 5, 4_865_609);
        assert_eq!(table.probe(42, 5), Some(4_865_609));
        assert_eq!(table.probe(42, 4), None);
        assert_eq!(table.probe(43, 5), None);
        assert_eq!(table.probe(0, 2), None, "empty slots do not match");
    }

    #[test]
    fn too_large_tables_are_not_allocated() {
        assert!(PerftTable::new(usize::MAX >> 21).is_none());
    }
}
