//! The rows in which a board is drawn with letters.

use crate::board::Board;
use crate::orientation::Lattice;
use crate::square::Square;

/// A row of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BoardRow {
    /// The level.
    pub level: u16,
    /// The rank, counted from 1; `None` if the row has hexagons of several ranks.
    pub rank: Option<u32>,
    /// By column; `None` for a hole or the gap between two hexagons.
    pub squares: Vec<Option<Square>>,
}

impl Board {
    /// Returns the rows in which the board is drawn, from top to bottom, the highest level first. Hexagons of neighbouring files
    /// are half a hexagon apart, so each row has those of every other file.
    pub fn rows(&self) -> Vec<BoardRow> {
        match self.lattice() {
            Lattice::Square => (0..self.ranks()).rev().map(|row| self.square_row(row)).collect(),
            Lattice::Hex => {
                let (files, ranks) = (i32::from(self.files()), i32::from(self.ranks()));
                let rows = (1 - files..2 * ranks).rev().map(|height| self.hex_row(height));
                let rows: Vec<BoardRow> = rows.collect();
                let is_empty = |row: &BoardRow| row.squares.iter().all(Option::is_none);
                let first = rows.iter().position(|row| !is_empty(row)).unwrap_or(0);
                let last = rows.iter().rposition(|row| !is_empty(row)).unwrap_or(0);
                rows[first..=last].to_vec()
            }
        }
    }

    fn square_row(&self, row: u16) -> BoardRow {
        let squares = (0..self.files()).map(|x| self.square(x.into(), row.into())).collect();
        let ranks = self.level_ranks();
        BoardRow { level: row / ranks, rank: Some(u32::from(row % ranks) + 1), squares }
    }

    /// Returns the hexagons at a height, counted in halves.
    fn hex_row(&self, height: i32) -> BoardRow {
        let hexagon =
            |x: i32| if (height + x) % 2 == 0 { self.square(x, i32::midpoint(height, x)) } else { None };
        let squares = (0..i32::from(self.files())).map(hexagon).collect();
        BoardRow { level: 0, rank: None, squares }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Topology;

    #[test]
    fn rows_of_hexagons_alternate() {
        let topology = Topology { lattice: Lattice::Hex, ..Topology::default() };
        let board = Board::with_topology(3, 3, &[(0, 2), (2, 0)], &topology).expect("seven hexagons");
        let drawn: Vec<String> = board
            .rows()
            .iter()
            .map(|row| row.squares.iter().map(|it| if it.is_some() { 'o' } else { ' ' }).collect())
            .collect();
        assert_eq!(drawn, [" o ", "o o", " o ", "o o", " o "]);
    }
}
