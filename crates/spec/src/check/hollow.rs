//! Endings that say nothing: those that always hold or never, that stand twice, or that change nothing.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::model::{Clause, Clauses, EndingResult, EndingSpec, EndingWho, Owner, Trigger};
use crate::place::At;
use crate::read::shorten;

use super::lists;
use super::truth::{Sense, Truth};
use super::view::View;

pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    let sense = Sense::new(view);
    let endings = &view.spec.endings;
    // A loss can be an exception from what a later ending grants.
    let last_to_save = endings.iter().rposition(|ending| may_save(ending));
    let mut seen = HashSet::new();
    for (index, ending) in endings.iter().enumerate() {
        suspect_truth(ending, &sense, faults);
        if identity(ending).is_some_and(|identity| !seen.insert(identity)) {
            let message = format!("This ending `{}` stands twice.", shorten(&ending.code));
            let help = "only the first one ever counts: remove one, or write what was meant";
            faults.report_with_help(Code::DuplicateEnding, ending.place(), message, help);
        }
        if loses_by_flag(ending) && last_to_save.is_none_or(|last| last < index) {
            faults.report_with_help(
                Code::PointlessEnding,
                ending.result.as_ref().map_or(ending.place(), At::place),
                "Whoever's flag falls loses anyway, so this ending changes nothing.",
                "write `DRAW` or `WIN`, or remove the ending",
            );
        }
        suspect_lists(&ending.when, faults);
    }
    if let Some(quiet) = view.spec.quiet.as_ref().and_then(At::known) {
        lists::suspect_pieces(&quiet.reset_by, faults);
    }
}

/// A flag may fall in any position, so that an ending always holds then is nothing strange.
fn suspect_truth(ending: &EndingSpec, sense: &Sense<'_>, faults: &mut Faults<'_>) {
    let may_be_flag = trigger(ending).is_none_or(|by| by == Trigger::Flag);
    if let Some(clause) = ending.when.iter().find(|clause| sense.clause(clause) == Truth::Never) {
        let message = format!("The ending `{}` can never come about by this.", shorten(&ending.code));
        let help = sense.why_never(clause);
        faults.report_with_help(Code::EndingNeverHolds, clause.place(), message, help);
    } else if sense.list(&ending.when) == Truth::Always && !may_be_flag {
        let message = format!("What the ending `{}` asks for always holds.", shorten(&ending.code));
        faults.report_with_help(
            Code::EndingAlwaysHolds,
            ending.when.place(),
            message,
            "the game could end with any move: ask for something that may fail",
        );
    }
}

/// What brings the ending about; nothing if that could not be read.
fn trigger(ending: &EndingSpec) -> Option<Trigger> {
    read_or(ending.by.as_ref(), Trigger::Rule)
}

/// How it ends; nothing if that could not be read.
fn result(ending: &EndingSpec) -> Option<EndingResult> {
    read_or(ending.result.as_ref(), EndingResult::Draw)
}

/// Whether the ending says that the player whose flag fell has lost.
fn loses_by_flag(ending: &EndingSpec) -> bool {
    trigger(ending) == Some(Trigger::Flag) && result(ending) == Some(EndingResult::Loss)
}

/// Whether the player whose flag fell may not have lost by the ending.
fn may_save(ending: &EndingSpec) -> bool {
    trigger(ending).is_none_or(|by| by == Trigger::Flag) && result(ending) != Some(EndingResult::Loss)
}

/// Conditions that stand twice in one list, and pieces that do.
fn suspect_lists(list: &[At<Clause>], faults: &mut Faults<'_>) {
    let mut seen = HashSet::new();
    for clause in list {
        if clause_identity(clause).is_some_and(|identity| !seen.insert(identity)) {
            lists::report_repeated_condition(clause.word(), clause.place(), faults);
        }
        match &**clause {
            Clause::Count { piece: Some(kinds), .. } => lists::suspect_pieces(kinds, faults),
            Clause::Any { of } => of.iter().for_each(|list| suspect_lists(list, faults)),
            Clause::Not { of } => suspect_lists(of, faults),
            Clause::Count { piece: None, .. }
            | Clause::Repetition { .. }
            | Clause::Quiet { .. }
            | Clause::CannotWin { .. }
            | Clause::Captive { .. }
            | Clause::Controlled { .. }
            | Clause::Stuck { .. } => {}
        }
    }
}

/// A text that two endings share if and only if they say the same; nothing if part of it was not read.
fn identity(ending: &EndingSpec) -> Option<String> {
    let code = ending.code.known()?;
    let (by, result) = (trigger(ending)?, result(ending)?);
    let who = read_or(ending.who.as_ref(), EndingWho::Mover)?;
    let stops = read_or(ending.stops.as_ref(), false)?;
    Some(format!("{code:?} {by:?} {result:?} {who:?} {stops} {}", list_identity(&ending.when)?))
}

fn list_identity(list: &At<Clauses>) -> Option<String> {
    let parts: Option<Vec<String>> = list.known()?.iter().map(|clause| clause_identity(clause)).collect();
    Some(format!("[{}]", parts?.join(", ")))
}

fn clause_identity(clause: &Clause) -> Option<String> {
    let rest = match clause {
        Clause::Count { piece, owner, region, min, max } => {
            let kinds = match piece {
                Some(codes) => format!("{:?}", sorted(codes.known()?)),
                None => "all".into(),
            };
            let owner = read_or(owner.as_ref(), Owner::Any)?;
            let (region, min, max) = (shown(region.as_ref())?, shown(min.as_ref())?, shown(max.as_ref())?);
            format!("{kinds} {owner:?} {region} {min} {max}")
        }
        Clause::Repetition { times: number } | Clause::Quiet { turns: number } => number.known()?.to_string(),
        Clause::CannotWin { owner } => format!("{:?}", read_or(owner.as_ref(), Owner::Any)?),
        Clause::Captive { owner } | Clause::Controlled { owner } => {
            format!("{:?}", read_or(owner.as_ref(), Owner::Own)?)
        }
        Clause::Stuck { attacked } => shown(attacked.as_ref())?,
        Clause::Any { of } => {
            let lists: Option<Vec<String>> = of.known()?.iter().map(list_identity).collect();
            lists?.join(" or ")
        }
        Clause::Not { of } => list_identity(of)?,
    };
    Some(format!("{} {rest}", clause.word()))
}

/// The codes of a list without regard to their order.
fn sorted(codes: &[At<String>]) -> Vec<&str> {
    let mut sorted: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}

/// A value as text; nothing if it could not be read.
fn shown<T: std::fmt::Debug>(value: Option<&At<T>>) -> Option<String> {
    value.map_or(Some("absent".into()), |value| value.known().map(|value| format!("{value:?}")))
}

/// A value, or what it means that the key is left out; nothing if it could not be read.
fn read_or<T: Copy>(value: Option<&At<T>>, absent: T) -> Option<T> {
    value.map_or(Some(absent), |value| value.known().copied())
}
