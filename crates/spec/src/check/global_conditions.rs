//! Conditions that a game defines under `conditions`.

use std::collections::HashSet;

use crate::model::{Clause, Condition, Coord, GlobalCondition, Occupancy};
use crate::read::{Named, quoted_list};

use super::prelude::*;

/// How to fix a condition that lacks a player.
const HELP: &str = "write a list for every player, or `[]` if the condition never holds for one";

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let conditions = &view.spec.conditions;
    common::at_most(conditions, limits::GLOBAL_CONDITIONS, "conditions", diags);
    let mut seen = HashSet::new();
    for condition in conditions.iter() {
        check_code(condition.code(), &mut seen, diags);
        if let GlobalCondition::Position { check, .. } = &**condition {
            check_players(check, "list of squares", HELP, view, diags);
            check.values().for_each(|list| check_squares(list, view, diags));
        }
    }
}

/// Whether the format uses this word where a condition can be named.
pub(super) fn is_built_in(word: &str) -> bool {
    Condition::KEYWORDS.contains(&word)
        || Clause::KEYWORDS.contains(&word)
        || Occupancy::KEYWORDS.contains(&word)
}

fn check_code<'g>(code: &'g At<String>, seen: &mut HashSet<&'g str>, diags: &mut Diagnostics<'_>) {
    if code.known().is_none() {
        return;
    }
    common::name(code, "The code of a condition", diags);
    if is_built_in(code) {
        let message = format!("`{}` is a keyword, so no move can refer to this condition.", **code);
        diags.report_with_help(Code::ShadowedWord, code.place(), message, "choose another code");
    }
    if !seen.insert(code) && !code.trim().is_empty() {
        let message = format!("Two conditions have the code `{}`.", shorten(code));
        let help = "give each condition its own code";
        diags.report_with_help(Code::DuplicateCondition, code.place(), message, help);
    }
}

/// Checks an object with an entry for every player. `what` names an entry.
pub(super) fn check_players<T>(
    entries: &At<Named<T>>,
    what: &str,
    help: &str,
    view: &View<'_>,
    diags: &mut Diagnostics<'_>,
) {
    let Some(known) = entries.known() else { return };
    for (name, entry) in known.iter() {
        view.players.resolve_at(name, entry.place(), known.key_span(name), NameKind::Player, diags);
    }
    // A misspelt player is not reported as a missing one.
    let misspelt = known.keys().any(|name| view.players.lacks(name));
    let is_left_out = |name: &&str| !known.contains_key(*name) && !view.is_neutral(name);
    let missing: Vec<&str> = view.players.iter().filter(is_left_out).collect();
    if !missing.is_empty() && !misspelt {
        let message = match missing.len() {
            0..=8 => format!("There is no {what} for {}.", quoted_list(&missing)),
            count => format!("There is no {what} for {count} of the players."),
        };
        diags.report_with_help(Code::PlayerLeftOut, entries.place(), message, help);
    }
}

fn check_squares(list: &At<Vec<At<Coord>>>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    common::at_most(list, limits::SQUARES, "squares", diags);
    if let Some(board) = &view.board {
        list.iter().for_each(|at| board.check_spans(at, diags));
    }
}
