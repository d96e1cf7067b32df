//! Which moves the effects of triggers can make illegal, and whether they can cancel an attack.

use crate::blueprint::mechanics::{PieceChange, TriggerEffect, TriggerPlan};
use crate::blueprint::{Blueprint, Event};

/// The moves that must be made to decide whether the effects of triggers leave a leader attacked or remove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TriggerScope {
    /// None.
    Nothing,
    /// Captures.
    Captures,
    /// All moves.
    Everything,
}

impl TriggerScope {
    pub(crate) fn of(blueprint: &Blueprint) -> Self {
        let triggers = blueprint.mechanics.triggers.iter().filter(|trigger| changes_board(trigger));
        let scopes = triggers.map(|trigger| match trigger.on.event {
            Event::Captured => TriggerScope::Captures,
            _ => TriggerScope::Everything,
        });
        let widest = scopes.max().unwrap_or(TriggerScope::Nothing);
        if blueprint.leaders.is_empty() { TriggerScope::Nothing } else { widest }
    }
}

fn changes_board(trigger: &TriggerPlan) -> bool {
    trigger.effects.iter().any(|effect| matches!(effect, TriggerEffect::Pieces(_) | TriggerEffect::Place(_)))
}

/// Returns whether a capture can remove a leader of the player who captures, by an effect of a trigger. Such a capture
/// attacks nothing.
pub(crate) fn captures_backfire(blueprint: &Blueprint) -> bool {
    let mut effects = blueprint.mechanics.triggers.iter().flat_map(|trigger| &trigger.effects);
    effects.any(|effect| match effect {
        TriggerEffect::Pieces(effect) => {
            matches!(effect.change, PieceChange::Remove | PieceChange::Capture)
                && effect.kinds.iter().any(|kind| blueprint.leaders.contains(kind))
        }
        _ => false,
    })
}
