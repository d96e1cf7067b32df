//! The board from each player's point of view: squares as rows and columns, with forwards up.

use crate::orientation::Lattice;
use crate::piece::Player;
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// The cells of all players.
#[derive(Clone, Debug)]
pub struct Perspective {
    /// The number of rows.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// By player and square: the cell number, row by row from the top.
    cells: Vec<Box<[u16]>>,
}

impl Perspective {
    /// Rotates the view of each player as the rules rotate its moves, so that forwards is up for all. If a board is not
    /// square and some player sees it from the side, the grid has as many rows as columns; cells beyond the board stay
    /// empty, at the top or on the right.
    ///
    /// Hexagons and levels are seen in the rectangle around them, the highest level first. It is rotated if all squares stay
    /// inside for every player; otherwise all players see the board as drawn.
    pub fn new(rules: &Rules) -> Self {
        if rules.board().levels() > 1 || rules.board().lattice() == Lattice::Hex {
            return Perspective::around(rules);
        }
        let (files, ranks) = (usize::from(rules.board().files()), usize::from(rules.board().ranks()));
        let is_turned = |player: Player| rules.player(player).orientation.turn(Offset::new(0, 1)).dy == 0;
        let turned = rules.players().any(is_turned);
        let side = files.max(ranks);
        let (rows, columns) = if turned { (side, side) } else { (ranks, files) };
        let cells = rules.players().map(|player| {
            // Coordinates relative to the centre of the board, in half steps.
            let place = |square: usize| {
                let (x, y) = rules.board().coords(Square(square as u16));
                let out = Offset::new(2 * x - (files as i32 - 1), 2 * y - (ranks as i32 - 1));
                let seen = rules.player(player).orientation.back(out);
                let (width, height) = if is_turned(player) { (ranks, files) } else { (files, ranks) };
                let column = (seen.dx + width as i32 - 1) / 2;
                let row = rows as i32 - 1 - (seen.dy + height as i32 - 1) / 2;
                (row as usize * columns + column as usize) as u16
            };
            (0..rules.board().len()).map(place).collect()
        });
        Perspective { rows, columns, cells: cells.collect() }
    }

    /// Returns the cells of hexagons or levels.
    fn around(rules: &Rules) -> Self {
        let board = rules.board();
        let (rows, columns) = (usize::from(board.ranks()), usize::from(board.files()));
        let sizes = [board.files(), board.level_ranks(), board.levels()].map(i32::from);
        let cell = |[x, y, z]: [i32; 3]| {
            let row = rows as i32 - 1 - (z * sizes[1] + y);
            (row as usize * columns + x as usize) as u16
        };
        let seen = |player: Player, square: Square| {
            let place = board.place(square);
            // Coordinates relative to the centre of the board, in half steps.
            let [dx, dy, dz] = [0, 1, 2].map(|axis| 2 * place[axis] - (sizes[axis] - 1));
            let Offset { dx, dy, dz } = rules.player(player).orientation.back(Offset::on_levels(dx, dy, dz));
            let back = [dx, dy, dz];
            let inside =
                (0..3).all(|axis| back[axis].abs() < sizes[axis] && (back[axis] + sizes[axis]) % 2 == 1);
            inside.then(|| [0, 1, 2].map(|axis| (back[axis] + sizes[axis] - 1) / 2))
        };
        let stays = |player: Player| board.squares().all(|square| seen(player, square).is_some());
        let is_rotated = rules.players().all(stays);
        let cells = rules.players().map(|player| {
            let place = |square: Square| {
                let seen = if is_rotated && board.has(square) { seen(player, square) } else { None };
                cell(seen.unwrap_or_else(|| board.place(square)))
            };
            (0..board.len()).map(|square| place(Square(square as u16))).collect()
        });
        Perspective { rows, columns, cells: cells.collect() }
    }

    /// Returns the cells of a player, by square.
    pub fn of(&self, player: Player) -> &[u16] {
        &self.cells[player.index()]
    }
}
