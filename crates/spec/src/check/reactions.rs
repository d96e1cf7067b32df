//! Reactions, which transform pieces when others are captured, and figures, which capture.

use std::collections::HashSet;

use crate::model::{Coord, FigureSpec};

use super::board::{Board, warn_duplicate_squares};
use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let (reactions, figures) = (&view.spec.reactions, &view.spec.figures);
    common::at_most(reactions, limits::LIST, "reactions", diags);
    for reaction in reactions.iter() {
        common::piece_list(&reaction.captured, view, diags);
        view.pieces.resolve(&reaction.piece, NameKind::Piece, diags);
        view.pieces.resolve(&reaction.to, NameKind::Piece, diags);
    }
    common::at_most(figures, limits::LIST, "figures", diags);
    figures.iter().for_each(|figure| check_figure(figure, view, diags));
}

/// Warns about duplicates, reactions without effect, and figures that do not fit.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for reaction in view.spec.reactions.iter() {
        common::warn_duplicate_pieces(&reaction.captured, diags);
        if reaction.piece.known().is_some_and(|code| reaction.to.known() == Some(code)) {
            let message = format!("`{}` would turn into itself.", shorten(&reaction.to));
            let help = "write the code of the piece that it becomes";
            diags.report_with_help(Code::NeverHappens, reaction.to.place(), message, help);
        }
    }
    let Some(board) = &view.board else { return };
    for figure in view.spec.figures.iter() {
        if let Some(anchors) = &figure.anchors {
            warn_duplicate_squares(anchors, board, diags);
        }
        if !has_room(figure, board) {
            let message = "The figure does not fit on this board.";
            let help = "`shape` is relative to the squares in `at`, and is not rotated";
            diags.report_with_help(Code::NeverHappens, figure.shape.place(), message, help);
        }
    }
}

fn check_figure(figure: &FigureSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    view.pieces.resolve(&figure.piece, NameKind::Piece, diags);
    common::not_empty(&figure.shape, "squares", diags);
    let mut seen = HashSet::new();
    for at in figure.shape.iter().filter(|at| !seen.insert(***at)) {
        let message = format!("The square {} appears twice in the figure.", **at);
        let help = "each square holds a piece of a different player: list it once";
        diags.report_with_help(Code::ImpossibleFigure, at.place(), message, help);
    }
    let players = view.spec.players.known().map(Vec::len);
    if let Some(players) = players.filter(|players| seen.len() > *players) {
        let message = format!("The figure has {} squares, but there are only {players} players.", seen.len());
        let help = "each piece of a figure belongs to a different player";
        diags.report_with_help(Code::ImpossibleFigure, figure.shape.place(), message, help);
    }
    if let Some(anchors) = &figure.anchors {
        common::not_empty(anchors, "squares", diags);
        common::at_most(anchors, limits::SQUARES, "squares", diags);
        if let Some(board) = &view.board {
            anchors.iter().for_each(|at| board.check_spans(at, diags));
        }
    }
}

/// Whether the figure fits on the board; true if part of it was not read. An overlong figure is reported elsewhere.
fn has_room(figure: &FigureSpec, board: &Board<'_>) -> bool {
    let Some(shape) = figure.shape.known().filter(|shape| shape.len() <= limits::PLAYERS) else {
        return true;
    };
    let fits = |anchor: Coord| shape.iter().all(|at| anchor.plus(**at).is_some_and(|there| board.has(there)));
    let Some(anchors) = &figure.anchors else { return board.squares().any(fits) };
    let anchors = anchors.known().filter(|list| !list.is_empty() && list.iter().all(|at| board.spans(**at)));
    anchors.is_none_or(|list| list.iter().any(|at| fits(**at)))
}
