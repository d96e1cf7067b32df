//! Whether a piece of some kind can stand on a square: it starts there, a move leads there, promotion creates it there,
//! it is dropped there, or another piece's move relocates it there.
//!
//! Only the last move is considered, and only conditions that the squares alone decide. An answer of *impossible* is
//! therefore certain; an answer of *possible* is not.

use tabiya_engine::blueprint::{Anchor, Condition, Effect, MovePlan, RegionOf};
use tabiya_engine::mechanics::DropPlan;
use tabiya_engine::{Kind, Offset, Player, Rules, Square};

use crate::en_passant::effects;

/// Whether a piece can stand on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reachability {
    /// The piece may stand there.
    Possible,
    /// Moves lead there, but each of them promotes the piece.
    Promoted,
    /// Nothing leads there.
    Impossible,
}

/// Facts about the rules that are the same for all pieces.
pub(crate) struct ReachTables<'r> {
    rules: &'r Rules,
    /// The pieces that start on each square.
    start: Vec<Vec<(Player, Kind)>>,
    /// Whether pieces may be promoted to a kind, by kind.
    is_promoted_to: Vec<bool>,
    /// Whether pieces change in place or change owner: then any piece may stand anywhere.
    changes_in_place: bool,
}

impl<'r> ReachTables<'r> {
    pub(crate) fn new(rules: &'r Rules) -> Self {
        let mut start = vec![Vec::new(); rules.board().len()];
        for placed in rules.blueprint().start() {
            start[placed.square.index()].push((placed.player, placed.kind));
        }
        let mechanics = rules.mechanics();
        let modifiers = || {
            let moves = rules.kinds().flat_map(|kind| &rules.kind(kind).moves);
            let drops = mechanics.hands.iter().flat_map(|hands| &hands.drops);
            moves.flat_map(|plan| &plan.modifiers).chain(drops.flat_map(|plan| &plan.modifiers))
        };
        let mut is_promoted_to = vec![false; rules.kinds().len()];
        for kind in modifiers().flat_map(|modifier| &modifier.options) {
            is_promoted_to[kind.index()] = true;
        }
        let changes_in_place = !mechanics.reactions.is_empty()
            || !mechanics.figures.is_empty()
            || mechanics.exchange.is_some()
            || modifiers().any(|modifier| !modifier.replaces.is_empty());
        ReachTables { rules, start, is_promoted_to, changes_in_place }
    }

    /// Returns whether pieces may be promoted to that kind.
    pub(crate) fn is_promoted_to(&self, kind: Kind) -> bool {
        self.is_promoted_to[kind.index()]
    }

    /// Returns whether pieces of that kind may be dropped.
    pub(crate) fn is_dropped(&self, kind: Kind) -> bool {
        self.drops().any(|plan| plan.kinds.contains(&kind)) || self.is_dropped_with_moves(kind)
    }

    /// Returns whether moves of other pieces may drop pieces of that kind.
    fn is_dropped_with_moves(&self, kind: Kind) -> bool {
        let drops_it =
            |effect: &Effect| matches!(effect, Effect::Drop { kind: dropped, .. } if *dropped == kind);
        self.rules.drops_with_moves()
            && self.rules.kinds().map(|mover| self.rules.kind(mover)).any(|mover| {
                mover.moves.iter().flat_map(effects).any(drops_it)
                    || mover.castles.iter().any(|castle| castle.drop.is_some_and(|drop| drop.kind == kind))
            })
    }

    fn drops(&self) -> impl Iterator<Item = &'r DropPlan> {
        self.rules.mechanics().hands.iter().flat_map(|hands| &hands.drops)
    }

    /// Returns whether an unmoved piece can stand on a square. A promoted piece counts as unmoved.
    pub(crate) fn is_unmoved_at(&self, player: Player, kind: Kind, square: Square) -> bool {
        self.changes_in_place
            || self.start[square.index()].contains(&(player, kind))
            || self.is_promoted_to(kind)
            || self.drops().any(|plan| plan.unmoved && plan.kinds.contains(&kind))
    }

    /// Returns whether a piece can stand on a square.
    pub(crate) fn reachability(&self, player: Player, kind: Kind, square: Square) -> Reachability {
        if self.changes_in_place {
            return Reachability::Possible;
        }
        let goal = Goal { tables: self, player, square };
        let plans = &self.rules.kind(kind).moves;
        let arrives = |plan: &&MovePlan| goal.is_landing(kind, plan);
        if self.start[square.index()].contains(&(player, kind))
            || plans.iter().filter(arrives).any(|plan| !goal.must_promote(plan))
            || self.is_promoted_to(kind) && goal.is_promoted_here(kind)
            || goal.is_dropped_here(kind)
            || goal.is_relocated_here(kind)
        {
            Reachability::Possible
        } else if plans.iter().any(|plan| arrives(&plan)) {
            Reachability::Promoted
        } else {
            Reachability::Impossible
        }
    }
}

