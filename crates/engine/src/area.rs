//! Parts of the board that depend on a move: the squares that counts and effects are about.

use smallvec::SmallVec;

use crate::blueprint::Anchor;
use crate::blueprint::ending::{Area, Flanks, Lines};
use crate::board::Board;
use crate::movegen::castling::line;
use crate::orientation::Lattice;
use crate::piece::Player;
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// The squares of a part of the board.
pub(crate) type Squares = SmallVec<[Square; 16]>;

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
        let all = |is_included: &dyn Fn([i32; 3], [i32; 3]) -> bool, anchor| {
            let at = board.place(self.anchor(anchor));
            board.squares().filter(|square| is_included(board.place(*square), at)).collect()
        };
        match area {
            Area::File(anchor) => all(&|[x, _, level], [at, _, z]| (x, level) == (at, z), anchor),
            Area::Rank(anchor) => all(&|[_, y, level], [_, at, z]| (y, level) == (at, z), anchor),
            Area::Adjacent(anchor) => board.neighbours(self.anchor(anchor)).into(),
            Area::Square(anchor) => SmallVec::from_slice(&[self.anchor(anchor)]),
            Area::Between => {
                let (source, target) = (self.source, self.target);
                line(board, source, target).filter(|square| ![source, target].contains(square)).collect()
            }
            Area::Behind => {
                self.direction().and_then(|it| board.within(self.source, it.reversed())).into_iter().collect()
            }
            Area::Ahead => {
                self.direction().and_then(|it| board.within(self.target, it)).into_iter().collect()
            }
            Area::Flanked(anchor, flanks) => self.flanked(self.anchor(anchor), flanks, &is_meant),
            Area::Attacked(anchor) => self.attacked(self.anchor(anchor)),
            Area::Hand => SmallVec::new(),
        }
    }

    /// Returns the direction of the move on the board as drawn, if it has one.
    fn direction(&self) -> Option<Offset> {
        let board = &self.rules.board;
        let ([x, y, z], [to_x, to_y, to_z]) = (board.place(self.source), board.place(self.target));
        (self.source != self.target).then(|| Offset::on_levels(to_x - x, to_y - y, to_z - z).unit().0)
    }

    /// Returns the squares of all runs that begin beside a square and end before an own piece.
    fn flanked(&self, anchor: Square, flanks: Flanks, is_meant: &dyn Fn(Square) -> bool) -> Squares {
        let board = &self.rules.board;
        let longest = flanks.run.map_or(usize::MAX, |run| run as usize);
        let steps = board.lattice().neighbours(board.levels());
        let mut found = Squares::new();
        for step in steps.filter(|step| has_direction(board, *step, flanks.lines)) {
            let begin = found.len();
            let mut next = board.step_onward(anchor, step);
            while let Some((square, onward)) = next
                && square != anchor
                && is_meant(square)
                && !found[begin..].contains(&square)
            {
                found.push(square);
                next = board.step_onward(square, onward);
            }
            let ends = next.is_some_and(|(end, _)| end != anchor && self.position.owned_by(self.player, end));
            if !ends || found.len() - begin > longest {
                found.truncate(begin);
            }
        }
        found.sort_unstable();
        found.dedup();
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

/// Returns whether lines of a kind have a direction. Hexagons have no diagonals.
fn has_direction(board: &Board, step: Offset, lines: Lines) -> bool {
    let axes = [step.dx, step.dy, step.dz].into_iter().filter(|by| *by != 0).count();
    if board.lattice() == Lattice::Hex {
        lines.files || lines.ranks
    } else if axes > 1 {
        lines.diagonals
    } else {
        lines.files && step.dx == 0 || lines.ranks && step.dy == 0
    }
}
