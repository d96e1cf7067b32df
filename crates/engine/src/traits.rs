//! What holds of a kind for every player: which of its moves others depend on, and which may meet.

use crate::blueprint::{ActionPlan, Condition, KindPlan, MovePlan, Occupancy};
use crate::square::{Board, Offset};

/// What holds of a kind for every player.
pub(crate) struct KindTraits {
    /// The moves that others depend on, each after those that it depends on itself.
    pub(crate) depended_on: Box<[u16]>,
    /// Whether two of its moves may lead from one square to the same square.
    pub(crate) overlaps: bool,
    /// By move: whether the piece can go back the same way, if it has captured nothing.
    pub(crate) undoable: Box<[bool]>,
}

impl KindTraits {
    pub(crate) fn of(kind: &KindPlan) -> Self {
        let depended_on = depended_on(kind).expect("checked before").into();
        let undoable = kind.moves.iter().map(|plan| {
            let goes_back = |other: &MovePlan| {
                (other.step, other.repeat) == (plan.step.reversed(), plan.repeat) && is_bare(other)
            };
            is_bare(plan) && kind.moves.iter().any(goes_back)
        });
        KindTraits { depended_on, overlaps: overlaps(&kind.moves), undoable: undoable.collect() }
    }
}

/// Whether a move goes to an empty square, asks for nothing and changes nothing else.
fn is_bare(plan: &MovePlan) -> bool {
    let on_empty = plan.actions.iter().find(|action| action.on == Occupancy::Empty);
    let does_nothing_else = |action: &ActionPlan| action.conditions.is_empty() && action.effects.is_empty();
    on_empty.is_some_and(does_nothing_else)
        && plan.conditions.is_empty()
        && plan.modifiers.is_empty()
        && plan.effects.is_empty()
}

/// Whether two of the moves may land on the same square.
pub(crate) fn overlaps(moves: &[MovePlan]) -> bool {
    let landings: Vec<Landings> = moves.iter().map(Landings::of).collect();
    landings.iter().enumerate().any(|(index, one)| landings[..index].iter().any(|other| one.meet(other)))
}

/// Where a move lands, seen from its source: in which direction, and how far in the shortest steps.
pub(crate) struct Landings {
    direction: Offset,
    units: u32,
    min: u64,
    max: u64,
}

impl Landings {
    pub(crate) fn of(plan: &MovePlan) -> Self {
        let (direction, units) = plan.step.unit();
        let distance = |times: u32| u64::from(times) * u64::from(units);
        // No distance on a board is longer.
        let max = plan.repeat.max.map_or(u64::MAX, distance).min(Board::MAX_SQUARES as u64 - 1);
        Landings { direction, units, min: distance(plan.repeat.min), max }
    }

    /// Whether both may be on the same square: in the same direction, at the same distance.
    pub(crate) fn meet(&self, other: &Landings) -> bool {
        if self.direction != other.direction {
            return false;
        }
        let (_, shared) = Offset::new(self.units as i32, other.units as i32).unit();
        let both = u64::from(self.units / shared) * u64::from(other.units);
        self.max.min(other.max) / both * both >= self.min.max(other.min)
    }
}

/// The moves that are depended on, dependencies first; `None` if there is a circle.
pub(crate) fn depended_on(kind: &KindPlan) -> Option<Vec<u16>> {
    fn needs(plan: &MovePlan) -> impl Iterator<Item = u16> + '_ {
        let lists = std::iter::once(&plan.conditions)
            .chain(plan.actions.iter().map(|action| &action.conditions))
            .chain(plan.modifiers.iter().map(|modifier| &modifier.conditions));
        lists.flatten().filter_map(|condition| match condition {
            Condition::DependsOn(other) => Some(*other),
            _ => None,
        })
    }
    let mut wanted: std::collections::BTreeSet<u16> = kind.moves.iter().flat_map(needs).collect();
    let mut order = Vec::with_capacity(wanted.len());
    while !wanted.is_empty() {
        let ready = wanted
            .iter()
            .copied()
            .find(|index| needs(&kind.moves[usize::from(*index)]).all(|other| !wanted.contains(&other)))?;
        wanted.remove(&ready);
        order.push(ready);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::{Repeat, Until};

    fn plan(step: (i32, i32), min: u32, max: Option<u32>) -> MovePlan {
        let until = Until::State(crate::blueprint::Occupancy::NotEmpty);
        MovePlan {
            id: 0,
            step: Offset::new(step.0, step.1),
            repeat: Repeat { min, max, until },
            conditions: Vec::new(),
            actions: Vec::new(),
            modifiers: Vec::new(),
            effects: Vec::new(),
        }
    }

    #[test]
    fn moves_meet_at_equal_distances_in_one_direction() {
        let leap = |step| plan(step, 1, Some(1));
        let meet = |one: &MovePlan, other: &MovePlan| Landings::of(one).meet(&Landings::of(other));
        assert!(meet(&leap((0, 2)), &plan((0, 1), 1, None)));
        assert!(meet(&leap((0, 2)), &plan((0, 1), 2, Some(2))));
        assert!(meet(&plan((0, 2), 1, None), &plan((0, 3), 1, Some(2))), "six squares on");
        assert!(!meet(&plan((0, 2), 1, Some(2)), &plan((0, 3), 1, None)), "not before six");
        assert!(!meet(&leap((0, 2)), &leap((0, 1))));
        assert!(!meet(&leap((0, 2)), &plan((0, -1), 1, None)));
        assert!(!meet(&leap((0, 2)), &plan((0, 1), 3, None)));
        assert!(!meet(&plan((0, 1000), 2, None), &plan((0, 1), 1, None)), "off any board");
    }
}
