//! Lists of squares by their code, wherever only a `POSITION` condition can be named.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::model::{Coord, GameSpec, GlobalCondition};
use crate::place::At;
use crate::read::{nearest, shorten};

use super::view::View;

/// What the game names beside its moves and endings: squares for two, of control, of return, of victory and of change.
pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    named_by_game(view.spec).for_each(|code| resolve(code, view, faults));
}

/// The codes that the game itself names, not its moves or endings.
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

/// Reports a code that is not one of a `POSITION` condition.
pub(super) fn resolve(code: &At<String>, view: &View<'_>, faults: &mut Faults<'_>) {
    if code.known().is_none() {
        view.conditions.miss();
        return;
    }
    match view.condition(code) {
        Some(GlobalCondition::Position { .. }) => {}
        Some(GlobalCondition::State { .. }) => faults.report_with_help(
            Code::StateCondition,
            code.place(),
            format!("`{}` is a condition of type `STATE`, which lists no squares.", shorten(code)),
            "name a condition of type `POSITION`",
        ),
        None => {
            view.conditions.miss();
            if view.conditions.lacks(code) {
                report_unknown(code, view, faults);
            }
        }
    }
}

/// The squares of all lists of a condition; nothing if there is none or part of it was not read.
pub(super) fn squares(code: &str, view: &View<'_>) -> Option<HashSet<Coord>> {
    let GlobalCondition::Position { check, .. } = view.condition(code)? else { return None };
    let lists: Option<Vec<_>> = check.known()?.values().map(At::known).collect();
    Some(lists?.into_iter().flatten().map(|at| **at).collect())
}

fn report_unknown(code: &At<String>, view: &View<'_>, faults: &mut Faults<'_>) {
    let near = if faults.is_full() { None } else { nearest(code, view.conditions.iter()) };
    let help = match near {
        Some(near) => format!("did you mean `{}`?", shorten(near)),
        None => "define a `POSITION` condition of that code under `conditions`".into(),
    };
    let message = format!("There is no condition `{}`.", shorten(code));
    faults.report_with_help(Code::UnknownCondition, code.place(), message, help);
}
