//! What a move does: on its landing square, where each thing that may stand there has at most one action, and
//! elsewhere, by side effects.

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{ActionKind, ActionSpec, Coord, Effect, MoveSpec, Target};
use crate::place::At;

use super::lists;
use super::moves::landings;
use super::names::Kind;
use super::view::{View, effect_lists};

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    for (_, each) in view.moves() {
        lists::not_empty(&each.actions, "actions", faults);
        lists::at_most(&each.actions, limits::LIST, "actions", faults);
        check_states(&each.actions, faults);
        each.actions.iter().for_each(|action| check_action(action, faults));
    }
    for list in view.moves().flat_map(|(_, each)| effect_lists(each)) {
        lists::at_most(list, limits::LIST, "side effects", faults);
        for effect in list.iter() {
            match &**effect {
                Effect::SetState { duration, .. } => {
                    lists::at_least(duration.as_ref(), 1, "The duration of the flag", faults);
                }
                Effect::Move { piece: Some(piece), .. } => view.pieces.resolve(piece, Kind::Piece, faults),
                Effect::Move { piece: None, .. } | Effect::Capture { .. } => {}
            }
        }
    }
}

/// Effects that do nothing, or remove the very piece that moves.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    for (_, each) in view.moves() {
        let landing = only_landing(each);
        for effect in effect_lists(each).flat_map(|list| list.iter()) {
            suspect_effect(effect, landing, faults);
        }
    }
}

/// The offset at which a move lands, if there is only one.
pub(super) fn only_landing(each: &MoveSpec) -> Option<Coord> {
    let step = each.step.known()?;
    match landings(each)? {
        (first, Some(last)) if first == last => {
            Some(Coord { x: step.x.checked_mul(first)?, y: step.y.checked_mul(first)? })
        }
        _ => None,
    }
}

fn check_states(actions: &[At<ActionSpec>], faults: &mut Faults<'_>) {
    let mut seen = Vec::new();
    for state in actions.iter().map(|action| &action.state) {
        let Some(target) = state.known() else { continue };
        if seen.contains(target) {
            let message = format!("Two actions of this move are for the state `{}`.", target.as_str());
            let help =
                "only one action can be taken: put their conditions and effects into one, or make two moves";
            faults.report_with_help(Code::DuplicateAction, state.place(), message, help);
        } else {
            seen.push(*target);
        }
    }
}

fn check_action(action: &ActionSpec, faults: &mut Faults<'_>) {
    let (Some(state), Some(kind)) = (action.state.known(), action.action.known()) else { return };
    let (message, help) = match (state, kind) {
        (Target::Empty, ActionKind::Capture) => {
            ("There is nothing to capture on an empty square.", "write `MOVE`, or make it the state `ENEMY`")
        }
        (Target::Enemy | Target::Ally | Target::Team, ActionKind::Move) => (
            "A piece cannot move to a square that is taken without capturing.",
            "write `CAPTURE`, or make it the state `EMPTY`",
        ),
        (Target::Empty, ActionKind::Move)
        | (Target::Enemy | Target::Ally | Target::Team, ActionKind::Capture) => return,
    };
    faults.report_with_help(Code::ImpossibleAction, action.action.place(), message, help);
}

fn suspect_effect(effect: &Effect, landing: Option<Coord>, faults: &mut Faults<'_>) {
    match effect {
        Effect::Move { from, to, .. } if from.known().is_some() && from.known() == to.known() => {
            let message = format!("This effect moves a piece from {} to the same square.", **from);
            faults.report_with_help(
                Code::EffectGoesNowhere,
                to.place(),
                message,
                "write where the piece goes, or remove the effect",
            );
        }
        Effect::Capture { target } if target.known().is_some() && target.known() == landing.as_ref() => {
            let message = format!(
                "This effect captures on {}, where the moving piece lands: it removes itself.",
                **target
            );
            faults.report_with_help(
                Code::CapturesItself,
                target.place(),
                message,
                "an action `CAPTURE` already takes what stands on the landing square",
            );
        }
        _ => {}
    }
}
