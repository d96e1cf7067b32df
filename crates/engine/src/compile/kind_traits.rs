//! Facts about a kind that hold for every player: which moves other moves depend on, and which moves can overlap.

use crate::blueprint::{ActionPlan, Condition, KindPlan, MovePlan, Occupancy, Until};
use crate::square::{Board, Offset};

/// Facts about a kind that hold for every player.
pub(crate) struct KindTraits {
    /// The moves that other moves depend on, in order: each comes after its own dependencies.
    pub(crate) depended_on: Box<[u16]>,
    /// Whether two moves can lead from one square to the same square.
    pub(crate) overlaps: bool,
    /// By move: whether the piece can go back the same way, provided that it captured nothing.
    pub(crate) reversible: Box<[bool]>,
}

impl KindTraits {
    pub(crate) fn of(kind: &KindPlan, board: &Board) -> Self {
        let depended_on = depended_on(kind).expect("checked before").into();
        let reversible = kind.moves.iter().map(|plan| {
            let goes_back = |other: &MovePlan| {
                (other.step, &other.repeat) == (plan.step.reversed(), &plan.repeat) && is_bare(other)
            };
            board.is_flat() && is_bare(plan) && kind.moves.iter().any(goes_back)
        });
        // Where a board wraps or is linked, any two moves may lead to the same square.
        let is_composite = kind.moves.iter().any(MovePlan::is_composite);
        let overlaps =
            if board.is_flat() && !is_composite { overlaps(&kind.moves) } else { kind.moves.len() > 1 };
        KindTraits { depended_on, reversible: reversible.collect(), overlaps }
    }
}

/// Returns whether a move goes to an empty square without hurdles, conditions, effects or promotion. From the other side of
/// a hurdle the way back may be longer than `beyond`, or end earlier.
fn is_bare(plan: &MovePlan) -> bool {
    let on_empty = plan.actions.iter().find(|action| action.on == Occupancy::Empty);
    let does_nothing_else = |action: &ActionPlan| action.conditions.is_empty() && action.effects.is_empty();
    on_empty.is_some_and(does_nothing_else)
        && plan.repeat.hurdles.is_none()
        && !plan.is_composite()
        && plan.conditions.is_empty()
        && plan.modifiers.is_empty()
        && plan.effects.is_empty()
}

/// Returns whether two of the moves can land on the same square.
pub(crate) fn overlaps(moves: &[MovePlan]) -> bool {
    let landings: Vec<Landings> = moves.iter().map(Landings::of).collect();
    landings.iter().enumerate().any(|(index, one)| landings[..index].iter().any(|other| one.meet(other)))
}

/// The landings of a move relative to its source: a direction and a range of distances.
pub(crate) struct Landings {
    direction: Offset,
    units: u32,
    min: u64,
    max: u64,
    /// The number of pieces in the way of every landing, counting only squares on which a step ends; `None` if it varies.
    in_way: Option<u32>,
}

impl Landings {
    pub(crate) fn of(plan: &MovePlan) -> Self {
        let (direction, units) = plan.step.unit();
        let distance = |times: u32| u64::from(times) * u64::from(units);
        // No distance on a board is longer.
        let max = plan.repeat.max.map_or(u64::MAX, distance).min(Board::MAX_SQUARES as u64 - 1);
        let stops = plan.repeat.max == Some(1) || plan.repeat.until == Until::State(Occupancy::NotEmpty);
        let in_way = stops.then(|| plan.repeat.hurdle_count());
        Landings { direction, units, min: distance(plan.repeat.first_landing()), max, in_way }
    }

    /// Returns whether both moves can land on the same square: same direction, same distance.
    pub(crate) fn meet(&self, other: &Landings) -> bool {
        if self.direction != other.direction {
            return false;
        }
        if let (Some(one), Some(two)) = (self.in_way, other.in_way)
            && self.units == other.units
            && one != two
        {
            return false;
        }
        let (_, shared) = Offset::new(self.units as i32, other.units as i32).unit();
        let both = u64::from(self.units / shared) * u64::from(other.units);
        self.max.min(other.max) / both * both >= self.min.max(other.min)
    }
}

/// Returns the moves that others depend on, dependencies first, or `None` if there is a cycle.
pub(crate) fn depended_on(kind: &KindPlan) -> Option<Vec<u16>> {
    fn needs(plan: &MovePlan) -> impl Iterator<Item = u16> + '_ {
        plan.all_conditions().filter_map(|condition| match condition {
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
    use crate::blueprint::{Hurdles, Repeat};

    fn plan(step: (i32, i32), min: u32, max: Option<u32>) -> MovePlan {
        let until = Until::State(crate::blueprint::Occupancy::NotEmpty);
        MovePlan {
            repeat: Repeat { min, max, until, hurdles: None },
            ..MovePlan::new(0, Offset::new(step.0, step.1))
        }
    }

    #[test]
    fn moves_in_one_direction_meet_at_equal_distances() {
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

    #[test]
    fn slides_over_different_numbers_of_pieces_do_not_meet() {
        let meet = |one: &MovePlan, other: &MovePlan| Landings::of(one).meet(&Landings::of(other));
        let hop = |count: u32, step: (i32, i32), max: Option<u32>| {
            let mut plan = plan(step, 1, max);
            plan.repeat.hurdles = Some(Hurdles::new(count));
            plan
        };
        assert!(!meet(&hop(1, (0, 1), None), &plan((0, 1), 1, None)));
        assert!(!meet(&hop(1, (0, 1), None), &hop(2, (0, 1), None)));
        assert!(meet(&hop(1, (0, 1), None), &hop(1, (0, 1), None)));
        assert!(meet(&hop(1, (0, 1), None), &plan((0, 2), 1, None)), "one of them leaps over squares");
        assert!(!meet(&hop(3, (0, 1), None), &plan((0, 2), 1, Some(1))), "no landing before the fourth step");
        let mut through = plan((0, 1), 1, None);
        through.repeat.until = Until::State(Occupancy::Empty);
        assert!(meet(&hop(1, (0, 1), None), &through), "it also slides across pieces");
    }
}
