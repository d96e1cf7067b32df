//! The players: names, directions and turn order. Also the name and description of the game.

use std::collections::HashSet;

use tabiya_engine::Lattice;

use crate::model::{BoardSpec, Direction, PlayerSpec};

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let spec = view.spec;
    common::name(&spec.name, "The name of the game", diags);
    if let Some(about) = &spec.about {
        common::text_at_most(about, limits::ABOUT, "The description of the game", diags);
    }
    if let Some(leader) = &spec.leader {
        common::not_empty(&leader.pieces, "pieces", diags);
        common::at_most(&leader.pieces, limits::PIECES, "pieces", diags);
        leader.pieces.iter().for_each(|code| view.pieces.resolve(code, NameKind::Piece, diags));
        for name in leader.players.iter().flat_map(|players| players.iter()) {
            view.players.resolve(name, NameKind::Player, diags);
        }
    }
    common::not_empty(&spec.players, "players", diags);
    common::at_most(&spec.players, limits::PLAYERS, "players", diags);
    check_names(&spec.players, diags);
    spec.players.iter().for_each(|player| check_direction(&player.direction, &spec.board, diags));
    check_order(view, diags);
    check_start(view, diags);
    check_neutral(view, diags);
}

/// Checks that neutral players have no turns and no leaders.
fn check_neutral(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let is_neutral = |player: &PlayerSpec| player.neutral.as_ref().and_then(At::known) == Some(&true);
    let neutral: Vec<&str> =
        view.spec.players.iter().filter(|it| is_neutral(it)).map(|player| player.name.as_str()).collect();
    for name in view.spec.turns.order.iter().filter(|name| neutral.contains(&name.as_str())) {
        let message = format!("`{}` is neutral and has no turns.", shorten(name));
        let help = "leave the player out of the order, or leave out `neutral`";
        diags.report_with_help(Code::NeutralPlayer, name.place(), message, help);
    }
    let is_leader = |code: &At<String>| view.spec.leaders().any(|leader| leader.as_str() == code.as_str());
    for group in
        view.spec.players.iter().filter(|it| is_neutral(it)).flat_map(|it| it.starting_positions.iter())
    {
        if is_leader(&group.piece) {
            let message = "A neutral player has no leaders.";
            let help = "place another piece, or leave out `neutral`";
            diags.report_with_help(Code::NeutralPlayer, group.piece.place(), message, help);
        }
    }
}

fn check_names(players: &[At<PlayerSpec>], diags: &mut Diagnostics<'_>) {
    let mut seen = HashSet::new();
    for name in players.iter().map(|player| &player.name).filter(|name| name.known().is_some()) {
        common::name(name, "The name of a player", diags);
        if !seen.insert(name.as_str()) && !name.trim().is_empty() {
            let message = format!("Two players are named `{}`.", shorten(name));
            let help = "give each player its own name";
            diags.report_with_help(Code::DuplicatePlayer, name.place(), message, help);
        }
    }
}

fn check_direction(direction: &At<Direction>, board: &BoardSpec, diags: &mut Diagnostics<'_>) {
    if direction.known().is_some_and(|direction| direction.symmetry(board).is_none()) {
        let help = match board.lattice() {
            Lattice::Square => {
                "write `UP`, `DOWN`, `RIGHT` or `LEFT`, or a matrix with a single 1 or -1 in each row and column"
            }
            Lattice::Hex => {
                "write `UP` or `DOWN`, or one of the 12 matrices that turn hexagons into hexagons"
            }
        };
        diags.report_with_help(
            Code::BadDirection,
            direction.place(),
            "This matrix is neither a rotation nor a reflection of the board.",
            help,
        );
    }
}

fn check_order(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let turns = &view.spec.turns;
    common::not_empty(&turns.order, "slots of the turn order", diags);
    common::at_most(&turns.order, limits::SLOTS, "slots of the turn order", diags);
    turns.order.iter().for_each(|name| view.players.resolve(name, NameKind::Player, diags));
    common::at_least(turns.start_at.as_ref(), 0, "The slot at which the game starts", diags);
}

fn check_start(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let turns = &view.spec.turns;
    let (Some(start_at), Some(order)) = (&turns.start_at, turns.order.known()) else { return };
    // An empty order and a negative index are reported elsewhere.
    let Some(index) = start_at.known().filter(|index| **index >= 0) else { return };
    if !order.is_empty() && *index as usize >= order.len() {
        let message =
            format!("The game starts at slot {index}, but the order has only {} slots.", order.len());
        let help = format!("slots count from 0: the last one is {}", order.len() - 1);
        diags.report_with_help(Code::StartAtOutOfRange, start_at.place(), message, help);
    }
}
