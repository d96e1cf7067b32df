//! The board: its size, its disabled squares, and lists of squares.

use std::collections::HashSet;

use crate::model::{BoardSpec, Coord, GlobalCondition};

use super::prelude::*;

/// The squares of the board.
pub(super) struct Board {
    pub(super) width: i32,
    pub(super) height: i32,
    disabled: HashSet<Coord>,
}

impl Board {
    /// Returns `None` if the squares of the board are unknown or if there are none.
    pub(super) fn new(spec: &BoardSpec) -> Option<Board> {
        let size = spec.dimensions.known().filter(|size| size_is_good(**size))?;
        let mut board = Board { width: size.x, height: size.y, disabled: HashSet::new() };
        board.disabled =
            spec.disabled_positions.iter().map(|at| **at).filter(|at| board.spans(*at)).collect();
        (board.disabled.len() < (board.width * board.height) as usize).then_some(board)
    }

    /// Whether the square is within the rectangle, disabled or not.
    pub(super) fn spans(&self, at: Coord) -> bool {
        (0..self.width).contains(&at.x) && (0..self.height).contains(&at.y)
    }

    /// Whether the square exists.
    pub(super) fn has(&self, at: Coord) -> bool {
        self.spans(at) && !self.disabled.contains(&at)
    }

    /// Returns all squares that exist.
    pub(super) fn squares(&self) -> impl Iterator<Item = Coord> + '_ {
        let all = (0..self.height).flat_map(|y| (0..self.width).map(move |x| Coord { x, y }));
        all.filter(|at| self.has(*at))
    }

    /// Reports a square outside the rectangle.
    pub(super) fn check_spans(&self, at: &At<Coord>, diags: &mut Diagnostics<'_>) {
        if !self.spans(**at) {
            diags.report_with_help(
                Code::SquareOffBoard,
                at.place(),
                format!("The square {} is not on the board.", **at),
                format!("the board has columns 0 to {} and rows 0 to {}", self.width - 1, self.height - 1),
            );
        }
    }
}

/// Checks the size of the board and its disabled squares.
pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let spec = &view.spec.board;
    common::at_most(&spec.disabled_positions, limits::SQUARES, "squares", diags);
    check_size(&spec.dimensions, diags);
    match &view.board {
        Some(board) => spec.disabled_positions.iter().for_each(|at| board.check_spans(at, diags)),
        None if spec.dimensions.known().is_some_and(|size| size_is_good(*size)) => diags.report_with_help(
            Code::NoSquares,
            spec.disabled_positions.place(),
            "Every square of the board is disabled.",
            "leave at least one square enabled",
        ),
        None => {}
    }
}

/// Warns about squares listed twice. For the squares of a tag, that is an error.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(board) = &view.board else { return };
    warn_duplicate_squares(&view.spec.board.disabled_positions, board, diags);
    for condition in view.spec.conditions.iter() {
        if let GlobalCondition::Position { check, .. } = &**condition {
            check.values().for_each(|list| warn_duplicate_squares(list, board, diags));
        }
    }
}

fn check_size(size: &At<Coord>, diags: &mut Diagnostics<'_>) {
    let Some(Coord { x, y }) = size.known().copied().filter(|size| !size_is_good(*size)) else { return };
    if x < 1 || y < 1 {
        let message = format!("A board cannot have {x} by {y} squares.");
        diags.report_with_help(Code::BoardSize, size.place(), message, "both dimensions must be at least 1");
    } else {
        let squares = i64::from(x) * i64::from(y);
        let message = format!("A board of {x} by {y} has {squares} squares.");
        let help = format!("a board may have at most {} squares", limits::SQUARES);
        diags.report_with_help(Code::BoardSize, size.place(), message, help);
    }
}

fn size_is_good(size: Coord) -> bool {
    let squares = i64::from(size.x) * i64::from(size.y);
    size.x >= 1 && size.y >= 1 && squares <= limits::SQUARES as i64
}

pub(super) fn warn_duplicate_squares(list: &[At<Coord>], board: &Board, diags: &mut Diagnostics<'_>) {
    let mut seen = HashSet::new();
    for at in list.iter().filter(|at| board.spans(***at)) {
        if !seen.insert(**at) {
            let message = format!("The square {} appears twice in this list.", **at);
            let help = "write the intended square, or remove this one";
            diags.report_with_help(Code::DuplicateSquare, at.place(), message, help);
        }
    }
}
