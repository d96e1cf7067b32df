//! Whose turn it is, who is out, and how the game ends.

use tabiya_spec::model::Stuck;

use crate::finishing::Finished;
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
        let reason = self.reason_for_no_move(&state);
        let others: Vec<String> = self.alive(&state).into_iter().filter(|player| player != stuck).collect();
        let winners = if reason == "checkmate" { self.teams_of(&others) } else { Vec::new() };
        Some(Verdict { winners, reason })
    }

    /// Name of the player to move.
    pub fn to_move(&self, state: &State) -> &'s str {
        &self.spec.turns.order[state.slot]
    }

    /// The turn goes on after a finished move. The game ends here if the move has captured a leader and only one team
    /// is left, or by an ending that stops it.
    pub(crate) fn handed_over(&self, finished: Finished) -> State {
        let Finished { mut state, took_leader, .. } = finished;
        let mover = self.to_move(&state);
        let over = self.last_team(&state, "leader_captured").filter(|_| took_leader);
        state.ended = over.or_else(|| self.stopped(&state, mover));
        if state.ended.is_some() {
            return self.awaiting(state);
        }
        self.hold_on(&mut state, mover);
        state.slot = self.next_slot(&state);
        self.settled(state)
    }

    /// That all who are in the game and not captive are of one team, if they are.
    fn last_team(&self, state: &State, reason: &str) -> Option<Verdict> {
        let mut left = self.alive(state);
        left.retain(|player| !state.captives.contains_key(player));
        let over = || Verdict { winners: self.teams_of(&left), reason: reason.to_owned() };
        self.is_one_team(&left).then(over)
    }

    /// The turn comes to somebody who can move, or the game is over: the positions that the oracle gives out are
    /// settled; one that was written down by hand may not be.
    pub fn settled(&self, state: State) -> State {
        let passes = self.spec.stuck.as_ref().is_some_and(|word| **word == Stuck::Passes);
        self.awaiting(if passes { self.settled_by_passing(state) } else { self.settled_by_leaving(state) })
    }

    /// While more than two are alive, a player that cannot move is out: mated or not, the others play on. That is
    /// not a turn taken, so no flag counts it. The last two are left to [`Oracle::outcome`].
    fn settled_by_leaving(&self, mut state: State) -> State {
        while state.ended.is_none() {
            state.ended = self.held(&state);
            if state.ended.is_some()
                || self.alive(&state).len() <= 2
                || !self.finished_moves(&state).is_empty()
            {
                break;
            }
            let reason = self.reason_for_no_move(&state);
            state.eliminated.insert(self.to_move(&state).to_owned());
            state.ended = self.last_team(&state, &reason);
            if state.ended.is_none() {
                state.slot = self.next_slot(&state);
            }
        }
        state
    }

    /// A player that cannot move is passed over. If nobody can move, that is a draw.
    fn settled_by_passing(&self, state: State) -> State {
        if state.ended.is_some() {
            return state;
        }
        let slots = self.spec.turns.order.len();
        for step in 0..slots {
            let mut next = State { slot: (state.slot + step) % slots, ..state.clone() };
            if !Self::is_active(&next, self.to_move(&next)) {
                continue;
            }
            next.ended = self.held(&next);
            if next.ended.is_some() || !self.finished_moves(&next).is_empty() {
                return next;
            }
            next.ended = self.stopped_by_stuck(&next);
            if next.ended.is_some() {
                return next;
            }
        }
        State { ended: Some(Verdict { winners: Vec::new(), reason: "nobody_can_move".to_owned() }), ..state }
    }

    /// What it is called that the player to move cannot.
    fn reason_for_no_move(&self, state: &State) -> String {
        let word = if self.in_check(state, self.to_move(state)) { "checkmate" } else { "stalemate" };
        word.to_owned()
    }

    /// The next slot of the order whose player is neither out nor frozen.
    fn next_slot(&self, state: &State) -> usize {
        let order = &self.spec.turns.order;
        let following = (1..=order.len()).map(|step| (state.slot + step) % order.len());
        following.into_iter().find(|slot| Self::is_active(state, &order[*slot])).unwrap_or(state.slot)
    }
}
