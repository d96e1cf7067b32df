//! Where a kind of piece can stand at all: where it starts, where a move or a promotion puts it, where another piece's
//! move takes it along.
//!
//! Only the last move is looked at, and of its conditions only those that are known from the squares alone. So what is
//! called impossible is; what is called possible may still not be.

use tabiya_engine::blueprint::{Condition, Effect, MovePlan};
use tabiya_engine::{Kind, Offset, Player, Rules, Square};

use crate::passing::effects;

/// Whether a piece can stand on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It may.
    Possible,
    /// Moves lead there, but each of them makes another piece of it.
    Promoted,
    /// Nothing leads there.
    Impossible,
}

/// What is asked of the rules once, however many pieces there are.
pub(crate) struct Reach<'r> {
    rules: &'r Rules,
    /// What starts on each square.
    start: Vec<Vec<(Player, Kind)>>,
    /// Whether pieces may become a kind, by kind.
    is_promoted_to: Vec<bool>,
    /// Whether pieces change where they stand, or change hands: then anything may stand anywhere.
    is_fickle: bool,
}

impl<'r> Reach<'r> {
    pub(crate) fn new(rules: &'r Rules) -> Self {
        let mut start = vec![Vec::new(); rules.board().len()];
        for placed in rules.blueprint().start() {
            start[placed.square.index()].push((placed.player, placed.kind));
        }
        let mut is_promoted_to = vec![false; rules.kinds().len()];
        let plans = rules.kinds().flat_map(|kind| &rules.kind(kind).moves);
        for kind in plans.flat_map(|plan| &plan.modifiers).flat_map(|modifier| &modifier.options) {
            is_promoted_to[kind.index()] = true;
        }
        let mechanics = rules.mechanics();
        let mut modifiers =
            rules.kinds().flat_map(|kind| &rules.kind(kind).moves).flat_map(|it| &it.modifiers);
        let is_fickle = !mechanics.reactions.is_empty()
            || !mechanics.figures.is_empty()
            || mechanics.exchange.is_some()
            || modifiers.any(|modifier| !modifier.replaces.is_empty());
        Reach { rules, start, is_promoted_to, is_fickle }
    }

    /// Whether pieces may become that kind.
    pub(crate) fn is_promoted_to(&self, kind: Kind) -> bool {
        self.is_promoted_to[kind.index()]
    }

    /// Whether a piece that has never moved can stand on a square; one that was promoted has not.
    pub(crate) fn is_unmoved_at(&self, player: Player, kind: Kind, square: Square) -> bool {
        self.is_fickle || self.start[square.index()].contains(&(player, kind)) || self.is_promoted_to(kind)
    }

    /// Whether a piece can stand on a square.
    pub(crate) fn standing(&self, player: Player, kind: Kind, square: Square) -> Standing {
        if self.is_fickle {
            return Standing::Possible;
        }
        let goal = Goal { reach: self, player, square };
        let plans = &self.rules.kind(kind).moves;
        let arrives = |plan: &&MovePlan| goal.is_landing(kind, plan);
        if self.start[square.index()].contains(&(player, kind))
            || plans.iter().filter(arrives).any(|plan| !goal.must_promote(plan))
            || self.is_promoted_to(kind) && goal.is_promoted_here(kind)
            || goal.is_taken_along(kind)
        {
            Standing::Possible
        } else if plans.iter().any(|plan| arrives(&plan)) {
            Standing::Promoted
        } else {
            Standing::Impossible
        }
    }
}

/// A square, as one player's pieces may come to it.
struct Goal<'r> {
    reach: &'r Reach<'r>,
    player: Player,
    square: Square,
}

impl Goal<'_> {
    /// Whether conditions can hold for a landing on the square, as far as the square decides.
    fn may_hold(&self, conditions: &[Condition]) -> bool {
        conditions.iter().all(|condition| match condition {
            Condition::InRegion(region) => self.is_in(*region),
            _ => true,
        })
    }

    fn is_in(&self, region: u16) -> bool {
        self.reach.rules.region(region).squares[self.player.index()].contains(&self.square)
    }

    /// Whether a move of the kind can end on the square.
    fn is_landing(&self, kind: Kind, plan: &MovePlan) -> bool {
        let is_first = plan.conditions.contains(&Condition::FirstMove);
        let back = self.reach.rules.player(self.player).orientation.turn(plan.step).reversed();
        let mut at = self.square;
        let mut is_found = false;
        for steps in 1..=plan.repeat.max.unwrap_or(u32::MAX) {
            let Some(next) = self.reach.rules.board().step(at, back) else { break };
            at = next;
            is_found =
                steps >= plan.repeat.min && (!is_first || self.reach.is_unmoved_at(self.player, kind, at));
            if is_found {
                break;
            }
        }
        is_found && self.may_hold(&plan.conditions)
    }

    /// Whether every piece that makes the move to this square becomes another.
    fn must_promote(&self, plan: &MovePlan) -> bool {
        let is_sure =
            |condition: &Condition| matches!(condition, Condition::InRegion(region) if self.is_in(*region));
        plan.modifiers.iter().any(|modifier| modifier.conditions.iter().all(is_sure))
    }

    /// Whether some piece can become that kind here. An effect may carry it away from its landing to anywhere.
    fn is_promoted_here(&self, kind: Kind) -> bool {
        self.plans().any(|(other, plan)| {
            let mut modifiers = plan.modifiers.iter().filter(|modifier| modifier.options.contains(&kind));
            let carries = || effects(plan).any(|effect| matches!(effect, Effect::Relocate { .. }));
            modifiers.any(|modifier| {
                carries() || self.may_hold(&modifier.conditions) && self.is_landing(other, plan)
            })
        })
    }

    /// Whether another piece's move can put a piece of that kind here.
    fn is_taken_along(&self, kind: Kind) -> bool {
        self.plans().any(|(mover, plan)| {
            let is_first = plan.conditions.contains(&Condition::FirstMove);
            effects(plan).any(|effect| match effect {
                Effect::Relocate { kind: wanted, to, .. } => {
                    wanted.is_none_or(|wanted| wanted == kind)
                        && self.source(*to).is_some_and(|source| {
                            !is_first || self.reach.is_unmoved_at(self.player, mover, source)
                        })
                }
                _ => false,
            })
        })
    }

    /// Where a mover stood, if this square is at that offset from it.
    fn source(&self, offset: Offset) -> Option<Square> {
        let turned = self.reach.rules.player(self.player).orientation.turn(offset);
        self.reach.rules.board().step(self.square, turned.reversed())
    }

    fn plans(&self) -> impl Iterator<Item = (Kind, &MovePlan)> {
        self.reach
            .rules
            .kinds()
            .flat_map(|kind| self.reach.rules.kind(kind).moves.iter().map(move |plan| (kind, plan)))
    }
}
