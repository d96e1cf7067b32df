//! Win scores, search windows and bound types.

/// The score of an immediate win. A win in `n` plies scores `WIN - n`; evaluations stay far below.
pub(super) const WIN: i32 = 1_000_000_000;
/// The smallest score that is a proven win.
pub(super) const MIN_WIN: i32 = WIN - 10_000;
/// The greatest score that is a proven loss.
pub(super) const MAX_LOSS: i32 = -MIN_WIN;

/// An alpha-beta window, from the point of view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const FULL: Self = Window { alpha: -WIN, beta: WIN };

    /// Returns the window from the other side's point of view.
    pub(super) fn negated(self) -> Self {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// Creates a null window, which only tests whether a score is greater than `bound`.
    pub(super) fn null(bound: i32) -> Self {
        Window { alpha: bound, beta: bound + 1 }
    }

    pub(super) fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns the part of the window that is possible at a distance from the root: a win or loss takes at least that long.
    /// If nothing is left of it, returns a score that decides the window.
    pub(super) fn at_distance(self, ply: usize) -> Result<Self, i32> {
        let (alpha, beta) = (self.alpha.max(ply as i32 - WIN), self.beta.min(WIN - ply as i32));
        if alpha >= beta { Err(alpha) } else { Ok(Window { alpha, beta }) }
    }

    /// Whether both ends are far from proven wins and losses.
    pub(super) fn is_ordinary(self) -> bool {
        self.beta < MIN_WIN && self.beta > MAX_LOSS
    }
}

/// How a stored score relates to the true score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}
