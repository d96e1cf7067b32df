//! Endings that stop the game on the board: what they may ask for, and what only they may ask for.

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::model::{Clause, Clauses, EndingSpec, Stuck, Trigger};
use crate::place::{At, Place};

use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
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
            check_trigger(ending, faults);
        }
        check_list(&ending.when, stops, passes, faults);
    }
}

fn check_trigger(ending: &EndingSpec, faults: &mut Faults<'_>) {
    if let Some(by) = ending.by.as_ref().filter(|by| by.known().is_some_and(|by| *by != Trigger::Rule)) {
        let message = "Nobody has to claim, and no flag to fall, for an ending that stops the game.";
        faults.report_with_help(Code::CannotStop, by.place(), message, "write `RULE`, or leave out `stops`");
    }
}

fn check_list(list: &Clauses, stops: bool, passes: bool, faults: &mut Faults<'_>) {
    for clause in list.iter() {
        match &**clause {
            Clause::Repetition { .. } | Clause::Quiet { .. } | Clause::CannotWin { .. } if stops => {
                report_history(clause, faults);
            }
            Clause::Stuck { .. } if !stops => {
                let help = "write \"stops\": true for this ending";
                report_stuck(clause.place(), "`STUCK` is asked while the turn passes.", help, faults);
            }
            Clause::Stuck { .. } if !passes => {
                let help = "write \"stuck\": \"PASSES\" for the game";
                report_stuck(clause.place(), "Nobody is passed over in this game.", help, faults);
            }
            Clause::Any { of } => of.iter().for_each(|list| check_list(list, stops, passes, faults)),
            Clause::Not { of } => check_list(of, stops, passes, faults),
            _ => {}
        }
    }
}

/// The board alone cannot tell what was before.
fn report_history(clause: &At<Clause>, faults: &mut Faults<'_>) {
    let message = format!("The board alone does not tell `{}`, so it cannot stop the game.", clause.word());
    let help = "leave out `stops`, or ask for something that is on the board";
    faults.report_with_help(Code::CannotStop, clause.place(), message, help);
}

fn report_stuck(place: Place, message: &str, help: &str, faults: &mut Faults<'_>) {
    faults.report_with_help(Code::StuckOutOfPlace, place, message, help);
}
