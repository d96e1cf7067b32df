//! Perpetual check: who has given check with every turn while a position was repeated.

use tabiya_spec::model::Owner;

use crate::{Oracle, State};

impl Oracle<'_> {
    /// Returns how often the last state of a game has occurred, including now.
    pub fn occurrences(&self, states: &[State]) -> u32 {
        self.same_as_last(states).len() as u32
    }

    /// Returns the largest number of latest occurrences of the last state, including now, such that all turns of the
    /// player since the first of them gave check. It is 0 if the player had no turn since the last one.
    pub fn perpetual_check(&self, states: &[State], player: &str) -> u32 {
        let same = self.same_as_last(states);
        let had_turn =
            |from: usize| states[from..states.len() - 1].iter().any(|it| self.to_move(it) == player);
        let gave_check =
            |pair: &[State]| self.to_move(&pair[0]) != player || self.gives_check(&pair[1], player);
        let holds = |times: &usize| {
            let (first, latest) = (same[same.len() - times], same[same.len() - 2]);
            had_turn(latest) && states[first..].windows(2).all(gave_check)
        };
        (2..=same.len()).filter(holds).max().unwrap_or(0) as u32
    }

    /// Returns the indices of the states that are the same as the last one, including itself.
    fn same_as_last(&self, states: &[State]) -> Vec<usize> {
        let last = states.last().map(|state| self.identity(state));
        (0..states.len()).filter(|index| Some(self.identity(&states[*index])) == last).collect()
    }

    /// Returns whether an enemy of the player is in check.
    fn gives_check(&self, state: &State, player: &str) -> bool {
        let in_check = |it: &String| !state.frozen.contains(it) && self.in_check(state, it);
        self.owners(state, player, Owner::Enemy).iter().any(in_check)
    }
}
