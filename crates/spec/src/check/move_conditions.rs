//! The conditions of moves, actions and promotions.

use std::collections::HashSet;

use crate::model::{Anchor, Condition, Occupancy, Owner, RegionOf};

use super::common::{read_or, shown};
use super::endings;
use super::prelude::*;
use super::regions::{self, Context};
use super::view::condition_lists;

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

fn check_condition(condition: &At<Condition>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    match &**condition {
        Condition::Code(code) => regions::resolve_in(Context::Condition, code, view, diags),
        Condition::Square { state, piece, unmoved, .. } => {
            if state.is_none() && piece.is_none() && unmoved.is_none() {
                report_empty_test(condition.place(), diags);
            }
            check_contradiction(state.as_ref(), piece.is_some() || unmoved.is_some(), diags);
            if let Some(list) = piece {
                common::piece_list(list, view, diags);
            }
        }
        Condition::InRegion { region, .. } => regions::resolve(region, view, diags),
        Condition::Count { piece, region, min, max, lost, .. } => {
            endings::check_bounds(min.as_ref(), max.as_ref(), diags);
            common::at_least(lost.as_ref(), 1, "The number of lost pieces", diags);
            if min.is_none() && max.is_none() && lost.is_none() {
                endings::report_unbounded(condition.place(), "add `min`, `max` or `lost`", diags);
            }
            if let Some(list) = piece {
                common::piece_list(list, view, diags);
            }
            if let Some(code) = region {
                regions::resolve(code, view, diags);
            }
        }
        _ => {}
    }
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
            let (position, anchor) = (position.known()?, read_or(anchor.as_ref(), Anchor::Source)?);
            let (state, unmoved) = (shown(state.as_ref())?, shown(unmoved.as_ref())?);
            format!("{position} {anchor:?} {state} {} {unmoved}", kinds(piece.as_ref())?)
        }
        Condition::InRegion { region, of, anchor } => {
            let anchor = read_or(anchor.as_ref(), Anchor::Target)?;
            format!("{:?} {:?} {anchor:?}", region.known()?, read_or(of.as_ref(), RegionOf::Own)?)
        }
        Condition::Count { piece, owner, region, min, max, lost } => {
            let (owner, region) = (read_or(owner.as_ref(), Owner::Own)?, shown(region.as_ref())?);
            let (min, max, lost) = (shown(min.as_ref())?, shown(max.as_ref())?, shown(lost.as_ref())?);
            format!("{} {owner:?} {region} {min} {max} {lost}", kinds(piece.as_ref())?)
        }
    };
    Some(format!("{} {rest}", condition.keyword()))
}

/// Returns the codes of a list as text; `None` if it could not be read.
fn kinds(list: Option<&At<Vec<At<String>>>>) -> Option<String> {
    let Some(list) = list else { return Some("all".into()) };
    Some(format!("{:?}", list.known()?.iter().map(|kind| kind.as_str()).collect::<Vec<_>>()))
}
