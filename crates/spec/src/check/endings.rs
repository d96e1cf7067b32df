//! The endings of a game: what must hold for them, and what starts the count of quiet turns anew.

use tabiya_engine::Termination;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Clause, Clauses, QuietSpec};
use crate::place::{At, Place};
use crate::read::{and_list, nearest, shorten};

use super::lists;
use super::names::Kind;
use super::regions;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let endings = &view.spec.endings;
    lists::at_most(endings, limits::ENDINGS, "endings", faults);
    check_total(view, faults);
    for ending in endings.iter() {
        check_code(&ending.code, "The code of an ending", faults);
        check_list(&ending.when, view, faults);
    }
    if let Some(quiet) = view.spec.quiet.as_ref().and_then(At::known) {
        check_quiet(quiet, view, faults);
    }
}

fn check_total(view: &View<'_>, faults: &mut Faults<'_>) {
    let (found, limit) = (view.spec.all_clauses().len(), limits::CLAUSES);
    if found > limit {
        let message = format!("The endings have {found} conditions together; there may be at most {limit}.");
        faults.report(Code::TooMany, view.spec.endings.place(), message);
    }
}

/// Programs see the code in lower case, beside the reasons that every game has.
pub(super) fn check_code(code: &At<String>, what: &str, faults: &mut Faults<'_>) {
    lists::name(code, what, faults);
    let word = code.to_lowercase();
    if code.known().is_some() && Termination::ALL.iter().any(|reason| reason.as_str() == word) {
        let message = format!("`{}` is a reason for which every game may end.", **code);
        faults.report_with_help(Code::ShadowedWord, code.place(), message, "choose another code");
    }
}

fn check_list(list: &At<Clauses>, view: &View<'_>, faults: &mut Faults<'_>) {
    lists::not_empty(list, "conditions", faults);
    lists::at_most(list, limits::LIST, "conditions", faults);
    list.iter().for_each(|clause| check_clause(clause, view, faults));
}

fn check_clause(clause: &At<Clause>, view: &View<'_>, faults: &mut Faults<'_>) {
    match &**clause {
        Clause::Count { piece, region, min, max, .. } => {
            check_bounds(min.as_ref(), max.as_ref(), faults);
            if min.is_none() && max.is_none() {
                report_unbounded(clause.place(), "add `min`, `max` or both", faults);
            }
            if let Some(kinds) = piece {
                lists::not_empty(kinds, "pieces", faults);
                lists::at_most(kinds, limits::PIECES, "pieces", faults);
                kinds.iter().for_each(|kind| view.pieces.resolve(kind, Kind::Piece, faults));
            }
            if let Some(code) = region {
                regions::resolve(code, view, faults);
            }
        }
        Clause::Repetition { times } => lists::at_least(Some(times), 1, "The number of times", faults),
        Clause::Quiet { turns } => lists::at_least(Some(turns), 1, "The number of quiet turns", faults),
        Clause::CannotWin { .. }
        | Clause::Captive { .. }
        | Clause::Controlled { .. }
        | Clause::Stuck { .. } => {}
        Clause::Any { of } => {
            lists::not_empty(of, "alternatives", faults);
            lists::at_most(of, limits::LIST, "alternatives", faults);
            of.iter().for_each(|list| check_list(list, view, faults));
        }
        Clause::Not { of } => check_list(of, view, faults),
    }
}

/// Reports a count that any number of pieces would do for.
pub(super) fn report_unbounded(count: Place, help: &str, faults: &mut Faults<'_>) {
    let message = "This count does not say how many pieces there must be.";
    faults.report_with_help(Code::UnboundedCount, count, message, help);
}

/// Reports bounds of a count between which nothing lies.
pub(super) fn check_bounds(min: Option<&At<i32>>, max: Option<&At<i32>>, faults: &mut Faults<'_>) {
    lists::at_least(min, 0, "The least number of pieces", faults);
    lists::at_least(max, 0, "The greatest number of pieces", faults);
    let (Some(least), Some(most)) = (min.and_then(At::known), max.and_then(At::known)) else { return };
    if let Some(min) = min.filter(|_| least > most && *most >= 0) {
        let message = format!("At least {least} and at most {most}: no number is both.");
        faults.report_with_help(Code::MinAboveMax, min.place(), message, "exchange `min` and `max`");
    }
}

fn check_quiet(quiet: &QuietSpec, view: &View<'_>, faults: &mut Faults<'_>) {
    lists::at_most(&quiet.reset_by, limits::PIECES + 1, "entries", faults);
    for entry in quiet.reset_by.iter().filter(|entry| entry.as_str() != QuietSpec::CAPTURE) {
        if !view.pieces.contains(entry) {
            view.pieces.miss();
            if view.pieces.lacks(entry) {
                report_unknown_entry(entry, view, faults);
            }
        }
    }
    let codes = view.spec.pieces.iter().map(|piece| &piece.code);
    for code in codes.filter(|code| code.as_str() == QuietSpec::CAPTURE) {
        let message = "`CAPTURE` is a word of the format: `reset_by` could not name this piece.";
        faults.report_with_help(Code::ShadowedWord, code.place(), message, "choose another code");
    }
}

fn report_unknown_entry(entry: &At<String>, view: &View<'_>, faults: &mut Faults<'_>) {
    const SHOWN: usize = 12;
    let words = || std::iter::once(QuietSpec::CAPTURE).chain(view.pieces.iter());
    let near = if faults.is_full() { None } else { nearest(entry, words()) };
    let help = match near {
        Some(near) => format!("did you mean `{}`?", shorten(near)),
        None => format!("the words here are {}", and_list(&words().take(SHOWN).collect::<Vec<_>>())),
    };
    let message = format!("There is no piece `{}`.", shorten(entry));
    faults.report_with_help(Code::UnknownPiece, entry.place(), message, help);
}
