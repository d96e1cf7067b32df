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
    /// The memory of guests is kept, because rules may ask about them once they stand alone. Whether the game has ended does
    /// not count.
    pub fn identity(&self, state: &State) -> State {
        let mut state = state.clone();
        for (name, counter) in self.spec.counters.iter().flat_map(|counters| counters.iter()) {
            if counter.repetition.as_ref().is_some_and(|counts| !**counts) {
                state.counters.iter_mut().filter(|((it, _), _)| it == name).for_each(|(_, value)| *value = 0);
            }
        }
        let state = &state;
        if self.spec.game_conditions().into_iter().any(|condition| is_about_past(condition)) {
            return State { ended: None, ..state.clone() };
        }
        let mut plain = State { ended: None, ..self.without_unusable_flags(state) };
        for (square, piece) in &mut plain.pieces {
            piece.moved |= !self.unmoved_counts(state, *square);
        }
        plain
    }
}

/// Returns all conditions of a definition, of its actions and of its modifiers, with those nested in them.
fn conditions(definition: &MoveSpec) -> impl Iterator<Item = &Condition> {
    definition.all_conditions().map(|condition| &**condition)
}

/// Returns whether a condition asks if a piece has moved or carries a flag.
fn is_about_past(condition: &Condition) -> bool {
    match condition {
        Condition::FirstMove {}
        | Condition::PieceFirstMove { .. }
        | Condition::RookFirstMove { .. }
        | Condition::CheckState { .. }
        | Condition::Marked { .. } => true,
        Condition::Square { unmoved, .. } => unmoved.is_some(),
        _ => false,
    }
}
