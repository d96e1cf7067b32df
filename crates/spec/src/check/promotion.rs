//! Promotions.

use std::collections::HashSet;

use crate::model::{ModifierSpec, PieceSpec};

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for each in view.every_move() {
        common::at_most(&each.modifiers, limits::LIST, "modifiers", diags);
        for modifier in each.modifiers.iter() {
            check_options(&modifier.options, view, diags);
            check_replaced(modifier, view, diags);
        }
    }
}

/// Warns about unreachable modifiers and promotions to leader.
pub(super) fn warn(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let leader = view.spec.leader.as_ref().and_then(At::known);
    // With several kinds of leader, or a rule about the last one, further leaders are intended.
    let is_intended = leader.is_some_and(|leader| leader.pieces.len() > 1 || leader.lost.is_some());
    for (piece, each) in view.moves() {
        warn_order(&each.modifiers, diags);
        for leader in view
            .leaders()
            .filter(|_| !is_intended)
            .filter(|leader| piece.code.known().is_some_and(|code| code != leader))
        {
            each.modifiers.iter().for_each(|modifier| warn_leader(modifier, piece, leader, diags));
        }
    }
}

fn check_options(options: &At<Vec<At<String>>>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    common::not_empty(options, "options", diags);
    common::at_most(options, limits::PIECES, "options", diags);
    let mut seen = HashSet::new();
    for option in options.iter() {
        view.pieces.resolve(option, NameKind::Piece, diags);
        if !seen.insert(option.as_str()) {
            let message = format!("The option `{}` appears twice in this list.", shorten(option));
            let help = "remove it, or write the intended piece";
            diags.report_with_help(Code::DuplicateOption, option.place(), message, help);
        }
    }
}

/// Checks that `replaces` refers to options of the modifier.
fn check_replaced(modifier: &ModifierSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(replaces) = modifier.replaces.as_ref().and_then(At::known) else { return };
    for (option, to) in replaces.iter() {
        view.pieces.resolve(to, NameKind::Piece, diags);
        let options = modifier.options.known();
        if options.is_some_and(|options| options.iter().all(|code| code.as_str() != option)) {
            let span = replaces.key_span(option).unwrap_or_else(|| diags.places().span(to.place()));
            let message = format!("`{}` is not one of the options.", shorten(option));
            let help = "add it to `options`, or write the intended option".to_owned();
            diags.report_span(Code::NotAnOption, to.place(), span, message, Some(help));
        }
    }
}

/// Warns about modifiers after one that always applies: the first match counts.
fn warn_order(modifiers: &[At<ModifierSpec>], diags: &mut Diagnostics<'_>) {
    let always = |modifier: &At<ModifierSpec>| modifier.conditions.known().is_some_and(Vec::is_empty);
    let Some(last) = modifiers.iter().position(always) else { return };
    for modifier in &modifiers[last + 1..] {
        diags.report_with_help(
            Code::UnreachableModifier,
            modifier.place(),
            "This modifier is never reached: an earlier one has no conditions, so it always applies.",
            "give the earlier one conditions, or move it to the end",
        );
    }
}

fn warn_leader(modifier: &ModifierSpec, piece: &PieceSpec, leader: &str, diags: &mut Diagnostics<'_>) {
    for option in modifier.options.iter().filter(|option| option.as_str() == leader) {
        let message = format!(
            "`{}` can become `{}`, the leader: its owner then loses when either is captured.",
            shorten(&piece.code),
            shorten(leader)
        );
        let help = "remove this option, or say with `lost` under `leader` whose loss decides";
        diags.report_with_help(Code::PromotesToLeader, option.place(), message, help);
    }
}
