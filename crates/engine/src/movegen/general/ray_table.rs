//! The squares along some rays on an empty board. They are looked up if the tables fit into memory, and computed
//! otherwise.

use std::collections::HashMap;
use std::sync::Arc;

use crate::compile::jump_table::{Jump, JumpTable};
use crate::movegen::general::bitboard::Bitboard;
use crate::square::{Offset, Square};

/// Steps in one direction, from the first to the last that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Ray {
    pub(crate) jump: Jump,
    pub(crate) min: u32,
    pub(crate) max: u32,
}

impl Ray {
    /// Returns a single step.
    pub(crate) fn single(jump: Jump) -> Self {
        Ray { jump, min: 1, max: 1 }
    }

    /// Returns all steps to the edge of the board.
    pub(crate) fn full(jump: Jump) -> Self {
        Ray { jump, min: 1, max: u32::MAX }
    }

    /// Iterates over the squares from a square, nearest first, with the number of steps.
    pub(crate) fn squares(
        self,
        jumps: &JumpTable,
        from: Square,
    ) -> impl Iterator<Item = (u32, Square)> + use<'_> {
        let steps = (1..=self.max).zip(jumps.walk(self.jump, from));
        steps.filter(move |(steps, _)| *steps >= self.min)
    }
}

/// A handle to one set of rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RayTable {
    /// The start of its table; out of range if it has none.
    start: u32,
    number: u32,
}

/// All sets of rays of a game, each stored once.
pub(crate) struct RayTables<const W: usize> {
    jumps: Arc<JumpTable>,
    squares: usize,
    /// By number.
    rays: Vec<Box<[Ray]>>,
    /// By square, one table after the other.
    tables: Vec<Bitboard<W>>,
    index: HashMap<Box<[Ray]>, RayTable>,
}

impl<const W: usize> RayTables<W> {
    /// The memory limit for all tables of a game. A 32×32 board with chess pieces needs a quarter.
    const BYTES_MAX: usize = 16 << 20;

    pub(crate) fn new(squares: usize, jumps: Arc<JumpTable>) -> Self {
        RayTables { jumps, squares, rays: Vec::new(), tables: Vec::new(), index: HashMap::new() }
    }

    /// Adds a set of rays.
    pub(crate) fn add(&mut self, mut rays: Vec<Ray>) -> RayTable {
        rays.sort_unstable();
        rays.dedup();
        let rays: Box<[Ray]> = rays.into();
        if let Some(table) = self.index.get(&rays) {
            return *table;
        }
        let mut table = RayTable { start: u32::MAX, number: self.rays.len() as u32 };
        let start = self.tables.len();
        if (start + self.squares) * size_of::<Bitboard<W>>() <= Self::BYTES_MAX {
            table.start = start as u32;
            let squares = (0..self.squares as u16).map(Square);
            self.tables.extend(squares.map(|from| walk(&rays, &self.jumps, from)));
        }
        self.rays.push(rays.clone());
        self.index.insert(rays, table);
        table
    }

    /// Returns the squares of a set of rays from one square.
    pub(crate) fn from(&self, table: RayTable, square: Square) -> Bitboard<W> {
        match self.tables.get(table.start as usize + square.index()) {
            Some(set) => *set,
            None => self.walk(table, square),
        }
    }

    #[cold]
    fn walk(&self, table: RayTable, square: Square) -> Bitboard<W> {
        walk(&self.rays[table.number as usize], &self.jumps, square)
    }

    /// Returns whether the board neither wraps nor has links.
    pub(crate) fn is_flat(&self) -> bool {
        self.jumps.is_flat
    }

    /// Returns the square one step away.
    pub(crate) fn step(&self, jump: Jump, from: Square) -> Option<Square> {
        self.jumps.to(jump, from)
    }

    /// Returns the offset of a jump.
    pub(crate) fn offset(&self, jump: Jump) -> Offset {
        self.jumps.offset(jump)
    }
}

fn walk<const W: usize>(rays: &[Ray], jumps: &JumpTable, from: Square) -> Bitboard<W> {
    rays.iter().flat_map(|ray| ray.squares(jumps, from)).map(|(_, square)| square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::Board;

    #[test]
    fn rays_without_a_table_give_the_same_squares() {
        let board = Board::new(32, 32, &[(5, 5)]).expect("a valid board");
        let mut jumps = JumpTable::new(&board);
        let steps: Vec<Jump> = (1..32)
            .flat_map(|dx| (0..6).map(move |dy| Offset::new(dx, dy - 3)))
            .map(|offset| jumps.add(&board, offset))
            .collect();
        let jumps = Arc::new(jumps);
        let ray_tables = |steps: &mut dyn Iterator<Item = &Jump>| {
            let mut ray_tables: RayTables<16> = RayTables::new(board.len(), Arc::clone(&jumps));
            let all: Vec<RayTable> = steps.map(|step| ray_tables.add(vec![Ray::full(*step)])).collect();
            (ray_tables, all)
        };
        let (forward, forward_all) = ray_tables(&mut steps.iter());
        let (back, back_all) = ray_tables(&mut steps.iter().rev());
        assert!(forward_all.iter().any(|table| table.start == u32::MAX), "the tables do not all fit");
        for (one, other) in forward_all.iter().zip(back_all.iter().rev()) {
            assert!(one.start != u32::MAX || other.start != u32::MAX, "some step has no table either ray");
            for square in board.squares() {
                assert_eq!(forward.from(*one, square), back.from(*other, square));
            }
        }
    }
}
