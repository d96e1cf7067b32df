//! Offsets as tables from squares to squares, so that playing never rotates or bounds-checks.

use std::collections::HashMap;

use crate::square::{Board, Offset, Square};

/// An offset: an index into the [`JumpTable`]. Index 0 leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Jump(u16);

impl Jump {
    const NOWHERE: Jump = Jump(0);

    /// Returns the index, for tables.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns whether the offset leads off the board from every square.
    pub(crate) fn leads_nowhere(self) -> bool {
        self == Self::NOWHERE
    }
}

/// The tables of all offsets of a game, each stored once.
pub(crate) struct JumpTable {
    squares: usize,
    table: Vec<u16>,
    offsets: Vec<Offset>,
    index: HashMap<Offset, Jump>,
}

impl JumpTable {
    const OFF: u16 = u16::MAX;

    pub(crate) fn new(board: &Board) -> Self {
        JumpTable {
            squares: board.len(),
            table: vec![Self::OFF; board.len()],
            offsets: vec![Offset::new(0, 0)],
            index: HashMap::new(),
        }
    }

    /// Adds an offset. Offsets that no square of the board allows share one entry, so there are at most four entries
    /// per square.
    pub(crate) fn add(&mut self, board: &Board, offset: Offset) -> Jump {
        let (dx, dy) = (offset.dx.unsigned_abs(), offset.dy.unsigned_abs());
        if dx >= u32::from(board.files()) || dy >= u32::from(board.ranks()) {
            return Jump::NOWHERE;
        }
        if let Some(jump) = self.index.get(&offset) {
            return *jump;
        }
        let jump = Jump(self.offsets.len() as u16);
        for square in 0..self.squares as u16 {
            let from = Square(square);
            let to = board.has(from).then(|| board.step(from, offset)).flatten();
            self.table.push(to.map_or(Self::OFF, |to| to.0));
        }
        self.offsets.push(offset);
        self.index.insert(offset, jump);
        jump
    }

    /// Returns the square that the jump leads to, if it exists.
    pub(crate) fn to(&self, jump: Jump, from: Square) -> Option<Square> {
        let to = self.table[jump.index() * self.squares + from.index()];
        (to != Self::OFF).then_some(Square(to))
    }

    /// Iterates over all jumps.
    pub(crate) fn all(&self) -> impl Iterator<Item = Jump> + use<> {
        (0..self.offsets.len() as u16).map(Jump)
    }

    /// Returns the offset of a jump; zero if it leads nowhere.
    pub(crate) fn offset(&self, jump: Jump) -> Offset {
        self.offsets[jump.index()]
    }
}
