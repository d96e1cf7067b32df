//! The board: its size, the squares that it lacks, and every list of squares.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{BoardSpec, Coord, GlobalCondition};
use crate::place::At;

use super::lists;
use super::view::View;

/// The squares that there are.
pub(super) struct Board {
    pub(super) width: i32,
    pub(super) height: i32,
    disabled: HashSet<Coord>,
}

impl Board {
    /// `None` if there is no telling which squares the board has, or if it has none.
    pub(super) fn new(spec: &BoardSpec) -> Option<Board> {
        let size = spec.dimensions.known().filter(|size| size_is_good(**size))?;
        let mut board = Board { width: size.x, height: size.y, disabled: HashSet::new() };
        board.disabled =
            spec.disabled_positions.iter().map(|at| **at).filter(|at| board.spans(*at)).collect();
        (board.disabled.len() < (board.width * board.height) as usize).then_some(board)
    }

    /// Whether the square lies within the rectangle, disabled or not.
    pub(super) fn spans(&self, at: Coord) -> bool {
        (0..self.width).contains(&at.x) && (0..self.height).contains(&at.y)
    }

    /// Whether a piece can stand there.
    pub(super) fn has(&self, at: Coord) -> bool {
        self.spans(at) && !self.disabled.contains(&at)
    }

    /// Every square on which a piece can stand.
    pub(super) fn squares(&self) -> impl Iterator<Item = Coord> + '_ {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| Coord { x, y }));
        all.filter(|at| self.has(*at))
    }

    /// Reports a square that lies outside the rectangle.
    pub(super) fn check_spans(&self, at: &At<Coord>, faults: &mut Faults<'_>) {
        if !self.spans(**at) {
            faults.report_with_help(
                Code::SquareOffBoard,
                at.place(),
                format!("The square {} is not on the board.", **at),
                format!(
                    "the board has the columns 0 to {} and the rows 0 to {}",
                    self.width - 1,
                    self.height - 1
                ),
            );
        }
    }
}

/// Errors of the board itself.
pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let spec = &view.spec.board;
    lists::at_most(&spec.disabled_positions, limits::SQUARES, "squares", faults);
    check_size(&spec.dimensions, faults);
    match &view.board {
        Some(board) => spec.disabled_positions.iter().for_each(|at| board.check_spans(at, faults)),
        None if spec.dimensions.known().is_some_and(|size| size_is_good(*size)) => faults.report_with_help(
            Code::NoSquares,
            spec.disabled_positions.place(),
            "Every square of the board is disabled.",
            "leave at least one square",
        ),
        None => {}
    }
}

/// Squares that are listed twice. Those of a tag are an error of their own.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(board) = &view.board else { return };
    suspect_twice(&view.spec.board.disabled_positions, board, faults);
    for condition in view.spec.conditions.iter() {
        if let GlobalCondition::Position { check, .. } = &**condition {
            check.values().for_each(|list| suspect_twice(list, board, faults));
        }
    }
}

fn check_size(size: &At<Coord>, faults: &mut Faults<'_>) {
    let Some(Coord { x, y }) = size.known().copied().filter(|size| !size_is_good(*size)) else { return };
    if x < 1 || y < 1 {
        let message = format!("A board of {x} by {y} squares is no board.");
        faults.report_with_help(Code::BoardSize, size.place(), message, "both dimensions are at least 1");
    } else {
        let squares = i64::from(x) * i64::from(y);
        let message = format!("A board of {x} by {y} has {squares} squares.");
        let help = format!("a board has at most {} squares", limits::SQUARES);
        faults.report_with_help(Code::BoardSize, size.place(), message, help);
    }
}

fn size_is_good(size: Coord) -> bool {
    let squares = i64::from(size.x) * i64::from(size.y);
    size.x >= 1 && size.y >= 1 && squares <= limits::SQUARES as i64
}

pub(super) fn suspect_twice(list: &[At<Coord>], board: &Board, faults: &mut Faults<'_>) {
    let mut seen = HashSet::new();
    for at in list.iter().filter(|at| board.spans(***at)) {
        if !seen.insert(**at) {
            let message = format!("The square {} stands twice in this list.", **at);
            faults.report_with_help(
                Code::DuplicateSquare,
                at.place(),
                message,
                "write the square that was meant, or remove this one",
            );
        }
    }
}
