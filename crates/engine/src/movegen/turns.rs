//! Turns of several parts. A move is a whole turn: all ways to complete it are listed part by part.
//!
//! The number of a turn's parts is bounded, and so is the number of turns that are listed.

use std::collections::HashMap;
use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::blueprint::mechanics::{Exposure, Skip};
use crate::movegen::walker::Walker;
use crate::moves::Move;
use crate::piece::PlayerSet;
use crate::play::results::Legality;
use crate::position::Position;
use crate::rules::Rules;

/// The greatest number of turns that begin with the same part, and of all turns of a position.
const MAX_TURNS: usize = u16::MAX as usize;

/// The greatest number of parts that are made to list the turns of a position. It bounds the time where few turns can be completed.
const MAX_MADE: u32 = 1 << 16;

/// How the parts of turns are tested.
const OF_PARTS: Legality<'static> = Legality::tested(Exposure::Allowed);

/// The parts of a turn after the first.
type Rest = SmallVec<[Move; 2]>;

/// The parts after the first one while turns are listed.
#[derive(Default)]
struct Listing {
    rest: Rest,
    /// The number of parts made so far.
    made: u32,
}

/// A whole turn.
struct WholeTurn {
    played: Move,
    rest: Rest,
    position: Position,
    captures: u32,
}

impl Rules {
    /// Returns whether turns have several parts.
    #[inline]
    pub fn has_parts(&self) -> bool {
        self.has_parts
    }

    /// Returns the first parts of all legal turns, sorted. In a game whose turns have one part, these are the legal moves.
    pub fn first_parts(&self, position: &Position) -> Vec<Move> {
        let mut moves: Vec<Move> = self.legal_moves(position).into_iter().map(Move::first_part).collect();
        moves.dedup();
        moves
    }

    /// Returns the position after the first part of a legal turn. The turn goes on if [`Position::part`] is not 0.
    ///
    /// # Errors
    ///
    /// Returns the rule that forbids the part if no legal turn begins with it.
    pub fn play_part(&self, position: &Position, part: Move) -> Result<Position, crate::IllegalMove> {
        let is_legal = self.first_parts(position).contains(&part.first_part());
        let next = is_legal.then(|| self.finished(position, part.first_part(), Legality::KNOWN)).flatten();
        match next {
            Some(next) if next.part() > 0 => Ok(next),
            Some(next) => Ok(self.settled(next)),
            None => Err(self.why_illegal(position, part.from, part.to)),
        }
    }

