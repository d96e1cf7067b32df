//! The players: their names, which way they face, and when they move. Also what the game says about itself, which
//! is names as well.

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
        view.pieces.resolve(&leader.piece, Kind::Piece, faults);
    }
    lists::not_empty(&spec.players, "players", faults);
    lists::at_most(&spec.players, limits::PLAYERS, "players", faults);
    check_names(&spec.players, faults);
    spec.players.iter().for_each(|player| check_direction(&player.direction, faults));
    check_order(view, faults);
    check_start(view, faults);
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

fn check_order(view: &View<'_>, faults: &mut Faults<'_>) {
    let turns = &view.spec.turns;
    lists::not_empty(&turns.order, "slots of the turn order", faults);
    lists::at_most(&turns.order, limits::SLOTS, "slots of the turn order", faults);
    turns.order.iter().for_each(|name| view.players.resolve(name, Kind::Player, faults));
    lists::at_least(turns.start_at.as_ref(), 0, "The slot at which the game starts", faults);
}

fn check_start(view: &View<'_>, faults: &mut Faults<'_>) {
    let turns = &view.spec.turns;
    let (Some(start_at), Some(order)) = (&turns.start_at, turns.order.known()) else { return };
    // An empty order and a negative index have been reported.
    let Some(index) = start_at.known().filter(|index| **index >= 0) else { return };
    if !order.is_empty() && *index as usize >= order.len() {
        let message = format!("The game starts at slot {index}, but the order has only {}.", order.len());
        let help = format!("slots count from 0: the last one is {}", order.len() - 1);
        faults.report_with_help(Code::StartAtOutOfRange, start_at.place(), message, help);
    }
}
