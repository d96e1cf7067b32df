//! The moves of a kind, sorted by how they are generated.
//!
//! *Plain* moves leap, or slide to the first piece, without conditions or effects. They are looked up piece by piece.
//! All others are *guarded*: one pattern with its action on squares in one state, made by all pieces of the kind at
//! once, with conditions as sets of squares. Conditions that are not sets are tested landing by landing.

use crate::blueprint::{Anchor, KindPlan, Occupancy};
use crate::compile::jump_table::Jump;
use crate::compile::kind_traits::{Landings, overlaps};
use crate::compile::pattern::{Action, Change, Modifier, Pattern, Test};
use crate::movegen::general::ray_table::{Ray, RayTable, RayTables};
use crate::movegen::general::slide::Slide;
use crate::piece::Kind;

/// The moves of one kind for one orientation.
pub(crate) struct KindMoves {
    pub(crate) kind: Kind,
    /// Whether the kind is a leader.
    pub(crate) is_leader: bool,
    /// Other kinds that move alike and may differ in their promotions.
    pub(crate) merged: Vec<Kind>,
    pub(crate) plain: Box<[PlainMoves]>,
    pub(crate) guarded: Box<[GuardedMove]>,
    /// Guarded moves that may coincide with others.
    pub(crate) coinciding: Box<[GuardedMove]>,
    /// Whether the kind castles.
    pub(crate) castles: bool,
    /// Whether some move of the kind is composite. Then its pieces walk, like on boards with wraps.
    pub(crate) is_composite: bool,
    /// Moves that stay on their square, by index in the kind's list.
    pub(crate) stays: Box<[u8]>,
}

/// Plain moves that land on squares in the same states.
pub(crate) struct PlainMoves {
    pub(crate) on: States,
    /// Whether some enemies cannot be captured.
    pub(crate) is_selective: bool,
    /// The kinds that can be captured; all if `None`.
    pub(crate) victims: Option<Box<[Kind]>>,
    /// Whether a capture needs the same value of the tag, unless one of the pieces has none.
    pub(crate) same_tag: bool,
    /// All leaps at once.
    pub(crate) leaps: Option<RayTable>,
    pub(crate) slides: Box<[Slide]>,
    /// The same moves one by one, with their indices in the kind's list.
    pub(crate) moves: Box<[(u8, PlainMove)]>,
}

/// The possible states of a landing.
#[allow(clippy::struct_excessive_bools, reason = "a set of four states")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct States {
    pub(crate) empty: bool,
    pub(crate) enemy: bool,
    pub(crate) ally: bool,
    pub(crate) team: bool,
}

/// A single plain move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PlainMove {
    Leap(Jump),
    Slide(Slide),
}

/// A pattern with its action on squares in one state.
pub(crate) struct GuardedMove {
    /// The index in the kind's list.
    pub(crate) pattern: u8,
    pub(crate) on: Occupancy,
    /// Conditions that are sets of sources, sets of landings, and neither.
    pub(crate) of_source: Box<[Test]>,
    pub(crate) of_landing: Box<[Test]>,
    pub(crate) late: Box<[Test]>,
    pub(crate) path_empty: bool,
    pub(crate) promotion: Promotion,
    /// A region outside which the piece is never promoted.
    pub(crate) promotion_region: Option<u16>,
    /// Whether the move must be made to decide its legality.
    pub(crate) is_tried: bool,
    /// The same, if the piece is promoted.
    pub(crate) is_tried_if_promoted: bool,
}

/// How the promotion is determined.
pub(crate) enum Promotion {
    Never,
    /// By the landing alone: the conditions of each modifier are sets of landings.
    ByLanding,
    /// By testing each piece.
    PerPiece,
}

impl KindMoves {
    pub(crate) fn new<const W: usize>(
        ray_tables: &mut RayTables<W>,
        plan: &KindPlan,
        patterns: &[Pattern],
        leaders: &[Kind],
        kind: Kind,
    ) -> Self {
        let mut all = candidates(patterns);
        if overlaps(&plan.moves) {
            mark_coinciding(&mut all, plan, patterns);
        }
        let (coinciding, alone): (Vec<Candidate>, Vec<Candidate>) =
            all.into_iter().partition(|it| it.may_coincide);
        let (plain, others): (Vec<Candidate>, Vec<Candidate>) = alone.into_iter().partition(|it| it.is_plain);
        let guarded =
            |it: &Candidate| GuardedMove::new(it, &patterns[usize::from(it.pattern)], leaders, kind);
        KindMoves {
            kind,
            is_leader: leaders.contains(&kind),
            merged: Vec::new(),
            plain: plain_moves(ray_tables, &plain, patterns),
            guarded: others.iter().filter_map(guarded).collect(),
            coinciding: coinciding.iter().filter_map(guarded).collect(),
            castles: !plan.castles.is_empty(),
            is_composite: patterns.iter().any(|pattern| pattern.is_composite),
            stays: (0..patterns.len())
                .filter(|index| patterns[*index].stays)
                .map(|index| index as u8)
                .collect(),
        }
    }
}

