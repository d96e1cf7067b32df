//! Offsets as tables from squares to squares, so that playing never rotates or bounds-checks.

use std::collections::HashMap;

use crate::compile::walk::Walk;
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
    /// Whether every step leads to the square at its offset. Then a slide ends at the edge.
    pub(crate) is_flat: bool,
    /// Where a link turns a slide: the jump with which it goes on.
    turned: HashMap<(Jump, Square), Jump>,
}

impl JumpTable {
    const OFF: u16 = u16::MAX;

    pub(crate) fn new(board: &Board) -> Self {
        JumpTable {
            squares: board.len(),
            table: vec![Self::OFF; board.len()],
            offsets: vec![Offset::new(0, 0)],
            index: HashMap::new(),
            is_flat: board.is_flat(),
            turned: HashMap::new(),
        }
    }

    /// Adds an offset. Offsets that no square of the board allows share one entry, and so do offsets that differ by whole
    /// rounds of a wrapped board, so there are at most eight entries per square.
    pub(crate) fn add(&mut self, board: &Board, offset: Offset) -> Jump {
        let offset = board.shortest(offset);
        if board.is_too_long(offset) {
            return Jump::NOWHERE;
        }
        if let Some(jump) = self.index.get(&offset) {
            return *jump;
        }
        let jump = self.add_table(board, offset);
        // The steps onward from links may be new and may be linked in turn.
        let mut open = if board.has_links() { vec![(jump, offset)] } else { Vec::new() };
        while let Some((jump, offset)) = open.pop() {
            for from in board.squares() {
                let Some((_, onward)) = board.step_onward(from, offset) else { continue };
                let onward = board.shortest(onward);
                if onward == offset {
                    continue;
                }
                let next = self.index.get(&onward).copied().unwrap_or_else(|| {
                    let next = self.add_table(board, onward);
                    open.push((next, onward));
                    next
                });
                self.turned.insert((jump, from), next);
            }
        }
        jump
    }

    fn add_table(&mut self, board: &Board, offset: Offset) -> Jump {
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

    /// Returns the jump with which a slide goes on after a step from a square.
    pub(crate) fn onward(&self, jump: Jump, from: Square) -> Jump {
        self.turned.get(&(jump, from)).copied().unwrap_or(jump)
    }

    /// Returns whether links turn slides.
    pub(crate) fn turns(&self) -> bool {
        !self.turned.is_empty()
    }

    /// Iterates over the squares that repeated steps lead to. The steps end at the edge, or before they would enter a square
    /// for the second time.
    #[inline]
    pub(crate) fn walk(&self, jump: Jump, from: Square) -> Walk<'_> {
        Walk::new(self, jump, from)
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
