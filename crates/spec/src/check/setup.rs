//! Where the pieces start, and whether the players who own them face the board from there.

use std::collections::HashMap;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Coord, PlayerSpec, StartSpec};
use crate::place::At;
use crate::read::shorten;

use super::board::Board;
use super::lists;
use super::names::Kind;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let mut taken = HashMap::new();
    for player in view.spec.players.iter() {
        lists::at_most(&player.starting_positions, limits::SQUARES, "starting positions", faults);
        for start in player.starting_positions.iter() {
            view.pieces.resolve(&start.piece, Kind::Piece, faults);
            lists::at_most(&start.positions, limits::SQUARES, "squares", faults);
            if let Some(board) = &view.board {
                start
                    .positions
                    .iter()
                    .for_each(|at| check_square(board, player, start, at, &mut taken, faults));
            }
        }
    }
}

/// Players who face the wrong way: a transposed matrix marches an army off its own edge.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(board) = &view.board else { return };
    for player in view.spec.players.iter() {
        let Some(direction) = player.direction.known().filter(|direction| direction.is_symmetry()) else {
            continue;
        };
        let forward = direction.turn(Coord { x: 0, y: 1 });
        let Some(squares) = starting_squares(player, board) else { continue };
        let facing = squares.iter().filter(|at| faces_near_edge(board, **at, forward)).count();
        if facing * 2 > squares.len() {
            report_facing(player, forward, faults);
        }
    }
}

/// One piece on one square: at most one fault, the first that applies.
fn check_square<'g>(
    board: &Board,
    player: &'g PlayerSpec,
    start: &'g StartSpec,
    at: &At<Coord>,
    taken: &mut HashMap<Coord, (&'g PlayerSpec, &'g StartSpec)>,
    faults: &mut Faults<'_>,
) {
    if !board.spans(**at) {
        board.check_spans(at, faults);
    } else if !board.has(**at) {
        let message = format!("{} starts on {}, which is disabled.", owned(player, start), **at);
        let help = "a disabled square does not exist: choose another, or take it out of `disabled_positions`";
        faults.report_with_help(Code::SquareDisabled, at.place(), message, help);
    } else if let Some((other, first)) = taken.insert(**at, (player, start)) {
        let message = format!(
            "{} starts on {}, where {} stands already.",
            owned(player, start),
            **at,
            owned(other, first)
        );
        faults.report_with_help(Code::SquareTaken, at.place(), message, "a square holds one piece");
    }
}

fn owned(player: &PlayerSpec, start: &StartSpec) -> String {
    format!("`{}` of `{}`", shorten(&start.piece), shorten(&player.name))
}

/// Where the player starts, if all of it was read.
fn starting_squares(player: &PlayerSpec, board: &Board) -> Option<Vec<Coord>> {
    let starts = player.starting_positions.known()?;
    let lists: Option<Vec<_>> = starts.iter().map(|start| start.positions.known()).collect();
    Some(lists?.into_iter().flatten().map(|at| **at).filter(|at| board.spans(*at)).collect())
}

/// Whether there are fewer squares ahead than behind.
fn faces_near_edge(board: &Board, at: Coord, forward: Coord) -> bool {
    let right = board.width - 1 - at.x;
    let above = board.height - 1 - at.y;
    let (ahead, behind) = match (forward.x, forward.y) {
        (1, _) => (right, at.x),
        (-1, _) => (at.x, right),
        (_, 1) => (above, at.y),
        _ => (at.y, above),
    };
    ahead < behind
}

fn report_facing(player: &PlayerSpec, forward: Coord, faults: &mut Faults<'_>) {
    let way = match (forward.x, forward.y) {
        (1, _) => "right",
        (-1, _) => "left",
        (_, 1) => "up",
        _ => "down",
    };
    let message =
        format!("`{}` moves {way}, but most of its pieces start near that edge.", shorten(&player.name));
    let help = "turn it the other way: `UP`, `DOWN`, `RIGHT` and `LEFT` say which way a player moves";
    faults.report_with_help(Code::ForwardFacesEdge, player.direction.place(), message, help);
}
