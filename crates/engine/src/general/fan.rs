//! What can be seen from a square along some ways if nothing stands between: looked up, where the tables are not too
//! large, and walked where they would be. A fan answers the same both ways.

use std::collections::HashMap;
use std::sync::Arc;

use crate::general::set::Set;
use crate::jumps::Jumps;
use crate::rules::Jump;
use crate::square::{Offset, Square};

/// Steps in one direction, from the first to the last that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Way {
    pub(crate) jump: Jump,
    pub(crate) min: u32,
    pub(crate) max: u32,
}

impl Way {
    /// A single step.
    pub(crate) fn leap(jump: Jump) -> Self {
        Way { jump, min: 1, max: 1 }
    }

    /// As far as the board reaches.
    pub(crate) fn ray(jump: Jump) -> Self {
        Way { jump, min: 1, max: u32::MAX }
    }

    /// Its squares from a square, nearest first, each after how many steps.
    pub(crate) fn squares(
        self,
        jumps: &Jumps,
        from: Square,
    ) -> impl Iterator<Item = (u32, Square)> + use<'_> {
        let mut at = from;
        let steps = (1..=self.max).map_while(move |steps| {
            at = jumps.to(self.jump, at)?;
            Some((steps, at))
        });
        steps.filter(move |(steps, _)| *steps >= self.min)
    }
}

/// One fan of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fan {
    /// Where its table starts; beyond all tables if it has none.
    start: u32,
    number: u32,
}

/// All fans of a game, each made once.
pub(crate) struct Fans<const W: usize> {
    jumps: Arc<Jumps>,
    squares: usize,
    /// By number.
    ways: Vec<Box<[Way]>>,
    /// By square, one table after the other.
    tables: Vec<Set<W>>,
    index: HashMap<Box<[Way]>, Fan>,
}

impl<const W: usize> Fans<W> {
    /// What all tables of a game may take together; a board of 32 by 32 with the usual pieces takes a quarter.
    const BYTES_MAX: usize = 16 << 20;

    pub(crate) fn new(squares: usize, jumps: Arc<Jumps>) -> Self {
        Fans { jumps, squares, ways: Vec::new(), tables: Vec::new(), index: HashMap::new() }
    }

    /// The fan along these ways.
    pub(crate) fn add(&mut self, mut ways: Vec<Way>) -> Fan {
        ways.sort_unstable();
        ways.dedup();
        let ways: Box<[Way]> = ways.into();
        if let Some(fan) = self.index.get(&ways) {
            return *fan;
        }
        let mut fan = Fan { start: u32::MAX, number: self.ways.len() as u32 };
        let start = self.tables.len();
        if (start + self.squares) * size_of::<Set<W>>() <= Self::BYTES_MAX {
            fan.start = start as u32;
            let squares = (0..self.squares as u16).map(Square);
            self.tables.extend(squares.map(|from| walk(&ways, &self.jumps, from)));
        }
        self.ways.push(ways.clone());
        self.index.insert(ways, fan);
        fan
    }

    /// The squares of a fan from one square.
    pub(crate) fn from(&self, fan: Fan, square: Square) -> Set<W> {
        match self.tables.get(fan.start as usize + square.index()) {
            Some(set) => *set,
            None => self.walk(fan, square),
        }
    }

    #[cold]
    fn walk(&self, fan: Fan, square: Square) -> Set<W> {
        walk(&self.ways[fan.number as usize], &self.jumps, square)
    }

    /// One step.
    pub(crate) fn step(&self, jump: Jump, from: Square) -> Option<Square> {
        self.jumps.to(jump, from)
    }

    /// The offset of a step on the board.
    pub(crate) fn offset(&self, jump: Jump) -> Offset {
        self.jumps.offset(jump)
    }
}

fn walk<const W: usize>(ways: &[Way], jumps: &Jumps, from: Square) -> Set<W> {
    ways.iter().flat_map(|way| way.squares(jumps, from)).map(|(_, square)| square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::Board;

    #[test]
    fn a_fan_without_a_table_answers_the_same() {
        let board = Board::new(32, 32, &[(5, 5)]).expect("it has squares");
        let mut jumps = Jumps::new(&board);
        let steps: Vec<Jump> = (1..32)
            .flat_map(|dx| (0..6).map(move |dy| Offset::new(dx, dy - 3)))
            .map(|offset| jumps.add(&board, offset))
            .collect();
        let jumps = Arc::new(jumps);
        let fans = |steps: &mut dyn Iterator<Item = &Jump>| {
            let mut fans: Fans<16> = Fans::new(board.len(), Arc::clone(&jumps));
            let all: Vec<Fan> = steps.map(|step| fans.add(vec![Way::ray(*step)])).collect();
            (fans, all)
        };
        let (forth, forth_all) = fans(&mut steps.iter());
        let (back, back_all) = fans(&mut steps.iter().rev());
        assert!(forth_all.iter().any(|fan| fan.start == u32::MAX), "the tables do not all fit");
        for (one, other) in forth_all.iter().zip(back_all.iter().rev()) {
            assert!(one.start != u32::MAX || other.start != u32::MAX, "some step has no table either way");
            for square in board.squares() {
                assert_eq!(forth.from(*one, square), back.from(*other, square));
            }
        }
    }
}
