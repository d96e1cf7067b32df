//! Whether a condition may ever hold. A condition that is not modelled may: that only enlarges the superset.

use crate::blueprint::{Anchor, Occupancy};
use crate::compile::pattern::Test;
use crate::dead::pieces::{PieceSet, bit, members};
use crate::dead::reachability::{Reachability, SCANS_PER_STEP, Unproven};
use crate::dead::walk::Landing;
use crate::piece::Kind;
use crate::square::Square;

impl Reachability<'_> {
    /// Returns whether each condition of a landing may hold. If one cannot, the piece waits for a change that affects
    /// it.
    pub(super) fn may_all_hold(&mut self, tests: &[Test], landing: &Landing<'_>) -> Result<bool, Unproven> {
        for test in tests {
            self.spend(1)?;
            if !self.may_hold(test, landing)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Not inlined: most moves have no conditions and should not pay for this.
    #[inline(never)]
    fn may_hold(&mut self, test: &Test, landing: &Landing<'_>) -> Result<bool, Unproven> {
        let &Landing { piece, from, to, .. } = landing;
        let rules = self.rules;
        match test {
            Test::FirstMove => Ok(self.unmoved_at(from) & bit(piece) != 0),
            Test::InRegion(region) => Ok(rules.in_region(*region, self.pieces.piece(piece).player, to)),
            Test::PathEmpty => self.may_path_be_empty(landing),
            Test::Any(lists) => {
                for list in lists {
                    if self.may_all_hold(list, landing)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Test::Region { .. }
            | Test::Position(_)
            | Test::Marked(_)
            | Test::Not(_)
            | Test::Attacked { .. }
            | Test::AboutAttacks(_)
            | Test::Event(..)
            | Test::After(_)
            | Test::DependsOn(_)
            | Test::EmptyOrUnmoved(_)
            | Test::NotAttacked
            | Test::PathNotAttacked => Ok(true),
            Test::PieceUnmoved(jump) => Ok(rules.jumps.to(*jump, from).is_some_and(|square| {
                let unmoved = self.unmoved_at(square);
                self.may_meet(piece, square, unmoved)
            })),
            Test::HasFlag(flag, jump) => Ok(rules.jumps.to(*jump, from).is_some_and(|square| {
                let carriers = self.carriers[flag.index()];
                self.may_meet(piece, square, carriers)
            })),
            Test::Square { jump, anchor, state, kinds, unmoved } => {
                let anchor = match anchor {
                    Anchor::Source => from,
                    Anchor::Target => to,
                };
                match rules.jumps.to(*jump, anchor) {
                    Some(square) => self.may_be(piece, square, *state, kinds.as_deref(), *unmoved),
                    None => Ok(false),
                }
            }
        }
    }

    /// Returns whether a square may match a description, seen by the piece.
    fn may_be(
        &mut self,
        piece: usize,
        square: Square,
        state: Option<Occupancy>,
        kinds: Option<&[Kind]>,
        unmoved: Option<bool>,
    ) -> Result<bool, Unproven> {
        let mut wanted = match state {
            Some(Occupancy::Empty) => return Ok(!self.is_blocked(piece, square)),
            None if kinds.is_none() && unmoved.is_none() => return Ok(true),
            Some(Occupancy::Ally) => self.pieces.side_of(piece),
            Some(Occupancy::Enemy) => !self.pieces.side_of(piece),
            Some(Occupancy::NotEmpty | Occupancy::Team) | None => PieceSet::MAX,
        };
        if let Some(kinds) = kinds {
            wanted &= self.of_kinds(kinds)?;
        }
        if unmoved == Some(true) {
            wanted &= self.unmoved_at(square);
        }
        Ok(self.may_meet(piece, square, wanted))
    }

    /// Returns whether one of the wanted pieces may stand on the square. If not, the piece waits for them.
    fn may_meet(&mut self, piece: usize, square: Square, wanted: PieceSet) -> bool {
        let meets = self.squares[square.index()].visitors & wanted != 0;
        if !meets {
            self.wait(piece, square);
        }
        meets
    }

    /// Returns the pieces that may stand on the square unmoved: the one that stands there now, and promoted pieces.
    pub(super) fn unmoved_at(&self, square: Square) -> PieceSet {
        let visitors = self.squares[square.index()].visitors;
        let is_unmoved = |piece: usize| {
            let piece = self.pieces.piece(piece);
            piece.unmoved && piece.home == square
        };
        members(visitors & !self.promoted)
            .filter(|piece| is_unmoved(*piece))
            .fold(visitors & self.promoted, |set, piece| set | bit(piece))
    }

    /// Returns the pieces that may have one of the kinds.
    pub(super) fn of_kinds(&mut self, kinds: &[Kind]) -> Result<PieceSet, Unproven> {
        self.spend(kinds.len() * (self.pieces.len() + self.promotions.len()) / SCANS_PER_STEP)?;
        let now = self.pieces.iter().filter(|(_, piece)| kinds.contains(&piece.kind)).map(|(piece, _)| piece);
        let later = self.promotions.iter().filter(|(_, kind)| kinds.contains(kind)).map(|(piece, _)| *piece);
        Ok(now.chain(later).fold(0, |set, piece| set | bit(piece)))
    }

    /// Returns whether the path may be empty. Holes block a path.
    fn may_path_be_empty(&mut self, landing: &Landing<'_>) -> Result<bool, Unproven> {
        let &Landing { piece, mut from, steps, pattern, .. } = landing;
        for _ in 1..steps * pattern.units {
            self.spend(1)?;
            match self.rules.jumps.to(pattern.unit, from) {
                Some(next) if !self.is_blocked(piece, next) && !self.is_opposed(landing, next) => from = next,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }
}
