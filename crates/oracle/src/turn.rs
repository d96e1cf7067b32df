//! Turns, elimination, and the end of the game.

use tabiya_spec::model::Stuck;

use crate::after_move::{FinishedMove, Following};
use crate::{Oracle, Outcome, State};

impl<'s> Oracle<'s> {
    /// Returns the outcome, if the game is over.
    ///
    /// Checkmate and stalemate are judged when the player's own turn comes, so that others may still help.
    pub fn outcome(&self, state: &State) -> Option<Outcome> {
        // A player who holds a winning square has won when the order reached the slot, or moves on in an extra turn.
        let state = self.settled_from(state.clone(), false);
        if state.ended.is_some() || !self.finished_moves(&state).is_empty() {
            return state.ended;
        }
        let stuck = self.to_move(&state);
        let reason = self.reason_for_no_move(&state);
        let others: Vec<String> = self.alive(&state).into_iter().filter(|player| player != stuck).collect();
        let winners = match self.stuck() {
            _ if reason == "checkmate" => self.teams_of(&others),
            Stuck::Loses => self.teams_of(&others),
            Stuck::Wins => self.teams_of(&[stuck.to_owned()]),
            Stuck::Ends | Stuck::Draws | Stuck::Passes => Vec::new(),
        };
        Some(Outcome { winners, reason })
    }

    /// Returns the name of the player to move.
    pub fn to_move(&self, state: &State) -> &'s str {
        &self.spec.turns.order[state.slot]
    }

    /// Passes the turn on after a move. The game ends if the move has captured a leader and one team is left, or by an
    /// ending that stops it.
    pub(crate) fn next_turn(&self, finished: FinishedMove) -> State {
        let FinishedMove { mut state, took_leader, following, .. } = finished;
        let mover = self.to_move(&state);
        let over = self.last_team(&state, "leader_captured").filter(|_| took_leader);
        state.ended = over.or_else(|| self.stopped(&state, mover));
        if state.ended.is_some() {
            return self.awaiting(state);
        }
        self.update_holding(&mut state, mover);
        state.slot = match following {
            Following::Next => self.next_slot(&state),
            Following::Same => state.slot,
            Following::Another => self.slot_of_another(&state),
        };
        // An extra turn is in the same slot: the order has not reached it again.
        self.settled_from(state, following != Following::Same)
    }

    /// Returns the outcome if all remaining players who are not captive are of one team.
    pub(crate) fn last_team(&self, state: &State, reason: &str) -> Option<Outcome> {
        let mut left = self.alive(state);
        left.retain(|player| !state.captives.contains_key(player));
        let over = || Outcome { winners: self.teams_of(&left), reason: reason.to_owned() };
        self.is_one_team(&left).then(over)
    }

    /// Passes the turn on until it reaches a player with a move, or the game is over. States returned by the oracle are
    /// settled; states written by hand may not be.
    pub fn settled(&self, state: State) -> State {
        self.settled_from(state, true)
    }

    /// Settles a state; `is_reached` says whether the order has just reached its slot.
    fn settled_from(&self, state: State, is_reached: bool) -> State {
        self.awaiting(if self.stuck() == Stuck::Passes {
            self.settled_by_passing(state, is_reached)
        } else {
            self.settled_by_leaving(state, is_reached)
        })
    }

    fn stuck(&self) -> Stuck {
        self.spec.stuck.as_ref().map_or(Stuck::Ends, |word| **word)
    }

    /// While more than two players are alive, a player without a move is eliminated and the others play on. That is not a
    /// turn, so flags do not count it. The last two players, and stalemates that draw or win the game, are left to
    /// [`Oracle::outcome`].
    fn settled_by_leaving(&self, mut state: State, mut is_reached: bool) -> State {
        while state.ended.is_none() {
            state.ended = self.held(&state).filter(|_| is_reached);
            is_reached = true;
            if state.ended.is_some()
                || self.alive(&state).len() <= 2
                || !self.finished_moves(&state).is_empty()
            {
                break;
            }
            let reason = self.reason_for_no_move(&state);
            if reason == "stalemate" && matches!(self.stuck(), Stuck::Draws | Stuck::Wins) {
                break;
            }
            state.eliminated.insert(self.to_move(&state).to_owned());
            state.ended = self.last_team(&state, &reason);
            if state.ended.is_none() {
                state.slot = self.next_slot(&state);
            }
        }
        state
    }

    /// A player without a move is passed over. If no player can move, the game is drawn.
    fn settled_by_passing(&self, state: State, is_reached: bool) -> State {
        if state.ended.is_some() {
            return state;
        }
        let slots = self.spec.turns.order.len();
        // After an extra turn, the order may come back to the same slot.
        for step in 0..slots + usize::from(!is_reached) {
            let mut next = State { slot: (state.slot + step) % slots, ..state.clone() };
            if !Self::is_active(&next, self.to_move(&next)) {
                continue;
            }
            next.ended = self.held(&next).filter(|_| is_reached || step > 0);
            if next.ended.is_some() || !self.finished_moves(&next).is_empty() {
                return next;
            }
            next.ended = self.stopped_by_stuck(&next);
            if next.ended.is_some() {
                return next;
            }
        }
        State { ended: Some(Outcome { winners: Vec::new(), reason: "nobody_can_move".to_owned() }), ..state }
    }

    /// Returns the reason for the end when the player to move has no move.
    fn reason_for_no_move(&self, state: &State) -> String {
        let word = if self.in_check(state, self.to_move(state)) { "checkmate" } else { "stalemate" };
        word.to_owned()
    }

    /// Returns the next slot of another player who is neither eliminated nor frozen.
    fn slot_of_another(&self, state: &State) -> usize {
        let order = &self.spec.turns.order;
        let following = (1..=order.len()).map(|step| (state.slot + step) % order.len());
        let is_next = |slot: &usize| {
            Self::is_active(state, &order[*slot]) && order[*slot].as_str() != self.to_move(state)
        };
        following.into_iter().find(is_next).unwrap_or(state.slot)
    }

    /// Returns the next slot whose player is neither eliminated nor frozen.
    pub(crate) fn next_slot(&self, state: &State) -> usize {
        let order = &self.spec.turns.order;
        let following = (1..=order.len()).map(|step| (state.slot + step) % order.len());
        following.into_iter().find(|slot| Self::is_active(state, &order[*slot])).unwrap_or(state.slot)
    }
}
