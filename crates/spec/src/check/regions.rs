//! References to `POSITION` conditions as regions: lists of squares.

use std::collections::HashSet;

use crate::model::{Condition, Coord, GameSpec, GlobalCondition, Occupancy};

use super::prelude::*;

/// Checks the regions that the game itself refers to, in `sharing`, `control`, `exchange`, `hold` and `reactions`.
pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    named_by_game(view.spec).for_each(|code| resolve(code, view, diags));
}

/// Returns the regions that the game itself refers to, as opposed to moves and endings.
pub(super) fn named_by_game(spec: &GameSpec) -> impl Iterator<Item = &At<String>> {
    let sharing = spec.sharing.iter().map(|sharing| &sharing.region);
    let control = spec.control.iter().map(|control| &control.region);
    let exchange = spec.exchange.iter().map(|exchange| &exchange.region);
    let hold = spec.hold.iter().map(|hold| &hold.region);
    let reactions = spec.reactions.iter().flat_map(|reaction| {
        [&reaction.region, &reaction.in_any, &reaction.not_in_any].into_iter().flatten()
    });
    sharing.chain(control).chain(exchange).chain(hold).chain(reactions)
}

/// The context of a reference to a `POSITION` condition, which determines its diagnostics.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Region,
    Condition,
    Until,
}

/// Reports a region that is not a `POSITION` condition.
pub(super) fn resolve(code: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    resolve_in(Context::Region, code, view, diags);
}

/// Reports a code that is not that of a `POSITION` condition.
pub(super) fn resolve_in(context: Context, code: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    match view.condition(code).filter(|_| code.known().is_some()) {
        Some(GlobalCondition::Position { .. }) => {}
        Some(GlobalCondition::State { .. }) => report_state(context, code, diags),
        None => {
            view.conditions.miss();
            if code.known().is_some() && view.conditions.lacks(code) {
                report_unknown(context, code, view, diags);
            }
        }
    }
}

/// Returns the squares of all lists of a region; `None` if it is unknown or part of it was not read.
pub(super) fn squares(code: &str, view: &View<'_>) -> Option<HashSet<Coord>> {
    let GlobalCondition::Position { check, .. } = view.condition(code)? else { return None };
    let lists: Option<Vec<_>> = check.known()?.values().map(At::known).collect();
    Some(lists?.into_iter().flatten().map(|at| **at).collect())
}

fn report_state(context: Context, code: &At<String>, diags: &mut Diagnostics<'_>) {
    let (why, help) = match context {
        Context::Region => ("lists no squares", "use a condition of type `POSITION`"),
        Context::Condition | Context::Until => (
            "moves cannot refer to",
            "test a flag with { \"condition\": \"CHECK_STATE\", \"state\": …, \"position\": … }",
        ),
    };
    let message = format!("`{}` is a condition of type `STATE`, which {why}.", shorten(code));
    diags.report_with_help(Code::StateCondition, code.place(), message, help);
}

fn report_unknown(context: Context, code: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let (keywords, help): (&[&str], &str) = match context {
        Context::Region => (&[], "define a `POSITION` condition with this code under `conditions`"),
        Context::Condition => {
            (Condition::KEYWORDS, "write a built-in condition, or define this one under `conditions`")
        }
        Context::Until => (
            Occupancy::KEYWORDS,
            "write `NOT_EMPTY`, `EMPTY`, `ALLY`, `TEAM`, `ENEMY` or the code of a `POSITION` condition",
        ),
    };
    let candidates = keywords.iter().copied().chain(view.conditions.iter());
    let help = diags.suggest(code, candidates).unwrap_or_else(|| help.into());
    let name = shorten(code);
    if context == Context::Until {
        let message = format!("There is no condition `{name}` that could end a slide.");
        diags.report_with_help(Code::UnknownUntil, code.place(), message, help);
    } else {
        let message = format!("There is no condition `{name}`.");
        diags.report_with_help(Code::UnknownCondition, code.place(), message, help);
    }
}
