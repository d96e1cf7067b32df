//! The moves of each piece: their ids, steps and repetitions.

use std::collections::{HashMap, HashSet};

use tabiya_engine::Offset;

use crate::model::{ActionKind, ActionSpec, Coord, MoveSpec, Occupancy, RepeatSpec};

use super::prelude::*;
use super::regions::{self, Context};

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for piece in view.spec.pieces.iter() {
        common::at_most(&piece.moves, limits::MOVES, "moves", diags);
        check_ids(&piece.moves, diags);
    }
    check_total(view, diags);
    check_directions(view, diags);
    for each in view.every_move() {
        check_step(each, diags);
        if let Some(repeat) = each.repeat.as_ref().and_then(At::known) {
            check_repeat(repeat, diags);
            check_until(repeat, view, diags);
        }
    }
}

/// Reports more moves than the engine's tables allow, for all kinds of pieces and for all pieces on the board.
fn check_total(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let mut report = |found: usize, limit: usize, what: &str, place| {
        if found > limit {
            let message = format!("{what} have {found} moves in total; the limit is {limit}.");
            diags.report(Code::TooMany, place, message);
        }
    };
    let spec = view.spec;
    report(view.moves().count(), limits::ALL_MOVES, "The pieces", spec.pieces.place());
    let moves: HashMap<&str, usize> =
        spec.pieces.iter().map(|piece| (piece.code.as_str(), piece.moves.len())).collect();
    let groups = spec.players.iter().flat_map(|player| player.starting_positions.iter());
    let at_start =
        groups.map(|group| group.positions.len() * moves.get(group.piece.as_str()).unwrap_or(&0)).sum();
    report(at_start, limits::START_MOVES, "The pieces on the starting board", spec.players.place());
}

/// Reports slides in more directions than the engine's tables allow.
fn check_directions(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let slides = view.every_move().filter(|each| landings(each).is_some_and(|(_, last)| last != Some(1)));
    let step = |each: &MoveSpec| each.step.known().map(|step| Offset::new(step.x, step.y));
    let directions: HashSet<Offset> = slides.filter_map(step).map(|step| step.unit().0).collect();
    if directions.len() > limits::DIRECTIONS {
        let (found, most) = (directions.len(), limits::DIRECTIONS);
        let message = format!("The pieces slide in {found} directions in total; the limit is {most}.");
        diags.report(Code::TooMany, view.spec.pieces.place(), message);
    }
}

/// Returns the number of steps to the first and the last landing; the last is `None` for an unlimited slide. Returns
/// `None` if either is invalid.
pub(super) fn landings(each: &MoveSpec) -> Option<(i32, Option<i32>)> {
    let Some(repeat) = &each.repeat else { return Some((1, Some(1))) };
    let repeat = repeat.known()?;
    let hurdles = repeat.hurdles.as_ref().map_or(Some(0), |hurdles| number(Some(hurdles)))?;
    if hurdles > limits::HURDLES {
        return None;
    }
    let first = number(repeat.min.as_ref())?.max(hurdles + 1);
    if is_endless(repeat)? {
        return Some((first, None));
    }
    let last = number(repeat.times.as_ref())?;
    (first <= last).then_some((first, Some(last)))
}

/// Returns a number of steps; 1 by default.
pub(super) fn number(value: Option<&At<i32>>) -> Option<i32> {
    value.map_or(Some(1), |value| value.known().copied().filter(|value| *value >= 1))
}

/// Whether the number of steps is unlimited; `None` if that is unknown.
pub(super) fn is_endless(repeat: &RepeatSpec) -> Option<bool> {
    repeat.unlimited.as_ref().map_or(Some(false), |value| value.known().copied())
}

fn check_ids(moves: &[At<MoveSpec>], diags: &mut Diagnostics<'_>) {
    let mut seen = HashSet::new();
    for id in moves.iter().map(|each| &each.id).filter(|id| id.known().is_some()) {
        if !seen.insert(**id) {
            let message = format!("Two moves of this piece have the id {}.", **id);
            let help = "give each move its own number";
            diags.report_with_help(Code::DuplicateMoveId, id.place(), message, help);
        }
    }
}

/// Reports a step that leads nowhere, unless the move says that the piece stays: it moves to an empty square, once.
fn check_step(each: &MoveSpec, diags: &mut Diagnostics<'_>) {
    let stays = |action: &At<ActionSpec>| action.action.known() == Some(&ActionKind::Move);
    let is_meant = each.repeat.is_none() && each.actions.known().is_some_and(|list| list.iter().all(stays));
    let is_meant = is_meant || each.anywhere.is_some();
    if each.step.known().is_some_and(|step| *step == Coord::default()) && !is_meant {
        let message = "A step of [0,0] does not leave the square.";
        let help = "write how far the piece moves to the right and upwards; for a piece that stays, add \"actions\": \"MOVE\"";
        diags.report_with_help(Code::ZeroStep, each.step.place(), message, help);
    }
}

fn check_repeat(repeat: &RepeatSpec, diags: &mut Diagnostics<'_>) {
    common::at_least(repeat.times.as_ref(), 1, "`times`", diags);
    common::at_least(repeat.min.as_ref(), 1, "`min`", diags);
    let Some(endless) = is_endless(repeat) else { return };
    match (&repeat.times, &repeat.min) {
        (Some(times), _) if endless => diags.report_with_help(
            Code::TimesWithLoop,
            times.place(),
            "A slide cannot be both unlimited (`loop`) and limited (`times`).",
            "remove `times` or `loop`",
        ),
        (times, Some(min)) if !endless => check_min(min, times.as_ref(), diags),
        _ => {}
    }
}

fn check_min(min: &At<i32>, times: Option<&At<i32>>, diags: &mut Diagnostics<'_>) {
    let (Some(first), Some(last)) = (number(Some(min)), number(times)) else { return };
    if first > last {
        let message = format!("The first landing is after {first} steps, but there are at most {last}.");
        let help = format!("write \"times\": {first} or more");
        diags.report_with_help(Code::MinAboveTimes, min.place(), message, help);
    }
}

fn check_until(repeat: &RepeatSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(until) = repeat.until.as_ref() else { return };
    let Some(word) = until.known() else { return view.conditions.miss() };
    if Occupancy::KEYWORDS.contains(&word.as_str()) {
        return;
    }
    regions::resolve_in(Context::Until, until, view, diags);
}
