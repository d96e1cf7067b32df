//! Conditions about what a move does, and the moves that must be played if possible.
//!
//! They are tested once the move is made: `EVENT` looks at what it did, `AFTER` at the position after it. A game can set
//! such conditions for every move (`restrictions`), and for classes of moves that take precedence (`priority`).

use tabiya_spec::model::{ActionSpec, Condition, Event, MoveSpec, Owner};
use tabiya_spec::place::At;

use crate::after_move::FinishedMove;
use crate::condition::{is_about_result, looks_ahead};
use crate::pattern::Attempt;
use crate::{Moment, Oracle, Piece, Ply, Square, State};

/// What a move did.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    /// Kinds of the captured pieces.
    pub(crate) captured: Vec<String>,
    /// The kind that the piece was promoted to.
    pub(crate) promoted: Option<String>,
    /// The kind of the piece that moved on the board.
    pub(crate) moved: Option<String>,
    /// Whether it stayed on its square.
    pub(crate) stayed: bool,
    /// Whether it shot.
    pub(crate) shot: bool,
    /// Whether it castled.
    pub(crate) castled: bool,
    /// The kind that was dropped from the hand.
    pub(crate) dropped: Option<String>,
    /// The kinds that were dropped together with a move.
    pub(crate) entered: Vec<(String, Square)>,
}

impl Oracle<'_> {
    /// Returns whether a move meets the conditions of its definition and action about the result.
    pub(crate) fn meets_own_results(
        &self,
        attempt: &Attempt<'_>,
        to: Square,
        action: &ActionSpec,
        finished: &FinishedMove,
    ) -> bool {
        let mut conditions = attempt.definition.conditions.iter().chain(action.conditions.iter());
        conditions
            .all(|condition| !is_about_result(condition) || self.is_met(attempt, to, finished, condition))
    }

    /// Returns whether a move meets all conditions of a list that the game sets.
    pub(crate) fn meets_all(
        &self,
        state: &State,
        (ply, finished): &(Ply, FinishedMove),
        conditions: &[At<Condition>],
    ) -> bool {
        let dropped = ply.drop.as_ref().map(|kind| {
            let player = self.to_move(state);
            Piece { moved: true, ..self.new_piece(kind, player, ply.to) }
        });
        let Some(piece) = dropped.as_ref().or_else(|| state.at(ply.spot())) else { return false };
        // Conditions of the game do not refer to a definition.
        let definition = &MoveSpec::default();
        let attempt =
            Attempt { state, from: ply.from, guest: ply.guest, piece, definition, minds_attacks: true };
        conditions.iter().all(|condition| self.is_met(&attempt, ply.to, finished, condition))
    }

    /// Keeps the moves of the first class that has any.
    pub(crate) fn first_class(
        &self,
        state: &State,
        moves: Vec<(Ply, FinishedMove)>,
    ) -> Vec<(Ply, FinishedMove)> {
        for class in self.spec.priority.iter() {
            let chosen: Vec<(Ply, FinishedMove)> =
                moves.iter().filter(|it| self.meets_all(state, it, class)).cloned().collect();
            if !chosen.is_empty() {
                return chosen;
            }
        }
        moves
    }

    /// Returns whether the player to move has a legal move, if conditions that look ahead count as met.
    pub(crate) fn can_move_disregarding_results(&self, state: &State) -> bool {
        let oracle = Oracle { disregards_results: true, ..self.clone() };
        !oracle.finished_moves(state).is_empty()
    }

    /// Returns whether a condition of a trigger holds.
    pub(crate) fn is_met_now(
        &self,
        attempt: &Attempt<'_>,
        to: Square,
        finished: &FinishedMove,
        condition: &Condition,
    ) -> bool {
        self.result_holds(attempt, to, finished, condition)
    }

    /// Returns whether the move did this, with a piece of a fitting kind.
    pub(crate) fn has_event(
        &self,
        event: Event,
        fits: &dyn Fn(&String) -> bool,
        finished: &FinishedMove,
        player: &str,
    ) -> bool {
        let events = &finished.events;
        let mover = || events.moved.iter().chain(&events.dropped).any(fits);
        match event {
            Event::Captured => events.captured.iter().any(fits),
            Event::Promoted => events.promoted.iter().any(fits),
            Event::Shot => events.shot && events.moved.iter().any(fits),
            Event::Moved => !events.stayed && !events.shot && events.moved.iter().any(fits),
            Event::Stayed => events.stayed && events.moved.iter().any(fits),
            Event::Castled => events.castled && mover(),
            Event::Dropped => {
                events.dropped.iter().chain(events.entered.iter().map(|(kind, _)| kind)).any(fits)
            }
            Event::Check => {
                let state = &finished.state;
                let opponents = self.owners(state, player, Owner::Enemy);
                let in_check = |it: &String| !state.frozen.contains(it) && self.in_check(state, it);
                mover() && opponents.iter().any(in_check)
            }
        }
    }

    pub(crate) fn is_met(
        &self,
        attempt: &Attempt<'_>,
        to: Square,
        finished: &FinishedMove,
        condition: &Condition,
    ) -> bool {
        self.disregards_results && looks_ahead(condition)
            || self.result_holds(attempt, to, finished, condition)
    }

    fn result_holds(
        &self,
        attempt: &Attempt<'_>,
        to: Square,
        finished: &FinishedMove,
        condition: &Condition,
    ) -> bool {
        let all = |list: &[At<Condition>]| list.iter().all(|it| self.result_holds(attempt, to, finished, it));
        match condition {
            Condition::Event { event, piece } => {
                let fits = |kind: &String| {
                    piece.as_ref().is_none_or(|kinds| kinds.iter().any(|wanted| **wanted == *kind))
                };
                self.has_event(**event, &fits, finished, &attempt.piece.player)
            }
            Condition::After { of } => {
                let own = &attempt.piece.player;
                let over = finished.took_leader && self.last_team(&finished.state, "").is_some();
                let mut after = finished.state.clone();
                if !over {
                    after.slot = self.next_slot(&after);
                }
                let is_stuck = over.then_some(false);
                let moment = Moment { counted: Owner::Own, is_stuck, ..Moment::plain(&after, own) };
                self.all_hold(&moment, of)
            }
            Condition::All { of } => all(of),
            Condition::Any { of } => of.iter().any(|list| all(list)),
            Condition::Not { of } => !all(of),
            other => self.holds(attempt, to, other),
        }
    }
}
