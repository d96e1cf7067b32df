//! Where the pieces start.

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
                start.positions.iter().for_each(|at| check_square(board, player, start, at, &mut taken, faults));
            }
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
