//! Changes that follow from a move elsewhere: pieces that become others when one is captured, and figures that capture.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Coord, FigureSpec};
use crate::read::shorten;

use super::board::{Board, suspect_twice};
use super::lists;
use super::names::Kind;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let (reactions, figures) = (&view.spec.reactions, &view.spec.figures);
    lists::at_most(reactions, limits::LIST, "reactions", faults);
    for reaction in reactions.iter() {
        lists::not_empty(&reaction.captured, "pieces", faults);
        lists::at_most(&reaction.captured, limits::PIECES, "pieces", faults);
        let pieces = reaction.captured.iter().chain([&reaction.piece, &reaction.to]);
        pieces.for_each(|code| view.pieces.resolve(code, Kind::Piece, faults));
    }
    lists::at_most(figures, limits::LIST, "figures", faults);
    figures.iter().for_each(|figure| check_figure(figure, view, faults));
}

/// What stands twice, comes to nothing or has no room.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    for reaction in view.spec.reactions.iter() {
        lists::suspect_pieces(&reaction.captured, faults);
        if reaction.piece.known().is_some_and(|code| reaction.to.known() == Some(code)) {
            let message = format!("`{}` would become what it is.", shorten(&reaction.to));
            let help = "write what it becomes; what it becomes is a fresh piece";
            faults.report_with_help(Code::NeverHappens, reaction.to.place(), message, help);
        }
    }
    let Some(board) = &view.board else { return };
    for figure in view.spec.figures.iter() {
        if let Some(anchors) = &figure.anchors {
            suspect_twice(anchors, board, faults);
        }
        if !has_room(figure, board) {
            let message = "On this board there is no room for the figure.";
            let help = "`shape` counts from the squares in `at`, and is not turned";
            faults.report_with_help(Code::NeverHappens, figure.shape.place(), message, help);
        }
    }
}

fn check_figure(figure: &FigureSpec, view: &View<'_>, faults: &mut Faults<'_>) {
    view.pieces.resolve(&figure.piece, Kind::Piece, faults);
    lists::not_empty(&figure.shape, "squares", faults);
    let mut seen = HashSet::new();
    for at in figure.shape.iter().filter(|at| !seen.insert(***at)) {
        let message = format!("The square {} stands twice in the figure.", **at);
        let help = "each square holds the piece of another player: write it once";
        faults.report_with_help(Code::ImpossibleFigure, at.place(), message, help);
    }
    let players = view.spec.players.known().map(Vec::len);
    if let Some(players) = players.filter(|players| seen.len() > *players) {
        let message = format!("The figure has {} squares, but there are only {players} players.", seen.len());
        let help = "each piece of a figure belongs to another player";
        faults.report_with_help(Code::ImpossibleFigure, figure.shape.place(), message, help);
    }
    if let Some(anchors) = &figure.anchors {
        lists::not_empty(anchors, "squares", faults);
        lists::at_most(anchors, limits::SQUARES, "squares", faults);
        if let Some(board) = &view.board {
            anchors.iter().for_each(|at| board.check_spans(at, faults));
        }
    }
}

/// Whether the figure can stand anywhere; true if part of it was not read. A long one has been reported.
fn has_room(figure: &FigureSpec, board: &Board) -> bool {
    let Some(shape) = figure.shape.known().filter(|shape| shape.len() <= limits::PLAYERS) else {
        return true;
    };
    let fits = |anchor: Coord| {
        shape.iter().all(|at| {
            let there = anchor.x.checked_add(at.x).zip(anchor.y.checked_add(at.y));
            there.is_some_and(|(x, y)| board.has(Coord { x, y }))
        })
    };
    let Some(anchors) = &figure.anchors else { return board.squares().any(fits) };
    let anchors = anchors.known().filter(|list| !list.is_empty() && list.iter().all(|at| board.spans(**at)));
    anchors.is_none_or(|list| list.iter().any(|at| fits(**at)))
}
