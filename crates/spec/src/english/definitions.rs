//! Named squares and flags.

use std::collections::{BTreeMap, BTreeSet};

use tabiya_engine::blueprint::{Condition, Effect, MovePlan, RegionPlan, Until};
use tabiya_engine::mechanics::TriggerEffect;
use tabiya_engine::{Flag, Kind, Rules};

use super::clauses;
use super::move_groups::numbered;
use super::page::{Page, counted, join};
use super::squares;

/// Writes every list of squares with the moves and endings that use it.
pub(super) fn regions(rules: &Rules, page: &mut Page) {
    let regions = rules.blueprint().regions();
    if regions.is_empty() {
        return;
    }
    page.heading("Named squares");
    for (index, region) in regions.iter().enumerate() {
        let asks = |plan: &MovePlan| {
            all_conditions(plan).any(|condition| names(condition, index as u16))
                || plan.repeat.until == Until::Region(index as u16)
        };
        let users: Vec<String> = users(rules, asks)
            .into_iter()
            .chain(endings(rules, index as u16))
            .chain(by_game(rules, index as u16))
            .collect();
        let users = if users.is_empty() { "nothing".into() } else { users.join(", ") };
        page.item(&format!("{}: {}. Used by {users}.", region.code, by_player(rules, region)));
    }
}

fn names(condition: &Condition, region: u16) -> bool {
    match condition {
        Condition::InRegion(named) | Condition::Region { region: named, .. } => *named == region,
        Condition::Position(clause) => clauses::counts_in(clause, region),
        Condition::After(list) => list.iter().any(|clause| clauses::counts_in(clause, region)),
        _ => false,
    }
}

/// Lists the mechanics that use a region.
fn by_game(rules: &Rules, region: u16) -> Vec<String> {
    let mechanics = rules.mechanics();
    let reacts =
        mechanics.reactions.iter().any(|it| [it.region, it.in_any, it.not_in_any].contains(&Some(region)));
    let asks = |condition: &Condition| condition.mentions(|it| names(it, region));
    let in_move = |plan: &MovePlan| all_conditions(plan).any(asks);
    let parts = mechanics
        .then
        .iter()
        .any(|part| part.after.iter().chain(&part.only).any(asks) || part.moves.iter().any(in_move));
    let drops = mechanics.hands.iter().flat_map(|hands| &hands.drops).any(|drop| {
        let promotions = drop.modifiers.iter().flat_map(|modifier| &modifier.conditions);
        drop.conditions.iter().chain(promotions).any(asks)
    });
    let changes = |effect: &TriggerEffect| match effect {
        TriggerEffect::Pieces(change) => change.region == Some(region),
        TriggerEffect::Place(place) => place.region == Some(region),
        _ => false,
    };
    let triggers =
        mechanics.triggers.iter().any(|it| it.when.iter().any(asks) || it.effects.iter().any(changes));
    let users = [
        ("parts of a turn", parts),
        ("drops", drops),
        ("triggers", triggers),
        ("shared squares", mechanics.sharing.as_ref().is_some_and(|it| it.region == region)),
        ("control", mechanics.control.is_some_and(|it| it.region == region)),
        ("exchange", mechanics.exchange.is_some_and(|it| it.region == region)),
        ("squares to hold", mechanics.hold.as_ref().is_some_and(|it| it.region == region)),
        ("reactions", reacts),
        ("restrictions", mechanics.restrictions.iter().any(asks)),
        ("priority", mechanics.priority.iter().flatten().any(asks)),
    ];
    users.into_iter().filter(|(_, uses)| *uses).map(|(name, _)| name.to_owned()).collect()
}

/// Writes every flag with the moves that set it, its duration and the moves that test it.
pub(super) fn flags(rules: &Rules, page: &mut Page) {
    let names = rules.blueprint().flags();
    if names.is_empty() {
        return;
    }
    page.heading("Flags");
    page.paragraph(
        "A flag is a mark on a piece. It moves with the piece and is lost when the piece is captured or becomes another \
         one. A flag for n turns lasts for the next n turns of other slots; turns of the slot that set it do not \
         count. Setting it again restarts the count.",
    );
    for (index, name) in names.iter().enumerate() {
        let flag = Flag(index as u8);
        let testers = users(rules, |plan| all_conditions(plan).any(|condition| tests(condition, flag)));
        let testers = testers.unwrap_or_else(|| "no move".into());
        let mark = rules.blueprint().flag_marks().get(index).copied().flatten();
        let marks =
            mark.map(|offset| format!(" A piece with it marks {}.", super::steps::beside(rules, offset)));
        let marks = marks.unwrap_or_default();
        page.item(&format!("{name}: set {}.{marks} Tested by {testers}.", setters(rules, flag)));
    }
}

