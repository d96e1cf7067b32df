//! A step of many pieces at once: a rotation of the bitboard, without the pieces that would leave the board. Boards with
//! wraps or links do not use it.

use crate::compile::jump_table::{Jump, JumpTable};
use crate::movegen::general::bitboard::Bitboard;
use crate::square::Board;

/// A step as a rotation of bitboards.
pub(crate) struct Shift<const W: usize> {
    /// The difference from source to target index, modulo the width and signed.
    by: usize,
    distance: i32,
    /// The squares from which the step stays on the board.
    sources: Bitboard<W>,
}

impl<const W: usize> Shift<W> {
    /// Returns the shifts of all jumps, by [`Jump`].
    pub(crate) fn all(board: &Board, jumps: &JumpTable) -> Box<[Self]> {
        jumps.all().map(|jump| Self::new(board, jumps, jump)).collect()
    }

    fn new(board: &Board, jumps: &JumpTable, jump: Jump) -> Self {
        let offset = jumps.offset(jump);
        let distance = board.index_difference(offset);
        Shift {
            by: distance.rem_euclid(W as i32 * 64) as usize,
            distance,
            sources: board.squares().filter(|from| jumps.to(jump, *from).is_some()).collect(),
        }
    }

    /// Returns the difference from source to target index.
    pub(crate) fn distance(&self) -> i32 {
        self.distance
    }

    /// Returns the targets of the step from these squares.
    pub(crate) fn ahead(&self, set: Bitboard<W>) -> Bitboard<W> {
        (set & self.sources).rotated(self.by)
    }

    /// Returns the sources of the step to these squares.
    pub(crate) fn back(&self, set: Bitboard<W>) -> Bitboard<W> {
        set.rotated(W * 64 - self.by) & self.sources
    }
}
