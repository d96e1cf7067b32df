//! The way to a position: whether it was there before is asked at every one.

/// The keys of positions on the way, the first one first.
#[derive(Debug)]
pub(super) struct Path {
    keys: Vec<u64>,
    /// By the last bits of a key: how many keys end like that. Most positions are new, and that tells it at once.
    endings: Vec<u16>,
}

impl Path {
    const ENDINGS: usize = 1 << 12;
    /// So far back, a position that comes again counts.
    const FAR: usize = 100;

    pub(super) fn new(earlier: &[u64]) -> Self {
        let mut path = Path { keys: Vec::new(), endings: vec![0; Self::ENDINGS] };
        let recent = earlier.len().saturating_sub(Self::FAR);
        earlier[recent..].iter().for_each(|key| path.push(*key));
        path
    }

    pub(super) fn push(&mut self, key: u64) {
        self.endings[key as usize % Self::ENDINGS] += 1;
        self.keys.push(key);
    }

    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.endings[key as usize % Self::ENDINGS] -= 1;
        }
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.endings[key as usize % Self::ENDINGS] > 0 && self.keys.contains(&key)
    }
}
