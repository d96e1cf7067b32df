//! Triggers: what follows from moves, and the pieces that effects select.

use crate::model::{Area, Owner, Selection, TriggerEffect};

use super::hands::{self, MAX_IN_HAND, check_range};
use super::prelude::*;
use super::regions;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let triggers = &view.spec.triggers;
    common::at_most(triggers, limits::LIST, "triggers", diags);
    for trigger in triggers.iter() {
        hands::check_word(&trigger.on, view, diags);
        common::at_most(&trigger.when, limits::LIST, "conditions", diags);
        common::not_empty(&trigger.effects, "effects", diags);
        common::at_most(&trigger.effects, limits::LIST, "effects", diags);
        if let Some(list) = &trigger.piece {
            common::piece_list(list, view, diags);
        }
        for effect in trigger.effects.iter() {
            check_effect(effect, view, diags);
        }
    }
}

fn check_effect(effect: &At<TriggerEffect>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    match &**effect {
        TriggerEffect::Add { counter, owner, .. } => {
            hands::resolve(counter, view, diags);
            check_owner(owner.as_ref(), view, diags);
        }
        TriggerEffect::Set { counter, owner, to } => {
            check_owner(owner.as_ref(), view, diags);
            let counter = hands::resolve(counter, view, diags);
            if let Some(max) = counter.and_then(|counter| counter.max.known()) {
                check_range(to, 0, *max, "The value of the counter", diags);
            }
        }
        TriggerEffect::Count { counter, owner, piece, of } => {
            hands::resolve(counter, view, diags);
            check_owner(owner.as_ref(), view, diags);
            check_owner(of.as_ref(), view, diags);
            if let Some(list) = piece {
                common::piece_list(list, view, diags);
            }
        }
        TriggerEffect::Place { piece, owner, region, area, anchor } => {
            check_new_piece(piece, "placed", view, diags);
            check_receiver(owner.as_ref(), view, diags);
            check_area(area.as_ref(), diags);
            check_anchor(area.as_ref(), anchor.as_ref(), true, diags);
            if let Some(area) = area.as_ref().filter(|it| is_one_of(it, &[Area::Flanked, Area::Attacked])) {
                let message = format!("`{}` selects pieces, and `PLACE` needs empty squares.", area.as_str());
                let help = "choose another part of the board";
                diags.report_with_help(Code::MisplacedCondition, area.place(), message, help);
            }
            if let Some(code) = region {
                regions::resolve(code, view, diags);
            }
        }
        TriggerEffect::Give { piece, owner, by } => {
            check_new_piece(piece, "given", view, diags);
            check_receiver(owner.as_ref(), view, diags);
            if let Some(by) = by {
                check_range(by, 1, MAX_IN_HAND, "The number of pieces", diags);
            }
            if view.spec.hands.is_none() {
                let message = "`GIVE` is about hands, and this game has none.";
                diags.report_with_help(Code::NoHands, effect.place(), message, "add `hands`");
            }
        }
        TriggerEffect::Transform { to, .. } => {
            check_new_piece(to, "made", view, diags);
            check_followers(effect, view, diags);
        }
        TriggerEffect::SetOwner { to, .. } => {
            check_receiver(Some(to), view, diags);
            check_followers(effect, view, diags);
        }
        TriggerEffect::ExtraTurn {}
        | TriggerEffect::EndTurn {}
        | TriggerEffect::Remove { .. }
        | TriggerEffect::Capture { .. }
        | TriggerEffect::Move { .. } => {}
    }
    if let Some(selection) = effect.selection() {
        check_selection(selection, view, diags);
    }
}

fn check_selection(selection: Selection<'_>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Selection { piece, owner, region, area, anchor, along, run } = selection;
    if let Some(list) = piece {
        common::piece_list(list, view, diags);
    }
    check_owner(owner, view, diags);
    if let Some(code) = region {
        regions::resolve(code, view, diags);
    }
    check_area(area, diags);
    check_anchor(area, anchor, false, diags);
    check_flanks(area, along.map(At::place), run, diags);
}

