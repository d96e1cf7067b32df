//! The conditions of moves, actions and promotions.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::limits;
use crate::model::{Anchor, Condition, GlobalCondition, Occupancy, Owner, RegionOf};
use crate::place::{At, Place};
use crate::read::shorten;

use super::view::{View, condition_lists};
use super::{common, endings, regions};

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for (_, each) in view.moves() {
        for list in condition_lists(each) {
            common::at_most(list, limits::LIST, "conditions", diags);
            list.iter().for_each(|condition| check_condition(condition, view, diags));
        }
    }
}

/// Warns about conditions and pieces listed twice.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for list in view.moves().flat_map(|(_, each)| condition_lists(each)) {
        let mut seen = HashSet::new();
        for condition in list.iter() {
            if identity(condition).is_some_and(|identity| !seen.insert(identity)) {
                common::report_repeated_condition(condition.keyword(), condition.place(), diags);
            }
            if let Condition::Square { piece: Some(kinds), .. }
            | Condition::Count { piece: Some(kinds), .. } = &**condition
            {
                common::warn_duplicate_pieces(kinds, diags);
            }
        }
    }
}

/// Reports a `STATE` condition where a `POSITION` condition is expected.
pub(super) fn report_state_condition(code: &At<String>, diags: &mut Diagnostics<'_>) {
    let message = format!("`{}` is a condition of type `STATE`, which moves cannot refer to.", shorten(code));
    let help = "test a flag with { \"condition\": \"CHECK_STATE\", \"state\": …, \"position\": … }";
    diags.report_with_help(Code::StateCondition, code.place(), message, help);
}

fn check_condition(condition: &At<Condition>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    match &**condition {
        Condition::Code(code) => check_code(code, view, diags),
        Condition::Square { state, piece, unmoved, .. } => {
            if state.is_none() && piece.is_none() && unmoved.is_none() {
                report_empty_test(condition.place(), diags);
            }
            check_contradiction(state.as_ref(), piece.is_some() || unmoved.is_some(), diags);
            piece.iter().for_each(|list| common::piece_list(list, view, diags));
        }
        Condition::InRegion { region, .. } => regions::resolve(region, view, diags),
        Condition::Count { piece, region, min, max, lost, .. } => {
            endings::check_bounds(min.as_ref(), max.as_ref(), diags);
            common::at_least(lost.as_ref(), 1, "The number of lost pieces", diags);
            if min.is_none() && max.is_none() && lost.is_none() {
                endings::report_unbounded(condition.place(), "add `min`, `max` or `lost`", diags);
            }
            piece.iter().for_each(|list| common::piece_list(list, view, diags));
            region.iter().for_each(|code| regions::resolve(code, view, diags));
        }
        _ => {}
    }
}

fn check_code(code: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    match view.condition(code) {
        Some(GlobalCondition::Position { .. }) => {}
        Some(GlobalCondition::State { .. }) => report_state_condition(code, diags),
        None => {
            view.conditions.miss();
            if view.conditions.lacks(code) {
                report_unknown(code, view, diags);
            }
        }
    }
}

fn report_unknown(code: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let words = Condition::KEYWORDS.iter().copied().chain(view.conditions.iter());
    let help = diags
        .suggest(code, words)
        .unwrap_or_else(|| "write a built-in condition, or define this one under `conditions`".into());
    let message = format!("There is no condition `{}`.", shorten(code));
    diags.report_with_help(Code::UnknownCondition, code.place(), message, help);
}

fn report_empty_test(place: Place, diags: &mut Diagnostics<'_>) {
    let message = "This condition does not test anything.";
    let help = "add `state`, `piece` or `unmoved`";
    diags.report_with_help(Code::EmptySquareTest, place, message, help);
}

fn check_contradiction(state: Option<&At<Occupancy>>, asks_for_piece: bool, diags: &mut Diagnostics<'_>) {
    let Some(state) = state else { return };
    if asks_for_piece && state.known() == Some(&Occupancy::Empty) {
        let message = "An empty square has no piece, so this condition never holds.";
        let help = "write another `state`, or leave out `piece` and `unmoved`";
        diags.report_with_help(Code::ContradictorySquareTest, state.place(), message, help);
    }
}

/// Returns a text that is equal for equivalent conditions; `None` if part of the condition was not read.
fn identity(condition: &Condition) -> Option<String> {
    let rest = match condition {
        Condition::FirstMove {}
        | Condition::PathEmpty {}
        | Condition::NotAttacked {}
        | Condition::PathNotAttacked {}
        | Condition::Code(_) => String::new(),
        Condition::DependsOn { move_id } => move_id.known()?.to_string(),
        Condition::PieceFirstMove { position } | Condition::RookFirstMove { position } => {
            position.known()?.to_string()
        }
        Condition::CheckState { state, position } => format!("{} {}", position.known()?, state.known()?),
        Condition::Square { position, anchor, state, piece, unmoved } => {
            let read = is_read(anchor.as_ref())
                && is_read(state.as_ref())
                && is_read(piece.as_ref())
                && is_read(unmoved.as_ref());
            let position = position.known().filter(|_| read)?;
            let anchor = anchor.as_deref().unwrap_or(&Anchor::Source);
            let kinds: Option<Vec<&str>> =
                piece.as_ref().map(|kinds| kinds.iter().map(|kind| kind.as_str()).collect());
            format!("{position} {anchor:?} {:?} {kinds:?} {:?}", state.as_deref(), unmoved.as_deref())
        }
        Condition::InRegion { region, of, anchor } => {
            let read = is_read(of.as_ref()) && is_read(anchor.as_ref());
            let region = region.known().filter(|_| read)?;
            let of = of.as_deref().unwrap_or(&RegionOf::Own);
            format!("{region:?} {of:?} {:?}", anchor.as_deref().unwrap_or(&Anchor::Target))
        }
        Condition::Count { piece, owner, region, min, max, lost } => {
            let read = is_read(piece.as_ref()) && is_read(owner.as_ref()) && is_read(region.as_ref());
            let read = read && is_read(min.as_ref()) && is_read(max.as_ref()) && is_read(lost.as_ref());
            let owner = owner.as_deref().filter(|_| read).or(read.then_some(&Owner::Own))?;
            let kinds: Option<Vec<&str>> =
                piece.as_ref().map(|kinds| kinds.iter().map(|kind| kind.as_str()).collect());
            let (min, max, lost) = (min.as_deref(), max.as_deref(), lost.as_deref());
            format!("{kinds:?} {owner:?} {:?} {min:?} {max:?} {lost:?}", region.as_deref())
        }
    };
    Some(format!("{} {rest}", condition.keyword()))
}

fn is_read<T>(value: Option<&At<T>>) -> bool {
    value.is_none_or(|value| value.known().is_some())
}
