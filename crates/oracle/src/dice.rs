//! The die: it is thrown before a move, and allows only some pieces to move. Lists of moves, counts and ends leave it out
//! of account; only what may be played now depends on it.

use tabiya_spec::model::{ChanceSpec, DieCheck};

use crate::finishing::{Finished, count_down};
use crate::{Oracle, Ply, State};

/// Where the die of a turn stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Die {
    /// It is to be thrown, and at most so often.
    Awaited(u32),
    /// It shows this face, and pieces that it allows can move.
    Shows(u32),
}

impl Oracle<'_> {
    /// How many faces the die has, if there is one.
    pub fn faces(&self) -> Option<u32> {
        self.spec.chance.as_ref().map(|chance| *chance.die as u32)
    }

    /// Whether the die waives the rules about attacked leaders.
    pub(crate) fn waives_check(&self) -> bool {
        let check = self.spec.chance.as_ref().and_then(|chance| chance.check.as_ref());
        check.is_some_and(|check| **check == DieCheck::Waived)
    }

    /// The die of a turn that begins: none in a game that is over.
    pub(crate) fn awaiting(&self, state: State) -> State {
        let throws = |chance: &ChanceSpec| chance.throws.as_ref().map_or(1, |throws| **throws as u32);
        let chance = self.spec.chance.as_ref().filter(|_| state.ended.is_none());
        State { die: chance.map(|chance| Die::Awaited(throws(chance))), ..state }
    }

    /// The position after a throw, if one is awaited: a piece may be moved, or the die is thrown again, or the turn is
    /// over.
    pub fn throw(&self, state: &State, face: u32) -> Option<State> {
        let Some(Die::Awaited(throws)) = state.die else { return None };
        if !(1..=self.faces()?).contains(&face) {
            return None;
        }
        if self.freed(state, face).is_some() {
            return Some(State { die: Some(Die::Shows(face)), ..state.clone() });
        }
        if throws > 1 {
            return Some(State { die: Some(Die::Awaited(throws - 1)), ..state.clone() });
        }
        let mut state = state.clone();
        let slot = state.slot;
        count_down(&mut state, slot);
        Some(self.handed_over(Finished { state, lost_own: false, took_leader: false }))
    }

    /// The legal moves that the die allows: none before it is thrown.
    pub(crate) fn by_die(&self, state: &State) -> Vec<(Ply, Finished)> {
        match state.die {
            None => self.finished_moves(state),
            Some(Die::Awaited(_)) => Vec::new(),
            Some(Die::Shows(face)) => {
                let freed = self.freed(state, face).unwrap_or_default();
                let mut moves = self.finished_moves(state);
                moves.retain(|(ply, _)| is_of(state, ply, &freed));
                moves
            }
        }
    }

    /// The first group of a face of which a piece can move.
    fn freed(&self, state: &State, face: u32) -> Option<Vec<String>> {
        let groups = self.spec.chance.as_ref()?.allow.get(&face.to_string())?;
        let moves = self.finished_moves(state);
        let mut groups =
            groups.iter().map(|group| group.pieces.iter().map(|code| code.to_string()).collect());
        groups.find(|group: &Vec<String>| moves.iter().any(|(ply, _)| is_of(state, ply, group)))
    }
}

/// Whether the piece that moves is of one of these kinds.
fn is_of(state: &State, ply: &Ply, kinds: &[String]) -> bool {
    state.at(ply.spot()).is_some_and(|piece| kinds.contains(&piece.kind))
}
