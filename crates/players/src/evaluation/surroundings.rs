//! What surrounds each square: the adjacent squares, and the lines that lead away from it.

use tabiya_engine::{Board, Offset, Square};

/// The greatest length of a line.
const MAX_LINE: usize = 8;

/// The surroundings of every square of a board.
#[derive(Clone, Debug)]
pub(super) struct Surroundings {
    /// By square and word: the adjacent squares as bits.
    pub(super) near: Vec<u64>,
    /// The squares along each line from each square, each with whether the line ends there.
    lines: Vec<(Square, bool)>,
    /// By square: where its lines begin; one more entry for the end.
    first: Vec<u32>,
}

impl Surroundings {
    pub(super) fn of(board: &Board) -> Self {
        let directions: Vec<Offset> = board.lattice().neighbours(board.levels()).collect();
        let words = board.len().div_ceil(64);
        let mut near = vec![0; board.len() * words];
        let (mut lines, mut first) = (Vec::new(), vec![0]);
        for square in (0..board.len() as u16).map(Square) {
            for offset in &directions {
                let next = |from: &Square| board.step(*from, *offset);
                let line: Vec<Square> =
                    std::iter::successors(board.step(square, *offset), next).take(MAX_LINE).collect();
                let last = line.len().saturating_sub(1);
                lines.extend(line.iter().enumerate().map(|(index, square)| (*square, index == last)));
                if let Some(beside) = line.first() {
                    near[square.index() * words + beside.index() / 64] |= 1 << (beside.index() % 64);
                }
            }
            first.push(lines.len() as u32);
        }
        Surroundings { near, lines, first }
    }

    /// Counts the empty squares on the lines from a square, each line up to the first piece.
    #[inline]
    pub(super) fn open_squares(&self, square: Square, is_empty: impl Fn(Square) -> bool) -> i32 {
        let index = square.index();
        let (mut count, mut is_blocked) = (0, false);
        for (seen, is_last) in &self.lines[self.first[index] as usize..self.first[index + 1] as usize] {
            is_blocked |= !is_empty(*seen);
            count += i32::from(!is_blocked);
            is_blocked &= !is_last;
        }
        count
    }
}
