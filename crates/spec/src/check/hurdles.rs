//! Slides over hurdles: whether there is room for them, and whether any piece can be jumped over.

use std::collections::HashSet;

use crate::model::{Condition, HurdleOwner, MoveSpec, OverSpec, RepeatSpec};

use super::moves::{is_endless, number};
use super::prelude::*;
use super::teams;
use super::view::condition_lists;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for repeat in view.every_move().filter_map(|each| each.repeat.as_ref()?.known()) {
        check_count(repeat.hurdles.as_ref(), diags);
        common::at_least(repeat.beyond.as_ref(), 1, "`beyond`", diags);
        check_room(repeat, diags);
        if repeat.hurdles.is_none() {
            check_without(repeat, diags);
        }
        if let Some(over) = repeat.over.as_ref().and_then(At::known) {
            for list in [&over.piece, &over.not_piece].into_iter().flatten() {
                common::piece_list(list, view, diags);
            }
            check_some(over, view, diags);
        }
    }
}

/// Warns about pieces listed twice, paths that must be empty, and partners in a game without any.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for (each, repeat) in view.every_move().filter_map(|each| Some((each, each.repeat.as_ref()?.known()?))) {
        if repeat.hurdles.is_some() {
            warn_path(each, diags);
        }
        let Some(over) = repeat.over.as_ref().and_then(At::known) else { continue };
        for list in [&over.piece, &over.not_piece].into_iter().flatten() {
            common::warn_duplicate_pieces(list, diags);
        }
        let owner = over.owner.as_ref().filter(|owner| owner.known() == Some(&HurdleOwner::Partner));
        if let Some(owner) = owner.filter(|_| view.teams.has_no_partners()) {
            teams::report("PARTNER", owner.place(), diags);
        }
    }
}

fn check_count(hurdles: Option<&At<i32>>, diags: &mut Diagnostics<'_>) {
    common::at_least(hurdles, 1, "`hurdles`", diags);
    let Some(hurdles) = hurdles else { return };
    if let Some(count) = hurdles.known().filter(|count| **count > limits::HURDLES) {
        let most = limits::HURDLES;
        let message = format!("`hurdles` is {count}, but a slide jumps over at most {most} pieces.");
        let help = format!("write 1 to {most}");
        diags.report_with_help(Code::NumberOutOfRange, hurdles.place(), message, help);
    }
}

/// Reports a slide that ends before it could land behind the last hurdle.
fn check_room(repeat: &RepeatSpec, diags: &mut Diagnostics<'_>) {
    let Some(hurdles) = repeat.hurdles.as_ref() else { return };
    let (Some(count), Some(times)) = (number(Some(hurdles)), number(repeat.times.as_ref())) else { return };
    if is_endless(repeat) == Some(false) && count <= limits::HURDLES && times <= count {
        let steps = if times == 1 { "step" } else { "steps" };
        let message = format!("A slide of at most {times} {steps} cannot land behind {}.", pieces_of(count));
        let help = format!("write \"loop\": true, or \"times\": {} or more", count + 1);
        diags.report_with_help(Code::TooFewSteps, hurdles.place(), message, help);
    }
}

fn pieces_of(count: i32) -> String {
    if count == 1 { "a piece".into() } else { format!("{count} pieces") }
}

/// Reports keys that describe hurdles of a slide without any.
fn check_without(repeat: &RepeatSpec, diags: &mut Diagnostics<'_>) {
    let keys =
        [("over", repeat.over.as_ref().map(At::place)), ("beyond", repeat.beyond.as_ref().map(At::place))];
    for (key, place) in keys {
        if let Some(place) = place {
            let message = format!("This slide jumps over no piece, so `{key}` has no effect.");
            diags.report_with_help(Code::NeedsHurdles, place, message, "add \"hurdles\": 1, or remove it");
        }
    }
}

/// Reports lists that exclude every piece.
fn check_some(over: &OverSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(list) = over.not_piece.as_ref().filter(|list| list.known().is_some()) else { return };
    let never: HashSet<&str> = list.iter().map(|code| code.as_str()).collect();
    let is_never = |code: &str| never.contains(code);
    let nothing_left = match &over.piece {
        Some(only) => {
            only.known().is_some_and(|only| !only.is_empty() && only.iter().all(|code| is_never(code)))
        }
        None => view.pieces.all_found() && view.pieces.iter().all(is_never),
    };
    if nothing_left {
        let message = "These lists leave no piece that the slide could jump over.";
        let help = "remove a piece that it should jump over";
        diags.report_with_help(Code::NoHurdle, list.place(), message, help);
    }
}

/// Warns about a condition that a hurdle in the way always breaks.
fn warn_path(each: &MoveSpec, diags: &mut Diagnostics<'_>) {
    for condition in condition_lists(each).flat_map(|list| list.iter()) {
        if matches!(&**condition, Condition::PathEmpty {}) {
            let message = "The slide jumps over a piece, so its path is never empty.";
            let help = "remove `PATH_EMPTY` or `hurdles`";
            diags.report_with_help(Code::NeverHappens, condition.place(), message, help);
        }
    }
}
