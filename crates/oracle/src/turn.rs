//! Whose turn it is, who is out, and how the game ends.
//!
//! A player is *alive* if it has a slot in the turn order and is not out. One without a slot never moves and never
//! wins, but its pieces attack until its leader is captured.

use crate::{Oracle, State, Verdict};

impl<'s> Oracle<'s> {
    /// How the game has ended, or nothing if it goes on.
    ///
    /// Mate and stalemate are judged when it is the victim's own turn, so that others may still help.
    pub fn outcome(&self, state: &State) -> Option<Verdict> {
        let state = self.settled(state.clone());
        if state.ended.is_some() || !self.finished_moves(&state).is_empty() {
            return state.ended;
        }
        let stuck = self.to_move(&state);
        if self.in_check(&state, stuck) {
            let winners = self.alive(&state).into_iter().filter(|player| player != stuck).collect();
            return Some(Verdict { winners, reason: "checkmate" });
        }
        Some(Verdict { winners: Vec::new(), reason: "stalemate" })
    }

    /// Name of the player to move.
    pub fn to_move(&self, state: &State) -> &'s str {
        &self.spec.turns.order[state.slot]
    }

    /// The players that can still win, in the order of the file.
    pub(crate) fn alive(&self, state: &State) -> Vec<String> {
        let names = self.spec.players.iter().map(|player| player.name.to_string());
        let has_slot = |name: &String| self.spec.turns.order.iter().any(|player| **player == *name);
        names.filter(|name| has_slot(name) && Self::is_living(state, name)).collect()
    }

    /// The turn goes on after a finished move. The game ends here if the move has put a player out and there is no
    /// more than one left; a game that never had a second player just goes on.
    pub(crate) fn handed_over(&self, before: &State, mut finished: State) -> State {
        let winners = self.alive(&finished);
        if finished.eliminated != before.eliminated && winners.len() <= 1 {
            finished.ended = Some(Verdict { winners, reason: "leader_captured" });
            return finished;
        }
        finished.slot = self.next_slot(&finished);
        self.settled(finished)
    }

    /// While more than two are alive, a player that cannot move is out: mated or not, the others play on. That is
    /// not a turn taken, so no flag counts it. The last two are left to [`Oracle::outcome`].
    ///
    /// The positions that the oracle gives out are settled; one that was written down by hand may not be.
    pub fn settled(&self, mut state: State) -> State {
        while state.ended.is_none() && self.alive(&state).len() > 2 && self.finished_moves(&state).is_empty()
        {
            state.eliminated.insert(self.to_move(&state).to_owned());
            state.slot = self.next_slot(&state);
        }
        state
    }

    /// The next slot of the order whose player is not out.
    fn next_slot(&self, state: &State) -> usize {
        let order = &self.spec.turns.order;
        let following = (1..=order.len()).map(|step| (state.slot + step) % order.len());
        following.into_iter().find(|slot| Self::is_living(state, &order[*slot])).unwrap_or(state.slot)
    }
}
