//! The forms of moves that are not plain, and conditions that depend only on source and target.

use crate::blueprint::ending::Owner;
use crate::blueprint::{Anchor, Condition, Hurdles, MovePlan, Occupancy, Repeat, Until};
use crate::movegen::fast::tables::any_distance;
use crate::piece::Player;
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// The form of a move, apart from conditions on squares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Leap,
    Slide,
    /// Over one piece, to any distance beyond.
    Hurdle,
    /// Over one piece, to the square behind it.
    Hop,
}

/// Slides of one form that are made together.
pub(super) struct SlideGroup {
    pub(super) form: Form,
    /// Whether they go to empty squares, and whether they capture; `None` if they do anything else.
    pub(super) occupancy: Option<(bool, bool)>,
    /// Steps on the board, sorted.
    pub(super) steps: Vec<Offset>,
}

/// Returns the form of a move; `None` for any other.
pub(super) fn form(plan: &MovePlan) -> Option<Form> {
    let is_any =
        |hurdles: &Hurdles| hurdles.count == 1 && hurdles.kinds.is_none() && hurdles.owner == Owner::Any;
    match &plan.repeat {
        repeat if *repeat == any_distance() => Some(Form::Slide),
        repeat if repeat.max == Some(1) && repeat.min <= 1 && repeat.hurdles.is_none() => Some(Form::Leap),
        Repeat {
            min: 0..=1,
            max: None,
            until: Until::State(Occupancy::NotEmpty),
            hurdles: Some(hurdles),
        } if is_any(hurdles) => match hurdles.beyond {
            None => Some(Form::Hurdle),
            Some(1) => Some(Form::Hop),
            Some(_) => None,
        },
        _ => None,
    }
}

/// Returns whether a move goes to empty squares, and whether it captures. `None` if it does anything else.
pub(super) fn occupancy(plan: &MovePlan) -> Option<(bool, bool)> {
    let (mut quiet, mut captures) = (false, false);
    for action in &plan.actions {
        let is_plain = action.conditions.is_empty()
            && action.effects.is_empty()
            && action.victims.is_none()
            && !action.same_tag;
        match action.on {
            Occupancy::Empty if is_plain && !action.captures => quiet = true,
            Occupancy::Enemy if is_plain && action.captures => captures = true,
            _ => return None,
        }
    }
    plan.effects.is_empty().then_some((quiet, captures))
}

/// Returns whether a condition that depends only on source and target holds; `None` for every other condition.
pub(super) fn fixed_condition(
    rules: &Rules,
    player: Player,
    condition: &Condition,
    source: Square,
    target: Square,
) -> Option<bool> {
    let all = |list: &[Condition]| {
        let each = list.iter().map(|it| fixed_condition(rules, player, it, source, target));
        each.collect::<Option<Vec<bool>>>().map(|each| each.into_iter().all(|holds| holds))
    };
    match condition {
        Condition::InRegion(region) => Some(rules.in_region(*region, player, target)),
        Condition::Region { region, of, at } => {
            let square = if *at == Anchor::Source { source } else { target };
            Some(rules.in_region_of(*region, rules.region_players(*of, player), square))
        }
        Condition::Any(lists) => {
            let lists = lists.iter().map(|list| all(list)).collect::<Option<Vec<bool>>>()?;
            Some(lists.contains(&true))
        }
        Condition::Not(list) => all(list).map(|holds| !holds),
        _ => None,
    }
}

/// Returns the classes of slides that the kind's moves need, for one player: the directions of each form of slide, and
/// their opposites.
pub(super) fn slide_directions(rules: &Rules, player: Player, moves: &[MovePlan]) -> Vec<Vec<Offset>> {
    let groups = slide_groups(rules, player, moves).into_iter();
    groups.flat_map(|group| [opposites(&group.steps), group.steps]).collect()
}

/// Returns the opposite directions, sorted.
pub(super) fn opposites(steps: &[Offset]) -> Vec<Offset> {
    let mut steps: Vec<Offset> = steps.iter().map(|step| step.reversed()).collect();
    steps.sort();
    steps
}

/// Groups the moves over any distance by form and occupancy.
pub(super) fn slide_groups(rules: &Rules, player: Player, moves: &[MovePlan]) -> Vec<SlideGroup> {
    let mut groups: Vec<SlideGroup> = Vec::new();
    for plan in moves {
        let Some(form) = form(plan).filter(|form| *form != Form::Leap) else { continue };
        let (occupancy, step) = (occupancy(plan), rules.player(player).orientation.turn(plan.step));
        match groups.iter_mut().find(|group| (group.form, group.occupancy) == (form, occupancy)) {
            Some(group) => group.steps.push(step),
            None => groups.push(SlideGroup { form, occupancy, steps: vec![step] }),
        }
    }
    for group in &mut groups {
        group.steps.sort();
    }
    groups
}
