//! Conditions wherever they stand: of moves, of actions, of promotions.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Anchor, Condition, GlobalCondition, Occupancy, Owner, RegionOf};
use crate::place::{At, Place};
use crate::read::{nearest, shorten};

use super::names::Kind;
use super::view::{View, condition_lists};
use super::{endings, lists, regions};

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    for (_, each) in view.moves() {
        for list in condition_lists(each) {
            lists::at_most(list, limits::LIST, "conditions", faults);
            list.iter().for_each(|condition| check_condition(condition, view, faults));
        }
    }
}

/// Conditions that stand twice in one list, and pieces that do.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    for list in view.moves().flat_map(|(_, each)| condition_lists(each)) {
        let mut seen = HashSet::new();
        for condition in list.iter() {
            if identity(condition).is_some_and(|identity| !seen.insert(identity)) {
                lists::report_repeated_condition(condition.word(), condition.place(), faults);
            }
            if let Condition::Square { piece: Some(kinds), .. }
            | Condition::Count { piece: Some(kinds), .. } = &**condition
            {
                lists::suspect_pieces(kinds, faults);
            }
        }
    }
}

/// A `STATE` condition where only a `POSITION` condition can be named.
pub(super) fn report_state_condition(code: &At<String>, faults: &mut Faults<'_>) {
    faults.report_with_help(
        Code::StateCondition,
        code.place(),
        format!("`{}` is a condition of type `STATE`, which moves cannot name.", shorten(code)),
        "ask for a flag with { \"condition\": \"CHECK_STATE\", \"state\": …, \"position\": … }",
    );
}

fn check_condition(condition: &At<Condition>, view: &View<'_>, faults: &mut Faults<'_>) {
    match &**condition {
        Condition::Code(code) => check_code(code, view, faults),
        Condition::Square { state, piece, unmoved, .. } => {
            if state.is_none() && piece.is_none() && unmoved.is_none() {
                report_empty_test(condition.place(), faults);
            }
            check_contradiction(state.as_ref(), piece.is_some() || unmoved.is_some(), faults);
            if let Some(kinds) = piece {
                check_kinds(kinds, view, faults);
            }
        }
        Condition::InRegion { region, .. } => regions::resolve(region, view, faults),
        Condition::Count { piece, region, min, max, lost, .. } => {
            endings::check_bounds(min.as_ref(), max.as_ref(), faults);
            lists::at_least(lost.as_ref(), 1, "The number of lost pieces", faults);
            if min.is_none() && max.is_none() && lost.is_none() {
                endings::report_unbounded(condition.place(), "add `min`, `max` or `lost`", faults);
            }
            if let Some(kinds) = piece {
                check_kinds(kinds, view, faults);
            }
            if let Some(code) = region {
                regions::resolve(code, view, faults);
            }
        }
        _ => {}
    }
}

fn check_kinds(kinds: &At<Vec<At<String>>>, view: &View<'_>, faults: &mut Faults<'_>) {
    lists::not_empty(kinds, "pieces", faults);
    lists::at_most(kinds, limits::PIECES, "pieces", faults);
    kinds.iter().for_each(|kind| view.pieces.resolve(kind, Kind::Piece, faults));
}

fn check_code(code: &At<String>, view: &View<'_>, faults: &mut Faults<'_>) {
    match view.condition(code) {
        Some(GlobalCondition::Position { .. }) => {}
        Some(GlobalCondition::State { .. }) => report_state_condition(code, faults),
        None => {
            view.conditions.miss();
            if view.conditions.lacks(code) {
                report_unknown(code, view, faults);
            }
        }
    }
}

fn report_unknown(code: &At<String>, view: &View<'_>, faults: &mut Faults<'_>) {
    let words = Condition::WORDS.iter().copied().chain(view.conditions.iter());
    let near = if faults.is_full() { None } else { nearest(code, words) };
    let help = match near {
        Some(near) => format!("did you mean `{}`?", shorten(near)),
        None => "write a built-in condition, or define this one under `conditions`".into(),
    };
    let message = format!("There is no condition `{}`.", shorten(code));
    faults.report_with_help(Code::UnknownCondition, code.place(), message, help);
}

fn report_empty_test(place: Place, faults: &mut Faults<'_>) {
    faults.report_with_help(
        Code::EmptySquareTest,
        place,
        "This test asks nothing of the square.",
        "add `state`, `piece` or `unmoved`",
    );
}

fn check_contradiction(state: Option<&At<Occupancy>>, asks_for_piece: bool, faults: &mut Faults<'_>) {
    let Some(state) = state else { return };
    if asks_for_piece && state.known() == Some(&Occupancy::Empty) {
        faults.report_with_help(
            Code::ContradictorySquareTest,
            state.place(),
            "An empty square has no piece, so this test never holds.",
            "write another `state`, or leave out `piece` and `unmoved`",
        );
    }
}

/// A text that two conditions share if and only if they say the same; nothing if part of it was not read.
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
    Some(format!("{} {rest}", condition.word()))
}

fn is_read<T>(value: Option<&At<T>>) -> bool {
    value.is_none_or(|value| value.known().is_some())
}
