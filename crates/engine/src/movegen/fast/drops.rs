//! Drops: sets of empty squares for each kind in hand.

use crate::blueprint::ending::{Area, Census, Clause, Owner};
use crate::blueprint::mechanics::DropPlan;
use crate::blueprint::{Anchor, Condition};
use crate::movegen::fast::atoms::Atoms;
use crate::movegen::fast::bits::{Bits, lookup, squares};
use crate::movegen::fast::checks::Masks;
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::special_forms::fixed_condition;
use crate::movegen::fast::state::{Column, LEADER, State};
use crate::movegen::fast::tables::FastTables;
use crate::movegen::fast::visitors::MoveVisitor;
use crate::piece::{Kind, Player};
use crate::rules::Rules;

/// The drops of a kind by one player.
pub(crate) struct DropRule<B> {
    pub(crate) kind: Kind,
    pub(crate) column: Column,
    /// The place of the kind in the hand.
    pub(crate) place: usize,
    pub(crate) pattern: u8,
    /// The squares on which the piece may be dropped.
    squares: B,
    /// By square: the squares on which the piece may not be dropped because an own one stands on the square.
    excludes: Option<Box<[B]>>,
    /// Whether the drop may not give mate.
    no_mate: bool,
}

impl<B: Bits> DropRule<B> {
    /// Returns the drops of a player, in the order of kinds, if all are supported.
    pub(crate) fn all(rules: &Rules, atoms: &Atoms, player: Player) -> Option<Vec<Self>> {
        let plans = rules.mechanics().hands.iter().flat_map(|hands| &hands.drops);
        let plans: Vec<(u8, &DropPlan)> = (0u8..).zip(plans).collect();
        let mut all: Vec<Self> = Vec::new();
        for kind in rules.kinds() {
            let mut fitting = plans.iter().filter(|(_, plan)| plan.kinds.contains(&kind));
            let Some((pattern, plan)) = fitting.next() else { continue };
            let is_supported = fitting.next().is_none()
                && plan.modifiers.is_empty()
                && !rules.is_leader(kind)
                && atoms.columns[kind.index()] != 0;
            if !is_supported {
                return None;
            }
            all.push(Self::new(rules, atoms, player, kind, (all.len(), *pattern), plan)?);
        }
        Some(all)
    }

    fn new(
        rules: &Rules,
        atoms: &Atoms,
        player: Player,
        kind: Kind,
        (place, pattern): (usize, u8),
        plan: &DropPlan,
    ) -> Option<Self> {
        let board = rules.board();
        let mut all = B::ZERO;
        let (mut excludes, mut no_mate) = (None, false);
        let mut fixed: Vec<&Condition> = Vec::new();
        for condition in &plan.conditions {
            match condition {
                Condition::Position(Clause::Count(census)) if is_limit_of_file(census, kind) => {
                    let file = |square: usize| square % usize::from(board.files());
                    let same = |square: usize| {
                        let others = (0..board.len()).filter(|it| file(*it) == file(square));
                        others.fold(B::ZERO, |set, it| set | B::bit(it))
                    };
                    excludes = Some((0..board.len()).map(same).collect());
                }
                Condition::Not(list) if is_mate_test(list) => no_mate = true,
                other => fixed.push(other),
            }
        }
        // A mate test needs the squares from which the piece attacks a leader.
        if no_mate && (rules.blueprint().leaders.len() != 1 || rules.mechanics().leadership.players.is_some())
        {
            return None;
        }
        for square in board.squares() {
            let tests = fixed.iter().map(|it| fixed_condition(rules, player, it, square, square));
            if tests.collect::<Option<Vec<bool>>>()?.iter().all(|holds| *holds) {
                all |= B::bit(square.index());
            }
        }
        let column = atoms.columns[kind.index()];
        Some(DropRule { kind, column, place, pattern, squares: all, excludes, no_mate })
    }
}

/// Returns whether a count forbids a second piece of a kind on the file of the landing.
fn is_limit_of_file(census: &Census, kind: Kind) -> bool {
    let Census { kinds, owner, region, min, max, lost, area } = census;
    *kinds == [kind]
        && *owner == Owner::Own
        && region.is_none()
        && (*min, *max, *lost) == (0, Some(0), 0)
        && *area == Some(Area::File(Anchor::Target))
}

/// Returns whether conditions hold for a move that mates.
fn is_mate_test(list: &[Condition]) -> bool {
    let [Condition::After(clauses)] = list else { return false };
    *clauses == [Clause::Stuck { owner: Owner::Enemy, attacked: Some(true) }]
}

impl<B: Bits> FastTables<B> {
    /// Visits all legal drops.
    #[inline(always)]
    pub(crate) fn visit_drops<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        masks: &Masks<B>,
        looks_ahead: bool,
        visitor: &mut impl MoveVisitor<B>,
    ) {
        let side = usize::from(state.side & 1);
        if state.extras.hands[side] == 0 {
            return;
        }
        let free = masks.allowed & !masks.occupied;
        for drop in &self.extras.drops[side] {
            if state.extras.in_hand(side, drop.place) == 0 {
                continue;
            }
            let mut targets = free & drop.squares;
            if let Some(excludes) = &drop.excludes {
                for square in squares(state.pieces(side, drop.column)) {
                    targets &= !lookup(excludes, square);
                }
            }
            if masks.watches {
                for to in squares(targets & masks.watch_to) {
                    if !self.stays_safe::<L, P>(&state.after_drop(drop.column, to)) {
                        targets ^= B::bit(to);
                    }
                }
            }
            if drop.no_mate && looks_ahead {
                let leader = (state.planes[LEADER] & masks.enemy).lowest();
                // A dropped piece may also be a hurdle.
                let checking = if self.needs_watch {
                    B::ALL
                } else {
                    self.attack_sources::<L>(side, drop.column, leader, masks.occupied)
                };
                for to in squares(targets & checking) {
                    let mut next = state.after_drop(drop.column, to);
                    next.extras.take(side, drop.place);
                    if self.in_check::<L, P>(&next) && !L::has_move(self, &next) {
                        targets ^= B::bit(to);
                    }
                }
            }
            visitor.drop(drop, targets);
        }
    }
}
