//! Merging of kinds that move alike and differ only in their promotions. Their pieces move together and are separated
//! where they promote.

use crate::blueprint::{Blueprint, KindPlan, MovePlan};
use crate::compile::kind_traits::depended_on;
use crate::movegen::general::kind_moves::{KindMoves, Promotion};
use crate::piece::Kind;

/// Merges the moves of kinds that move alike.
pub(crate) fn merge_kinds(
    blueprint: &Blueprint,
    kind_moves: impl Iterator<Item = KindMoves>,
) -> Box<[KindMoves]> {
    let mut merged: Vec<KindMoves> = Vec::new();
    for one in kind_moves {
        match merged.iter_mut().find(|other| are_alike(blueprint, other, &one)) {
            Some(other) => other.merged.push(one.kind),
            None => merged.push(one),
        }
    }
    merged.into()
}

fn are_alike(blueprint: &Blueprint, one: &KindMoves, other: &KindMoves) -> bool {
    let plan = |kind: Kind| &blueprint.kinds[kind.index()];
    let trials = |it: &KindMoves| -> Vec<(bool, bool)> {
        it.guarded.iter().map(|guarded| (guarded.is_tried, guarded.is_tried_if_promoted)).collect()
    };
    [one, other].into_iter().all(|it| may_join(blueprint, it))
        && move_alike(plan(one.kind), plan(other.kind))
        && trials(one) == trials(other)
}

/// Returns whether the kind of a piece never matters before it lands.
fn may_join(blueprint: &Blueprint, it: &KindMoves) -> bool {
    it.plain.is_empty()
        && it.coinciding.is_empty()
        && !it.castles
        && it.stays.is_empty()
        && !it.is_composite
        && !blueprint.leaders.contains(&it.kind)
        && depended_on(&blueprint.kinds[it.kind.index()]).is_some_and(|moves| moves.is_empty())
        && blueprint.mechanics.figures.iter().all(|figure| figure.kind != it.kind)
        // Promotion must be decided by the landing alone.
        && it.guarded.iter().all(|guarded| guarded.promotion_region.is_some() || matches!(guarded.promotion, Promotion::Never))
}

fn move_alike(one: &KindPlan, other: &KindPlan) -> bool {
    let are_same = |(one, other): (&MovePlan, &MovePlan)| {
        let conditions = |plan: &MovePlan| -> Vec<_> {
            plan.modifiers.iter().map(|modifier| modifier.conditions.clone()).collect()
        };
        (one.step, &one.repeat, &one.conditions) == (other.step, &other.repeat, &other.conditions)
            && (&one.actions, &one.effects) == (&other.actions, &other.effects)
            && conditions(one) == conditions(other)
    };
    one.moves.len() == other.moves.len() && one.moves.iter().zip(&other.moves).all(are_same)
}
