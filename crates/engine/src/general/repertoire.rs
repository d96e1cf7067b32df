//! What a kind can do, sorted by how it is best found.
//!
//! Plain moves (they leap, or slide to the first piece, and that is all) are looked up piece by piece: a *reach*. All
//! others are *deeds*: one pattern with what it does on a square in one state, made by all pieces of the kind at once,
//! the conditions as sets of squares. What cannot be said as a set is asked later, landing by landing.

use crate::blueprint::{Anchor, KindPlan, Occupancy};
use crate::general::fan::{Fan, Fans, Way};
use crate::general::slide::Slide;
use crate::pattern::Modifier;
use crate::piece::Kind;
use crate::rules::{Act, Change, Jump, Pattern, Test};
use crate::traits::{Landings, overlaps};

/// The moves of one kind for those who look at the board one way.
pub(crate) struct Repertoire {
    pub(crate) kind: Kind,
    /// Other kinds that move alike, whatever they become.
    pub(crate) alike: Vec<Kind>,
    pub(crate) reaches: Box<[Reach]>,
    pub(crate) deeds: Box<[Deed]>,
    /// Deeds that may come to the same as another.
    pub(crate) coinciding: Box<[Deed]>,
}

/// Plain moves that land on squares in the same states.
pub(crate) struct Reach {
    pub(crate) on: States,
    /// Whether some enemies are not captured.
    pub(crate) is_picky: bool,
    /// The enemies that are captured; all if `None`.
    pub(crate) victims: Option<Box<[Kind]>>,
    /// Whether only enemies with the same value of the tag are captured, and those without one.
    pub(crate) same_tag: bool,
    /// All its leaps at once.
    pub(crate) leaps: Option<Fan>,
    pub(crate) slides: Box<[Slide]>,
    /// The same moves one by one, in the order of the kind's list.
    pub(crate) courses: Box<[(u8, Course)]>,
}

/// What may stand on a landing.
#[allow(clippy::struct_excessive_bools, reason = "a set of four states")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct States {
    pub(crate) empty: bool,
    pub(crate) enemy: bool,
    pub(crate) ally: bool,
    pub(crate) team: bool,
}

/// One plain move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Course {
    Leap(Jump),
    Slide(Slide),
}

/// One pattern with what it does on a square in one state.
pub(crate) struct Deed {
    /// Its place in the kind's list.
    pub(crate) pattern: u8,
    pub(crate) on: Occupancy,
    /// Conditions that are sets of sources, of landings, and neither.
    pub(crate) of_source: Box<[Test]>,
    pub(crate) of_landing: Box<[Test]>,
    pub(crate) late: Box<[Test]>,
    pub(crate) path_empty: bool,
    pub(crate) promotion: Promotion,
    /// A region of the player outside of which the piece becomes nothing else.
    pub(crate) promotion_region: Option<u16>,
    /// Whether only the finished position tells if it is legal.
    pub(crate) is_tried: bool,
    /// The same if the piece becomes another.
    pub(crate) is_tried_if_promoted: bool,
}

/// How it is found out what the piece becomes.
pub(crate) enum Promotion {
    Never,
    /// By the landing alone: the conditions of each modifier are sets of landings.
    ByLanding,
    /// By asking for each landing.
    Asked,
}

impl Repertoire {
    pub(crate) fn new<const W: usize>(
        fans: &mut Fans<W>,
        plan: &KindPlan,
        patterns: &[Pattern],
        leader: Option<Kind>,
        kind: Kind,
    ) -> Self {
        let mut all = candidates(patterns);
        if overlaps(&plan.moves) {
            mark_coinciding(&mut all, plan, patterns);
        }
        let (coinciding, alone): (Vec<Candidate>, Vec<Candidate>) =
            all.into_iter().partition(|it| it.may_coincide);
        let (plain, others): (Vec<Candidate>, Vec<Candidate>) = alone.into_iter().partition(|it| it.is_plain);
        let deed = |it: &Candidate| Deed::new(it, &patterns[usize::from(it.pattern)], leader, kind);
        Repertoire {
            kind,
            alike: Vec::new(),
            reaches: reaches(fans, &plain, patterns),
            deeds: others.iter().filter_map(deed).collect(),
            coinciding: coinciding.iter().filter_map(deed).collect(),
        }
    }
}

/// A pattern and a state that its landing may be in.
struct Candidate {
    pattern: u8,
    on: Occupancy,
    is_plain: bool,
    may_coincide: bool,
}

/// All that can happen at all, in the order of the list.
fn candidates(patterns: &[Pattern]) -> Vec<Candidate> {
    let states = [Occupancy::Empty, Occupancy::Enemy, Occupancy::Ally, Occupancy::Team];
    let possible = |pattern: &&Pattern| pattern.min <= pattern.max && !pattern.jump.leads_nowhere();
    let numbered = patterns.iter().enumerate().filter(|(_, pattern)| possible(pattern));
    numbered
        .flat_map(|(index, pattern)| {
            states.into_iter().filter_map(move |on| {
                let is_plain = is_plain(pattern, pattern.act(on)?, on);
                Some(Candidate { pattern: index as u8, on, is_plain, may_coincide: false })
            })
        })
        .collect()
}