/// Reports the keys of runs without `FLANKED`, and their length.
pub(super) fn check_flanks(
    area: Option<&At<Area>>,
    along: Option<Place>,
    run: Option<&At<i32>>,
    diags: &mut Diagnostics<'_>,
) {
    common::at_least(run, 1, "The length of a run", diags);
    if area.is_some_and(|area| area.known().is_none_or(|area| *area == Area::Flanked)) {
        return;
    }
    for place in along.into_iter().chain(run.map(At::place)) {
        let message = "`along` and `run` are about pieces that are flanked.";
        let help = "leave them out, or write \"area\": \"FLANKED\"";
        diags.report_with_help(Code::MisplacedCondition, place, message, help);
    }
}

/// Reports an area that has no squares.
fn check_area(area: Option<&At<Area>>, diags: &mut Diagnostics<'_>) {
    if let Some(area) = area.filter(|area| is_one_of(area, &[Area::Hand])) {
        let message = "A hand has no squares.";
        diags.report_with_help(Code::MisplacedCondition, area.place(), message, "choose a part of the board");
    }
}

fn check_anchor(
    area: Option<&At<Area>>,
    anchor: Option<&At<crate::model::Anchor>>,
    has_default: bool,
    diags: &mut Diagnostics<'_>,
) {
    let Some(anchor) = anchor else { return };
    let is_needed = match area {
        None => has_default,
        Some(area) => !is_one_of(area, &[Area::Between, Area::Behind, Area::Ahead, Area::Hand]),
    };
    if !is_needed {
        let message = "`anchor` has no effect without a part of the board around a square.";
        let help =
            "leave it out, or write `area`: `SQUARE`, `ADJACENT`, `FILE`, `RANK`, `FLANKED` or `ATTACKED`";
        diags.report_with_help(Code::MisplacedCondition, anchor.place(), message, help);
    }
}

fn is_one_of(area: &At<Area>, words: &[Area]) -> bool {
    area.known().is_some_and(|area| words.contains(area))
}

/// Checks a kind that an effect creates. New leaders would change who can lose.
fn check_new_piece(code: &At<String>, how: &str, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    view.pieces.resolve(code, NameKind::Piece, diags);
    if is_leader(code, view) {
        let message = format!("A leader cannot be {how} by an effect.");
        diags.report_with_help(Code::LeaderChanges, code.place(), message, "choose another piece");
    }
}

/// Reports leaders that would change their kind or owner.
fn check_followers(effect: &TriggerEffect, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let pieces = effect.selection().and_then(|selection| selection.piece);
    for code in pieces.into_iter().flat_map(|list| list.iter()).filter(|code| is_leader(code, view)) {
        let message = "A leader keeps its kind and its owner.";
        diags.report_with_help(Code::LeaderChanges, code.place(), message, "leave it out of `piece`");
    }
}

fn is_leader(code: &At<String>, view: &View<'_>) -> bool {
    code.known().is_some() && view.spec.leaders().any(|leader| leader.as_str() == code.as_str())
}

/// Checks who receives a piece: one player.
fn check_receiver(owner: Option<&At<Owner>>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    check_owner(owner, view, diags);
    let Some(owner) = owner else { return };
    if let Some(word @ (Owner::Any | Owner::Partner | Owner::Team)) = owner.known() {
        let message = format!("`{}` does not name one player.", word.as_str());
        let help = "write `OWN`, `ENEMY` or `NEUTRAL`";
        diags.report_with_help(Code::MisplacedCondition, owner.place(), message, help);
    }
}

/// Reports neutral players where there are none.
pub(super) fn check_owner(owner: Option<&At<Owner>>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let Some(owner) = owner.filter(|owner| owner.known() == Some(&Owner::Neutral)) else { return };
    if !view.spec.players.iter().any(|player| view.is_neutral(&player.name)) {
        let message = "`NEUTRAL` refers to neutral players, and this game has none.";
        let help = "add a player with \"neutral\": true";
        diags.report_with_help(Code::NoNeutral, owner.place(), message, help);
    }
}
