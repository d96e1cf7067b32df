//! Positions without a possible mate, which a search leaves out. They are examined when the set of pieces changes, and once
//! for the same material if there is no proof.

use crate::dead::help_mate::Hashes;
use crate::dead::material::Material;
use crate::dead::pieces::PieceList;
use crate::dead::reachability::{Goal, Reachability};
use crate::piece::Player;
use crate::position::Position;
use crate::rules::Rules;

/// With so few pieces, a mate is often impossible although there are checks.
const FEW_PIECES: u32 = 5;

/// The least budget of a proof.
const LEAST_PROOF: u32 = 1 << 10;

/// What is known about the material of one search.
pub(super) struct Mateless<'a> {
    rules: &'a Rules,
    material: &'a Material,
    pub(super) winner: Player,
    /// Material without a mate, and material for which a proof has failed.
    proven: Hashes,
    unproven: Hashes,
}

impl<'a> Mateless<'a> {
    pub(super) fn new(rules: &'a Rules, material: &'a Material, winner: Player) -> Self {
        Mateless { rules, material, winner, proven: Hashes::default(), unproven: Hashes::default() }
    }

    /// Returns whether the winner can no longer mate. `key` is the material of the position.
    pub(super) fn is_ruled_out(&mut self, position: &Position, key: u64, budget: &mut u32) -> bool {
        if self.proven.contains(&key) {
            return true;
        }
        let before = (*budget).min(super::WORK);
        if before < LEAST_PROOF || self.unproven.contains(&key) {
            return false;
        }
        let mut work = before;
        let is_ruled_out = if position.piece_count() <= FEW_PIECES {
            self.has_no_mate(position, key, &mut work)
        } else {
            self.rules.has_no_check(position, self.winner, &mut work)
        };
        *budget -= before - work;
        if !is_ruled_out {
            self.unproven.insert(key);
        }
        is_ruled_out
    }

    /// Returns whether there is no mate. A proof in which every piece may go wherever it could on an empty board holds
    /// for all positions of the same material.
    fn has_no_mate(&mut self, position: &Position, key: u64, work: &mut u32) -> bool {
        let Some(pieces) = PieceList::of(self.rules, position, self.winner) else { return false };
        let mut facts = Reachability::new(self.rules, position, pieces, Goal::Mate, *work);
        let has_no_mate = facts.possible_mates().is_some_and(|mates| mates.is_empty());
        *work = facts.work;
        let is_general = !self.material.may_promote(position) && facts.has_no_fixed_piece();
        if has_no_mate && is_general {
            self.proven.insert(key);
        }
        has_no_mate
    }
}
