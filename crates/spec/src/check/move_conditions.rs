//! The conditions of moves, actions, promotions and of the game as a whole.

use std::collections::HashSet;

use crate::model::{Anchor, Area, Clause, Condition, Conditions, Occupancy, RegionOf, with_nested};

use super::common::{read_or, shown};
use super::endings;
use super::prelude::*;
use super::redundant_endings;
use super::regions::{self, Context};
use super::view::{Situation, condition_lists};

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for each in view.every_move() {
        condition_lists(each).for_each(|list| common::at_most(list, limits::LIST, "conditions", diags));
    }
    common::at_most(&view.spec.restrictions, limits::LIST, "conditions", diags);
    common::at_most(&view.spec.priority, limits::LIST, "classes of moves", diags);
    for list in view.spec.priority.iter() {
        common::not_empty(list, "conditions", diags);
        common::at_most(list, limits::LIST, "conditions", diags);
    }
    for (_, list) in view.condition_lists() {
        check_total(list, diags);
    }
    for (situation, condition) in view.all_conditions() {
        // A trigger is a part of every move, so it cannot depend on the legal moves. After a part of a turn, no other player moves.
        let may_be_stuck = situation != Situation::Trigger && view.spec.turns.then.is_empty();
        check_place(condition, situation, may_be_stuck, diags);
        check_condition(condition, view, diags);
    }
}

/// Reports a list with too many nested conditions.
fn check_total(list: &[At<Condition>], diags: &mut Diagnostics<'_>) {
    let (found, limit) = (with_nested(list).len(), limits::CLAUSES);
    if let Some(first) = list.first().filter(|_| found > limit) {
        let message = format!("This list has {found} conditions, with nested ones; the limit is {limit}.");
        diags.report(Code::TooMany, first.place(), message);
    }
}

/// Warns about conditions and pieces listed twice.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for (_, list) in view.condition_lists() {
        warn_list(list, diags);
    }
}

fn warn_list(list: &[At<Condition>], diags: &mut Diagnostics<'_>) {
    let mut seen = HashSet::new();
    for condition in list {
        if identity(condition).is_some_and(|identity| !seen.insert(identity)) {
            common::report_repeated_condition(condition.keyword(), condition.place(), diags);
        }
        if let Condition::Square { piece: Some(kinds), .. }
        | Condition::Event { piece: Some(kinds), .. }
        | Condition::Attacked { by: Some(kinds), .. }
        | Condition::Defended { by: Some(kinds), .. }
        | Condition::Position(Clause::Count { piece: Some(kinds), .. }) = &**condition
        {
            common::warn_duplicate_pieces(kinds, diags);
        }
        condition.nested().iter().for_each(|list| warn_list(list, diags));
    }
}

/// Reports a condition about something that does not exist where it stands.
fn check_place(
    condition: &At<Condition>,
    situation: Situation,
    may_be_stuck: bool,
    diags: &mut Diagnostics<'_>,
) {
    let word = condition.keyword();
    let (why, help) = match &**condition {
        Condition::DependsOn { .. } | Condition::PathEmpty {} | Condition::PathNotAttacked {}
            if matches!(situation, Situation::Game | Situation::Trigger) =>
        {
            ("is about one move of a piece", "write it in the `conditions` of that move")
        }
        Condition::DependsOn { .. }
        | Condition::PathEmpty {}
        | Condition::PathNotAttacked {}
        | Condition::FirstMove {}
            if matches!(situation, Situation::Drop | Situation::DropPromotion) =>
        {
            ("is about a piece that moves on the board", "a dropped piece comes from the hand: leave it out")
        }
        Condition::Event { .. } | Condition::After { .. }
            if matches!(situation, Situation::Promotion | Situation::DropPromotion) =>
        {
            (
                "is about the result of a move, and a promotion is a part of it",
                "write it in the `conditions` of the move",
            )
        }
        Condition::Position(clause) => match misplaced(clause) {
            Some(clause) => return report_misplaced(clause, false, condition.place(), diags),
            None => return,
        },
        Condition::After { of } => {
            for clause in of.iter() {
                if let Some(wrong) = misplaced_after(clause, may_be_stuck) {
                    report_misplaced(wrong, true, clause.place(), diags);
                }
            }
            return;
        }
        _ => return,
    };
    let message = format!("`{word}` {why}.");
    diags.report_with_help(Code::MisplacedCondition, condition.place(), message, help);
}

/// Returns a part of a condition that only endings can have.
fn misplaced(clause: &Clause) -> Option<&Clause> {
    clause
        .with_nested()
        .into_iter()
        .find(|clause| is_of_endings(clause) || matches!(clause, Clause::Stuck { .. }))
}

/// Returns a part of a condition that `AFTER` cannot have. After a move, a player may be stuck.
fn misplaced_after(clause: &Clause, may_be_stuck: bool) -> Option<&Clause> {
    clause.with_nested().into_iter().find(|clause| match clause {
        Clause::Stuck { .. } => !may_be_stuck,
        Clause::Count { area, .. } => area.as_ref().is_some_and(|area| **area != Area::Hand),
        clause => is_of_endings(clause),
    })
}

