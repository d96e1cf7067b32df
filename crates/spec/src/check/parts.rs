//! Turns of several parts, and moves with legs.

use std::collections::HashSet;

use crate::model::{ActionKind, Condition, Coord, Event, Exposure, LeaderSpec, MoveSpec, PartSpec, Target};

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let then = &view.spec.turns.then;
    common::at_most(then, limits::PARTS, "parts of a turn", diags);
    let mut codes = HashSet::new();
    for part in then.iter() {
        common::name(&part.code, "The code of a part", diags);
        if part.code.known().is_some_and(|code| !codes.insert(code.as_str())) {
            let message = format!("Two parts of a turn have the code `{}`.", shorten(&part.code));
            diags.report_with_help(Code::BadPart, part.code.place(), message, "give each its own code");
        }
        common::at_most(&part.after, limits::LIST, "conditions", diags);
        common::at_most(&part.only, limits::LIST, "conditions", diags);
        common::at_most(&part.moves, limits::LIST, "moves", diags);
        check_end(part, diags);
        for each in part.moves.iter() {
            check_part_move(each, diags);
        }
    }
    if let Some(first) = then.first() {
        check_company(view, first, diags);
    }
    if let Some(most) = view.spec.turns.most.as_ref().filter(|_| then.is_empty()) {
        let message = "`most` compares turns of several parts, and there are none.";
        let help = "add `then`; for captures that must be made, use `priority`";
        diags.report_with_help(Code::BadPart, most.place(), message, help);
    }
    for each in view.every_move() {
        check_legs(each, diags);
        check_anywhere(each, diags);
        check_shots(each, diags);
    }
}

/// Reports a part that could follow itself forever.
fn check_end(part: &PartSpec, diags: &mut Diagnostics<'_>) {
    let Some(repeats) = part.repeats.as_ref().filter(|it| it.known() == Some(&true)) else { return };
    let captures = |condition: &At<Condition>| matches!(&**condition, Condition::Event { event, .. } if event.known() == Some(&Event::Captured));
    if !part.only.iter().any(captures) {
        let message = "This part could follow itself forever: its moves need not capture.";
        let help = "add \"only\": [{ \"condition\": \"EVENT\", \"event\": \"CAPTURED\" }]";
        diags.report_with_help(Code::BadPart, repeats.place(), message, help);
    }
}

fn check_part_move(each: &At<MoveSpec>, diags: &mut Diagnostics<'_>) {
    for condition in each.all_conditions() {
        if matches!(&**condition, Condition::DependsOn { .. }) {
            let message = "A move of a part of a turn cannot depend on other moves.";
            diags.report_with_help(Code::MisplacedCondition, condition.place(), message, "leave it out");
        }
    }
}

/// Reports mechanics that turns of several parts do not go together with.
fn check_company(view: &View<'_>, part: &At<PartSpec>, diags: &mut Diagnostics<'_>) {
    let spec = view.spec;
    let asks = |leader: &At<LeaderSpec>| {
        let exposure = leader.exposure.as_ref().and_then(At::known);
        leader.attacked.is_some() || leader.stalemate.is_some() || exposure == Some(&Exposure::AllowedInCheck)
    };
    let others = [
        ("chance", spec.chance.is_some()),
        ("sharing", spec.sharing.is_some()),
        ("exchange", spec.exchange.is_some()),
        ("withdrawal", spec.withdrawal.is_some()),
        ("control", spec.control.is_some()),
        ("figures", !spec.figures.is_empty()),
        ("reactions", !spec.reactions.is_empty()),
        ("attacked, stalemate or ALLOWED_IN_CHECK of the leader", spec.leader.as_ref().is_some_and(asks)),
    ];
    for (name, _) in others.into_iter().filter(|(_, is_used)| *is_used) {
        let message = format!("Turns of several parts do not go together with `{name}`.");
        diags.report_with_help(Code::BadPart, part.place(), message, "remove one of them");
    }
}

fn check_legs(each: &MoveSpec, diags: &mut Diagnostics<'_>) {
    common::at_most(&each.legs, limits::LEGS, "legs", diags);
    for leg in each.legs.iter() {
        if leg.step.known() == Some(&Coord::default()) {
            let message = "A leg of [0,0] does not leave the square.";
            diags.report_with_help(Code::ZeroStep, leg.step.place(), message, "write a step");
        }
        let state = leg.state.as_ref().map_or(Some("EMPTY"), |state| state.known().map(|it| it.as_str()));
        let captures = leg.captures.as_ref().filter(|it| it.known() == Some(&true));
        if let Some(captures) = captures.filter(|_| state == Some("EMPTY")) {
            let message = "There is nothing to capture on an empty square.";
            diags.report_with_help(Code::BadLeg, captures.place(), message, "add \"state\": \"ENEMY\"");
        }
    }
    if each.legs.is_empty() {
        return;
    }
    for condition in each.all_conditions() {
        if matches!(&**condition, Condition::PathEmpty {} | Condition::PathNotAttacked {}) {
            let message =
                format!("`{}` is about a straight path, and this move has legs.", condition.keyword());
            let help = "test the squares one by one, with `state` of the legs or with `SQUARE`";
            diags.report_with_help(Code::MisplacedCondition, condition.place(), message, help);
        }
    }
}

fn check_anywhere(each: &MoveSpec, diags: &mut Diagnostics<'_>) {
    let Some(anywhere) = each.anywhere.as_ref().filter(|it| it.known() == Some(&true)) else { return };
    let is_other = each.step.known().is_some_and(|step| *step != Coord::default())
        || each.repeat.is_some()
        || !each.legs.is_empty();
    if is_other {
        let message = "A move to any square has no step, no `repeat` and no `legs`.";
        diags.report_with_help(Code::BadLeg, anywhere.place(), message, "remove them, or `anywhere`");
    }
}

/// Reports shots at the square of the piece itself.
fn check_shots(each: &MoveSpec, diags: &mut Diagnostics<'_>) {
    for action in each.actions.iter() {
        let is_shot = action.action.known() == Some(&ActionKind::Shoot);
        let is_idle = action.state.known() == Some(&Target::Empty) && action.state.known().is_some();
        if is_shot && is_idle && !each.legs.is_empty() {
            let message = "A piece that shoots stays where it is, so its move has no legs.";
            diags.report_with_help(Code::BadLeg, action.action.place(), message, "remove `legs`");
        }
    }
}
