//! Steps that do not fit the board, and pieces that can therefore never move. Only geometry counts: a step that fits
//! somewhere is not reported, even if its conditions never hold.

use std::collections::HashMap;

use crate::model::{Coord, Direction, MoveSpec, PieceSpec};

use super::board::Board;
use super::moves::landings;
use super::prelude::*;

pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let mut finder = StepFinder::new(view);
    let has_neutral = view.spec.players.iter().any(|player| player.neutral.is_some());
    for piece in view.spec.pieces.iter() {
        let stuck: Vec<&MoveSpec> =
            piece.moves.iter().map(|each| &**each).filter(|each| !finder.lands(each)).collect();
        if piece.moves.known().is_some() && stuck.len() == piece.moves.len() {
            // The pieces of neutral players are obstacles.
            if has_neutral && piece.moves.is_empty() {
                continue;
            }
            report_immobile(piece, diags);
        } else {
            for each in stuck {
                report_step(&each.step, diags);
            }
        }
    }
}

/// Finds out which steps fit the board for any player.
struct StepFinder<'v> {
    /// `None` if part of it was not read; then every step is taken to fit.
    board: Option<(&'v Board<'v>, Vec<Direction>)>,
    /// Results by step and number of steps to the first landing. Only steps that fit the rectangle are stored, so
    /// there cannot be many.
    known: HashMap<(Coord, i32), bool>,
}

impl<'v> StepFinder<'v> {
    fn new(view: &'v View<'_>) -> Self {
        let mut directions = Vec::new();
        let mut whole = view.spec.players.known().is_some_and(|players| !players.is_empty());
        for player in view.spec.players.iter() {
            match player.direction.known() {
                Some(direction) if direction.symmetry(&view.spec.board).is_some() => {
                    if !directions.contains(direction) {
                        directions.push(*direction);
                    }
                }
                _ => whole = false,
            }
        }
        StepFinder {
            board: view.board.as_ref().filter(|_| whole).map(|board| (board, directions)),
            known: HashMap::new(),
        }
    }

    /// Whether some player can make the move from some square.
    fn lands(&mut self, each: &MoveSpec) -> bool {
        let (Some((board, directions)), Some(step), Some((first, _))) =
            (&self.board, each.step.known(), landings(each))
        else {
            return true;
        };
        directions.iter().any(|direction| {
            let step = direction.turn(*step);
            fits(board, step, first)
                && *self.known.entry((step, first)).or_insert_with(|| has_way(board, step, first))
        })
    }
}

/// Whether this many steps fit in the rectangle.
fn fits(board: &Board<'_>, step: Coord, times: i32) -> bool {
    let reach = |part: i32| i64::from(part.unsigned_abs()) * i64::from(times);
    let parts = [step.x, step.y, step.z].into_iter().zip(board.sizes());
    !board.is_flat() || parts.into_iter().all(|(part, size)| reach(part) < i64::from(size))
}

/// Whether this many steps lead from some square to another over existing squares.
fn has_way(board: &Board<'_>, step: Coord, times: i32) -> bool {
    // A step of [0,0] is reported elsewhere and may have any number of repetitions.
    let times = if step == Coord::default() { 1 } else { times };
    board.squares().any(|at| step == Coord::default() || board.has_way(at, step, times))
}

fn report_step(step: &At<Coord>, diags: &mut Diagnostics<'_>) {
    let message = format!("The step {} leaves this board from every square.", **step);
    let help = "write a shorter step, or remove the move";
    diags.report_with_help(Code::StepLeavesBoard, step.place(), message, help);
}

fn report_immobile(piece: &PieceSpec, diags: &mut Diagnostics<'_>) {
    let why = if piece.moves.is_empty() { "it has no moves" } else { "none of its steps fits the board" };
    let message = format!("`{}` can never move: {why}.", shorten(&piece.code));
    let help = "give it a move, unless it is an obstacle";
    diags.report_with_help(Code::ImmobilePiece, piece.moves.place(), message, help);
}
