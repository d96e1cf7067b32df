//! What follows from moves.

use tabiya_engine::Rules;
use tabiya_engine::blueprint::{Anchor, KindPlan};
use tabiya_engine::ending::Owner;
use tabiya_engine::mechanics::{
    CounterChange, CounterEffect, PieceChange, PieceEffect, PlaceEffect, TriggerEffect,
};

use super::page::Page;
use super::{conditions, counts};

/// Writes the triggers, if the game has any.
pub(super) fn write(rules: &Rules, kind: &KindPlan, page: &mut Page) {
    let mechanics = rules.mechanics();
    if mechanics.triggers.is_empty() {
        return;
    }
    page.heading("What follows from moves");
    for trigger in &mechanics.triggers {
        let event = conditions::event(rules, &trigger.on);
        let when = match trigger.when.as_slice() {
            [] => String::new(),
            list => format!(", and {}", conditions::conditions(rules, kind, list)),
        };
        let effects: Vec<String> = trigger.effects.iter().map(|it| effect(rules, it)).collect();
        page.item(&format!("If a piece moves or is dropped and {event}{when}: {}.", effects.join(", then ")));
    }
}

fn effect(rules: &Rules, effect: &TriggerEffect) -> String {
    match effect {
        TriggerEffect::Counter(effect) => counter_effect(rules, effect),
        TriggerEffect::Pieces(effect) => piece_effect(rules, effect),
        TriggerEffect::Place(effect) => place_effect(rules, effect),
        TriggerEffect::Give { kind, to, count } => {
            let whose = receiver(*to);
            format!("{count} {} goes to the hand of {whose}", rules.kind(*kind).code)
        }
        TriggerEffect::ExtraTurn => "the player moves again".into(),
        TriggerEffect::EndTurn => "the player's turn ends".into(),
    }
}

fn receiver(owner: Owner) -> &'static str {
    match owner {
        Owner::Enemy => "the next opponent",
        Owner::Neutral => "no one",
        _ => "the player who moved",
    }
}

fn piece_effect(rules: &Rules, effect: &PieceEffect) -> String {
    let whose = match effect.owner {
        Owner::Own => " of the player who moved",
        Owner::Enemy => " of opponents",
        Owner::Any => "",
        Owner::Partner => " of partners",
        Owner::Team => " of the team",
        Owner::Neutral => " without an owner",
    };
    let regions = rules.blueprint().regions();
    let region =
        effect.region.map_or_else(String::new, |it| format!(" on {}", regions[usize::from(it)].code));
    let area = effect.area.map_or_else(String::new, counts::area);
    let what = format!("{} pieces{whose}{region}{area}", counts::codes(rules, &effect.kinds));
    match effect.change {
        PieceChange::Remove => format!("{what} are removed"),
        PieceChange::Capture => format!("{what} are captured"),
        PieceChange::Transform(kind) => format!("{what} become {}", rules.kind(kind).code),
        PieceChange::SetOwner(owner) => format!("{what} change to {}", receiver(owner)),
        PieceChange::MoveTo(Anchor::Source) => format!("{what} go to the square that the piece left"),
        PieceChange::MoveTo(Anchor::Target) => format!("{what} go to the square where the piece landed"),
    }
}

fn place_effect(rules: &Rules, effect: &PlaceEffect) -> String {
    let regions = rules.blueprint().regions();
    let region =
        effect.region.map_or_else(String::new, |it| format!(" on {}", regions[usize::from(it)].code));
    let whose = match effect.owner {
        Owner::Neutral => "without an owner",
        Owner::Enemy => "of the next opponent",
        _ => "of the player who moved",
    };
    format!(
        "a {} {whose} is placed on each empty square{region}{}",
        rules.kind(effect.kind).code,
        counts::area(effect.area)
    )
}

fn counter_effect(rules: &Rules, effect: &CounterEffect) -> String {
    let plan = &rules.mechanics().counters[usize::from(effect.counter)];
    let of = match effect.owner {
        _ if !plan.per_player => "",
        Owner::Own => " of the player who moved",
        Owner::Enemy => " of each opponent",
        Owner::Any => " of each player",
        Owner::Partner => " of each partner",
        Owner::Team => " of each player of the team",
        Owner::Neutral => " of neutral players",
    };
    match &effect.change {
        CounterChange::Add(by) if *by < 0 => format!("{}{of} falls by {}", plan.code, -by),
        CounterChange::Add(by) => format!("{}{of} rises by {by}", plan.code),
        CounterChange::Set(to) => format!("{}{of} becomes {to}", plan.code),
        CounterChange::Count { kinds, of: owner } => {
            let pieces = kinds.as_ref().map_or_else(|| "pieces".into(), |kinds| counts::codes(rules, kinds));
            let whose = match owner {
                Owner::Own => " of the player who moved",
                Owner::Enemy => " of the opponents",
                Owner::Any => "",
                Owner::Partner => " of the partners",
                Owner::Team => " of the team",
                Owner::Neutral => " without an owner",
            };
            format!("{}{of} becomes the number of {pieces}{whose} on the board", plan.code)
        }
    }
}
