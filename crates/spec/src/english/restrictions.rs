//! The conditions that every move must meet, the moves that must be played if possible, drops and triggers.

use tabiya_engine::Rules;
use tabiya_engine::blueprint::{Condition, KindPlan};
use tabiya_engine::ending::Owner;
use tabiya_engine::mechanics::{CounterChange, CounterEffect, HandOf};

use super::page::{Page, join};
use super::{conditions, counts};

/// Writes the restrictions and the priority, if the game has any.
pub(super) fn write(rules: &Rules, page: &mut Page) {
    let mechanics = rules.mechanics();
    // Conditions of the game do not refer to moves of a kind, so any kind will do.
    let Some(kind) = rules.blueprint().kinds().first() else { return };
    drops(rules, kind, page);
    counters(rules, kind, page);
    if mechanics.restrictions.is_empty() && mechanics.priority.is_empty() {
        return;
    }
    page.heading("Which moves are allowed");
    for condition in &mechanics.restrictions {
        page.item(&match condition {
            Condition::Not(list) => {
                format!("No piece may make a move if {}.", conditions::conditions(rules, kind, list))
            }
            other => {
                format!("A piece may only make a move if {}.", conditions::condition(rules, kind, other))
            }
        });
    }
    for (index, class) in mechanics.priority.iter().enumerate() {
        let text = conditions::conditions(rules, kind, class);
        let lead = if index == 0 { "If" } else { "Otherwise, if" };
        page.item(&format!(
            "{lead} the following is true of a legal move of a player, only such moves may be played: {text}."
        ));
    }
}

/// Writes what goes to a hand, and what may be dropped where.
fn drops(rules: &Rules, kind: &KindPlan, page: &mut Page) {
    let Some(hands) = &rules.mechanics().hands else { return };
    page.heading("Hands");
    match hands.captured_to {
        Some(HandOf::Captor) => page.item("A captured piece goes to the hand of the player who captures it."),
        Some(HandOf::Owner) => page.item("A captured piece goes back to the hand of its owner."),
        None => page.item("Captured pieces leave the game."),
    }
    for other in rules.blueprint().kinds() {
        if let Some(to) = other.reverts_to.filter(|_| hands.captured_to.is_some()) {
            page.item(&format!("{} goes to the hand as {}.", other.code, rules.kind(to).code));
        }
    }
    for player in rules.players() {
        let of_player = hands.start.iter().filter(|(owner, ..)| *owner == player);
        let pieces: Vec<String> =
            of_player.map(|(_, kind, count)| format!("{count} {}", rules.kind(*kind).code)).collect();
        if !pieces.is_empty() {
            page.item(&format!(
                "{} starts with {} in hand.",
                rules.player(player).name,
                join(&pieces, "and")
            ));
        }
    }
    page.item(
        "Instead of moving, a player may drop a piece from the hand on an empty square. It counts as moved, and \
         captures nothing.",
    );
    for drop in &hands.drops {
        let what = counts::codes(rules, &drop.kinds);
        let when = match drop.conditions.as_slice() {
            [] => "on any empty square".into(),
            list => format!("on an empty square if {}", conditions::conditions(rules, kind, list)),
        };
        page.item(&format!("{what} may be dropped {when}."));
        for (index, modifier) in drop.modifiers.iter().enumerate() {
            page.item(&conditions::promotion(rules, kind, modifier, index == 0));
        }
    }
}

/// Writes the counters, and what changes them.
fn counters(rules: &Rules, kind: &KindPlan, page: &mut Page) {
    let mechanics = rules.mechanics();
    if mechanics.counters.is_empty() {
        return;
    }
    page.heading("Counters");
    for counter in &mechanics.counters {
        let whose = if counter.per_player { "each player has one" } else { "the game has one" };
        page.item(&format!("{}: {whose}, from {} to at most {}.", counter.code, counter.start, counter.max));
    }
    for trigger in &mechanics.triggers {
        let event = conditions::event(rules, &trigger.on);
        let when = match trigger.when.as_slice() {
            [] => String::new(),
            list => format!(", and {}", conditions::conditions(rules, kind, list)),
        };
        let effects: Vec<String> =
            trigger.effects.iter().map(|effect| counter_effect(rules, effect)).collect();
        page.item(&format!("If a piece moves or is dropped and {event}{when}: {}.", effects.join(", then ")));
    }
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
            };
            format!("{}{of} becomes the number of {pieces}{whose} on the board", plan.code)
        }
    }
}
