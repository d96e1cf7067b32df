//! Kinds that move alike and differ only in what they become: their pieces are moved together, and told apart where one
//! becomes another.

use crate::blueprint::{Blueprint, KindPlan, MovePlan};
use crate::general::repertoire::{Promotion, Repertoire};
use crate::piece::Kind;
use crate::traits::depended_on;

/// The repertoires of all kinds, one for those that move alike.
pub(crate) fn joined(
    blueprint: &Blueprint,
    repertoires: impl Iterator<Item = Repertoire>,
) -> Box<[Repertoire]> {
    let mut joined: Vec<Repertoire> = Vec::new();
    for one in repertoires {
        match joined.iter_mut().find(|other| are_alike(blueprint, other, &one)) {
            Some(other) => other.alike.push(one.kind),
            None => joined.push(one),
        }
    }
    joined.into()
}

fn are_alike(blueprint: &Blueprint, one: &Repertoire, other: &Repertoire) -> bool {
    let plan = |kind: Kind| &blueprint.kinds[kind.index()];
    let trials = |it: &Repertoire| -> Vec<(bool, bool)> {
        it.deeds.iter().map(|deed| (deed.is_tried, deed.is_tried_if_promoted)).collect()
    };
    [one, other].into_iter().all(|it| may_join(blueprint, it))
        && move_alike(plan(one.kind), plan(other.kind))
        && trials(one) == trials(other)
}

/// Whether nothing is ever asked about the kind while its pieces are under way.
fn may_join(blueprint: &Blueprint, it: &Repertoire) -> bool {
    it.reaches.is_empty()
        && it.coinciding.is_empty()
        && blueprint.leader != Some(it.kind)
        && depended_on(&blueprint.kinds[it.kind.index()]).is_some_and(|moves| moves.is_empty())
        && blueprint.mechanics.figures.iter().all(|figure| figure.kind != it.kind)
        // Where a piece becomes another must be told from the landing, before it is asked which piece it is.
        && it.deeds.iter().all(|deed| deed.promotion_region.is_some() || matches!(deed.promotion, Promotion::Never))
}

fn move_alike(one: &KindPlan, other: &KindPlan) -> bool {
    let are_same = |(one, other): (&MovePlan, &MovePlan)| {
        let conditions = |plan: &MovePlan| -> Vec<_> {
            plan.modifiers.iter().map(|modifier| modifier.conditions.clone()).collect()
        };
        (one.step, one.repeat, &one.conditions) == (other.step, other.repeat, &other.conditions)
            && (&one.actions, &one.effects) == (&other.actions, &other.effects)
            && conditions(one) == conditions(other)
    };
    one.moves.len() == other.moves.len() && one.moves.iter().zip(&other.moves).all(are_same)
}
