//! Which flags count for identity.
//!
//! A flag that no condition names never counts. A flag in its last turn counts only if the list of legal moves would
//! differ without it; the positions after them need not be compared, because the flag is gone by then. All other flags
//! count.

use tabiya_spec::model::{Condition, Effect};

use super::conditions;
use crate::{Mark, Oracle, Square, State};

impl Oracle<'_> {
    /// Returns the state without the flags that do not count. They are removed one by one, by square and name: if either of
    /// two flags allows a move, one of them stays.
    pub(super) fn without_unusable_flags(&self, state: &State) -> State {
        let all =
            state.pieces.iter().flat_map(|(square, piece)| piece.flags.keys().map(|name| (*square, name)));
        let mut plain = state.clone();
        for (square, name) in all {
            let without = without(&plain, square, name);
            if !self.is_tested(name)
                || (ends_now(state, square, name) && self.moves(&without) == self.moves(&plain))
            {
                plain = without;
            }
        }
        plain
    }

    /// Returns whether any condition of the game names the flag.
    fn is_tested(&self, flag: &str) -> bool {
        let mut definitions = self.spec.pieces.iter().flat_map(|kind| kind.moves.iter());
        definitions.any(|definition| {
            let captures = |it: &Effect| matches!(it, Effect::CaptureMarked { state } if **state == flag);
            conditions(definition).filter_map(Condition::flag).any(|it| **it == flag)
                || definition.all_effects().any(|effect| captures(effect))
        })
    }
}

/// Returns whether the flag expires with the current turn.
fn ends_now(state: &State, square: Square, name: &str) -> bool {
    let mark = state.pieces.get(&square).and_then(|piece| piece.flags.get(name));
    mark.is_some_and(|Mark { remaining, slot }| *remaining == Some(1) && *slot != Some(state.slot))
}

fn without(state: &State, square: Square, name: &str) -> State {
    let mut without = state.clone();
    if let Some(piece) = without.pieces.get_mut(&square) {
        piece.flags.remove(name);
    }
    without
}
