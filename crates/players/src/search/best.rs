//! Scores, and the best of the moves that were tried so far.

use tabiya_engine::Move;

/// A win at once; a later one is worth one less for each move. No standing comes near it.
pub(super) const WIN: i32 = 1_000_000_000;
/// Scores from here on are wins.
pub(super) const WON: i32 = WIN - 10_000;
/// Scores down from here are losses.
pub(super) const LOST: i32 = -WON;

/// What can still matter for the side whose turn it is: up to `alpha` it has something better elsewhere, from `beta` on
/// the other side has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

/// What a score says about the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the truth.
    Exact,
    /// The truth is as good, or better.
    AtLeast,
    /// The truth is as bad, or worse.
    AtMost,
}

/// The best so far.
#[derive(Debug)]
pub(super) struct Best {
    pub(super) score: i32,
    pub(super) played: Move,
    pub(super) bound: Bound,
    /// What can still matter after it.
    pub(super) window: Window,
}

impl Best {
    /// Nothing was tried yet; the move stands in for the best.
    pub(super) fn new(window: Window, played: Move) -> Self {
        Best { score: -WIN, played, bound: Bound::AtMost, window }
    }

    /// Takes a score in. Whether it is one that matters.
    pub(super) fn improves(&mut self, score: i32, played: Move) -> bool {
        if score > self.score {
            (self.score, self.played) = (score, played);
        }
        let matters = score > self.window.alpha;
        if matters {
            self.window.alpha = score;
            self.bound = if self.is_too_good() { Bound::AtLeast } else { Bound::Exact };
        }
        matters
    }

    /// Whether the other side will not let it come to this.
    pub(super) fn is_too_good(&self) -> bool {
        self.score >= self.window.beta
    }
}