/// A pattern and a possible state of its landing.
struct Candidate {
    pattern: u8,
    on: Occupancy,
    is_plain: bool,
    may_coincide: bool,
}

/// Returns all candidates that are possible on the board, in order.
fn candidates(patterns: &[Pattern]) -> Vec<Candidate> {
    let states = [Occupancy::Empty, Occupancy::Enemy, Occupancy::Ally, Occupancy::Team];
    let possible =
        |pattern: &&Pattern| !pattern.stays && pattern.min <= pattern.max && !pattern.jump.leads_nowhere();
    let numbered = patterns.iter().enumerate().filter(|(_, pattern)| possible(pattern));
    numbered
        .flat_map(|(index, pattern)| {
            states.into_iter().filter_map(move |on| {
                let is_plain = is_plain(pattern, pattern.action(on)?, on);
                Some(Candidate { pattern: index as u8, on, is_plain, may_coincide: false })
            })
        })
        .collect()
}

fn is_plain(pattern: &Pattern, action: &Action, on: Occupancy) -> bool {
    pattern.stops_at_pieces()
        && pattern.tests.is_empty()
        && pattern.result_tests.is_empty()
        && pattern.modifiers.is_empty()
        && action.tests.is_empty()
        && action.result_tests.is_empty()
        && action.changes.is_empty()
        && (on == Occupancy::Enemy || action.captures_any())
}

/// Returns which enemies a pattern captures and whether the tags must match, for plain captures.
fn pick(states: States, pattern: &Pattern) -> (Option<&[Kind]>, bool) {
    let action = pattern.on_enemy.as_ref().filter(|_| states.enemy);
    action.map_or((None, false), |action| (action.victims.as_deref(), action.same_tag))
}

/// Marks moves that may coincide. Two plain moves of the same group to one square are one move, because they are
/// merged as sets. Any others that overlap may differ or not, and every plain move that overlaps one of those is
/// marked too.
fn mark_coinciding(all: &mut [Candidate], plan: &KindPlan, patterns: &[Pattern]) {
    let landings: Vec<Landings> = plan.moves.iter().map(Landings::of).collect();
    let meets = |one: &Candidate, other: &Candidate| {
        one.pattern != other.pattern
            && one.on == other.on
            && landings[usize::from(one.pattern)].meet(&landings[usize::from(other.pattern)])
    };
    let states: Vec<States> = (0..plan.moves.len()).map(|pattern| plain_states(all, pattern as u8)).collect();
    let picks: Vec<_> = states.iter().zip(patterns).map(|(states, pattern)| pick(*states, pattern)).collect();
    let merge_as_sets = |one: &Candidate, other: &Candidate| {
        one.is_plain
            && other.is_plain
            && states[usize::from(one.pattern)] == states[usize::from(other.pattern)]
            && picks[usize::from(one.pattern)] == picks[usize::from(other.pattern)]
    };
    let mut open: Vec<usize> = Vec::new();
    for index in 0..all.len() {
        let one = &all[index];
        if all.iter().any(|other| meets(one, other) && !merge_as_sets(one, other)) {
            open.push(index);
        }
    }
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut all[index].may_coincide, true) {
            continue;
        }
        let one = &all[index];
        open.extend((0..all.len()).filter(|other| !all[*other].may_coincide && meets(one, &all[*other])));
    }
}

/// Returns the states in which a pattern is plain.
fn plain_states(all: &[Candidate], pattern: u8) -> States {
    let on = |state| all.iter().any(|it| it.is_plain && it.pattern == pattern && it.on == state);
    States {
        empty: on(Occupancy::Empty),
        enemy: on(Occupancy::Enemy),
        ally: on(Occupancy::Ally),
        team: on(Occupancy::Team),
    }
}

/// Groups plain moves by the states of their landings.
fn plain_moves<const W: usize>(
    ray_tables: &mut RayTables<W>,
    plain: &[Candidate],
    patterns: &[Pattern],
) -> Box<[PlainMoves]> {
    let mut groups: Vec<(States, Vec<u8>)> = Vec::new();
    for index in (0..patterns.len()).map(|index| index as u8) {
        let states = plain_states(plain, index);
        if !(states.empty || states.enemy || states.ally || states.team) {
            continue;
        }
        let picked = pick(states, &patterns[usize::from(index)]);
        let is_alike = |(other, group): &&mut (States, Vec<u8>)| {
            *other == states && pick(*other, &patterns[usize::from(group[0])]) == picked
        };
        match groups.iter_mut().find(is_alike) {
            Some((_, group)) => group.push(index),
            None => groups.push((states, vec![index])),
        }
    }
    groups.into_iter().map(|(on, group)| PlainMoves::new(ray_tables, on, &group, patterns)).collect()
}

