//! The players: their names and which way they face. Also the name of the game, which is a name like theirs.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Direction, PlayerSpec};
use crate::place::At;
use crate::read::shorten;

use super::lists;
use super::names::Kind;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let spec = view.spec;
    lists::name(&spec.name, "The name of the game", faults);
    if let Some(about) = &spec.about {
        lists::text_at_most(about, limits::ABOUT, "The sentence about the game", faults);
    }
    if let Some(leader) = &spec.leader {
        view.pieces.resolve(leader, Kind::Piece, faults);
    }
    lists::not_empty(&spec.players, "players", faults);
    lists::at_most(&spec.players, limits::PLAYERS, "players", faults);
    check_names(&spec.players, faults);
    spec.players.iter().for_each(|player| check_direction(&player.direction, faults));
}

fn check_names(players: &[At<PlayerSpec>], faults: &mut Faults<'_>) {
    let mut seen = HashSet::new();
    for name in players.iter().map(|player| &player.name).filter(|name| name.known().is_some()) {
        lists::name(name, "The name of a player", faults);
        if !seen.insert(name.as_str()) && !name.trim().is_empty() {
            let message = format!("Two players are called `{}`.", shorten(name));
            faults.report_with_help(
                Code::DuplicatePlayer,
                name.place(),
                message,
                "give each player its own name",
            );
        }
    }
}

fn check_direction(direction: &At<Direction>, faults: &mut Faults<'_>) {
    if direction.known().is_some_and(|direction| !direction.is_symmetry()) {
        faults.report_with_help(
            Code::BadDirection,
            direction.place(),
            "This matrix is neither a quarter turn of the board nor a mirror image of one.",
            "write `UP`, `DOWN`, `RIGHT` or `LEFT`, or a matrix with a single 1 or -1 in each row and column",
        );
    }
}
