//! Turns of several parts. The whole turn is one move: it is legal if the position at its end is.
//!
//! Leaders that are lost take effect at the end of the turn, flags count down once, and pieces that a move captures on its way leave
//! the board at the end if some part of a turn repeats.

use std::collections::BTreeSet;

use tabiya_spec::model::{PartSpec, Skip};

use crate::after_move::{FinishedMove, Following};
use crate::make_move::MadeMove;
use crate::pattern::Attempt;
use crate::results::Events;
use crate::{Oracle, Piece, Ply, Spot, Square, State};

/// The greatest number of parts in a turn.
const MAX_PARTS: usize = 64;

/// What the parts of an unfinished turn leave to the next ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnfinishedTurn {
    /// The part to come: an index into the parts after the first.
    pub part: usize,
    /// The number of parts so far.
    pub made: usize,
    /// Where the piece is that made the last part.
    pub mover: Option<Square>,
    /// Squares with captured pieces that leave the board at the end.
    pub taken: BTreeSet<Square>,
    /// Leaders that were lost.
    pub lost: Vec<Piece>,
    /// Who moves next: 0 the next slot, 1 the same slot, 2 another player.
    pub following: u8,
}

type Made = (Ply, FinishedMove);

impl Oracle<'_> {
    pub(crate) fn has_parts(&self) -> bool {
        !self.spec.turns.then.is_empty()
    }

    /// Returns whether pieces captured on the way stay on the board until the turn ends.
    pub(crate) fn delays_removal(&self) -> bool {
        self.spec.turns.then.iter().any(|part| part.repeats.as_ref().is_some_and(|it| **it))
    }

    /// Returns the part of the turn after this one, if there is one.
    pub(crate) fn next_part(
        &self,
        before: &State,
        attempt: &Attempt<'_>,
        to: Square,
        finished: &FinishedMove,
    ) -> Option<usize> {
        let parts = &self.spec.turns.then;
        let current = before.turn.as_ref().map(|turn| turn.part);
        if before.turn.as_ref().map_or(0, |turn| turn.made) >= MAX_PARTS {
            return None;
        }
        let follows = |part: usize| parts[part].after.iter().all(|it| self.is_met(attempt, to, finished, it));
        if let Some(part) = current
            && parts[part].repeats.as_ref().is_some_and(|it| **it)
            && follows(part)
        {
            return Some(part);
        }
        (current.map_or(0, |part| part + 1)..parts.len()).find(|part| follows(*part))
    }

    /// Removes the captured pieces that are still on the board, and returns the leaders that are lost with them.
    pub(crate) fn remove_taken(&self, state: &mut State) -> Vec<Piece> {
        let turn = state.turn.take().unwrap_or_default();
        let mut lost = turn.lost;
        for square in turn.taken {
            for piece in state.clear(square) {
                if self.is_lost_with(state, &piece) {
                    lost.push(piece);
                }
            }
        }
        lost
    }

    /// Returns all legal turns, each with the state at its end.
    pub(crate) fn whole_turns(&self, state: &State) -> Vec<Made> {
        let mut first = self.possible(state);
        first.retain(|(_, finished)| !finished.lost_own);
        let mut turns = Vec::new();
        for (ply, finished) in self.first_class(state, first) {
            self.complete(state, ply, finished, &mut turns);
        }
        if self.spec.turns.most.is_some() {
            let most = turns.iter().map(|(_, end)| self.taken_by(state, end)).max().unwrap_or(0);
            turns.retain(|(_, end)| self.taken_by(state, end) == most);
        }
        let mut kept: Vec<Made> = Vec::new();
        for (ply, end) in turns {
            let same = |(other, it): &Made| {
                (other.spot(), &other.drop) == (ply.spot(), &ply.drop) && it.state == end.state
            };
            if !kept.iter().any(same) {
                kept.push((ply, end));
            }
        }
        kept
    }

    /// Returns the number of enemy pieces that a turn has taken from the board.
    fn taken_by(&self, before: &State, end: &FinishedMove) -> usize {
        let own = self.to_move(before);
        let count = |state: &State| {
            let pieces = state.all_pieces();
            let is_enemy = |owner: &str| !self.same_team(owner, own) && !self.is_neutral(owner);
            pieces.filter(|(_, piece)| is_enemy(&piece.player)).count()
        };
        count(before).saturating_sub(count(&end.state))
    }

    /// Adds every way to complete a turn after its first parts.
    fn complete(&self, start: &State, ply: Ply, so_far: FinishedMove, turns: &mut Vec<Made>) {
        let state = &so_far.state;
        let Some(turn) = &state.turn else {
            let ends = self.allowed(start, vec![(ply, so_far)]);
            turns.extend(ends);
            return;
        };
        let part = &self.spec.turns.then[turn.part];
        let next: Vec<Made> = self.moves_of_part(start, state, part);
        for (step, after) in &next {
            let mut longer = ply.clone();
            longer.then.push(step.clone());
            self.complete(start, longer, after.clone(), turns);
        }
        let may_skip = match part.skip.as_ref().map_or(Skip::Never, |skip| **skip) {
            Skip::Never => false,
            Skip::IfStuck => next.is_empty(),
            Skip::Freely => true,
        };
        if may_skip {
            let skipped = self.skipped(state, turn);
            self.complete(start, ply, skipped, turns);
        }
    }

    /// Returns the moves of one part, apart from those that end the turn with a leader attacked.
    fn moves_of_part(&self, start: &State, state: &State, part: &PartSpec) -> Vec<Made> {
        let mover = state.turn.as_ref().and_then(|turn| turn.mover);
        let mover = mover.and_then(|at| Some((Spot { square: at, guest: false }, state.pieces.get(&at)?)));
        let mover = mover.filter(|(_, piece)| piece.player == self.to_move(state));
        let same_piece = part.same_piece.as_ref().is_some_and(|same| **same);
        let mut moves = if !part.moves.is_empty() || same_piece {
            let Some((spot, piece)) = mover else { return Vec::new() };
            let definitions = if part.moves.is_empty() { self.definitions(&piece.kind) } else { &part.moves };
            definitions.iter().flat_map(|definition| self.moves_of(state, spot, piece, definition)).collect()
        } else {
            let mut moves = Vec::new();
            for (ply, finished) in self.possible(state) {
                let same = |other: &Ply| {
                    (other.spot(), other.to, &other.promotion, &other.drop)
                        == (ply.spot(), ply.to, &ply.promotion, &ply.drop)
                };
                if !moves.iter().any(|(other, it): &Made| same(other) && it.state == finished.state) {
                    moves.push((ply, finished));
                }
            }
            moves
        };
        moves.retain(|made| {
            !made.1.lost_own
                && !state.is_taken(made.0.from)
                && self.meets_all(state, made, &part.only)
                && self.meets_all(state, made, &self.spec.restrictions)
                && (made.1.state.turn.is_some() || !self.allowed(start, vec![made.clone()]).is_empty())
        });
        moves
    }

    /// Leaves out the part that comes next.
    fn skipped(&self, state: &State, turn: &UnfinishedTurn) -> FinishedMove {
        let parts = &self.spec.turns.then;
        let next = (turn.part + 1..parts.len()).find(|part| parts[*part].after.is_empty());
        let mut state = state.clone();
        if let Some(part) = next {
            state.turn = Some(UnfinishedTurn { part, ..turn.clone() });
            return FinishedMove {
                state,
                lost_own: false,
                took_leader: false,
                events: Events::default(),
                following: Following::Next,
            };
        }
        let mover = turn.mover.map(|square| Spot { square, guest: false });
        let piece = mover.and_then(|spot| state.at(spot).cloned());
        let piece = piece.unwrap_or_else(|| Piece::new("", self.to_move(&state)));
        let lost = self.remove_taken(&mut state);
        let before = state.clone();
        let made = MadeMove { state, mover, captured: Vec::new(), dropped: Vec::new() };
        self.end_of_move(&before, made, lost, Events::default(), following(turn.following), &piece)
    }
}

/// Returns who moves next, from a number.
pub(crate) fn following(number: u8) -> Following {
    match number {
        0 => Following::Next,
        1 => Following::Same,
        _ => Following::Another,
    }
}
