//! Parts of the board that depend on a move.

use tabiya_spec::model::{Anchor, Area, Lines};

use crate::geometry::between;
use crate::pattern::Attempt;
use crate::{Oracle, Spot, Square, State};

/// A part of the board that depends on a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'p> {
    pub(crate) area: Area,
    pub(crate) anchor: Anchor,
    /// The directions and the maximum length of runs, for flanked pieces.
    pub(crate) lines: Lines,
    pub(crate) run: Option<i32>,
    /// The player who moves.
    pub(crate) mover: &'p str,
    pub(crate) source: Square,
    pub(crate) target: Square,
}

impl Oracle<'_> {
    /// Returns whether a part of the board contains a square. Runs of flanked pieces consist of the pieces that are meant.
    pub(crate) fn has(&self, state: &State, meant: &[Spot], part: Part<'_>, square: Square) -> bool {
        let at = if part.anchor == Anchor::Source { part.source } else { part.target };
        let (x, y) = (square.0 - at.0, square.1 - at.1);
        match part.area {
            Area::File => x == 0,
            Area::Rank => y == 0,
            Area::Adjacent => square != at && x.abs() <= 1 && y.abs() <= 1,
            Area::Square => square == at,
            Area::Flanked => self.is_flanked(state, meant, part, at, square),
            Area::Attacked => self.is_attacked_from(state, at, square),
            Area::Behind => next_on_line(part.target, part.source) == Some(square),
            Area::Ahead => next_on_line(part.source, part.target) == Some(square),
            Area::Hand => false,
            Area::Between => between(part.source, part.target).contains(&square),
        }
    }

    fn is_flanked(&self, state: &State, meant: &[Spot], part: Part<'_>, at: Square, square: Square) -> bool {
        let (x, y) = (square.0 - at.0, square.1 - at.1);
        let is_diagonal = x.abs() == y.abs();
        let is_on_line = match part.lines {
            Lines::All => x == 0 || y == 0 || is_diagonal,
            Lines::Orthogonal => x == 0 || y == 0,
            Lines::Diagonal => is_diagonal,
        };
        if square == at || !is_on_line {
            return false;
        }
        let step = (x.signum(), y.signum());
        let mut length = 0;
        let mut next = (at.0 + step.0, at.1 + step.1);
        let mut is_in_run = false;
        while self.exists(next) && meant.contains(&Spot { square: next, guest: false }) {
            length += 1;
            is_in_run |= next == square;
            next = (next.0 + step.0, next.1 + step.1);
        }
        let ends =
            self.exists(next) && state.pieces.get(&next).is_some_and(|piece| piece.player == part.mover);
        is_in_run && ends && part.run.is_none_or(|longest| length <= longest)
    }

    /// Returns whether the piece on a square could capture what stands on another one.
    fn is_attacked_from(&self, state: &State, from: Square, square: Square) -> bool {
        let Some(piece) = state.pieces.get(&from).filter(|_| state.pieces.contains_key(&square)) else {
            return false;
        };
        self.definitions(&piece.kind).iter().any(|definition| {
            let attempt = Attempt { state, from, guest: false, piece, definition, minds_attacks: false };
            self.captures(&attempt, square)
        })
    }
}

/// Returns the square that follows a line from one square to another.
fn next_on_line(from: Square, to: Square) -> Option<Square> {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let divisor = (1..=x.abs().max(y.abs())).rev().find(|by| x % by == 0 && y % by == 0)?;
    Some((to.0 + x / divisor, to.1 + y / divisor))
}
