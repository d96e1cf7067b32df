//! A bounded memory of counts, shared by threads without locks.
//!
//! A slot is two words: the count packed with its depth, and that word mixed with the key of the position. A slot that
//! two threads have written at once does not fit together and is not believed; so is one of another position.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts by position and depth.
#[derive(Debug)]
pub(crate) struct Table {
    slots: Vec<Slot>,
}

#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Depths take this many bits of a word; counts the rest. A larger count is not kept.
const DEPTH_BITS: u32 = 7;

impl Table {
    /// A table of that many megabytes (at least one slot), if there is so much memory.
    pub(crate) fn new(megabytes: usize) -> Option<Self> {
        let count = megabytes.checked_mul(1 << 20)? / size_of::<Slot>();
        let mut slots = Vec::new();
        slots.try_reserve_exact(count.max(1)).ok()?;
        slots.resize_with(count.max(1), Slot::default);
        Some(Table { slots })
    }

    /// The count below the position with that key.
    pub(super) fn get(&self, key: u64, depth: u32) -> Option<u64> {
        let slot = self.slot(key, depth);
        let data = slot.data.load(Ordering::Relaxed);
        let check = slot.check.load(Ordering::Relaxed);
        let fits = check ^ data == key && data & depth_mask() == u64::from(depth);
        fits.then_some(data >> DEPTH_BITS)
    }

    /// Remembers a count, in place of whatever was there.
    pub(super) fn put(&self, key: u64, depth: u32, nodes: u64) {
        if nodes >> (u64::BITS - DEPTH_BITS) != 0 {
            return;
        }
        let data = nodes << DEPTH_BITS | u64::from(depth);
        let slot = self.slot(key, depth);
        slot.data.store(data, Ordering::Relaxed);
        slot.check.store(key ^ data, Ordering::Relaxed);
    }

    /// The same position has another slot for each depth, or the depths would drive each other out.
    fn slot(&self, key: u64, depth: u32) -> &Slot {
        let spread = key ^ u64::from(depth).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = (u128::from(spread) * self.slots.len() as u128) >> 64;
        &self.slots[index as usize]
    }
}

fn depth_mask() -> u64 {
    (1 << DEPTH_BITS) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_key_and_depth_are_found() {
        let table = Table::new(1).expect("a megabyte");
        table.put(42, 5, 4_865_609);
        assert_eq!(table.get(42, 5), Some(4_865_609));
        assert_eq!(table.get(42, 4), None);
        assert_eq!(table.get(43, 5), None);
        assert_eq!(table.get(0, 2), None, "an empty slot is nobody's");
    }

    #[test]
    fn memory_that_is_not_there_is_refused() {
        assert!(Table::new(usize::MAX >> 21).is_none());
    }
}
