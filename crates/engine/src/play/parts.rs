//! Turns of several parts: what a part leaves to the next one, and the end of the turn.
//!
//! The whole turn is one move. Leaders that were lost take effect at its end, flags count down once, and pieces that were captured
//! on the way in a part that repeats leave the board together.

use smallvec::SmallVec;

use crate::blueprint::mechanics::{Exposure, PartPlan};
use crate::compile::pattern::{PartPattern, Pattern, Test};
use crate::movegen::walker::{Walker, Way};
use crate::piece::{Flag, Kind};
use crate::play::results::{Legality, Made, Making, Results};
use crate::play::{NextTurn, Trial};
use crate::position::{Mark, Position, Spot, TurnState};
use crate::rules::Rules;
use crate::square::Square;

/// The greatest number of parts in a turn.
const MAX_PARTS: u8 = 64;

impl<'a> Walker<'a> {
    /// Returns the moves of the part of the turn, if it has separate moves.
    pub(crate) fn part_moves(&self) -> Option<&'a [Pattern]> {
        if !self.rules.has_parts || !self.test_attacks {
            return None;
        }
        let part = self.position.part().checked_sub(1)?;
        let moves = &self.rules.parts[self.player.index()][part].moves;
        (!moves.is_empty()).then_some(moves)
    }

    /// Returns the conditions that moves of this part of the turn must meet.
    pub(crate) fn part_conditions(&self) -> &'a [Test] {
        let part = if self.rules.has_parts { self.position.part() } else { 0 };
        part.checked_sub(1).map_or(&[], |part| &self.rules.parts[self.player.index()][part].only)
    }

    /// Decides whether the turn goes on after this part. If so, the position remembers what has happened; otherwise the trial gets
    /// what happened in the whole turn.
    pub(crate) fn go_on(&self, trial: &mut Trial, making: Making<'_>) {
        let before = self.position.turn_state();
        let made = Made::new(self.rules, trial, making);
        let way = Way { pattern: None, target: making.target(), steps: 0, made: Some(made) };
        let parts = &self.rules.parts[self.player.index()];
        let follows = |part: &PartPattern| part.after.iter().all(|test| self.holds_on(test, &way));
        let plans = &self.rules.mechanics().then;
        let current = usize::from(before.part);
        let again = current.checked_sub(1).filter(|part| plans[*part].repeats && follows(&parts[*part]));
        let next = again.or_else(|| (current..parts.len()).find(|part| follows(&parts[*part])));
        let next = next.filter(|_| before.made < MAX_PARTS);
        let state = TurnState {
            part: next.map_or(0, |part| part as u8 + 1),
            mover: trial.mover.map(|spot| spot.square),
            made: before.made.saturating_add(1),
            changed_pieces: before.changed_pieces || trial.changed_pieces,
            next: if trial.next == NextTurn::Following { before.next } else { trial.next },
            lost_leaders: before.lost_leaders.union(trial.lost_leaders),
        };
        if next.is_some() {
            trial.goes_on = true;
            trial.position.set_turn_state(state);
        } else {
            trial.end_parts(self.rules, state);
        }
    }

    /// Ends a turn whose last part was left out. Returns `None` if it is illegal.
    fn end_without_part(&self, mut trial: Trial, legality: Legality<'_>) -> Option<Position> {
        self.end_move(&mut trial);
        let is_known = legality.results == Results::Known;
        let exposes = |trial: &Trial| {
            self.rules.mechanics().leadership.exposure == Exposure::Illegal
                && self.rules.in_check(&trial.position, self.player)
        };
        if !is_known && (trial.loses_leader(self.player) || exposes(&trial)) {
            return None;
        }
        self.finish_turn(&mut trial);
        Some(trial.position)
    }
}

impl Trial {
    /// Captures a piece that a move passes. Where parts of a turn repeat, it leaves the board at the end of the turn.
    pub(crate) fn capture_on_the_way(&mut self, rules: &Rules, square: Square) {
        let Some(victim) = self.position.piece(square) else { return };
        if !rules.delays_removal {
            self.capture(rules, square);
            return;
        }
        self.changed_pieces = true;
        self.note_capture(rules, victim);
        self.position.mark(Mark { square, flag: Flag::TAKEN, countdown: None });
    }

    /// Ends the parts of a turn: captured pieces leave the board, and what happened in all parts counts for the turn.
    fn end_parts(&mut self, rules: &Rules, state: TurnState) {
        self.changed_pieces = state.changed_pieces;
        self.next = state.next;
        self.lost_leaders = state.lost_leaders;
        let marks = self.position.marks().iter().filter(|mark| mark.flag == Flag::TAKEN);
        let taken: SmallVec<[Square; 8]> = marks.map(|mark| mark.square).collect();
        for square in taken {
            let piece = self.position.remove(square);
            self.lose(rules, piece);
        }
        self.position.set_turn_state(TurnState::default());
    }
}

impl Rules {
    /// Returns whether the piece on a square was captured in this turn and leaves the board at its end. It is out of play.
    pub(crate) fn is_taken(&self, position: &Position, square: Square) -> bool {
        self.delays_removal && position.marked(square, Flag::TAKEN)
    }

    /// Returns the plan of the part of an unfinished turn that comes next.
    pub fn part_plan(&self, position: &Position) -> Option<&PartPlan> {
        let part = if self.has_parts { position.part() } else { 0 };
        Some(&self.mechanics().then[part.checked_sub(1)?])
    }

    /// Returns the position after leaving out the part of the turn that comes next. The turn goes on with the next part that asks
    /// for nothing, or ends.
    pub(crate) fn skip_part(&self, position: &Position, legality: Legality<'_>) -> Option<Position> {
        let state = position.turn_state();
        let plans = &self.mechanics().then;
        let next = (usize::from(state.part)..plans.len()).find(|part| plans[*part].after.is_empty());
        let mut trial = Trial::new(position);
        if let Some(part) = next {
            trial.position.set_turn_state(TurnState { part: part as u8 + 1, ..state });
            return Some(trial.position);
        }
        trial.mover = state.mover.map(Spot::host);
        trial.end_parts(self, state);
        let mover = state.mover.and_then(|at| Some((at, position.piece(at)?.kind)));
        let (at, kind) = mover.unwrap_or((Square(0), Kind(0)));
        Walker::for_landing(self, position, self.mover(position), kind, at).end_without_part(trial, legality)
    }
}
