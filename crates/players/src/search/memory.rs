//! What was found out about positions that come up again by another way, or on the next move. Several threads share it: a
//! place that two of them write at once is found to be nonsense by its key, and is no place then.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use tabiya_engine::{Kind, Move, Square};

use super::best::{Bound, LOST, WON, Window};

/// What was found out about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memo {
    pub(super) depth: i32,
    score: i32,
    bound: Bound,
    pub(super) best: Move,
}

impl Memo {
    /// What was found so far from the root, with so many moves to go.
    pub(super) fn new(depth: i32, ply: usize, score: i32, bound: Bound, best: Move) -> Self {
        Memo { depth: depth.clamp(-128, 127), score: shifted(score, ply as i32), bound, best }
    }

    /// The score so far from the root, if it was looked at deeply enough and says all that can matter.
    pub(super) fn tells(&self, depth: i32, ply: usize, window: Window) -> Option<i32> {
        let score = shifted(self.score, -(ply as i32));
        let says_all = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => score >= window.beta,
            Bound::AtMost => score <= window.alpha,
        };
        (self.depth >= depth && says_all).then_some(score)
    }

    fn packed(&self) -> [u64; 2] {
        let Move { from, to, pattern, guest, promotion } = self.best;
        let promotion = promotion.map_or(0, |kind| kind.index() as u64 + 1);
        let played = u64::from(from.0)
            | u64::from(to.0) << 16
            | u64::from(pattern) << 32
            | u64::from(guest) << 40
            | promotion << 48;
        let about = u64::from(self.score as u32) | u64::from(self.depth as i8 as u8) << 32;
        [played, about | (self.bound as u64 + 1) << 40]
    }

    fn unpacked([played, about]: [u64; 2]) -> Option<Self> {
        let bound = match (about >> 40) as u8 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            3 => Bound::AtMost,
            _ => return None,
        };
        let promotion = ((played >> 48) as u8).checked_sub(1).map(Kind);
        let best = Move {
            from: Square(played as u16),
            to: Square((played >> 16) as u16),
            pattern: (played >> 32) as u8,
            guest: (played >> 40) & 1 == 1,
            promotion,
        };
        Some(Memo { depth: i32::from((about >> 32) as i8), score: about as u32 as i32, bound, best })
    }
}

/// A win counts from the root in the tree and from the position in the memory, as its way to the root may differ.
fn shifted(score: i32, ply: i32) -> i32 {
    match score {
        WON.. => score + ply,
        ..=LOST => score - ply,
        _ => score,
    }
}

/// A table with one place for many positions.
pub(super) struct Memory(Vec<[AtomicU64; 3]>);

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memory({} places)", self.0.len())
    }
}

impl Memory {
    /// A table of so many megabytes.
    pub(super) fn new(megabytes: usize) -> Self {
        let places = (megabytes << 20) / size_of::<[AtomicU64; 3]>();
        Memory((0..places.max(1)).map(|_| Default::default()).collect())
    }

    pub(super) fn recall(&self, key: u64) -> Option<Memo> {
        let [check, played, about] = self.place(key).each_ref().map(|word| word.load(Ordering::Relaxed));
        if check ^ played ^ about == key { Memo::unpacked([played, about]) } else { None }
    }

    /// The latest takes the place, unless what is there is about the same position and deeper.
    pub(super) fn keep(&self, key: u64, memo: Memo) {
        if self.recall(key).is_some_and(|old| old.depth > memo.depth + 3 && memo.bound != Bound::Exact) {
            return;
        }
        let [played, about] = memo.packed();
        for (word, value) in self.place(key).iter().zip([key ^ played ^ about, played, about]) {
            word.store(value, Ordering::Relaxed);
        }
    }

    fn place(&self, key: u64) -> &[AtomicU64; 3] {
        // The high bits choose the place, so that every table size is as good as any other.
        let index = (u128::from(key) * self.0.len() as u128) >> 64;
        &self.0[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_recalled() {
        let best =
            Move { from: Square(1023), to: Square(7), pattern: 255, guest: true, promotion: Some(Kind(0)) };
        let memory = Memory::new(1);
        for (score, ply) in [(-77, 3), (WON + 50, 4), (LOST - 50, 9)] {
            memory.keep(42, Memo::new(-5, ply, score, Bound::AtLeast, best));
            let memo = memory.recall(42).expect("it was kept");
            assert_eq!((memo.best, memo.depth), (best, -5));
            let window = Window { alpha: score - 1, beta: score };
            assert_eq!(memo.tells(-5, ply, window), Some(score));
            assert_eq!(memo.tells(-4, ply, window), None, "not deep enough");
        }
        assert!(memory.recall(43).is_none());
        assert!(Memory::new(1).recall(0).is_none(), "an empty place is no memo");
    }
}