    /// Returns whether an unfinished turn may end now, and the position after it.
    pub fn end_parts(&self, position: &Position) -> Option<Position> {
        if position.part() == 0 {
            return None;
        }
        let mut found = None;
        let _ = self.for_each_rest(position, &mut Listing::default(), &mut |rest, position| {
            if rest.is_empty() {
                found = Some(self.settled(position.clone()));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Returns all legal moves, each with the parts after its first one, in the order of [`Rules::legal_moves`].
    pub fn turns(&self, position: &Position) -> Vec<(Move, Vec<Move>)> {
        if !self.has_parts {
            return self.legal_moves(position).into_iter().map(|played| (played, Vec::new())).collect();
        }
        let mut turns = Vec::new();
        self.for_each_turn(position, |played, rest, _| turns.push((played, rest.to_vec())));
        turns
    }

    /// Shows all legal moves in the order of [`Rules::legal_moves`], each with the parts after its first one and the position after it.
    /// For turns of one part use [`Rules::legal_moves`]: this shows none of them.
    pub fn for_each_turn(&self, position: &Position, mut show: impl FnMut(Move, &[Move], &Position)) {
        let mut turns = if self.has_parts { self.whole_turns(position) } else { Vec::new() };
        turns.sort_by_key(|turn| (turn.played.sort_key(), turn.played.promotion, turn.played.then));
        for turn in &turns {
            show(turn.played, &turn.rest, &turn.position);
        }
    }

    /// Returns the parts of a legal move, each with the position before it.
    pub fn parts(&self, position: &Position, played: Move) -> Vec<(Position, Move)> {
        let mut all = vec![(position.clone(), played.first_part())];
        if played.then == 0 {
            return all;
        }
        let Some(mut at) = self.finished(position, played.first_part(), Legality::KNOWN) else { return all };
        let Some((rest, _)) = self.nth_rest(&at, played.then) else { return all };
        for part in rest {
            let Some(before) = self.before_part(at, part) else { break };
            let next = self.finished(&before, part, Legality::KNOWN);
            all.push((before, part));
            let Some(next) = next else { break };
            at = next;
        }
        all
    }

    /// Returns the position in which a part of an unfinished turn is made: those in between are left out.
    fn before_part(&self, position: Position, part: Move) -> Option<Position> {
        let mut at = position;
        while !self.list_parts(&at).contains(&part) {
            at = self.skip_part(&at, OF_PARTS).filter(|next| next.part() > 0)?;
        }
        Some(at)
    }

    /// Returns the position after a legal move that is a whole turn.
    pub(crate) fn complete_turn(&self, position: &Position, played: Move) -> Option<Position> {
        let first = self.finished(position, played.first_part(), Legality::KNOWN)?;
        if played.then == 0 {
            return Some(first);
        }
        self.nth_rest(&first, played.then).map(|(_, position)| position)
    }

    fn nth_rest(&self, position: &Position, then: u16) -> Option<(Rest, Position)> {
        let (mut left, mut found) = (then, None);
        let _ = self.for_each_rest(position, &mut Listing::default(), &mut |rest, position| {
            left -= 1;
            if left == 0 {
                found = Some((Rest::from_slice(rest), position.clone()));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// Appends all legal turns.
    pub(crate) fn list_turns(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.extend(self.whole_turns(position).into_iter().map(|turn| turn.played));
    }

    pub(crate) fn has_turn(&self, position: &Position) -> bool {
        self.visit_turns(position, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// Counts paths of whole turns.
    pub(crate) fn perft_of_turns(&self, position: &Position, depth: u32) -> u64 {
        let turns = self.whole_turns(position);
        if turns.is_empty() && self.is_unsettled(position) {
            let settled = self.settled(position.clone());
            let goes_on = settled.ended().is_none() && settled.slot() != position.slot();
            return if goes_on { self.perft_of_turns(&settled, depth) } else { 0 };
        }
        if depth <= 1 {
            return turns.len() as u64;
        }
        turns.into_iter().map(|turn| self.perft_of_turns(&turn.position, depth - 1)).sum()
    }

    /// Returns all legal turns. Those of one piece that lead to the same position are one.
    fn whole_turns(&self, position: &Position) -> Vec<WholeTurn> {
        let mut turns: Vec<WholeTurn> = Vec::new();
        let _ = self.visit_turns(position, &mut |turn| {
            turns.push(turn);
            if turns.len() < MAX_TURNS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if self.mechanics().most_captures {
            let most = turns.iter().map(|turn| turn.captures).max().unwrap_or(0);
            turns.retain(|turn| turn.captures == most);
        }
        Self::merge_turns(&mut turns);
        turns
    }

    fn merge_turns(turns: &mut Vec<WholeTurn>) {
        // A turn begins with a piece: the one on a square, or one that is dropped there.
        let begin = |played: Move| (played.from, played.dropped().map(|_| played.to));
        let mut seen: HashMap<_, SmallVec<[usize; 1]>> = HashMap::new();
        let mut kept = vec![true; turns.len()];
        for (index, turn) in turns.iter().enumerate() {
            let alike = seen.entry((turn.position.key(), begin(turn.played))).or_default();
            if alike.iter().any(|other| turns[*other].position == turn.position) {
                kept[index] = false;
            } else {
                alike.push(index);
            }
        }
        let mut kept = kept.into_iter();
        turns.retain(|_| kept.next().unwrap_or(true));
    }

    /// Visits all legal turns, before those that capture less are left out.
    fn visit_turns(
        &self,
        position: &Position,
        visit: &mut impl FnMut(WholeTurn) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut made = 0;
        for first in self.list_parts(position) {
            let Some(next) = self.finished(position, first, OF_PARTS) else { continue };
            if next.part() == 0 {
                let captures = self.captures_between(position, &next);
                visit(WholeTurn { played: first, rest: Rest::new(), position: next, captures })?;
                continue;
            }
            let mut then = 0u16;
            let mut is_stopped = false;
            let mut listing = Listing { made, ..Listing::default() };
            let _ = self.for_each_rest(&next, &mut listing, &mut |rest, after| {
                then += 1;
                let captures = self.captures_between(position, after);
                let turn = WholeTurn {
                    played: Move { then, ..first },
                    rest: Rest::from_slice(rest),
                    position: after.clone(),
                    captures,
                };
                is_stopped = visit(turn).is_break();
                if is_stopped || then == u16::MAX {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
            made = listing.made;
            if is_stopped {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits every way to complete an unfinished turn: its parts, and the position after them.
    fn for_each_rest(
        &self,
        position: &Position,
        listing: &mut Listing,
        visit: &mut impl FnMut(&[Move], &Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let moves = self.list_parts(position);
        listing.made += moves.len() as u32;
        if listing.made > MAX_MADE {
            return ControlFlow::Break(());
        }
        for part in &moves {
            let Some(next) = self.finished(position, *part, OF_PARTS) else { continue };
            listing.rest.push(*part);
            if next.part() == 0 {
                visit(&listing.rest, &next)?;
            } else {
                self.for_each_rest(&next, listing, visit)?;
            }
            listing.rest.pop();
        }
        let may_skip = match self.part_plan(position).map(|plan| plan.skip) {
            Some(Skip::Freely) => true,
            Some(Skip::IfStuck) => moves.is_empty(),
            Some(Skip::Never) | None => false,
        };
        if may_skip && let Some(next) = self.skip_part(position, OF_PARTS) {
            if next.part() == 0 {
                visit(&listing.rest, &next)?;
            } else {
                self.for_each_rest(&next, listing, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Lists the moves of one part of a turn, in an order that depends only on the position. Whether the turn can be completed is not tested.
    fn list_parts(&self, position: &Position) -> Vec<Move> {
        let Some(plan) = self.part_plan(position) else {
            return self.general.moves(self, position);
        };
        let mut moves = if plan.same_piece || !plan.moves.is_empty() {
            self.moves_of_mover(position)
        } else {
            self.general.moves(self, position)
        };
        let is_legal = |played: &Move| {
            !self.is_taken(position, played.from) && self.finished(position, *played, OF_PARTS).is_some()
        };
        moves.retain(is_legal);
        moves
    }

    /// Returns the number of enemy pieces that a turn has taken from the board.
    fn captures_between(&self, before: &Position, after: &Position) -> u32 {
        let all: PlayerSet = self.players().collect();
        let opponents = all.without(self.team(self.mover(before))).without(self.mechanics().neutral);
        let count =
            |position: &Position| opponents.iter().map(|player| position.pieces_of(player)).sum::<u32>();
        count(before).saturating_sub(count(after))
    }

    /// Lists the moves of the piece that made the last part.
    fn moves_of_mover(&self, position: &Position) -> Vec<Move> {
        let Some((from, piece)) = position.part_mover().and_then(|at| Some((at, position.piece(at)?))) else {
            return Vec::new();
        };
        let player = self.mover(position);
        if piece.player != player || position.ended().is_some() {
            return Vec::new();
        }
        let walker = Walker::new(self, position, player, piece.kind, from);
        let mut moves = Vec::new();
        for (index, pattern) in (0u8..=u8::MAX).zip(walker.patterns()) {
            let _ = walker.landings(pattern, &mut |to, _| {
                let played = Move { from, to, pattern: index, guest: false, promotion: None, then: 0 };
                match walker.promotion_for(pattern, to) {
                    Some(modifier) => {
                        moves.extend(
                            modifier.options.iter().map(|kind| Move { promotion: Some(*kind), ..played }),
                        );
                    }
                    None => moves.push(played),
                }
                ControlFlow::Continue(())
            });
        }
        moves
    }
}
