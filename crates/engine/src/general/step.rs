//! A step made by many pieces at once: their set moved as a whole, less those who would leave the board.

use crate::general::set::Set;
use crate::jumps::Jumps;
use crate::rules::Jump;
use crate::square::Board;

/// A step as a rotation of sets.
pub(crate) struct Step<const W: usize> {
    /// From the number of the source to that of the target, round the end of the set and not.
    by: usize,
    distance: i32,
    /// The squares from which the step leads to a square.
    sources: Set<W>,
}

impl<const W: usize> Step<W> {
    /// All steps of a game, by [`Jump`].
    pub(crate) fn all(board: &Board, jumps: &Jumps) -> Box<[Self]> {
        jumps.all().map(|jump| Self::new(board, jumps, jump)).collect()
    }

    fn new(board: &Board, jumps: &Jumps, jump: Jump) -> Self {
        let offset = jumps.offset(jump);
        let distance = offset.dy * i32::from(board.files()) + offset.dx;
        Step {
            by: distance.rem_euclid(W as i32 * 64) as usize,
            distance,
            sources: board.squares().filter(|from| jumps.to(jump, *from).is_some()).collect(),
        }
    }

    /// From the number of a source to that of its target.
    pub(crate) fn distance(&self) -> i32 {
        self.distance
    }

    /// Where pieces on these squares come to; those who would leave the board are gone.
    pub(crate) fn ahead(&self, set: Set<W>) -> Set<W> {
        (set & self.sources).rotated(self.by)
    }

    /// From where the step leads to one of these squares.
    pub(crate) fn back(&self, set: Set<W>) -> Set<W> {
        set.rotated(W * 64 - self.by) & self.sources
    }
}
