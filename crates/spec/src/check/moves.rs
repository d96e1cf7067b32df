//! The moves of each piece: their numbers, their steps and how a step repeats.

use std::collections::{HashMap, HashSet};

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Coord, GlobalCondition, MoveSpec, Occupancy, RepeatSpec};
use crate::place::At;
use crate::read::{nearest, shorten};

use super::guards::report_state_condition;
use super::lists;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    for piece in view.spec.pieces.iter() {
        lists::at_most(&piece.moves, limits::MOVES, "moves", faults);
        check_ids(&piece.moves, faults);
    }
    check_total(view, faults);
    for (_, each) in view.moves() {
        check_step(&each.step, faults);
        if let Some(repeat) = each.repeat.as_ref().and_then(At::known) {
            check_repeat(repeat, faults);
            check_until(repeat, view, faults);
        }
    }
}

/// Reports more moves than the engine's tables are made for: of all pieces, and of all that stand on the board.
fn check_total(view: &View<'_>, faults: &mut Faults<'_>) {
    let mut report = |found: usize, limit: usize, what: &str, place| {
        if found > limit {
            let message = format!("{what} have {found} moves together; there may be at most {limit}.");
            faults.report(Code::TooMany, place, message);
        }
    };
    let spec = view.spec;
    report(view.moves().count(), limits::ALL_MOVES, "The pieces", spec.pieces.place());
    let moves: HashMap<&str, usize> =
        spec.pieces.iter().map(|piece| (piece.code.as_str(), piece.moves.len())).collect();
    let groups = spec.players.iter().flat_map(|player| player.starting_positions.iter());
    let at_start =
        groups.map(|group| group.positions.len() * moves.get(group.piece.as_str()).unwrap_or(&0)).sum();
    report(at_start, limits::START_MOVES, "The pieces on the board at the start", spec.players.place());
}

/// After how many steps a move lands at first and at last; the last is `None` for a slide without a limit. Nothing
/// if either has been reported.
pub(super) fn landings(each: &MoveSpec) -> Option<(i32, Option<i32>)> {
    let Some(repeat) = &each.repeat else { return Some((1, Some(1))) };
    let repeat = repeat.known()?;
    let first = number(repeat.min.as_ref())?;
    if is_endless(repeat)? {
        return Some((first, None));
    }
    let last = number(repeat.times.as_ref())?;
    (first <= last).then_some((first, Some(last)))
}

/// A count of steps, 1 if it is left out.
fn number(value: Option<&At<i32>>) -> Option<i32> {
    value.map_or(Some(1), |value| value.known().copied().filter(|value| *value >= 1))
}

fn is_endless(repeat: &RepeatSpec) -> Option<bool> {
    repeat.repeats_forever.as_ref().map_or(Some(false), |value| value.known().copied())
}

fn check_ids(moves: &[At<MoveSpec>], faults: &mut Faults<'_>) {
    let mut seen = HashSet::new();
    for id in moves.iter().map(|each| &each.id).filter(|id| id.known().is_some()) {
        if !seen.insert(**id) {
            let message = format!("Two moves of this piece have the id {}.", **id);
            faults.report_with_help(
                Code::DuplicateMoveId,
                id.place(),
                message,
                "give each move its own number",
            );
        }
    }
}

fn check_step(step: &At<Coord>, faults: &mut Faults<'_>) {
    if step.known().is_some_and(|step| *step == Coord { x: 0, y: 0 }) {
        faults.report_with_help(
            Code::ZeroStep,
            step.place(),
            "A step of [0,0] does not leave its square.",
            "write how far the piece goes to the right and upwards",
        );
    }
}

fn check_repeat(repeat: &RepeatSpec, faults: &mut Faults<'_>) {
    lists::at_least(repeat.times.as_ref(), 1, "`times`", faults);
    lists::at_least(repeat.min.as_ref(), 1, "`min`", faults);
    let Some(endless) = is_endless(repeat) else { return };
    match (&repeat.times, &repeat.min) {
        (Some(times), _) if endless => faults.report_with_help(
            Code::TimesWithLoop,
            times.place(),
            "A slide without a limit (`loop`) cannot also have one (`times`).",
            "remove `times` or `loop`",
        ),
        (times, Some(min)) if !endless => check_min(min, times.as_ref(), faults),
        _ => {}
    }
}

fn check_min(min: &At<i32>, times: Option<&At<i32>>, faults: &mut Faults<'_>) {
    let (Some(first), Some(last)) = (number(Some(min)), number(times)) else { return };
    if first > last {
        let message = format!("The first landing is after {first} steps, but there are at most {last}.");
        let help = format!("write \"times\": {first} or more");
        faults.report_with_help(Code::MinAboveTimes, min.place(), message, help);
    }
}

fn check_until(repeat: &RepeatSpec, view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(until) = repeat.until.as_ref() else { return };
    let Some(word) = until.known() else { return view.conditions.miss() };
    if Occupancy::WORDS.contains(&word.as_str()) {
        return;
    }
    match view.condition(word) {
        Some(GlobalCondition::Position { .. }) => {}
        Some(GlobalCondition::State { .. }) => report_state_condition(until, faults),
        None => {
            view.conditions.miss();
            if view.conditions.lacks(word) {
                report_unknown_until(until, view, faults);
            }
        }
    }
}

fn report_unknown_until(until: &At<String>, view: &View<'_>, faults: &mut Faults<'_>) {
    let words = Occupancy::WORDS.iter().copied().chain(view.conditions.iter());
    let near = if faults.is_full() { None } else { nearest(until, words) };
    let help = match near {
        Some(near) => format!("did you mean `{}`?", shorten(near)),
        None => {
            "write `NOT_EMPTY`, `EMPTY`, `ALLY`, `TEAM`, `ENEMY` or the code of a `POSITION` condition".into()
        }
    };
    let message = format!("Nothing called `{}` can end a slide.", shorten(until));
    faults.report_with_help(Code::UnknownUntil, until.place(), message, help);
}
