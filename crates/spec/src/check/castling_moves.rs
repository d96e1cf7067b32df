//! Castling moves: their numbers, partners and targets.

use std::collections::HashSet;

use crate::model::{CastleSpec, Coord, PieceSpec};
use crate::read::Named;

use super::global_conditions::check_players;
use super::prelude::*;

/// How to fix a castling move that lacks a player.
const HELP: &str = "write a square for every player, or `[]` if the player does not castle this way";

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for piece in view.spec.pieces.iter() {
        let all = piece.moves.len() + piece.castling.len();
        if all > limits::MOVES && !piece.castling.is_empty() {
            let message = format!("The piece has {all} moves with castling; the limit is {}.", limits::MOVES);
            diags.report(Code::TooMany, piece.castling.place(), message);
        }
        check_ids(piece, diags);
        for castle in piece.castling.iter() {
            common::piece_list(&castle.with, view, diags);
            for targets in [&castle.to, &castle.with_to] {
                check_players(targets, "square", HELP, view, diags);
                check_squares(targets, view, diags);
            }
            check_lines(castle, diags);
        }
    }
}

/// Reports numbers that another move of the piece has.
fn check_ids(piece: &PieceSpec, diags: &mut Diagnostics<'_>) {
    let mut seen: HashSet<i32> = piece.moves.iter().filter_map(|each| each.id.known().copied()).collect();
    for castle in piece.castling.iter() {
        if let Some(id) = castle.id.known().filter(|id| !seen.insert(**id)) {
            let message = format!("Two moves of this piece have the id {id}.");
            diags.report_with_help(
                Code::DuplicateMoveId,
                castle.id.place(),
                message,
                "give each move its own number",
            );
        }
    }
}

/// Reports targets that are not one square of the board.
fn check_squares(targets: &At<Named<Vec<At<Coord>>>>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for list in targets.known().into_iter().flat_map(|targets| targets.values()) {
        if list.known().is_some_and(|list| list.len() > 1) {
            let message = format!("There are {} squares; a castling piece goes to one.", list.len());
            diags.report_with_help(Code::BadCastling, list.place(), message, "keep one square");
        }
        if let Some(board) = &view.board {
            list.iter().for_each(|at| board.check_spans(at, diags));
        }
    }
}

/// Reports pairs of targets that are not two squares of a rank or file.
fn check_lines(castle: &CastleSpec, diags: &mut Diagnostics<'_>) {
    let (Some(to), Some(with_to)) = (castle.to.known(), castle.with_to.known()) else { return };
    for (name, list) in to.iter() {
        let Some(other) = with_to.get(name).and_then(At::known) else { continue };
        let Some(list) = list.known().filter(|_| list.len() <= 1 && other.len() <= 1) else { continue };
        let message = match (list.first(), other.first()) {
            (Some(one), Some(two)) if **one == **two => "Both pieces would go to the same square.",
            (Some(one), Some(two)) if one.z != two.z || one.x != two.x && one.y != two.y => {
                "The two targets are not on one rank or file."
            }
            (Some(_), None) | (None, Some(_)) => "One of the two pieces has no target.",
            _ => continue,
        };
        let help =
            "write two squares of one rank or file, the partner on the side that it does not come from";
        diags.report_with_help(Code::BadCastling, castle.to.place(), message, help);
    }
}