fn is_plain(pattern: &Pattern, act: &Act, on: Occupancy) -> bool {
    pattern.stops_at_pieces()
        && pattern.tests.is_empty()
        && pattern.modifiers.is_empty()
        && act.tests.is_empty()
        && act.changes.is_empty()
        && (on == Occupancy::Enemy || act.takes_all())
}

/// Which enemies a pattern captures, and whether only those with the same tag, if captures of them are plain.
fn pick(states: States, pattern: &Pattern) -> (Option<&[Kind]>, bool) {
    let act = pattern.on_enemy.as_ref().filter(|_| states.enemy);
    act.map_or((None, false), |act| (act.victims.as_deref(), act.same_tag))
}

/// Two plain moves of one reach to one square are the same move, and sets know that by themselves. Any others that meet
/// may differ or not. A plain one that meets one of those is drawn in, and whatever plain one meets that.
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

/// The states in which a pattern is plain.
fn plain_states(all: &[Candidate], pattern: u8) -> States {
    let on = |state| all.iter().any(|it| it.is_plain && it.pattern == pattern && it.on == state);
    States {
        empty: on(Occupancy::Empty),
        enemy: on(Occupancy::Enemy),
        ally: on(Occupancy::Ally),
        team: on(Occupancy::Team),
    }
}

/// Plain moves by the states in which they land.
fn reaches<const W: usize>(fans: &mut Fans<W>, plain: &[Candidate], patterns: &[Pattern]) -> Box<[Reach]> {
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
    groups.into_iter().map(|(on, group)| Reach::new(fans, on, &group, patterns)).collect()
}

impl Reach {
    fn new<const W: usize>(fans: &mut Fans<W>, on: States, group: &[u8], patterns: &[Pattern]) -> Self {
        let mut course = |index: &u8| {
            let Pattern { jump, min, max, .. } = patterns[usize::from(*index)];
            let course = match max {
                1 => Course::Leap(jump),
                _ => Course::Slide(Slide::new(fans, Way { jump, min, max })),
            };
            (*index, course)
        };
        let courses: Box<[(u8, Course)]> = group.iter().map(&mut course).collect();
        let leap = |(_, course): &(u8, Course)| match course {
            Course::Leap(jump) => Some(Way::leap(*jump)),
            Course::Slide(_) => None,
        };
        let slide = |(_, course): &(u8, Course)| match course {
            Course::Slide(slide) => Some(*slide),
            Course::Leap(_) => None,
        };
        let leaps: Vec<Way> = courses.iter().filter_map(leap).collect();
        let first = group.first().map(|index| &patterns[usize::from(*index)]);
        let (victims, same_tag) = first.map_or((None, false), |pattern| pick(on, pattern));
        Reach {
            on,
            is_picky: victims.is_some() || same_tag,
            victims: victims.map(Into::into),
            same_tag,
            leaps: (!leaps.is_empty()).then(|| fans.add(leaps)),
            slides: courses.iter().filter_map(slide).collect(),
            courses,
        }
    }
}

impl Deed {
    fn new(candidate: &Candidate, pattern: &Pattern, leader: Option<Kind>, kind: Kind) -> Option<Self> {
        let act = pattern.act(candidate.on)?;
        let tests = || pattern.tests.iter().chain(&act.tests);
        let of = |wanted: fn(&Test) -> bool| tests().filter(|test| wanted(test)).cloned().collect();
        let moves_others = act.changes.iter().any(|change| !matches!(change, Change::SetFlag { .. }));
        let mut options = pattern.modifiers.iter().flat_map(|modifier| &modifier.options);
        // A leader that becomes something else, or something else that becomes one.
        let crowns = options.any(|option| leader == Some(*option) || leader == Some(kind));
        let replaces = pattern.modifiers.iter().any(|modifier| !modifier.replaces.is_empty());
        Some(Deed {
            pattern: candidate.pattern,
            on: candidate.on,
            of_source: of(is_of_source),
            of_landing: of(is_of_landing),
            late: of(is_late),
            path_empty: tests().any(|test| matches!(test, Test::PathEmpty)),
            promotion: Promotion::of(pattern),
            promotion_region: promotion_region(pattern),
            is_tried: moves_others || candidate.may_coincide,
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
            Promotion::Asked
        }
    }
}

/// A region that every promotion asks for.
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
    match test {
        Test::FirstMove
        | Test::PieceFirstMove(_)
        | Test::RookFirstMove(_)
        | Test::CheckState(..)
        | Test::Count { .. } => true,
        Test::Square { anchor, .. } | Test::Region { anchor, .. } => *anchor == Anchor::Source,
        Test::DependsOn(_)
        | Test::PathEmpty
        | Test::NotAttacked
        | Test::PathNotAttacked
        | Test::InRegion(_) => false,
    }
}

fn is_of_landing(test: &Test) -> bool {
    match test {
        Test::InRegion(_) => true,
        Test::Square { anchor, .. } | Test::Region { anchor, .. } => *anchor == Anchor::Target,
        _ => false,
    }
}

/// Conditions that are the same for all pieces are sets of landings as well.
fn is_of_landing_or_none(test: &Test) -> bool {
    is_of_landing(test) || matches!(test, Test::Count { .. })
}

fn is_late(test: &Test) -> bool {
    matches!(test, Test::DependsOn(_) | Test::NotAttacked | Test::PathNotAttacked)
}
