//! Castling in a proof: two pieces may reach their targets as soon as nothing fixed stands in the way.

use crate::blueprint::CastlePlan;
use crate::dead::pieces::{bit, members};
use crate::dead::reachability::{ProofStep, Reachability};
use crate::movegen::Castling;
use crate::square::Square;

impl Reachability<'_> {
    /// Adds every castling move of a piece from a square.
    pub(super) fn castle_from(&mut self, piece: usize, from: Square, plan: &CastlePlan) -> ProofStep {
        let rules = self.rules;
        let Some(targets) = plan.targets[self.pieces.piece(piece).player.index()] else { return Ok(()) };
        let Some(side) = plan.side(rules.board(), from, targets) else { return Ok(()) };
        if self.unmoved_at(from) & bit(piece) == 0 {
            return Ok(());
        }
        let fitting = self.of_kinds(&plan.partners)? & self.pieces.side_of(piece) & !bit(piece);
        let beside =
            std::iter::successors(rules.board().within(from, side), |at| rules.board().within(*at, side));
        for square in beside {
            self.spend(1)?;
            self.wait(piece, square);
            let partners = self.unmoved_at(square) & fitting;
            let castling = Castling { from, to: targets.0, partner: square, partner_to: targets.1 };
            let is_blocked = castling.empty_squares(rules.board()).any(|it| self.is_blocked(piece, it));
            if partners == 0 || is_blocked {
                continue;
            }
            self.leave_line(piece, None);
            self.visit(piece, targets.0)?;
            for partner in members(partners) {
                self.leave_line(partner, None);
                self.visit(partner, targets.1)?;
            }
        }
        Ok(())
    }
}