fn is_of_endings(clause: &Clause) -> bool {
    matches!(clause, Clause::Repetition { .. } | Clause::Quiet { .. } | Clause::CannotWin { .. })
}

fn report_misplaced(clause: &Clause, is_after: bool, place: Place, diags: &mut Diagnostics<'_>) {
    let (why, help) = match clause {
        Clause::Stuck { .. } if is_after => (
            "is about the legal moves",
            "triggers and turns of several parts cannot depend on them: leave it out",
        ),
        Clause::Stuck { .. } => {
            ("is about the legal moves", "write it in `endings`, or after the move, in `AFTER`")
        }
        Clause::Count { .. } => ("with `area` is about a move that is not over", "leave out `area`"),
        _ => ("depends on the course of the game", "it is allowed in the `when` of `endings`"),
    };
    let message = format!("`{}` {why}, so it cannot be a condition here.", clause.keyword());
    diags.report_with_help(Code::MisplacedCondition, place, message, help);
}

fn check_condition(condition: &At<Condition>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    match &**condition {
        Condition::Code(code) => regions::resolve_in(Context::Condition, code, view, diags),
        Condition::Square { state, piece, unmoved, .. } => {
            if state.is_none() && piece.is_none() && unmoved.is_none() {
                report_empty_test(condition.place(), diags);
            }
            check_contradiction(state.as_ref(), piece.is_some() || unmoved.is_some(), diags);
            if let Some(list) = piece {
                common::piece_list(list, view, diags);
            }
        }
        Condition::InRegion { region, .. } => regions::resolve(region, view, diags),
        Condition::Event { piece: Some(list), .. }
        | Condition::Attacked { by: Some(list), .. }
        | Condition::Defended { by: Some(list), .. } => common::piece_list(list, view, diags),
        Condition::Position(clause) => {
            endings::check_position_condition(clause, condition.place(), view, diags);
        }
        Condition::After { of } => {
            common::not_empty(of, "conditions", diags);
            common::at_most(of, limits::LIST, "conditions", diags);
            for clause in of.iter() {
                endings::check_position_condition(clause, clause.place(), view, diags);
            }
        }
        Condition::Any { of } => {
            common::not_empty(of, "alternatives", diags);
            common::at_most(of, limits::LIST, "alternatives", diags);
            of.iter().for_each(|list| check_nested(list, diags));
        }
        Condition::All { of } | Condition::Not { of } => check_nested(of, diags),
        _ => {}
    }
}

fn check_nested(list: &At<Conditions>, diags: &mut Diagnostics<'_>) {
    common::not_empty(list, "conditions", diags);
    common::at_most(list, limits::LIST, "conditions", diags);
}

fn report_empty_test(place: Place, diags: &mut Diagnostics<'_>) {
    let message = "This condition does not test anything.";
    let help = "add `state`, `piece` or `unmoved`";
    diags.report_with_help(Code::EmptySquareTest, place, message, help);
}

fn check_contradiction(state: Option<&At<Occupancy>>, asks_for_piece: bool, diags: &mut Diagnostics<'_>) {
    let Some(state) = state else { return };
    if asks_for_piece && state.known() == Some(&Occupancy::Empty) {
        let message = "An empty square has no piece, so this condition never holds.";
        let help = "write another `state`, or leave out `piece` and `unmoved`";
        diags.report_with_help(Code::ContradictorySquareTest, state.place(), message, help);
    }
}

/// Returns a text that is equal for equivalent conditions; `None` if part of the condition was not read.
fn identity(condition: &Condition) -> Option<String> {
    let rest = match condition {
        Condition::FirstMove {}
        | Condition::PathEmpty {}
        | Condition::NotAttacked {}
        | Condition::PathNotAttacked {}
        | Condition::Code(_) => String::new(),
        Condition::DependsOn { move_id } => move_id.known()?.to_string(),
        Condition::PieceFirstMove { position } | Condition::RookFirstMove { position } => {
            position.known()?.to_string()
        }
        Condition::CheckState { state, position } => format!("{} {}", position.known()?, state.known()?),
        Condition::Square { position, anchor, state, piece, unmoved } => {
            let (position, anchor) = (position.known()?, read_or(anchor.as_ref(), Anchor::Source)?);
            let (state, unmoved) = (shown(state.as_ref())?, shown(unmoved.as_ref())?);
            format!("{position} {anchor:?} {state} {} {unmoved}", kinds(piece.as_ref())?)
        }
        Condition::InRegion { region, of, anchor } => {
            let anchor = read_or(anchor.as_ref(), Anchor::Target)?;
            format!("{:?} {:?} {anchor:?}", region.known()?, read_or(of.as_ref(), RegionOf::Own)?)
        }
        Condition::Position(clause) => return redundant_endings::clause_identity(clause),
        // Others are not compared.
        _ => return None,
    };
    Some(format!("{} {rest}", condition.keyword()))
}

/// Returns the codes of a list as text; `None` if it could not be read.
fn kinds(list: Option<&At<Vec<At<String>>>>) -> Option<String> {
    let Some(list) = list else { return Some("all".into()) };
    Some(format!("{:?}", list.known()?.iter().map(|kind| kind.as_str()).collect::<Vec<_>>()))
}
