//! Where pieces can be unmoved, and what follows for first moves.

use crate::blueprint::{Condition, MovePlan};
use crate::piece::{Kind, Player};
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// Returns the squares on which a piece of a kind can be unmoved: its starting squares, and those of promotions.
    pub(crate) fn unmoved_squares(&self, player: Player, kind: Kind) -> Vec<Square> {
        let starts = self.blueprint.start.iter().filter(|it| (it.player, it.kind) == (player, kind));
        let is_created = |square: &Square| {
            let is_in = |region: &u16| self.in_region(*region, player, *square);
            let mut promotions = self.unmoved.promotions.iter().filter(|it| it.options.contains(&kind));
            promotions.any(|it| it.regions.iter().all(is_in))
        };
        let mut squares: Vec<Square> =
            starts.map(|it| it.square).chain(self.board.squares().filter(is_created)).collect();
        squares.sort();
        squares.dedup();
        squares
    }

    /// Returns whether a move of a kind may promote. A first move may never reach the squares of a promotion.
    pub fn may_promote(&self, player: Player, kind: Kind, plan: &MovePlan) -> bool {
        let is_first = plan.conditions.contains(&Condition::FirstMove) && plan.repeat.max == Some(1);
        if plan.modifiers.is_empty() || !is_first {
            return !plan.modifiers.is_empty();
        }
        let step = self.player(player).orientation.turn(plan.step);
        let sources = self.unmoved_squares(player, kind).into_iter();
        let mut landings = sources.filter_map(|source| self.board.step(source, step));
        landings.any(|landing| {
            let may_hold = |condition: &Condition| match condition {
                Condition::InRegion(region) => self.in_region(*region, player, landing),
                _ => true,
            };
            plan.modifiers.iter().any(|modifier| modifier.conditions.iter().all(may_hold))
        })
    }
}
