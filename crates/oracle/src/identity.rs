//! When two positions are the same for the players: when the same can still happen in them.
//!
//! A position remembers more than its players can use: that a rook has not moved though its king has, or that a
//! pawn has just made a double step though no enemy pawn is near. For the count of repetitions such memories must
//! not count. Here they are wiped out of a copy; two positions are the same if their copies are equal. A doubt is
//! decided for keeping: a memory that is kept in vain makes a repetition late, one that is lost makes it false.

mod flags;
mod probe;
mod unmoved;

use tabiya_spec::model::{Condition, MoveSpec};

use crate::{Oracle, State};

impl Oracle<'_> {
    /// A copy in which every flag that nobody can use is gone, and every piece counts as moved whose first move no
    /// rule can ask about any more. What a guest remembers is kept: who knows what it may be asked once it is alone.
    pub fn identity(&self, state: &State) -> State {
        let mut plain = self.without_idle_flags(state);
        for (square, piece) in &mut plain.pieces {
            piece.moved |= !self.unmoved_counts(state, *square);
        }
        plain
    }
}

/// Every condition of a definition: its own, those of its actions and those of its modifiers.
fn conditions(definition: &MoveSpec) -> impl Iterator<Item = &Condition> {
    let of_actions = definition.actions.iter().flat_map(|action| action.conditions.iter());
    let of_modifiers = definition.modifiers.iter().flat_map(|modifier| modifier.conditions.iter());
    definition.conditions.iter().chain(of_actions).chain(of_modifiers).map(|condition| &**condition)
}