impl PlainMoves {
    fn new<const W: usize>(
        ray_tables: &mut RayTables<W>,
        on: States,
        group: &[u8],
        patterns: &[Pattern],
    ) -> Self {
        let mut plain_move = |index: &u8| {
            let Pattern { jump, min, max, .. } = patterns[usize::from(*index)];
            let plain_move = match max {
                1 => PlainMove::Leap(jump),
                _ => PlainMove::Slide(Slide::new(ray_tables, Ray { jump, min, max })),
            };
            (*index, plain_move)
        };
        let moves: Box<[(u8, PlainMove)]> = group.iter().map(&mut plain_move).collect();
        let leap = |(_, plain_move): &(u8, PlainMove)| match plain_move {
            PlainMove::Leap(jump) => Some(Ray::single(*jump)),
            PlainMove::Slide(_) => None,
        };
        let slide = |(_, plain_move): &(u8, PlainMove)| match plain_move {
            PlainMove::Slide(slide) => Some(*slide),
            PlainMove::Leap(_) => None,
        };
        let leaps: Vec<Ray> = moves.iter().filter_map(leap).collect();
        let first = group.first().map(|index| &patterns[usize::from(*index)]);
        let (victims, same_tag) = first.map_or((None, false), |pattern| pick(on, pattern));
        PlainMoves {
            on,
            is_selective: victims.is_some() || same_tag,
            victims: victims.map(Into::into),
            same_tag,
            leaps: (!leaps.is_empty()).then(|| ray_tables.add(leaps)),
            slides: moves.iter().filter_map(slide).collect(),
            moves,
        }
    }
}

impl GuardedMove {
    fn new(candidate: &Candidate, pattern: &Pattern, leaders: &[Kind], kind: Kind) -> Option<Self> {
        let action = pattern.action(candidate.on)?;
        let tests = || pattern.tests.iter().chain(&action.tests);
        let of = |wanted: fn(&Test) -> bool| tests().filter(|test| wanted(test)).cloned().collect();
        let moves_others = action.changes.iter().any(|change| !matches!(change, Change::SetFlag { .. }));
        let mut options = pattern.modifiers.iter().flat_map(|modifier| &modifier.options);
        // A leader that is promoted, or a promotion to a leader.
        let crowns = options.any(|option| leaders.contains(option) || leaders.contains(&kind));
        let replaces = pattern.modifiers.iter().any(|modifier| !modifier.replaces.is_empty());
        let tests_result = !pattern.result_tests.is_empty() || !action.result_tests.is_empty();
        Some(GuardedMove {
            pattern: candidate.pattern,
            on: candidate.on,
            of_source: of(is_of_source),
            of_landing: of(is_of_landing),
            late: of(is_late),
            path_empty: tests().any(|test| matches!(test, Test::PathEmpty)),
            promotion: Promotion::of(pattern),
            promotion_region: promotion_region(pattern),
            is_tried: moves_others || candidate.may_coincide || tests_result,
            is_tried_if_promoted: crowns || replaces,
        })
    }
}

impl Promotion {
    fn of(pattern: &Pattern) -> Self {
        if pattern.modifiers.is_empty() {
            Promotion::Never
        } else if pattern.modifiers.iter().flat_map(|modifier| &modifier.tests).all(is_of_landing_or_none) {
            Promotion::ByLanding
        } else {
            Promotion::PerPiece
        }
    }
}

/// Returns a region that every promotion requires.
fn promotion_region(pattern: &Pattern) -> Option<u16> {
    let regions = |modifier: &Modifier| -> Vec<u16> {
        let region = |test: &Test| if let Test::InRegion(region) = test { Some(*region) } else { None };
        modifier.tests.iter().filter_map(region).collect()
    };
    let (first, others) = pattern.modifiers.split_first()?;
    let is_common = |region: &u16| others.iter().all(|modifier| regions(modifier).contains(region));
    regions(first).into_iter().find(is_common)
}

fn is_of_source(test: &Test) -> bool {
    // As a part of another test, it is evaluated piece by piece: guests are unmoved on their own.
    let is_first_move = matches!(test, Test::FirstMove);
    is_first_move
        || test.all_parts(&|part| match part {
            Test::PieceUnmoved(_) | Test::EmptyOrUnmoved(_) | Test::HasFlag(..) => true,
            Test::Position(clause) => !clause.has_area(),
            Test::Square { anchor, .. } | Test::Region { anchor, .. } => *anchor == Anchor::Source,
            _ => false,
        })
}

fn is_of_landing(test: &Test) -> bool {
    !is_of_source(test) && is_of_landing_or_none(test)
}

/// Conditions of the position are the same for all pieces, so they are also sets of landings.
pub(crate) fn is_of_landing_or_none(test: &Test) -> bool {
    test.all_parts(&|part| match part {
        Test::InRegion(_) | Test::Marked(_) => true,
        Test::Position(clause) => !clause.has_area(),
        Test::Square { anchor, .. } | Test::Region { anchor, .. } => *anchor == Anchor::Target,
        _ => false,
    })
}

/// Returns whether a test is neither a set of sources nor of landings. Whether a path is empty is tested on the way.
fn is_late(test: &Test) -> bool {
    !is_of_source(test) && !is_of_landing(test) && !matches!(test, Test::PathEmpty)
}
