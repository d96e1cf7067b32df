//! Endings that are part of the board: once one holds, there are no moves any more.
//!
//! They are looked at after every move, for whoever moved, and at the start, for whoever is to move. Those that ask
//! whether somebody is stuck wait until the turn comes to a player without a move.

use tabiya_spec::model::{Clause, EndingSpec};
use tabiya_spec::place::At;

use crate::{Moment, Oracle, State, Verdict};

impl Oracle<'_> {
    /// The end of the game by the first ending that stops it, as things are after a move of `own`.
    pub(crate) fn stopped(&self, state: &State, own: &str) -> Option<Verdict> {
        self.first_stop(state, own, false)
    }

    /// The same for the player to move, who cannot.
    pub(crate) fn stopped_by_stuck(&self, state: &State) -> Option<Verdict> {
        self.first_stop(state, self.to_move(state), true)
    }

    fn first_stop(&self, state: &State, own: &str, stuck: bool) -> Option<Verdict> {
        let moment = Moment { state, repetitions: 0, quiet: 0, own, cannot_win: &|_| false };
        let endings = self.spec.endings.iter().map(|ending| &**ending);
        let mut fitting = endings.filter(|ending| stops(ending) && asks_for_stuck(&ending.when) == stuck);
        let found = fitting.find_map(|ending| self.holding_for(&moment, ending))?;
        Some(Verdict { winners: found.winners, reason: found.code.to_lowercase() })
    }
}

/// Whether the ending is part of the board.
pub(crate) fn stops(ending: &EndingSpec) -> bool {
    ending.stops.as_ref().is_some_and(|stops| **stops)
}

fn asks_for_stuck(clauses: &[At<Clause>]) -> bool {
    clauses.iter().any(|clause| match &**clause {
        Clause::Stuck { .. } => true,
        Clause::Any { of } => of.iter().any(|list| asks_for_stuck(list)),
        Clause::Not { of } => asks_for_stuck(of),
        _ => false,
    })
}
