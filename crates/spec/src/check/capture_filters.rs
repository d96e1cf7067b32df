//! Limits on the pieces that an action captures: certain kinds, all but certain kinds, or the same tag.

use std::collections::HashSet;

use crate::model::{ActionKind, ActionSpec, Target};

use super::prelude::*;
use super::tag::report_no_tag;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for action in view.every_move().flat_map(|each| each.actions.iter()) {
        for list in [&action.piece, &action.not_piece].into_iter().flatten() {
            common::piece_list(list, view, diags);
        }
        match (action.state.known(), action.action.known()) {
            (Some(Target::Empty), Some(ActionKind::Move)) => check_idle(action, diags),
            (_, Some(ActionKind::Capture)) => check_some(action, view, diags),
            _ => {}
        }
        if let Some(same) = &action.same_tag
            && view.spec.tag.is_none()
        {
            report_no_tag(same, diags);
        }
    }
}

/// Warns about pieces listed twice.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let actions = view.every_move().flat_map(|each| each.actions.iter());
    for list in actions.flat_map(|action| [&action.piece, &action.not_piece]).flatten() {
        common::warn_duplicate_pieces(list, diags);
    }
}

/// Reports limits on an action that captures nothing.
fn check_idle(action: &ActionSpec, diags: &mut Diagnostics<'_>) {
    let keys: [(&str, Option<Place>); 3] = [
        ("piece", action.piece.as_ref().map(At::place)),
        ("not_piece", action.not_piece.as_ref().map(At::place)),
        ("same_tag", action.same_tag.as_ref().map(At::place)),
    ];
    for (key, place) in keys {
        if let Some(place) = place {
            let message = format!("This action captures nothing, so `{key}` has no effect.");
            let help = "move it to an action `CAPTURE`, or remove it";
            diags.report_with_help(Code::ImpossibleAction, place, message, help);
        }
    }
}

/// Reports an action whose lists exclude every piece.
fn check_some(action: &ActionSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
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
        let message = "These lists leave no piece that the action could capture.";
        let help = "remove a piece that it should capture";
        diags.report_with_help(Code::NoVictim, list.place(), message, help);
    }
}
