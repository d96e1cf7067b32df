//! Hands, counters and triggers.

use crate::model::{CounterEffect, Event, HandsSpec};
use crate::read::{Named, quoted_list};

use super::endings::check_leader;
use super::prelude::*;

/// The largest value of a counter.
const MAX_COUNTER: i32 = 10_000;

/// The largest number of pieces of one kind in a hand.
const MAX_IN_HAND: i32 = 255;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let spec = view.spec;
    if let Some(hands) = spec.hands.as_ref().and_then(At::known) {
        check_hands(hands, view, diags);
    }
    for piece in spec.pieces.iter() {
        if let Some(code) = &piece.reverts_to {
            view.pieces.resolve(code, NameKind::Piece, diags);
            if spec.hands.is_none() {
                let message = "`reverts_to` says what goes to a hand, and this game has none.";
                diags.report_with_help(Code::NoHands, code.place(), message, "add `hands`, or leave it out");
            }
        }
    }
    if let Some(counters) = &spec.counters {
        check_counters(counters, diags);
    }
    check_triggers(view, diags);
    for (_, condition) in view.all_conditions() {
        check_event(condition, view, diags);
    }
}

fn check_hands(hands: &HandsSpec, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for (name, pieces) in hands.start.iter().flat_map(|start| start.iter()) {
        view.players.resolve_at(name, pieces.place(), None, NameKind::Player, diags);
        for (code, count) in pieces.iter() {
            view.pieces.resolve_at(code, count.place(), pieces.key_span(code), NameKind::Piece, diags);
            check_range(count, 0, MAX_IN_HAND, "The number of pieces in hand", diags);
        }
    }
    let Some(drops) = &hands.drops else { return };
    common::at_most(drops, limits::LIST, "drops", diags);
    for drop in drops.iter() {
        common::piece_list(&drop.piece, view, diags);
        common::at_most(&drop.conditions, limits::LIST, "conditions", diags);
        common::at_most(&drop.modifiers, limits::LIST, "modifiers", diags);
        for modifier in drop.modifiers.iter() {
            common::piece_list(&modifier.options, view, diags);
            if let Some(replaces) = &modifier.replaces {
                let message = "A dropped piece replaces no others.";
                diags.report_with_help(
                    Code::MisplacedCondition,
                    replaces.place(),
                    message,
                    "leave out `replaces`",
                );
            }
        }
    }
}

fn check_counters(counters: &At<Named<crate::model::CounterSpec>>, diags: &mut Diagnostics<'_>) {
    if counters.len() > limits::LIST {
        let message = format!("There are {} counters; the limit is {}.", counters.len(), limits::LIST);
        diags.report(Code::TooMany, counters.place(), message);
    }
    for (name, counter) in counters.iter() {
        if name.trim().is_empty() {
            let help = "write a name with a visible character";
            diags.report_with_help(Code::EmptyName, counter.place(), "The name of a counter is empty.", help);
        }
        check_range(&counter.max, 1, MAX_COUNTER, "The largest value", diags);
        if let Some(start) = &counter.start {
            let max = counter.max.known().copied().unwrap_or(MAX_COUNTER);
            check_range(start, 0, max, "The first value", diags);
        }
    }
}

fn check_triggers(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    let triggers = &view.spec.triggers;
    common::at_most(triggers, limits::LIST, "triggers", diags);
    for trigger in triggers.iter() {
        check_word(&trigger.on, view, diags);
        common::at_most(&trigger.when, limits::LIST, "conditions", diags);
        common::not_empty(&trigger.effects, "effects", diags);
        common::at_most(&trigger.effects, limits::LIST, "effects", diags);
        if let Some(list) = &trigger.piece {
            common::piece_list(list, view, diags);
        }
        for effect in trigger.effects.iter() {
            if let CounterEffect::Count { piece: Some(list), .. } = &**effect {
                common::piece_list(list, view, diags);
            }
            let Some(counter) = resolve(effect.counter(), view, diags) else { continue };
            if let (CounterEffect::Set { to, .. }, Some(max)) = (&**effect, counter.max.known()) {
                check_range(to, 0, *max, "The value of the counter", diags);
            }
        }
    }
}

/// Reports an event that cannot happen in the game.
fn check_event(condition: &At<crate::model::Condition>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    if let crate::model::Condition::Event { event, .. } = &**condition {
        check_word(event, view, diags);
    }
}

fn check_word(event: &At<Event>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    match event.known() {
        Some(Event::Check) => check_leader("CHECK", event.place(), view, diags),
        Some(Event::Dropped) if view.spec.hands.is_none() => {
            let message = "`DROPPED` is about hands, and this game has none.";
            diags.report_with_help(Code::NoHands, event.place(), message, "add `hands`");
        }
        _ => {}
    }
}

/// Checks what a comparison measures.
pub(super) fn check_measure(
    place: Place,
    counter: Option<&At<String>>,
    values: Option<&At<Named<i32>>>,
    view: &View<'_>,
    diags: &mut Diagnostics<'_>,
) {
    match (counter, values) {
        (Some(counter), None) => {
            resolve(counter, view, diags);
        }
        (None, Some(values)) => {
            for (code, value) in values.iter() {
                view.pieces.resolve_at(code, value.place(), values.key_span(code), NameKind::Piece, diags);
            }
        }
        _ => {
            let message = "A comparison has either `counter` or `values`.";
            diags.report_with_help(Code::UnknownCounter, place, message, "write one of them");
        }
    }
}

/// Returns the counter with a name, or reports that there is none.
fn resolve<'g>(
    name: &At<String>,
    view: &View<'g>,
    diags: &mut Diagnostics<'_>,
) -> Option<&'g crate::model::CounterSpec> {
    let counters = view.spec.counters.as_ref().and_then(At::known);
    let found = counters.and_then(|counters| counters.get(name.as_str()));
    if found.is_none() && name.known().is_some() {
        let names: Vec<&str> =
            counters.iter().flat_map(|counters| counters.keys()).map(String::as_str).collect();
        let help = diags.suggest(name, names.iter().copied()).unwrap_or_else(|| match names.as_slice() {
            [] => "define it under `counters`".into(),
            names => format!("the counters are {}", quoted_list(names)),
        });
        let message = format!("There is no counter `{}`.", shorten(name));
        diags.report_with_help(Code::UnknownCounter, name.place(), message, help);
    }
    found.map(|counter| &**counter)
}

fn check_range(number: &At<i32>, least: i32, most: i32, what: &str, diags: &mut Diagnostics<'_>) {
    if let Some(value) = number.known().filter(|value| !(least..=most).contains(*value)) {
        let message = format!("{what} is {value}, but must be from {least} to {most}.");
        let help = format!("write a number from {least} to {most}");
        diags.report_with_help(Code::NumberOutOfRange, number.place(), message, help);
    }
}
