//! The conditions that a game defines for itself.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{Condition, Coord, GlobalCondition, Occupancy};
use crate::place::At;
use crate::read::{Named, and_list, shorten};

use super::lists;
use super::names::Kind;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    let conditions = &view.spec.conditions;
    lists::at_most(conditions, limits::GLOBAL_CONDITIONS, "conditions", faults);
    let mut seen = HashSet::new();
    for condition in conditions.iter() {
        check_code(condition.code(), &mut seen, faults);
        if let GlobalCondition::Position { check, .. } = &**condition {
            check_players(check, view, faults);
            check.values().for_each(|list| check_squares(list, view, faults));
        }
    }
}

/// Whether the format itself uses the word wherever a condition could be named.
pub(super) fn is_built_in(word: &str) -> bool {
    Condition::WORDS.contains(&word) || Occupancy::WORDS.contains(&word)
}

fn check_code<'g>(code: &'g At<String>, seen: &mut HashSet<&'g str>, faults: &mut Faults<'_>) {
    if code.known().is_none() {
        return;
    }
    lists::name(code, "The code of a condition", faults);
    if is_built_in(code) {
        let message = format!("`{}` is a word of the format: no move could refer to this condition.", **code);
        faults.report_with_help(Code::ShadowedWord, code.place(), message, "choose another code");
    }
    if !seen.insert(code) && !code.trim().is_empty() {
        let message = format!("Two conditions have the code `{}`.", shorten(code));
        faults.report_with_help(
            Code::DuplicateCondition,
            code.place(),
            message,
            "give each condition its own code",
        );
    }
}

fn check_players(check: &At<Named<Vec<At<Coord>>>>, view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(lists) = check.known() else { return };
    for (name, list) in lists.iter() {
        view.players.resolve_at(name, list.place(), lists.key_span(name), Kind::Player, faults);
    }
    // A misspelt player is not also a missing one.
    let misspelt = lists.keys().any(|name| view.players.lacks(name));
    let missing: Vec<&str> = view.players.iter().filter(|name| !lists.contains_key(*name)).collect();
    if !missing.is_empty() && !misspelt {
        let message = match missing.len() {
            0..=8 => format!("There is no list of squares for {}.", and_list(&missing)),
            count => format!("There is no list of squares for {count} of the players."),
        };
        let help = "write a list for every player; `[]` if the condition never holds for one";
        faults.report_with_help(Code::PlayerLeftOut, check.place(), message, help);
    }
}

fn check_squares(list: &At<Vec<At<Coord>>>, view: &View<'_>, faults: &mut Faults<'_>) {
    lists::at_most(list, limits::SQUARES, "squares", faults);
    if let Some(board) = &view.board {
        list.iter().for_each(|at| board.check_spans(at, faults));
    }
}
