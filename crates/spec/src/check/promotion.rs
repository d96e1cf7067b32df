//! What becomes of a piece after its move.

use std::collections::HashSet;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::limits;
use crate::model::{ModifierSpec, PieceSpec};
use crate::place::At;
use crate::read::shorten;

use super::lists;
use super::names::Kind;
use super::view::View;

pub(super) fn check(view: &View<'_>, faults: &mut Faults<'_>) {
    for (_, each) in view.moves() {
        lists::at_most(&each.modifiers, limits::LIST, "modifiers", faults);
        for modifier in each.modifiers.iter() {
            check_options(&modifier.options, view, faults);
            check_replaced(modifier, view, faults);
        }
    }
}

/// Modifiers that are never reached, and pieces that become leaders.
pub(super) fn suspect(view: &View<'_>, faults: &mut Faults<'_>) {
    for (piece, each) in view.moves() {
        suspect_order(&each.modifiers, faults);
        if let Some(leader) =
            view.leader().filter(|leader| piece.code.known().is_some_and(|code| code != leader))
        {
            each.modifiers.iter().for_each(|modifier| suspect_leader(modifier, piece, leader, faults));
        }
    }
}

fn check_options(options: &At<Vec<At<String>>>, view: &View<'_>, faults: &mut Faults<'_>) {
    lists::not_empty(options, "options", faults);
    lists::at_most(options, limits::PIECES, "options", faults);
    let mut seen = HashSet::new();
    for option in options.iter() {
        view.pieces.resolve(option, Kind::Piece, faults);
        if !seen.insert(option.as_str()) {
            let message = format!("The option `{}` stands twice in this list.", shorten(option));
            faults.report_with_help(
                Code::DuplicateOption,
                option.place(),
                message,
                "remove it, or write the piece that was meant",
            );
        }
    }
}

/// Only what the piece can become has others to replace.
fn check_replaced(modifier: &ModifierSpec, view: &View<'_>, faults: &mut Faults<'_>) {
    let Some(replaces) = modifier.replaces.as_ref().and_then(At::known) else { return };
    for (option, to) in replaces.iter() {
        view.pieces.resolve(to, Kind::Piece, faults);
        let options = modifier.options.known();
        if options.is_some_and(|options| options.iter().all(|code| code.as_str() != option)) {
            let span = replaces.key_span(option).unwrap_or_else(|| faults.places().span(to.place()));
            let message = format!("`{}` is none of the options.", shorten(option));
            let help = "add it to `options`, or write the option that was meant".to_owned();
            faults.report_span(Code::NotAnOption, to.place(), span, message, Some(help));
        }
    }
}

/// The first modifier whose conditions hold is the one that counts.
fn suspect_order(modifiers: &[At<ModifierSpec>], faults: &mut Faults<'_>) {
    let always = |modifier: &At<ModifierSpec>| modifier.conditions.known().is_some_and(Vec::is_empty);
    let Some(last) = modifiers.iter().position(always) else { return };
    for modifier in &modifiers[last + 1..] {
        faults.report_with_help(
            Code::UnreachableModifier,
            modifier.place(),
            "This modifier is never reached: one before it has no conditions, so it always happens.",
            "give that one conditions, or put it last",
        );
    }
}

fn suspect_leader(modifier: &ModifierSpec, piece: &PieceSpec, leader: &str, faults: &mut Faults<'_>) {
    for option in modifier.options.iter().filter(|option| option.as_str() == leader) {
        let message = format!(
            "`{}` can become `{}`, the leader: its owner would then lose when either is captured.",
            shorten(&piece.code),
            shorten(leader)
        );
        faults.report_with_help(
            Code::PromotesToLeader,
            option.place(),
            message,
            "remove this option unless a second leader is meant",
        );
    }
}
