//! The conditions that every move must meet, the moves that must be played if possible and drops.

use tabiya_engine::Rules;
use tabiya_engine::blueprint::{Condition, KindPlan};
use tabiya_engine::mechanics::HandOf;

use super::page::{Page, join};
use super::{conditions, counts, triggers};

/// Writes the restrictions and the priority, if the game has any.
pub(super) fn write(rules: &Rules, page: &mut Page) {
    let mechanics = rules.mechanics();
    // Conditions of the game do not refer to moves of a kind, so any kind will do.
    let Some(kind) = rules.blueprint().kinds().first() else { return };
    drops(rules, kind, page);
    counters(rules, page);
    triggers::write(rules, kind, page);
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
    if !hands.drops.is_empty() {
        page.item(
            "Instead of moving, a player may drop a piece from the hand on an empty square. It counts as moved, and \
             captures nothing.",
        );
    }
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

/// Writes the counters.
fn counters(rules: &Rules, page: &mut Page) {
    let mechanics = rules.mechanics();
    if mechanics.counters.is_empty() {
        return;
    }
    page.heading("Counters");
    for counter in &mechanics.counters {
        let whose = if counter.per_player { "each player has one" } else { "the game has one" };
        page.item(&format!(
            "{}: {whose}, {} at first and at most {}.",
            counter.code, counter.start, counter.max
        ));
    }
}
