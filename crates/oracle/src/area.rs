//! Parts of the board that depend on a move.

use tabiya_spec::model::{Along, Anchor, Area, Coord};

use crate::geometry::NOWHERE;
use crate::pattern::Attempt;
use crate::{Oracle, Spot, Square, State};

/// A part of the board that depends on a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'p> {
    pub(crate) area: Area,
    pub(crate) anchor: Anchor,
    /// The directions and the maximum length of runs, for flanked pieces.
    pub(crate) along: Along,
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
        let ((x, y, z), (at_x, at_y, at_z)) = (self.coordinates(square), self.coordinates(at));
        match part.area {
            Area::File => (x, z) == (at_x, at_z),
            Area::Rank => (y, z) == (at_y, at_z),
            Area::Adjacent => self.neighbours(at).contains(&square),
            Area::Square => square == at,
            Area::Flanked => self.flanked(state, meant, part, at).contains(&square),
            Area::Attacked => self.is_attacked_from(state, at, square),
            Area::Behind => self.next_on_line(part.target, part.source) == square,
            Area::Ahead => self.next_on_line(part.source, part.target) == square,
            Area::Hand => false,
            Area::Between => self.straight(part.source, part.target).contains(&square),
        }
    }

    /// Returns the squares of all flanked runs around a square.
    fn flanked(&self, state: &State, meant: &[Spot], part: Part<'_>, at: Square) -> Vec<Square> {
        let mut found = Vec::new();
        for step in self.neighbour_steps() {
            let axes = [step.x, step.y, step.z].into_iter().filter(|by| *by != 0).count();
            let is_straight = axes == 1 || self.is_hex();
            let is_line = match part.along {
                Along::Any => true,
                Along::Straight => is_straight,
                Along::Diagonal => !is_straight,
                Along::File => is_straight && (step.x == 0 || self.is_hex()),
                Along::Rank => is_straight && (step.y == 0 || self.is_hex()),
            };
            let mut run = Vec::new();
            let mut next = self.advance(at, step);
            while let Some((square, onward)) = next {
                let is_meant = meant.contains(&Spot { square, guest: false });
                if square == at || !self.exists(square) || !is_meant || run.contains(&square) {
                    break;
                }
                run.push(square);
                next = self.advance(square, onward);
            }
            let is_own = |end: Square| state.pieces.get(&end).is_some_and(|piece| piece.player == part.mover);
            let ends = next.is_some_and(|(end, _)| end != at && self.exists(end) && is_own(end));
            if is_line && ends && part.run.is_none_or(|longest| run.len() as i32 <= longest) {
                found.append(&mut run);
            }
        }
        found
    }

    /// Returns the square that follows a line from one square to another on the board as drawn. It need not exist.
    fn next_on_line(&self, from: Square, to: Square) -> Square {
        let ((x, y, z), (to_x, to_y, to_z)) = (self.coordinates(from), self.coordinates(to));
        let way = [to_x - x, to_y - y, to_z - z];
        let longest = way.iter().map(|by| by.abs()).max().unwrap_or(0);
        match (1..=longest).rev().find(|divisor| way.iter().all(|by| by % divisor == 0)) {
            Some(divisor) => {
                self.beside(to, Coord { x: way[0] / divisor, y: way[1] / divisor, z: way[2] / divisor })
            }
            None => NOWHERE,
        }
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
