//! Which pieces an action captures: only some kinds, all but some, only those of the same tag.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{ActionKind, ActionSpec, Target};
use crate::place::{At, Place};

use super::lists;
use super::names::Kind;
use super::tag::report_no_tag;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    for action in view.moves().flat_map(|(_, each)| each.actions.iter()) {
        for list in [&action.piece, &action.not_piece].into_iter().flatten() {
            lists::not_empty(list, "pieces", faults);
            lists::at_most(list, limits::PIECES, "pieces", faults);
            list.iter().for_each(|code| view.pieces.resolve(code, Kind::Piece, faults));
        }
        match (action.state.known(), action.action.known()) {
            (Some(Target::Empty), Some(ActionKind::Move)) => check_idle(action, faults),
            (_, Some(ActionKind::Capture)) => check_some(action, view, faults),
            _ => {}
        }
        if let Some(same) = &action.same_tag
            && view.spec.tag.is_none()
        {
            report_no_tag(same, faults);
        }
    }
}

/// Pieces that stand twice in a list.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let actions = view.moves().flat_map(|(_, each)| each.actions.iter());
    for list in actions.flat_map(|action| [&action.piece, &action.not_piece]).flatten() {
        lists::suspect_pieces(list, faults);
    }
}

/// Whoever captures nothing has no victims to choose.
fn check_idle(action: &ActionSpec, faults: &mut Faults<'_>) {
    let keys: [(&str, Option<Place>); 3] = [
        ("piece", action.piece.as_ref().map(At::place)),
        ("not_piece", action.not_piece.as_ref().map(At::place)),
        ("same_tag", action.same_tag.as_ref().map(At::place)),
    ];
    for (key, place) in keys {
        if let Some(place) = place {
            let message = format!("This action captures nothing, so `{key}` says nothing.");
            let help = "put it to an action `CAPTURE`, or remove it";
            faults.report_with_help(Code::ImpossibleAction, place, message, help);
        }
    }
}

/// Some piece must be left that can be captured.
fn check_some(action: &ActionSpec, view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(never) = action.not_piece.as_ref().and_then(At::known) else { return };
    let never: HashSet<&str> = never.iter().map(|code| code.as_str()).collect();
    let is_never = |code: &str| never.contains(code);
    let nothing_left = match &action.piece {
        Some(only) => {
            only.known().is_some_and(|only| !only.is_empty() && only.iter().all(|code| is_never(code)))
        }
        None => view.pieces.all_found() && view.pieces.iter().all(is_never),
    };
    if let Some(list) = action.not_piece.as_ref().filter(|_| nothing_left) {
        let message = "No piece is left that this action could capture.";
        faults.report_with_help(Code::NoVictim, list.place(), message, "leave out a piece that it captures");
    }
}
