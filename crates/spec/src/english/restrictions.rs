//! The conditions that every move must meet, and the moves that must be played if possible.

use tabiya_engine::Rules;
use tabiya_engine::blueprint::Condition;

use super::conditions;
use super::page::Page;

/// Writes the restrictions and the priority, if the game has any.
pub(super) fn write(rules: &Rules, page: &mut Page) {
    let mechanics = rules.mechanics();
    // Conditions of the game do not refer to moves of a kind, so any kind will do.
    let Some(kind) = rules.blueprint().kinds().first() else { return };
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