/// A square that pieces of one player may reach.
struct Goal<'r> {
    tables: &'r ReachTables<'r>,
    player: Player,
    square: Square,
}

impl Goal<'_> {
    /// Returns whether conditions can hold for a landing on the square, as far as the square decides.
    fn may_hold(&self, conditions: &[Condition]) -> bool {
        conditions.iter().all(|condition| match condition {
            Condition::Not(list) => match list.as_slice() {
                [condition] => own_region(condition).is_none_or(|region| !self.is_in(region)),
                _ => true,
            },
            condition => own_region(condition).is_none_or(|region| self.is_in(region)),
        })
    }

    fn is_in(&self, region: u16) -> bool {
        self.tables.rules.region(region).squares[self.player.index()].contains(&self.square)
    }

    /// Returns whether a move of the kind can end on the square.
    fn is_landing(&self, kind: Kind, plan: &MovePlan) -> bool {
        let is_first = plan.conditions.contains(&Condition::FirstMove);
        let back = self.tables.rules.player(self.player).orientation.turn(plan.step).reversed();
        let mut at = self.square;
        let mut is_found = false;
        for steps in 1..=plan.repeat.max.unwrap_or(u32::MAX) {
            let Some(next) = self.tables.rules.board().step(at, back) else { break };
            at = next;
            is_found = steps >= plan.repeat.first_landing()
                && (!is_first || self.tables.is_unmoved_at(self.player, kind, at));
            if is_found {
                break;
            }
        }
        is_found && self.may_hold(&plan.conditions)
    }

    /// Returns whether the move always promotes on this square.
    fn must_promote(&self, plan: &MovePlan) -> bool {
        let is_certain =
            |condition: &Condition| matches!(condition, Condition::InRegion(region) if self.is_in(*region));
        plan.modifiers.iter().any(|modifier| modifier.conditions.iter().all(is_certain))
    }

    /// Returns whether a piece can be promoted to that kind here. An effect may relocate it from its landing to any
    /// square.
    fn is_promoted_here(&self, kind: Kind) -> bool {
        self.plans().any(|(other, plan)| {
            let mut modifiers = plan.modifiers.iter().filter(|modifier| modifier.options.contains(&kind));
            let relocates = || effects(plan).any(|effect| matches!(effect, Effect::Relocate { .. }));
            modifiers.any(|modifier| {
                relocates() || self.may_hold(&modifier.conditions) && self.is_landing(other, plan)
            })
        })
    }

    /// Returns whether a piece of that kind can be dropped here, or a piece that is promoted to it by its drop.
    fn is_dropped_here(&self, kind: Kind) -> bool {
        let mut drops = self.tables.drops().filter(|plan| self.may_hold(&plan.conditions));
        self.tables.is_dropped_with_moves(kind)
            || drops.any(|plan| {
                let is_option = || plan.modifiers.iter().any(|modifier| modifier.options.contains(&kind));
                plan.kinds.contains(&kind) || is_option()
            })
    }

    /// Returns whether another piece's move can relocate a piece of that kind to this square.
    fn is_relocated_here(&self, kind: Kind) -> bool {
        self.plans().any(|(mover, plan)| {
            let is_first = plan.conditions.contains(&Condition::FirstMove);
            effects(plan).any(|effect| match effect {
                Effect::Relocate { kind: wanted, to, .. } => {
                    wanted.is_none_or(|wanted| wanted == kind)
                        && self.source(*to).is_some_and(|source| {
                            !is_first || self.tables.is_unmoved_at(self.player, mover, source)
                        })
                }
                _ => false,
            })
        })
    }

    /// Returns the mover's source square, if this square is at that offset from it.
    fn source(&self, offset: Offset) -> Option<Square> {
        let turned = self.tables.rules.player(self.player).orientation.turn(offset);
        self.tables.rules.board().step(self.square, turned.reversed())
    }

    fn plans(&self) -> impl Iterator<Item = (Kind, &MovePlan)> {
        let rules = self.tables.rules;
        rules.kinds().flat_map(move |kind| rules.kind(kind).moves.iter().map(move |plan| (kind, plan)))
    }
}

/// Returns the region in which the landing must be, if that is what a condition asks for.
fn own_region(condition: &Condition) -> Option<u16> {
    match condition {
        Condition::InRegion(region) | Condition::Region { region, of: RegionOf::Own, at: Anchor::Target } => {
            Some(*region)
        }
        _ => None,
    }
}
