//! When two positions are the same for repetition: when the same moves can still follow.
//!
//! A state remembers more than the rules can use: that a rook is unmoved although its king has moved, or that a pawn has
//! just made a double step although no enemy pawn is near. Such memories must not count for repetition, so they are
//! erased in a copy, and two positions are the same if their copies are equal. In doubt a memory is kept: keeping it in
//! vain only delays a repetition, while losing it would make a repetition false.

mod flags;
mod probe;
mod unmoved;

use tabiya_spec::model::{Condition, MoveSpec};

use crate::{Oracle, State};

impl Oracle<'_> {
    /// Returns a copy without unusable flags, in which every piece counts as moved unless a rule can still ask about it.
    /// The memory of guests is kept, because rules may ask about them once they stand alone.
    pub fn identity(&self, state: &State) -> State {
        let mut plain = self.without_unusable_flags(state);
        for (square, piece) in &mut plain.pieces {
            piece.moved |= !self.unmoved_counts(state, *square);
        }
        plain
    }
}

/// Returns all conditions of a definition, of its actions and of its modifiers.
fn conditions(definition: &MoveSpec) -> impl Iterator<Item = &Condition> {
    let of_actions = definition.actions.iter().flat_map(|action| action.conditions.iter());
    let of_modifiers = definition.modifiers.iter().flat_map(|modifier| modifier.conditions.iter());
    definition.conditions.iter().chain(of_actions).chain(of_modifiers).map(|condition| &**condition)
}
