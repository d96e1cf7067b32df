//! Pieces that face each other on a line, such as pawns on one file, and can never pass each other.

use crate::compile::jump_table::Jump;
use crate::compile::pattern::{Change, Pattern, Patterns, Test};
use crate::dead::pieces::bit;
use crate::dead::reachability::Reachability;
use crate::dead::walk::Landing;
use crate::square::Square;

/// A kind that moves without capturing in one direction only, and never over a piece.
#[derive(Clone, Copy)]
pub(crate) struct LineWalker {
    jump: Jump,
    back: Jump,
}

impl LineWalker {
    /// Returns the line walkers of a player, by kind.
    pub(crate) fn all(patterns: &Patterns) -> Box<[Option<LineWalker>]> {
        patterns.iter().map(|moves| LineWalker::of(moves)).collect()
    }

    fn of(moves: &[Pattern]) -> Option<LineWalker> {
        let mut forward = moves.iter().filter(|pattern| is_forward(pattern));
        let single = forward.clone().find(|pattern| pattern.max == 1 && pattern.units == 1)?;
        forward
            .all(|pattern| pattern.unit == single.unit)
            .then_some(LineWalker { jump: single.jump, back: single.back })
    }
}

/// Returns whether a move only enters empty squares, over empty squares, and changes no other piece.
fn is_forward(pattern: &Pattern) -> bool {
    let Pattern { units, max, tests, on_empty, on_enemy, on_ally, on_team, .. } = pattern;
    let stays_behind = *max == 1 && (*units == 1 || tests.iter().any(|test| matches!(test, Test::PathEmpty)));
    let is_quiet = on_empty
        .as_ref()
        .is_some_and(|action| action.changes.iter().all(|change| matches!(change, Change::SetFlag { .. })));
    stays_behind && is_quiet && on_enemy.is_none() && on_ally.is_none() && on_team.is_none()
}

impl Reachability<'_> {
    /// Returns whether a step along the line of a piece leads to the square of a piece that faces it. Neither has left
    /// the line, so the other piece still stands there or nearer. If so, the piece waits for a change.
    pub(super) fn is_opposed(&mut self, landing: &Landing<'_>, square: Square) -> bool {
        let piece = landing.piece;
        let Some(other) = self.homes[square.index()].map(usize::from) else { return false };
        let is_bound = self.left & (bit(piece) | bit(other)) == 0 && self.taken & bit(other) == 0;
        let blocks = is_bound
            && is_forward(landing.pattern)
            && self.pieces.side_of(piece) & bit(other) == 0
            && self.walker(piece).zip(self.walker(other)).is_some_and(|(one, two)| one.jump == two.back);
        if blocks {
            self.wait(piece, square);
        }
        blocks
    }

    fn walker(&self, piece: usize) -> Option<LineWalker> {
        let piece = self.pieces.piece(piece);
        self.rules.line_walkers[piece.player.index()][piece.kind.index()]
    }

    /// Adds the fact that a piece may leave its line, unless it makes a move along the line.
    pub(super) fn leave_line(&mut self, piece: usize, pattern: Option<&Pattern>) {
        if self.left & bit(piece) == 0 && !pattern.is_some_and(is_forward) {
            self.left |= bit(piece);
            self.stale |= bit(piece);
            self.wake(self.pieces.piece(piece).home);
        }
    }
}
