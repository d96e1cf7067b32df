//! The transposition table, shared by all threads without locks.
//!
//! Each slot stores the XOR of its key and its data. If two threads write a slot at the same time, the key does not match
//! and the slot reads as empty. Two slots make a bucket; a new entry replaces the older or shallower one.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use tabiya_engine::Move;

use super::bounds::{Bound, MAX_LOSS, MIN_WIN, Window};

/// A search result for one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) depth: i32,
    score: i32,
    pub(super) bound: Bound,
    /// Whether the position was on a principal variation.
    pub(super) is_pv: bool,
    /// The static evaluation, if one is known.
    pub(super) static_eval: Option<i32>,
    /// The best move; none if no move was better than another.
    pub(super) best: Option<Move>,
    age: u8,
}

/// Static evaluations beyond this are not stored.
const MAX_EVAL: i32 = i16::MAX as i32;
/// The ages that an entry can have.
const AGES: u8 = 32;
/// No move: a pattern of bits that no move has.
const NO_MOVE: u64 = u64::MAX;

impl Entry {
    /// Creates an entry for a node at distance `ply` from the root, searched to `depth`.
    pub(super) fn new(depth: i32, ply: usize, score: i32, bound: Bound, best: Option<Move>) -> Self {
        let (depth, score) = (depth.clamp(-128, 127), shifted(score, ply as i32));
        Entry { depth, score, bound, best, is_pv: false, static_eval: None, age: 0 }
    }

    pub(super) fn with_eval(self, static_eval: Option<i32>, is_pv: bool) -> Self {
        Entry { static_eval: static_eval.filter(|score| score.abs() < MAX_EVAL), is_pv, ..self }
    }

    /// Returns the score at distance `ply` from the root.
    pub(super) fn score(&self, ply: usize) -> i32 {
        shifted(self.score, -(ply as i32))
    }

    /// Returns the score at distance `ply` from the root, if it is deep enough and decides `window`.
    pub(super) fn cutoff_score(&self, depth: i32, ply: usize, window: Window) -> Option<i32> {
        let score = self.score(ply);
        let is_decisive = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        (self.depth >= depth && is_decisive).then_some(score)
    }

    fn pack(&self) -> [u64; 2] {
        let played = self.best.map_or(NO_MOVE, Move::to_bits);
        let eval = self.static_eval.map_or(i16::MIN, |score| score as i16);
        let data = u64::from(self.score as u32)
            | u64::from(self.depth as i8 as u8) << 32
            | (self.bound as u64 + 1) << 40
            | u64::from(self.is_pv) << 42
            | u64::from(self.age) << 43
            | u64::from(eval as u16) << 48;
        [played, data]
    }

    fn unpack([played, data]: [u64; 2]) -> Option<Self> {
        let bound = match data >> 40 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let eval = (data >> 48) as u16 as i16;
        Some(Entry {
            depth: i32::from((data >> 32) as i8),
            score: data as u32 as i32,
            bound,
            is_pv: data >> 42 & 1 == 1,
            static_eval: (eval != i16::MIN).then_some(i32::from(eval)),
            best: (played != NO_MOVE).then(|| Move::from_bits(played)),
            age: (data >> 43) as u8 % AGES,
        })
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

type Slot = [AtomicU64; 3];

/// A hash table with buckets of two slots.
pub(super) struct TranspositionTable {
    buckets: Vec<[Slot; 2]>,
    /// The age of new entries: the number of the search.
    age: AtomicU8,
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TranspositionTable({} slots)", 2 * self.buckets.len())
    }
}

impl TranspositionTable {
    pub(super) fn new(megabytes: usize) -> Self {
        let buckets = (megabytes << 20) / size_of::<[Slot; 2]>();
        let buckets = (0..buckets.max(1)).map(|_| Default::default()).collect();
        TranspositionTable { buckets, age: AtomicU8::new(0) }
    }

    /// Begins a new search: entries of earlier ones are replaced first.
    pub(super) fn grow_older(&self) {
        self.age.store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    /// Returns the entry of a position.
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| read(slot, key))
    }

