//! The die. It is thrown before a move and restricts which pieces may move.
//!
//! Move lists, perft and outcomes ignore the die; only the moves that may be played now depend on it.

use tabiya_spec::model::{ChanceSpec, DieCheck};

use crate::after_move::{FinishedMove, Following, count_down};
use crate::results::Events;
use crate::{Oracle, Ply, State};

/// The state of the die in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Die {
    /// The die has yet to be thrown, at most this often.
    Awaited(u32),
    /// The die shows this face, and at least one allowed piece can move.
    Shows(u32),
}

impl Oracle<'_> {
    /// Returns the number of faces of the die, if the game has one.
    pub fn faces(&self) -> Option<u32> {
        self.spec.chance.as_ref().map(|chance| *chance.die as u32)
    }

    /// Returns whether the die waives the rules about attacked leaders.
    pub(crate) fn waives_check(&self) -> bool {
        let check = self.spec.chance.as_ref().and_then(|chance| chance.check.as_ref());
        check.is_some_and(|check| **check == DieCheck::Waived)
    }

    /// Resets the die for a new turn. A finished game has none.
    pub(crate) fn awaiting(&self, state: State) -> State {
        let throws = |chance: &ChanceSpec| chance.throws.as_ref().map_or(1, |throws| **throws as u32);
        let chance = self.spec.chance.as_ref().filter(|_| state.ended.is_none());
        State { die: chance.map(|chance| Die::Awaited(throws(chance))), ..state }
    }

    /// Throws the die, if a throw is due. Afterwards a piece may move, the die is thrown again, or the turn is over.
    pub fn throw(&self, state: &State, face: u32) -> Option<State> {
        let Some(Die::Awaited(throws)) = state.die else { return None };
        if !(1..=self.faces()?).contains(&face) {
            return None;
        }
        if self.allowed_group(state, face).is_some() {
            return Some(State { die: Some(Die::Shows(face)), ..state.clone() });
        }
        if throws > 1 {
            return Some(State { die: Some(Die::Awaited(throws - 1)), ..state.clone() });
        }
        let mut state = state.clone();
        let slot = state.slot;
        count_down(&mut state, slot);
        Some(self.next_turn(FinishedMove {
            state,
            lost_own: false,
            took_leader: false,
            events: Events::default(),
            following: Following::Next,
        }))
    }

    /// Returns the legal moves that the die allows; none before it is thrown.
    pub(crate) fn by_die(&self, state: &State) -> Vec<(Ply, FinishedMove)> {
        match state.die {
            None => self.finished_moves(state),
            Some(Die::Awaited(_)) => Vec::new(),
            Some(Die::Shows(face)) => {
                let group = self.allowed_group(state, face).unwrap_or_default();
                let mut moves = self.finished_moves(state);
                moves.retain(|(ply, _)| is_of(state, ply, &group));
                moves
            }
        }
    }

    /// Returns the first group of a face with a piece that can move.
    fn allowed_group(&self, state: &State, face: u32) -> Option<Vec<String>> {
        let groups = self.spec.chance.as_ref()?.allow.get(&face.to_string())?;
        let moves = self.finished_moves(state);
        let mut groups =
            groups.iter().map(|group| group.pieces.iter().map(|code| code.to_string()).collect());
        groups.find(|group: &Vec<String>| moves.iter().any(|(ply, _)| is_of(state, ply, group)))
    }
}

/// Returns whether the moving piece is of one of these kinds.
fn is_of(state: &State, ply: &Ply, kinds: &[String]) -> bool {
    if let Some(kind) = &ply.drop {
        return kinds.contains(kind);
    }
    state.at(ply.spot()).is_some_and(|piece| kinds.contains(&piece.kind))
}
