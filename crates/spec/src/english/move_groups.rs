//! Groups moves that differ only in their step, and recognises mirror images.

use tabiya_engine::Offset;
use tabiya_engine::blueprint::{Condition, Effect, MovePlan};

use super::page::join;

/// Moves of one piece that differ only in their steps.
pub(super) struct Group {
    /// The common plan; its id and step are meaningless.
    pub(super) plan: MovePlan,
    pub(super) ids: Vec<i32>,
    pub(super) steps: Vec<Offset>,
    mirrored: MovePlan,
}

impl Group {
    fn new(plan: MovePlan) -> Self {
        Group { mirrored: mirrored(&plan), plan, ids: Vec::new(), steps: Vec::new() }
    }

    /// Whether this group is the mirror image of the other.
    pub(super) fn mirrors(&self, other: &Group) -> bool {
        self.steps.len() == other.steps.len()
            && self.steps.iter().zip(&other.steps).all(|(step, there)| *step == mirror(*there))
            && self.plan == other.mirrored
    }
}

/// Groups the moves of a piece, in order of their first moves. Conditions and effects are relative to the source or
/// the landing square and not to the step, so moves that share them can be described together.
pub(super) fn grouped(moves: &[MovePlan]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for plan in moves {
        let mut rest = plan.clone();
        (rest.id, rest.step) = (0, Offset::new(0, 0));
        let found = groups.iter().position(|group| group.plan == rest);
        let index = found.unwrap_or_else(|| {
            groups.push(Group::new(rest));
            groups.len() - 1
        });
        groups[index].ids.push(plan.id);
        groups[index].steps.push(plan.step);
    }
    groups
}

/// Formats ids: `move 3`, `moves 0 to 7`, `moves 1, 2 and 5`.
pub(super) fn numbered(ids: &[i32]) -> String {
    match ids {
        [only] => format!("move {only}"),
        [first, .., last] if ids.len() > 2 && ids.windows(2).all(|pair| pair[1] == pair[0] + 1) => {
            format!("moves {first} to {last}")
        }
        _ => format!("moves {}", join(&ids.iter().map(ToString::to_string).collect::<Vec<_>>(), "and")),
    }
}

fn mirror(offset: Offset) -> Offset {
    Offset { dx: -offset.dx, ..offset }
}

fn mirrored(plan: &MovePlan) -> MovePlan {
    let conditions = |list: &[Condition]| list.iter().map(mirrored_condition).collect();
    let effects = |list: &[Effect]| list.iter().map(mirrored_effect).collect();
    let mut mirrored = plan.clone();
    mirrored.step = mirror(plan.step);
    mirrored.conditions = conditions(&plan.conditions);
    mirrored.effects = effects(&plan.effects);
    for action in &mut mirrored.actions {
        action.conditions = conditions(&action.conditions);
        action.effects = effects(&action.effects);
    }
    for modifier in &mut mirrored.modifiers {
        modifier.conditions = conditions(&modifier.conditions);
    }
    mirrored
}

fn mirrored_condition(condition: &Condition) -> Condition {
    match condition {
        Condition::PieceUnmoved(offset) => Condition::PieceUnmoved(mirror(*offset)),
        Condition::EmptyOrUnmoved(offset) => Condition::EmptyOrUnmoved(mirror(*offset)),
        Condition::HasFlag(flag, offset) => Condition::HasFlag(*flag, mirror(*offset)),
        Condition::Square(test) => {
            let mut test = test.clone();
            test.offset = mirror(test.offset);
            Condition::Square(test)
        }
        Condition::Attacked(test) => {
            let mut test = test.clone();
            test.offset = mirror(test.offset);
            Condition::Attacked(test)
        }
        Condition::Any(lists) => {
            Condition::Any(lists.iter().map(|list| list.iter().map(mirrored_condition).collect()).collect())
        }
        Condition::Not(list) => Condition::Not(list.iter().map(mirrored_condition).collect()),
        Condition::FirstMove
        | Condition::DependsOn(_)
        | Condition::Marked(_)
        | Condition::PathEmpty
        | Condition::NotAttacked
        | Condition::PathNotAttacked
        | Condition::InRegion(_)
        | Condition::Region { .. }
        | Condition::Event(_)
        | Condition::After(_)
        | Condition::Position(_) => condition.clone(),
    }
}

fn mirrored_effect(effect: &Effect) -> Effect {
    match effect {
        Effect::Capture(offset) => Effect::Capture(mirror(*offset)),
        Effect::Relocate { kind, from, to } => {
            Effect::Relocate { kind: *kind, from: mirror(*from), to: mirror(*to) }
        }
        Effect::Drop { kind, at } => Effect::Drop { kind: *kind, at: mirror(*at) },
        Effect::SetFlag { .. } | Effect::CaptureMarked(_) => effect.clone(),
    }
}