    /// Stores an entry. A known best move stays if the new entry has none.
    pub(super) fn store(&self, key: u64, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let old = bucket.iter().find_map(|slot| Some((slot, read(slot, key)?)));
        let (slot, entry) = if let Some((slot, old)) = old {
            let is_better = entry.bound == Bound::Exact || old.age != age || entry.depth + 4 > old.depth;
            if !is_better {
                return;
            }
            (slot, Entry { best: entry.best.or(old.best), ..entry })
        } else {
            let worth = |slot: &&Slot| {
                let found = Entry::unpack([1, 2].map(|word| slot[word].load(Ordering::Relaxed)));
                found.map_or(i32::MIN, |old| {
                    let searches = i32::from((age + AGES - old.age) % AGES);
                    old.depth - 4 * searches + i32::from(old.bound == Bound::Exact)
                })
            };
            let [first, second] = bucket;
            (if worth(&second) < worth(&first) { second } else { first }, entry)
        };
        let [played, data] = Entry { age, ..entry }.pack();
        for (word, value) in slot.iter().zip([key ^ played ^ data, played, data]) {
            word.store(value, Ordering::Relaxed);
        }
    }

    /// Returns how much of the table holds entries of the current search, in thousandths.
    pub(super) fn permille_full(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let sample = self.buckets.iter().take(500);
        let slots = sample.clone().count() * 2;
        let is_current = |slot: &&Slot| {
            let words = [1, 2].map(|word| slot[word].load(Ordering::Relaxed));
            Entry::unpack(words).is_some_and(|entry| entry.age == age)
        };
        (sample.flatten().filter(is_current).count() * 1000 / slots.max(1)) as u32
    }

    fn bucket(&self, key: u64) -> &[Slot; 2] {
        // The high bits select the bucket, so any table size distributes keys evenly.
        let index = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

fn read(slot: &Slot, key: u64) -> Option<Entry> {
    let [check, played, data] = slot.each_ref().map(|word| word.load(Ordering::Relaxed));
    if check ^ played ^ data == key { Entry::unpack([played, data]) } else { None }
}

#[cfg(test)]
mod tests {
    use tabiya_engine::{Kind, Square};

    use super::*;

    const BEST: Move = Move {
        from: Square(1023),
        to: Square(7),
        pattern: 255,
        guest: true,
        promotion: Some(Kind(0)),
        then: 0,
    };

    #[test]
    fn probe_returns_what_was_stored() {
        let table = TranspositionTable::new(1);
        for (score, ply) in [(-77, 3), (MIN_WIN + 50, 4), (MAX_LOSS - 50, 9)] {
            table.grow_older();
            let entry = Entry::new(-5, ply, score, Bound::Lower, Some(BEST)).with_eval(Some(-31), true);
            table.store(42, entry);
            let entry = table.probe(42).expect("it was stored");
            assert_eq!((entry.best, entry.depth, entry.static_eval), (Some(BEST), -5, Some(-31)));
            assert!(entry.is_pv);
            let window = Window { alpha: score - 1, beta: score };
            assert_eq!(entry.cutoff_score(-5, ply, window), Some(score));
            assert_eq!(entry.cutoff_score(-4, ply, window), None, "not deep enough");
        }
        assert!(table.probe(43).is_none());
        assert!(TranspositionTable::new(1).probe(0).is_none(), "an empty slot has no entry");
    }

    #[test]
    fn old_and_shallow_entries_are_replaced_first() {
        let table = TranspositionTable::new(1);
        let entry = |depth| Entry::new(depth, 0, 1, Bound::Lower, None);
        // Keys with the same high bits share a bucket.
        table.store(1, entry(9));
        table.store(2, entry(3));
        table.store(3, entry(5));
        assert!(table.probe(2).is_none() && table.probe(1).is_some() && table.probe(3).is_some());
        (0..4).for_each(|_| table.grow_older());
        table.store(4, entry(1));
        table.store(5, entry(1));
        assert!(table.probe(4).is_some() && table.probe(5).is_some(), "entries of earlier searches give way");
    }

    #[test]
    fn a_known_move_stays_without_a_new_one() {
        let table = TranspositionTable::new(1);
        table.store(8, Entry::new(2, 0, 1, Bound::Lower, Some(BEST)));
        table.store(8, Entry::new(3, 0, 1, Bound::Upper, None));
        assert_eq!(table.probe(8).map(|entry| (entry.depth, entry.best)), Some((3, Some(BEST))));
    }
}
