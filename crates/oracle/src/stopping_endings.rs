//! Endings that stop the game: once one holds, there are no more moves.
//!
//! They are checked after every move for the mover, and at the start for the player to move. Those that ask for a stuck
//! player are checked when the turn comes to a player without a move.

use tabiya_spec::model::{Clause, EndingSpec};
use tabiya_spec::place::At;

use crate::{Moment, Oracle, Outcome, State};

impl Oracle<'_> {
    /// Returns the outcome by the first ending that holds after a move of `own`.
    pub(crate) fn stopped(&self, state: &State, own: &str) -> Option<Outcome> {
        self.first_stop(state, own, false)
    }

    /// Returns the outcome by the first ending that holds for a player to move without a move.
    pub(crate) fn stopped_by_stuck(&self, state: &State) -> Option<Outcome> {
        self.first_stop(state, self.to_move(state), true)
    }

    fn first_stop(&self, state: &State, own: &str, stuck: bool) -> Option<Outcome> {
        let moment = Moment::plain(state, own);
        let endings = self.spec.endings.iter().map(|ending| &**ending);
        let mut fitting = endings.filter(|ending| stops(ending) && asks_for_stuck(&ending.when) == stuck);
        let found = fitting.find_map(|ending| self.holding_for(&moment, ending))?;
        Some(Outcome { winners: found.winners, reason: found.code.to_lowercase() })
    }
}

/// Returns whether the ending stops the game on the board. Those about quiet turns need the history of the game.
pub(crate) fn stops(ending: &EndingSpec) -> bool {
    ending.stops.as_ref().is_some_and(|stops| **stops) && !asks_for_quiet(&ending.when)
}

fn asks_for_quiet(clauses: &[At<Clause>]) -> bool {
    clauses.iter().any(|clause| match &**clause {
        Clause::Quiet { .. } => true,
        Clause::Any { of } => of.iter().any(|list| asks_for_quiet(list)),
        Clause::All { of } | Clause::Not { of } => asks_for_quiet(of),
        _ => false,
    })
}

fn asks_for_stuck(clauses: &[At<Clause>]) -> bool {
    clauses.iter().any(|clause| match &**clause {
        Clause::Stuck { .. } => true,
        Clause::Any { of } => of.iter().any(|list| asks_for_stuck(list)),
        Clause::All { of } | Clause::Not { of } => asks_for_stuck(of),
        _ => false,
    })
}
