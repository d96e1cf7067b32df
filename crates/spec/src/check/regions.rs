//! References to `POSITION` conditions as regions: lists of squares.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Diagnostics;
use crate::model::{Coord, GameSpec, GlobalCondition};
use crate::place::At;
use crate::read::shorten;

use super::view::View;

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

/// Reports a code that is not that of a `POSITION` condition.
pub(super) fn resolve(code: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if code.known().is_none() {
        view.conditions.miss();
        return;
    }
    match view.condition(code) {
        Some(GlobalCondition::Position { .. }) => {}
        Some(GlobalCondition::State { .. }) => diags.report_with_help(
            Code::StateCondition,
            code.place(),
            format!("`{}` is a condition of type `STATE`, which lists no squares.", shorten(code)),
            "use a condition of type `POSITION`",
        ),
        None => {
            view.conditions.miss();
            if view.conditions.lacks(code) {
                report_unknown(code, view, diags);
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

fn report_unknown(code: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let help = diags
        .suggest(code, view.conditions.iter())
        .unwrap_or_else(|| "define a `POSITION` condition with this code under `conditions`".into());
    let message = format!("There is no condition `{}`.", shorten(code));
    diags.report_with_help(Code::UnknownCondition, code.place(), message, help);
}