/// Describes the duration of a flag.
pub(super) fn duration(turns: Option<u32>) -> String {
    turns.map_or_else(|| "permanently".into(), |turns| format!("for {}", counted(turns as usize, "turn")))
}

/// Returns the conditions of a move, its actions and its promotions.
pub(super) fn all_conditions(plan: &MovePlan) -> impl Iterator<Item = &Condition> {
    plan.all_conditions()
}

/// Returns the effects of a move and its actions.
pub(super) fn all_effects(plan: &MovePlan) -> impl Iterator<Item = &Effect> {
    plan.actions.iter().flat_map(|action| &action.effects).chain(&plan.effects)
}

/// Lists the endings that count pieces in a region, by number.
fn endings(rules: &Rules, region: u16) -> Option<String> {
    let endings = (1..).zip(rules.endings());
    let numbers: Vec<String> = endings
        .filter(|(_, ending)| clauses::asks_for(ending, region))
        .map(|(number, _): (usize, _)| number.to_string())
        .collect();
    match numbers.as_slice() {
        [] => None,
        [only] => Some(format!("ending {only}")),
        _ => Some(format!("endings {}", join(&numbers, "and"))),
    }
}

/// Lists the squares of a region for each player.
pub(super) fn by_player(rules: &Rules, region: &RegionPlan) -> String {
    let lists: Vec<String> =
        region.squares.iter().map(|squares| squares::region(rules.board(), squares)).collect();
    if lists.len() > 1 && lists.iter().all(|list| *list == lists[0]) {
        return format!("for every player {}", lists[0]);
    }
    let parts =
        rules.players().zip(&lists).map(|(player, list)| format!("for {} {list}", rules.player(player).name));
    parts.collect::<Vec<_>>().join("; ")
}

fn tests(condition: &Condition, flag: Flag) -> bool {
    matches!(condition, Condition::HasFlag(tested, _) | Condition::Marked(tested) if *tested == flag)
}

/// Lists the moves that set a flag, grouped by duration.
fn setters(rules: &Rules, flag: Flag) -> String {
    let mut moves: BTreeMap<Option<u32>, BTreeMap<Kind, Vec<i32>>> = BTreeMap::new();
    for kind in rules.kinds() {
        for plan in &rules.kind(kind).moves {
            let turns = all_effects(plan).filter_map(|effect| match effect {
                Effect::SetFlag { flag: set, duration } if *set == flag => Some(*duration),
                _ => None,
            });
            for turns in turns.collect::<BTreeSet<_>>() {
                moves.entry(turns).or_default().entry(kind).or_default().push(plan.id);
            }
        }
    }
    let by = |(turns, kinds): (Option<u32>, BTreeMap<Kind, Vec<i32>>)| {
        let of = |(kind, ids): (&Kind, &Vec<i32>)| format!("{} {}", rules.kind(*kind).code, numbered(ids));
        format!("by {} {}", kinds.iter().map(of).collect::<Vec<_>>().join(", "), duration(turns))
    };
    let parts: Vec<String> = moves.into_iter().map(by).collect();
    if parts.is_empty() { "by no move".into() } else { join(&parts, "and") }
}

/// Lists the moves that satisfy a predicate: `PAWN moves 2 and 3, KING move 9`.
fn users(rules: &Rules, holds: impl Fn(&MovePlan) -> bool) -> Option<String> {
    let mut users = Vec::new();
    for kind in rules.blueprint().kinds() {
        let ids: Vec<i32> = kind.moves.iter().filter(|plan| holds(plan)).map(|plan| plan.id).collect();
        if !ids.is_empty() {
            users.push(format!("{} {}", kind.code, numbered(&ids)));
        }
    }
    (!users.is_empty()).then(|| users.join(", "))
}
