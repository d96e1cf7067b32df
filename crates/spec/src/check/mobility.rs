//! Steps that no board of this size has room for, and pieces that can therefore never move. Geometry alone decides:
//! where a step can land at all, nothing is said, whatever the conditions of the move are.

use std::collections::HashMap;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::model::{Coord, Direction, MoveSpec, PieceSpec};
use crate::place::At;
use crate::read::shorten;

use super::board::Board;
use super::moves::landings;
use super::view::View;

pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let mut room = Room::new(view);
    for piece in view.spec.pieces.iter() {
        let stuck: Vec<&MoveSpec> =
            piece.moves.iter().map(|each| &**each).filter(|each| !room.lands(each)).collect();
        if piece.moves.known().is_some() && stuck.len() == piece.moves.len() {
            report_immobile(piece, faults);
        } else {
            for each in stuck {
                report_step(&each.step, faults);
            }
        }
    }
}

/// Where steps fit, for all players at once.
struct Room<'v> {
    /// `None` if part of it was not read, and everything is taken to fit.
    ground: Option<(&'v Board, Vec<Direction>)>,
    /// What was found out about a step and the number of steps before the first landing. Only steps that fit the
    /// rectangle are remembered, so that there cannot be many.
    known: HashMap<(Coord, i32), bool>,
}

impl<'v> Room<'v> {
    fn new(view: &'v View<'_>) -> Self {
        let mut directions = Vec::new();
        let mut whole = view.spec.players.known().is_some_and(|players| !players.is_empty());
        for player in view.spec.players.iter() {
            match player.direction.known() {
                Some(direction) if direction.is_symmetry() => {
                    if !directions.contains(direction) {
                        directions.push(*direction);
                    }
                }
                _ => whole = false,
            }
        }
        Room {
            ground: view.board.as_ref().filter(|_| whole).map(|board| (board, directions)),
            known: HashMap::new(),
        }
    }

    /// Whether the move can land on some square, from some square, for some player.
    fn lands(&mut self, each: &MoveSpec) -> bool {
        let (Some((board, directions)), Some(step), Some((first, _))) =
            (&self.ground, each.step.known(), landings(each))
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

/// Whether so many steps fit into the rectangle.
fn fits(board: &Board, step: Coord, times: i32) -> bool {
    let reach = |part: i32| i64::from(part.abs()) * i64::from(times);
    reach(step.x) < i64::from(board.width) && reach(step.y) < i64::from(board.height)
}

/// Whether so many steps lead from some square to another over squares that exist.
fn has_way(board: &Board, step: Coord, times: i32) -> bool {
    let after = |at: Coord, count: i32| Coord { x: at.x + step.x * count, y: at.y + step.y * count };
    // A step of [0,0] has been reported, and may come with any number of repetitions.
    let times = if step == Coord::default() { 1 } else { times };
    board.squares().any(|at| (1..=times).all(|count| board.has(after(at, count))))
}

fn report_step(step: &At<Coord>, faults: &mut Faults<'_>) {
    faults.report_with_help(
        Code::StepLeavesBoard,
        step.place(),
        format!("On this board the step {} lands nowhere, from any square.", **step),
        "write a shorter step, or remove the move",
    );
}

fn report_immobile(piece: &PieceSpec, faults: &mut Faults<'_>) {
    let why = if piece.moves.is_empty() { "it has no moves" } else { "no step of it fits the board" };
    faults.report_with_help(
        Code::ImmobilePiece,
        piece.moves.place(),
        format!("`{}` can never move: {why}.", shorten(&piece.code)),
        "give it a move, unless it is meant as an obstacle",
    );
}
