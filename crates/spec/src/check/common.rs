//! Checks shared by many values: empty, long or repetitive lists, small numbers, and blank names.

use std::collections::HashSet;
use std::ops::Deref;

use super::prelude::*;

/// Reports an empty list. `what` names its elements.
pub(super) fn not_empty<T, L: Deref<Target = [T]>>(list: &At<L>, what: &str, diags: &mut Diagnostics<'_>) {
    if list.known().is_some_and(|list| list.is_empty()) {
        let message = format!("The list of {what} is empty.");
        let help = "it needs at least one entry";
        diags.report_with_help(Code::EmptyList, list.place(), message, help);
    }
}

/// Checks a list of pieces: its length and every code.
pub(super) fn piece_list(list: &At<Vec<At<String>>>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    not_empty(list, "pieces", diags);
    at_most(list, limits::PIECES, "pieces", diags);
    list.iter().for_each(|code| view.pieces.resolve(code, NameKind::Piece, diags));
}

/// Reports a list that is longer than the limit.
pub(super) fn at_most<T, L: Deref<Target = [T]>>(
    list: &At<L>,
    limit: usize,
    what: &str,
    diags: &mut Diagnostics<'_>,
) {
    if list.len() > limit {
        let message = format!("There are {} {what} in one list; there may be at most {limit}.", list.len());
        diags.report(Code::TooMany, list.place(), message);
    }
}

/// Reports a condition that repeats an earlier one in the same list.
pub(super) fn report_repeated_condition(word: &str, place: Place, diags: &mut Diagnostics<'_>) {
    let message = format!("The condition `{}` appears twice in this list.", shorten(word));
    let help = "one of them is enough: remove it, or write the intended condition";
    diags.report_with_help(Code::RepeatedCondition, place, message, help);
}

/// Warns about pieces listed twice.
pub(super) fn warn_duplicate_pieces(codes: &[At<String>], diags: &mut Diagnostics<'_>) {
    let mut seen = HashSet::new();
    for code in codes.iter().filter(|code| !seen.insert(code.as_str())) {
        let message = format!("`{}` appears twice in this list.", shorten(code));
        let help = "the second entry has no effect: remove it, or write the intended piece";
        diags.report_with_help(Code::RepeatedPiece, code.place(), message, help);
    }
}

/// Reports a number below the minimum.
pub(super) fn at_least(number: Option<&At<i32>>, least: i32, what: &str, diags: &mut Diagnostics<'_>) {
    let Some(number) = number else { return };
    if let Some(value) = number.known().filter(|value| **value < least) {
        let message = format!("{what} is {value}, but must be at least {least}.");
        let help = format!("write {least} or more");
        diags.report_with_help(Code::NumberOutOfRange, number.place(), message, help);
    }
}

/// Reports a blank or overlong name. `what` says what is named.
pub(super) fn name(name: &At<String>, what: &str, diags: &mut Diagnostics<'_>) {
    let Some(text) = name.known() else { return };
    if text.trim().is_empty() {
        let message = format!("{what} is empty.");
        let help = "write at least one visible character";
        diags.report_with_help(Code::EmptyName, name.place(), message, help);
    }
    text_at_most(name, limits::NAME, what, diags);
}

/// Reports a text that is longer than the limit.
pub(super) fn text_at_most(text: &At<String>, limit: usize, what: &str, diags: &mut Diagnostics<'_>) {
    let length = text.chars().count();
    if length > limit {
        let message = format!("{what} has {length} characters; it may have at most {limit}.");
        diags.report(Code::TooMany, text.place(), message);
    }
}

/// Returns a value as text; `None` if it could not be read.
pub(super) fn shown<T: std::fmt::Debug>(value: Option<&At<T>>) -> Option<String> {
    value.map_or(Some("absent".into()), |value| value.known().map(|value| format!("{value:?}")))
}

/// Returns a value or its default; `None` if it could not be read.
pub(super) fn read_or<T: Copy>(value: Option<&At<T>>, absent: T) -> Option<T> {
    value.map_or(Some(absent), |value| value.known().copied())
}
