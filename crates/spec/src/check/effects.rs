//! The actions of a move, at most one for each state of the landing square, and its side effects.

use crate::model::{ActionKind, ActionSpec, Coord, Effect, MoveSpec, Target};

use super::moves::landings;
use super::prelude::*;
use super::view::effect_lists;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for each in view.every_move() {
        common::not_empty(&each.actions, "actions", diags);
        common::at_most(&each.actions, limits::LIST, "actions", diags);
        check_states(&each.actions, diags);
        each.actions.iter().for_each(|action| check_action(action, diags));
    }
    for list in view.every_move().flat_map(effect_lists) {
        common::at_most(list, limits::LIST, "side effects", diags);
        for effect in list.iter() {
            match &**effect {
                Effect::SetState { duration, .. } => {
                    common::at_least(duration.as_ref(), 1, "The duration of the flag", diags);
                }
                Effect::Move { piece: Some(piece), .. } => view.pieces.resolve(piece, NameKind::Piece, diags),
                Effect::Move { piece: None, .. } | Effect::Capture { .. } | Effect::CaptureMarked { .. } => {}
                Effect::Drop { piece, .. } => super::gating::check_drop(piece, view, diags),
            }
        }
    }
}

/// Warns about effects that do nothing or remove the moving piece.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for each in view.every_move() {
        let landing = only_landing(each);
        for effect in effect_lists(each).flat_map(|list| list.iter()) {
            warn_effect(effect, landing, diags);
        }
    }
}

/// Returns the offset of the landing square, if there is only one.
pub(crate) fn only_landing(each: &MoveSpec) -> Option<Coord> {
    let step = each.step.known()?;
    match landings(each)? {
        (first, Some(last)) if first == last => step.times(first),
        _ => None,
    }
}

fn check_states(actions: &[At<ActionSpec>], diags: &mut Diagnostics<'_>) {
    let mut seen = Vec::new();
    for state in actions.iter().map(|action| &action.state) {
        let Some(target) = state.known() else { continue };
        if seen.contains(target) {
            let message = format!("Two actions of this move have the state `{}`.", target.as_str());
            let help = "only one action can apply: merge them, or split the move in two";
            diags.report_with_help(Code::DuplicateAction, state.place(), message, help);
        } else {
            seen.push(*target);
        }
    }
}

fn check_action(action: &ActionSpec, diags: &mut Diagnostics<'_>) {
    let (Some(state), Some(kind)) = (action.state.known(), action.action.known()) else { return };
    let (message, help) = match (state, kind) {
        (Target::Empty, ActionKind::Capture) => (
            "There is nothing to capture on an empty square.",
            "write `MOVE`, or change the state to `ENEMY`",
        ),
        (Target::Enemy | Target::Ally | Target::Team, ActionKind::Move) => (
            "A piece cannot move to an occupied square without capturing.",
            "write `CAPTURE`, or change the state to `EMPTY`",
        ),
        (Target::Empty, ActionKind::Move)
        | (Target::Enemy | Target::Ally | Target::Team, ActionKind::Capture)
        | (_, ActionKind::Shoot) => return,
    };
    diags.report_with_help(Code::ImpossibleAction, action.action.place(), message, help);
}

fn warn_effect(effect: &Effect, landing: Option<Coord>, diags: &mut Diagnostics<'_>) {
    match effect {
        Effect::Move { from, to, .. } if from.known().is_some() && from.known() == to.known() => {
            let message = format!("This effect moves a piece from {} to the same square.", **from);
            let help = "write where the piece goes, or remove the effect";
            diags.report_with_help(Code::EffectGoesNowhere, to.place(), message, help);
        }
        Effect::Capture { target } if target.known().is_some() && target.known() == landing.as_ref() => {
            let message = format!(
                "This effect captures on {}, where the moving piece lands, so the piece removes itself.",
                **target
            );
            let help = "an action `CAPTURE` already removes the piece on the landing square";
            diags.report_with_help(Code::CapturesItself, target.place(), message, help);
        }
        _ => {}
    }
}
