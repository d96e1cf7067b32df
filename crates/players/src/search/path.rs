//! The positions on the path from the start of the game to the current node, for repetition detection.

/// Position keys, oldest first.
#[derive(Debug)]
pub(super) struct Path {
    keys: Vec<u64>,
    /// How many keys fall into each bucket. Most positions are new, and an empty bucket proves it at once.
    buckets: Vec<u16>,
}

impl Path {
    const BUCKETS: usize = 1 << 12;
    /// How many positions of the game before the root are considered.
    const MAX_EARLIER: usize = 100;

    pub(super) fn new(earlier: &[u64]) -> Self {
        let mut path = Path { keys: Vec::new(), buckets: vec![0; Self::BUCKETS] };
        let recent = earlier.len().saturating_sub(Self::MAX_EARLIER);
        earlier[recent..].iter().for_each(|key| path.push(*key));
        path
    }

    pub(super) fn push(&mut self, key: u64) {
        self.buckets[key as usize % Self::BUCKETS] += 1;
        self.keys.push(key);
    }

    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.buckets[key as usize % Self::BUCKETS] -= 1;
        }
    }

    pub(super) fn contains(&self, key: u64) -> bool {
        self.buckets[key as usize % Self::BUCKETS] > 0 && self.keys.contains(&key)
    }
}
