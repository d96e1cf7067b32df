//! The endings of a game, and what resets the count of quiet turns.

use tabiya_engine::Termination;

use crate::model::{Area, Clause, Clauses, QuietSpec};
use crate::read::quoted_list;

use super::hands;
use super::prelude::*;
use super::regions;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let endings = &view.spec.endings;
    common::at_most(endings, limits::ENDINGS, "endings", diags);
    check_total(view, diags);
    for ending in endings.iter() {
        check_code(&ending.code, "The code of an ending", diags);
        check_list(&ending.when, view, diags);
    }
    if let Some(quiet) = view.spec.quiet.as_ref().and_then(At::known) {
        check_quiet(quiet, view, diags);
    }
}

fn check_total(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let (found, limit) = (view.spec.all_clauses().len(), limits::CLAUSES);
    if found > limit {
        let message = format!("All endings together have {found} conditions; the limit is {limit}.");
        diags.report(Code::TooMany, view.spec.endings.place(), message);
    }
}

/// Checks the code of an ending. Programs see it in lower case, next to the built-in reasons.
pub(super) fn check_code(code: &At<String>, what: &str, diags: &mut Diagnostics<'_>) {
    common::name(code, what, diags);
    let word = code.to_lowercase();
    if code.known().is_some() && Termination::ALL.iter().any(|reason| reason.as_str() == word) {
        let message = format!("`{}` is a built-in reason for the end of a game.", **code);
        diags.report_with_help(Code::ShadowedWord, code.place(), message, "choose another code");
    }
}

fn check_list(list: &At<Clauses>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    common::not_empty(list, "conditions", diags);
    common::at_most(list, limits::LIST, "conditions", diags);
    list.iter().for_each(|clause| check_clause(clause, view, diags));
}

fn check_clause(clause: &At<Clause>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if let Clause::Count { area: Some(area), .. } = &**clause
        && area.known().is_some_and(|area| *area != Area::Hand)
    {
        let message = format!("`{}` is a part of the board that depends on a move.", area.as_str());
        let help = "count on the whole board, or in a `POSITION` condition with `in`";
        diags.report_with_help(Code::MisplacedCondition, area.place(), message, help);
    }
    check_position_condition(clause, clause.place(), view, diags);
}

/// Checks a condition of a position, wherever it stands.
pub(super) fn check_position_condition(
    clause: &Clause,
    place: Place,
    view: &View<'_>,
    diags: &mut Diagnostics<'_>,
) {
    match clause {
        Clause::Count { piece, region, area, anchor, min, max, lost, .. } => {
            check_bounds(min.as_ref(), max.as_ref(), diags);
            common::at_least(lost.as_ref(), 1, "The number of lost pieces", diags);
            if min.is_none() && max.is_none() && lost.is_none() {
                report_unbounded(place, "add `min`, `max` or `lost`", diags);
            }
            if let (Some(lost), Some(_)) = (lost, area) {
                let message = "`lost` compares with the whole board at the start.";
                diags.report_with_help(Code::MisplacedCondition, lost.place(), message, "leave out `area`");
            }
            if let Some(anchor) = anchor.as_ref().filter(|_| !needs_anchor(area.as_ref())) {
                let message = "`anchor` has no effect without a file, a rank or a neighbourhood.";
                let help = "leave it out, or write `area`: `FILE`, `RANK` or `ADJACENT`";
                diags.report_with_help(Code::MisplacedCondition, anchor.place(), message, help);
            }
            if let Some(list) = piece {
                common::piece_list(list, view, diags);
            }
            if let Some(code) = region {
                regions::resolve(code, view, diags);
                if area.as_ref().is_some_and(|area| area.known() == Some(&Area::Hand)) {
                    let message = "A hand has no squares.";
                    diags.report_with_help(Code::MisplacedCondition, code.place(), message, "leave out `in`");
                }
            }
        }
        Clause::Repetition { times, checks: None } => {
            common::at_least(Some(times), 1, "The number of times", diags);
        }
        Clause::Repetition { times, checks: Some(checks) } => {
            common::at_least(Some(times), 2, "With `checks`, the number of times", diags);
            check_leader("checks", checks.place(), view, diags);
        }
        Clause::Quiet { turns } => common::at_least(Some(turns), 1, "The number of quiet turns", diags),
        Clause::Compare { counter, values, min, max, than, by, .. } => {
            hands::check_measure(place, counter.as_ref(), values.as_ref(), view, diags);
            if min.is_none() && max.is_none() && than.is_none() {
                let message = "This comparison does not say with what.";
                diags.report_with_help(Code::UnboundedCount, place, message, "add `min`, `max` or `than`");
            }
            if let (Some(by), None) = (by, than) {
                let message = "`by` has no effect without `than`.";
                diags.report_with_help(
                    Code::MisplacedCondition,
                    by.place(),
                    message,
                    "add `than`, or leave it out",
                );
            }
            check_order(min.as_ref(), max.as_ref(), diags);
        }
        Clause::Facing { piece, other, min, max, .. } => {
            common::piece_list(piece, view, diags);
            if let Some(other) = other {
                common::piece_list(other, view, diags);
            }
            check_bounds(min.as_ref(), max.as_ref(), diags);
        }
        Clause::InCheck { .. } => check_leader(clause.keyword(), place, view, diags),
        Clause::CannotWin { .. }
        | Clause::Captive { .. }
        | Clause::Controlled { .. }
        | Clause::Stuck { .. } => {}
        Clause::Any { of } => {
            common::not_empty(of, "alternatives", diags);
            common::at_most(of, limits::LIST, "alternatives", diags);
            of.iter().for_each(|list| check_list(list, view, diags));
        }
        Clause::All { of } | Clause::Not { of } => check_list(of, view, diags),
    }
}

