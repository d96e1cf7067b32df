//! Pieces that face each other on a line.

use crate::blueprint::ending::{FacingPlan, Owner};
use crate::movegen::castling::line;
use crate::piece::{Kind, PlayerSet};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// Returns whether two pieces face each other.
    pub(super) fn is_facing(
        &self,
        position: &Position,
        plan: &FacingPlan,
        players: impl Fn(Owner) -> PlayerSet,
    ) -> bool {
        let of = |(kinds, owner): &(Vec<Kind>, Owner)| -> Vec<Square> {
            let owners = players(*owner);
            let pieces = position.all_pieces();
            let meant = pieces.filter(|(Spot { guest, .. }, piece)| {
                !guest && owners.contains(piece.player) && kinds.contains(&piece.kind)
            });
            meant.map(|(spot, _)| spot.square).collect()
        };
        let others = of(&plan.other);
        of(&plan.one)
            .into_iter()
            .any(|one| others.iter().any(|other| self.are_facing(position, plan, one, *other)))
    }

    fn are_facing(&self, position: &Position, plan: &FacingPlan, one: Square, other: Square) -> bool {
        let ((x, y), (other_x, other_y)) = (self.board.coords(one), self.board.coords(other));
        let (dx, dy) = (other_x - x, other_y - y);
        let is_on_line = plan.lines.files && dx == 0
            || plan.lines.ranks && dy == 0
            || plan.lines.diagonals && dx.abs() == dy.abs();
        if one == other || !is_on_line {
            return false;
        }
        let mut between = 0;
        for square in line(&self.board, one, other).filter(|square| ![one, other].contains(square)) {
            if !self.board.has(square) {
                return false;
            }
            between += u32::from(position.occupied(square));
        }
        (plan.min..=plan.max).contains(&between)
    }
}
