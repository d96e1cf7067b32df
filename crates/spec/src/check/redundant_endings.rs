//! Endings without effect: those that hold always or never, duplicates, and those that change nothing.

use std::collections::HashSet;

use crate::model::{Clause, Clauses, EndingResult, EndingSpec, EndingWho, Owner, Trigger};

use super::constant_conditions::{ConstantConditions, Truth};
use super::prelude::*;

pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let constants = ConstantConditions::new(view);
    let endings = &view.spec.endings;
    // A loss can be an exception to a later ending.
    let last_to_save = endings.iter().rposition(|ending| may_save(ending));
    let mut seen = HashSet::new();
    for (index, ending) in endings.iter().enumerate() {
        warn_truth(ending, &constants, diags);
        if identity(ending).is_some_and(|identity| !seen.insert(identity)) {
            let message = format!("The ending `{}` appears twice.", shorten(&ending.code));
            let help = "only the first one counts: remove one, or write the intended ending";
            diags.report_with_help(Code::DuplicateEnding, ending.place(), message, help);
        }
        if loses_by_flag(ending) && last_to_save.is_none_or(|last| last < index) {
            let message = "A player whose flag falls loses anyway, so this ending has no effect.";
            let help = "write `DRAW` or `WIN`, or remove the ending";
            diags.report_with_help(
                Code::PointlessEnding,
                ending.result.as_ref().map_or(ending.place(), At::place),
                message,
                help,
            );
        }
        warn_lists(&ending.when, diags);
    }
    if let Some(quiet) = view.spec.quiet.as_ref().and_then(At::known) {
        common::warn_duplicate_pieces(&quiet.reset_by, diags);
    }
}

/// Warns about endings that never or always hold. For a flag, an ending may hold always: the flag decides when.
fn warn_truth(ending: &EndingSpec, constants: &ConstantConditions<'_>, diags: &mut Diagnostics<'_>) {
    let may_be_flag = trigger(ending).is_none_or(|by| by == Trigger::Flag);
    if let Some(clause) = ending.when.iter().find(|clause| constants.clause(clause) == Truth::Never) {
        let message =
            format!("The ending `{}` can never happen: this condition never holds.", shorten(&ending.code));
        let help = constants.why_never(clause);
        diags.report_with_help(Code::EndingNeverHolds, clause.place(), message, help);
    } else if constants.list(&ending.when) == Truth::Always && !may_be_flag {
        let message = format!("The conditions of the ending `{}` always hold.", shorten(&ending.code));
        let help = "the game could end after any move: add a condition that can fail";
        diags.report_with_help(Code::EndingAlwaysHolds, ending.when.place(), message, help);
    }
}

/// Returns the trigger; `None` if it could not be read.
fn trigger(ending: &EndingSpec) -> Option<Trigger> {
    common::read_or(ending.by.as_ref(), Trigger::Rule)
}

/// Returns the result; `None` if it could not be read.
fn result(ending: &EndingSpec) -> Option<EndingResult> {
    common::read_or(ending.result.as_ref(), EndingResult::Draw)
}

/// Whether the player whose flag falls loses by this ending.
fn loses_by_flag(ending: &EndingSpec) -> bool {
    trigger(ending) == Some(Trigger::Flag) && result(ending) == Some(EndingResult::Loss)
}

/// Whether this ending may save a player whose flag falls.
fn may_save(ending: &EndingSpec) -> bool {
    trigger(ending).is_none_or(|by| by == Trigger::Flag) && result(ending) != Some(EndingResult::Loss)
}

/// Warns about conditions and pieces listed twice.
fn warn_lists(list: &[At<Clause>], diags: &mut Diagnostics<'_>) {
    let mut seen = HashSet::new();
    for clause in list {
        if clause_identity(clause).is_some_and(|identity| !seen.insert(identity)) {
            common::report_repeated_condition(clause.keyword(), clause.place(), diags);
        }
        if let Clause::Count { piece: Some(kinds), .. } = &**clause {
            common::warn_duplicate_pieces(kinds, diags);
        }
        clause.nested().iter().for_each(|list| warn_lists(list, diags));
    }
}

/// Returns a text that is equal for equivalent endings; `None` if part of the ending was not read.
fn identity(ending: &EndingSpec) -> Option<String> {
    let code = ending.code.known()?;
    let (by, result) = (trigger(ending)?, result(ending)?);
    let who = common::read_or(ending.who.as_ref(), EndingWho::Mover)?;
    let stops = common::read_or(ending.stops.as_ref(), false)?;
    Some(format!("{code:?} {by:?} {result:?} {who:?} {stops} {}", list_identity(&ending.when)?))
}

fn list_identity(list: &At<Clauses>) -> Option<String> {
    let parts: Option<Vec<String>> = list.known()?.iter().map(|clause| clause_identity(clause)).collect();
    Some(format!("[{}]", parts?.join(", ")))
}

pub(super) fn clause_identity(clause: &Clause) -> Option<String> {
    let rest = match clause {
        Clause::Count { piece, owner, region, area, anchor, along, run, min, max, lost } => {
            let kinds = match piece {
                Some(codes) => format!("{:?}", sorted(codes.known()?)),
                None => "all".into(),
            };
            let owner = common::read_or(owner.as_ref(), Owner::Any)?;
            let (region, min, max) =
                (common::shown(region.as_ref())?, common::shown(min.as_ref())?, common::shown(max.as_ref())?);
            let (area, anchor) = (common::shown(area.as_ref())?, common::shown(anchor.as_ref())?);
            let (along, run) = (common::shown(along.as_ref())?, common::shown(run.as_ref())?);
            let lost = common::shown(lost.as_ref())?;
            format!("{kinds} {owner:?} {region} {area} {anchor} {along} {run} {min} {max} {lost}")
        }
        Clause::Compare { counter, owner, min, max, than, by, values: None } => {
            let owner = common::read_or(owner.as_ref(), Owner::Own)?;
            let (min, max) = (common::shown(min.as_ref())?, common::shown(max.as_ref())?);
            let (counter, than) = (common::shown(counter.as_ref())?, common::shown(than.as_ref())?);
            let by = common::shown(by.as_ref())?;
            format!("{counter} {owner:?} {min} {max} {than} {by}")
        }
        Clause::Compare { .. } | Clause::Facing { .. } => return None,
        Clause::Repetition { times, checks } => {
            format!("{} {}", times.known()?, common::shown(checks.as_ref())?)
        }
        Clause::Quiet { turns } => turns.known()?.to_string(),
        Clause::CannotWin { owner } => format!("{:?}", common::read_or(owner.as_ref(), Owner::Any)?),
        Clause::Captive { owner } | Clause::Controlled { owner } | Clause::InCheck { owner } => {
            format!("{:?}", common::read_or(owner.as_ref(), Owner::Own)?)
        }
        Clause::Stuck { owner, attacked } => {
            let owner = common::read_or(owner.as_ref(), Owner::Own)?;
            format!("{owner:?} {}", common::shown(attacked.as_ref())?)
        }
        Clause::Any { of } => {
            let lists: Option<Vec<String>> = of.known()?.iter().map(list_identity).collect();
            lists?.join(" or ")
        }
        Clause::All { of } | Clause::Not { of } => list_identity(of)?,
    };
    Some(format!("{} {rest}", clause.keyword()))
}

/// Returns the codes of a list in sorted order.
fn sorted(codes: &[At<String>]) -> Vec<&str> {
    let mut sorted: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}
