//! The pieces of a tree that is cut two moves below its root, handed out one at a time.

use std::sync::{Mutex, PoisonError};
use std::vec::IntoIter;

use tabiya_engine::{Move, Position, Rules};

/// What is still to be counted.
pub(super) struct Queue<'a> {
    rules: &'a Rules,
    root: &'a Position,
    moves: &'a [Move],
    feed: Mutex<Feed>,
}

struct Feed {
    /// How many of the first moves have been cut up.
    opened: usize,
    /// The positions below the last of them.
    ready: IntoIter<Position>,
}

impl<'a> Queue<'a> {
    /// The tree below a position whose legal moves these are.
    pub(super) fn new(rules: &'a Rules, root: &'a Position, moves: &'a [Move]) -> Self {
        Queue { rules, root, moves, feed: Mutex::new(Feed { opened: 0, ready: Vec::new().into_iter() }) }
    }

    /// The next piece, and the number of the first move below which it hangs.
    pub(super) fn take(&self) -> Option<(usize, Position)> {
        // A thread that panicked while it held the lock has left the feed whole: it changes in single steps.
        let mut feed = self.feed.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(position) = feed.ready.next() {
                return Some((feed.opened - 1, position));
            }
            let first = *self.moves.get(feed.opened)?;
            feed.opened += 1;
            feed.ready = self.below(first).into_iter();
        }
    }

    fn below(&self, first: Move) -> Vec<Position> {
        let position = self.rules.play_unchecked(self.root, first);
        let second = self.rules.legal_moves(&position);
        second.into_iter().map(|played| self.rules.play_unchecked(&position, played)).collect()
    }
}