/// Reports a word about check in a game without leaders.
pub(super) fn check_leader(word: &str, place: Place, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if view.spec.leader.is_none() {
        let message = format!("`{word}` is about leaders, and this game has none.");
        diags.report_with_help(Code::NeedsLeader, place, message, "name the royal piece under `leader`");
    }
}

fn needs_anchor(area: Option<&At<Area>>) -> bool {
    area.is_some_and(|area| !matches!(area.known(), Some(Area::Between | Area::Hand)))
}

/// Reports a count without bounds.
pub(super) fn report_unbounded(count: Place, help: &str, diags: &mut Diagnostics<'_>) {
    let message = "This count does not say how many pieces there must be.";
    diags.report_with_help(Code::UnboundedCount, count, message, help);
}

/// Reports bounds that no number satisfies.
pub(super) fn check_bounds(min: Option<&At<i32>>, max: Option<&At<i32>>, diags: &mut Diagnostics<'_>) {
    common::at_least(min, 0, "The minimum number of pieces", diags);
    common::at_least(max, 0, "The maximum number of pieces", diags);
    check_order(min, max, diags);
}

/// Reports a minimum above the maximum.
fn check_order(min: Option<&At<i32>>, max: Option<&At<i32>>, diags: &mut Diagnostics<'_>) {
    let (Some(least), Some(most)) = (min.and_then(At::known), max.and_then(At::known)) else { return };
    if let Some(min) = min.filter(|_| least > most) {
        let message = format!("No number is both at least {least} and at most {most}.");
        diags.report_with_help(Code::MinAboveMax, min.place(), message, "swap `min` and `max`");
    }
}

fn check_quiet(quiet: &QuietSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    common::at_most(&quiet.reset_by, limits::PIECES + 1, "entries", diags);
    for entry in quiet.reset_by.iter().filter(|entry| entry.as_str() != QuietSpec::CAPTURE) {
        if !view.pieces.contains(entry) {
            view.pieces.miss();
            if view.pieces.lacks(entry) {
                report_unknown_entry(entry, view, diags);
            }
        }
    }
    let codes = view.spec.pieces.iter().map(|piece| &piece.code);
    for code in codes.filter(|code| code.as_str() == QuietSpec::CAPTURE) {
        let message = "`CAPTURE` is a keyword, so `reset_by` cannot refer to this piece.";
        diags.report_with_help(Code::ShadowedWord, code.place(), message, "choose another code");
    }
}

fn report_unknown_entry(entry: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    const SHOWN: usize = 12;
    let words = || std::iter::once(QuietSpec::CAPTURE).chain(view.pieces.iter());
    let help = diags.suggest(entry, words()).unwrap_or_else(|| {
        format!("the entries can be {}", quoted_list(&words().take(SHOWN).collect::<Vec<_>>()))
    });
    let message = format!("There is no piece `{}`.", shorten(entry));
    diags.report_with_help(Code::UnknownPiece, entry.place(), message, help);
}
