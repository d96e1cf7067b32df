//! Checks that many values share: lists that are empty, too long or repeat themselves, numbers that are too small, names
//! that are blank.

use std::collections::HashSet;
use std::ops::Deref;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::place::{At, Place};
use crate::read::shorten;

/// Reports a list that says nothing although it must. `what` says what it is a list of.
pub(super) fn not_empty<T, L: Deref<Target = [T]>>(list: &At<L>, what: &str, faults: &mut Faults<'_>) {
    if list.known().is_some_and(|list| list.is_empty()) {
        faults.report_with_help(
            Code::EmptyList,
            list.place(),
            format!("The list of {what} is empty."),
            "it needs at least one entry",
        );
    }
}

/// Reports a list that is longer than we promise to handle.
pub(super) fn at_most<T, L: Deref<Target = [T]>>(
    list: &At<L>,
    limit: usize,
    what: &str,
    faults: &mut Faults<'_>,
) {
    if list.len() > limit {
        let message = format!("There are {} {what} in one list; there may be at most {limit}.", list.len());
        faults.report(Code::TooMany, list.place(), message);
    }
}

/// Reports a condition that says what one before it in the same list says.
pub(super) fn report_repeated_condition(word: &str, place: Place, faults: &mut Faults<'_>) {
    faults.report_with_help(
        Code::RepeatedCondition,
        place,
        format!("The condition `{}` stands twice in this list.", shorten(word)),
        "all must hold anyway: remove one, or write what was meant",
    );
}

/// Reports codes that stand twice in a list of pieces.
pub(super) fn suspect_pieces(codes: &[At<String>], faults: &mut Faults<'_>) {
    let mut seen = HashSet::new();
    for code in codes.iter().filter(|code| !seen.insert(code.as_str())) {
        let message = format!("`{}` stands twice in this list.", shorten(code));
        let help = "the second one changes nothing: remove it, or write what was meant";
        faults.report_with_help(Code::RepeatedPiece, code.place(), message, help);
    }
}

/// Reports a number below the least one that makes sense.
pub(super) fn at_least(number: Option<&At<i32>>, least: i32, what: &str, faults: &mut Faults<'_>) {
    let Some(number) = number else { return };
    if let Some(value) = number.known().filter(|value| **value < least) {
        faults.report_with_help(
            Code::NumberOutOfRange,
            number.place(),
            format!("{what} is {value}, but must be at least {least}."),
            format!("write {least} or more"),
        );
    }
}

/// Reports a name that nobody can see or that fills the screen. `what` says whose name it is.
pub(super) fn name(name: &At<String>, what: &str, faults: &mut Faults<'_>) {
    let Some(text) = name.known() else { return };
    if text.trim().is_empty() {
        faults.report_with_help(
            Code::EmptyName,
            name.place(),
            format!("{what} is empty."),
            "write at least one visible character",
        );
    }
    text_at_most(name, limits::NAME, what, faults);
}

/// Reports a text that is longer than we promise to show.
pub(super) fn text_at_most(text: &At<String>, limit: usize, what: &str, faults: &mut Faults<'_>) {
    let length = text.chars().count();
    if length > limit {
        let message = format!("{what} has {length} characters; it may have at most {limit}.");
        faults.report(Code::TooMany, text.place(), message);
    }
}
