//! Scores, and what they say.

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

impl Window {
    /// As the other side sees it.
    pub(super) fn turned(self) -> Self {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Only the question whether a score is above a bound.
    pub(super) fn above(bound: i32) -> Self {
        Window { alpha: bound, beta: bound + 1 }
    }

    /// Whether only that is asked.
    pub(super) fn is_question(self) -> bool {
        self.beta - self.alpha == 1
    }
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
