//! What was found out about positions that come up again by another way.

use tabiya_engine::Move;

use super::best::{Best, Bound, LOST, WON, Window};

/// What was found out about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memo {
    key: u64,
    depth: i32,
    score: i32,
    bound: Bound,
    pub(super) best: Move,
}

impl Memo {
    /// What was found so far from the root, with so many moves to go.
    pub(super) fn new(key: u64, depth: i32, ply: usize, best: &Best) -> Self {
        Memo { key, depth, score: shifted(best.score, ply as i32), bound: best.bound, best: best.played }
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
}

/// A win counts from the root in the tree and from the position in the memory, as its way to the root may differ.
fn shifted(score: i32, ply: i32) -> i32 {
    match score {
        WON.. => score + ply,
        ..=LOST => score - ply,
        _ => score,
    }
}

/// A table with one place for many positions, which the latest takes.
#[derive(Debug)]
pub(super) struct Memory(Vec<Option<Memo>>);

impl Memory {
    const PLACES: usize = 1 << 16;

    pub(super) fn new() -> Self {
        Memory(vec![None; Self::PLACES])
    }

    pub(super) fn recall(&self, key: u64) -> Option<Memo> {
        self.0[Self::place(key)].filter(|memo| memo.key == key)
    }

    pub(super) fn keep(&mut self, memo: Memo) {
        self.0[Self::place(memo.key)] = Some(memo);
    }

    fn place(key: u64) -> usize {
        key as usize % Self::PLACES
    }
}
