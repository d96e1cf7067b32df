//! Parts of the board that depend on a move: the squares that counts and effects are about.

use smallvec::SmallVec;

use crate::blueprint::Anchor;
use crate::blueprint::ending::{Area, Flanks, Lines};
use crate::movegen::castling::line;
use crate::piece::Player;
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// The squares of a part of the board.
pub(crate) type Squares = SmallVec<[Square; 16]>;

/// The directions to the eight neighbours; diagonals have odd indices.
const DIRECTIONS: [Offset; 8] = [
    Offset::new(0, 1),
    Offset::new(1, 1),
    Offset::new(1, 0),
    Offset::new(1, -1),
    Offset::new(0, -1),
    Offset::new(-1, -1),
    Offset::new(-1, 0),
    Offset::new(-1, 1),
];

/// The move that a part of the board depends on.
#[derive(Clone, Copy)]
pub(crate) struct Place<'p> {
    pub(crate) rules: &'p Rules,
    pub(crate) position: &'p Position,
    /// The player who moves.
    pub(crate) player: Player,
    pub(crate) source: Square,
    pub(crate) target: Square,
}

impl Place<'_> {
    pub(crate) fn anchor(&self, anchor: Anchor) -> Square {
        match anchor {
            Anchor::Source => self.source,
            Anchor::Target => self.target,
        }
    }

    /// Returns the squares of an area, in an order that depends only on the board. `is_meant` says which pieces a run of
    /// flanked pieces may consist of. Hands have no squares.
    pub(crate) fn squares(&self, area: Area, is_meant: impl Fn(Square) -> bool) -> Squares {
        let board = &self.rules.board;
        let step = |from, offset| board.step(from, offset);
        let all = |is_included: &dyn Fn((i32, i32), (i32, i32)) -> bool, anchor| {
            let at = board.coords(self.anchor(anchor));
            board.squares().filter(|square| is_included(board.coords(*square), at)).collect()
        };
        match area {
            Area::File(anchor) => all(&|(x, _), (at, _)| x == at, anchor),
            Area::Rank(anchor) => all(&|(_, y), (_, at)| y == at, anchor),
            Area::Adjacent(anchor) => {
                DIRECTIONS.iter().filter_map(|offset| step(self.anchor(anchor), *offset)).collect()
            }
            Area::Square(anchor) => SmallVec::from_slice(&[self.anchor(anchor)]),
            Area::Between => {
                let (source, target) = (self.source, self.target);
                line(board, source, target).filter(|square| ![source, target].contains(square)).collect()
            }
            Area::Behind => {
                self.direction().and_then(|it| step(self.source, it.reversed())).into_iter().collect()
            }
            Area::Ahead => self.direction().and_then(|it| step(self.target, it)).into_iter().collect(),
            Area::Flanked(anchor, flanks) => self.flanked(self.anchor(anchor), flanks, &is_meant),
            Area::Attacked(anchor) => self.attacked(self.anchor(anchor)),
            Area::Hand => SmallVec::new(),
        }
    }

    /// Returns the direction of the move, if it has one.
    fn direction(&self) -> Option<Offset> {
        let board = &self.rules.board;
        let ((x, y), (to_x, to_y)) = (board.coords(self.source), board.coords(self.target));
        (self.source != self.target).then(|| Offset::new(to_x - x, to_y - y).unit().0)
    }

    /// Returns the squares of all runs that begin beside a square and end before an own piece.
    fn flanked(&self, anchor: Square, flanks: Flanks, is_meant: &dyn Fn(Square) -> bool) -> Squares {
        let board = &self.rules.board;
        let longest = flanks.run.map_or(usize::MAX, |run| run as usize);
        let mut found = Squares::new();
        for (index, direction) in DIRECTIONS.iter().enumerate() {
            let is_diagonal = index % 2 == 1;
            let is_line = match flanks.lines {
                Lines::All => true,
                Lines::Orthogonal => !is_diagonal,
                Lines::Diagonal => is_diagonal,
            };
            let begin = found.len();
            let mut next = board.step(anchor, *direction).filter(|_| is_line);
            while let Some(square) = next.filter(|square| is_meant(*square)) {
                found.push(square);
                next = board.step(square, *direction);
            }
            let ends = next.is_some_and(|end| end != anchor && self.position.owned_by(self.player, end));
            if !ends || found.len() - begin > longest {
                found.truncate(begin);
            }
        }
        found
    }

    /// Returns the squares of the enemies that the piece on a square could capture.
    fn attacked(&self, from: Square) -> Squares {
        let spot = Spot::host(from);
        let Some(piece) = self.position.piece_at(spot) else { return Squares::new() };
        let team = self.rules.team(piece.player);
        let others = self.position.pieces().filter(|(_, other)| !team.contains(other.player));
        let squares = others.map(|(square, _)| square);
        squares.filter(|square| self.rules.captures_on(self.position, (spot, piece), *square)).collect()
    }
}
