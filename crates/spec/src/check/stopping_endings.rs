//! Endings that stop the game at once (`stops`): the conditions they may use, and the ones that only they may use.

use crate::model::{Clause, Clauses, EndingSpec, Stuck, Trigger};

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let passes = match &view.spec.stuck {
        Some(stuck) => stuck.known().is_none_or(|stuck| *stuck == Stuck::Passes),
        None => false,
    };
    for ending in view.spec.endings.iter() {
        let stops = match &ending.stops {
            Some(stops) => stops.known().copied(),
            None => Some(false),
        };
        let Some(stops) = stops else { continue };
        if stops {
            check_trigger(ending, diags);
        }
        check_list(&ending.when, stops, passes, diags);
        if stops
            && let (Some(quiet), true) =
                (find(&ending.when, &is_quiet), find(&ending.when, &is_stuck).is_some())
        {
            let message = "`QUIET` is tested after the turn has passed, and `STUCK` before.";
            let help = "write two endings, or leave out one of the conditions";
            diags.report_with_help(Code::CannotStop, quiet.place(), message, help);
        }
    }
}

fn is_quiet(clause: &Clause) -> bool {
    matches!(clause, Clause::Quiet { .. })
}

fn is_stuck(clause: &Clause) -> bool {
    matches!(clause, Clause::Stuck { .. })
}

/// Returns the first condition of a kind, nested ones included.
fn find<'s>(list: &'s Clauses, is_meant: &dyn Fn(&Clause) -> bool) -> Option<&'s At<Clause>> {
    list.iter().find_map(|clause| {
        if is_meant(clause) {
            return Some(clause);
        }
        clause.nested().iter().find_map(|list| find(list, is_meant))
    })
}

fn check_trigger(ending: &EndingSpec, diags: &mut Diagnostics<'_>) {
    if let Some(by) = ending.by.as_ref().filter(|by| by.known().is_some_and(|by| *by != Trigger::Rule)) {
        let message = "An ending that stops the game applies at once: it needs no claim and no fallen flag.";
        diags.report_with_help(Code::CannotStop, by.place(), message, "write `RULE`, or leave out `stops`");
    }
}

fn check_list(list: &Clauses, stops: bool, passes: bool, diags: &mut Diagnostics<'_>) {
    for clause in list.iter() {
        match &**clause {
            Clause::Repetition { .. } | Clause::CannotWin { .. } if stops => report_history(clause, diags),
            Clause::Stuck { .. } if !stops => {
                let help = "write \"stops\": true for this ending";
                report_stuck(
                    clause.place(),
                    "`STUCK` is only tested by endings that stop the game.",
                    help,
                    diags,
                );
            }
            Clause::Stuck { .. } if !passes => {
                let help = "write \"stuck\": \"PASSES\" for the game, or remove the ending: \"stuck\" alone can also \
                            say that stalemate loses, draws or wins";
                report_stuck(
                    clause.place(),
                    "In this game, a player without a legal move is not passed over.",
                    help,
                    diags,
                );
            }
            _ => clause.nested().iter().for_each(|list| check_list(list, stops, passes, diags)),
        }
    }
}

/// Reports a condition that depends on the history of the game.
fn report_history(clause: &At<Clause>, diags: &mut Diagnostics<'_>) {
    let message = format!("`{}` depends on earlier moves, so it cannot stop the game.", clause.keyword());
    let help = "leave out `stops`, or use a condition that depends on the board alone";
    diags.report_with_help(Code::CannotStop, clause.place(), message, help);
}

fn report_stuck(place: Place, message: &str, help: &str, diags: &mut Diagnostics<'_>) {
    diags.report_with_help(Code::StuckOutOfPlace, place, message, help);
}
