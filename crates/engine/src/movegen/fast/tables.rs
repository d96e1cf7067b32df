//! The tables of the fast generator, and which games it supports. Only the rules decide.
//!
//! A game needs two players in turn, one leader each, and moves of four forms:
//! - plain leaps and slides, which move and capture alike;
//! - single steps with promotion, possibly only for an unmoved piece and with a flag for one turn (pawns);
//! - the capture of a piece with such a flag (en passant);
//! - a guarded move of the leader that takes another piece along (castling).
//!
//! Unsupported are: leaps of more than one step along the line of a slide (they could jump over a pinning piece or
//! the leader), slides that go one way only or not in the shortest steps, leaders that slide, promotion to a leader,
//! and two moves of a kind that meet on a square.

use crate::blueprint::mechanics::Mechanics;
use crate::blueprint::{Condition, Effect, ModifierPlan, MovePlan, Occupancy, Repeat, Until};
use crate::compile::kind_traits::overlaps;
use crate::movegen::fast::atoms::Atoms;
use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::side::{Side, SideCompiler};
use crate::movegen::fast::slide::Class;
use crate::movegen::fast::state::LEADER;
use crate::movegen::fast::unmoved::UnmovedGuard;
use crate::piece::{Kind, Player};
use crate::rules::Rules;
use crate::square::Offset;

/// The tables of one game.
pub(crate) struct FastTables<B: Bits> {
    pub(crate) squares: usize,
    /// The number of planes.
    pub(crate) planes: usize,
    /// By kind: its planes, as bits; 0 if the kind cannot occur. Positions with such a kind are not supported.
    pub(crate) columns: Vec<u16>,
    /// By column, without the planes that every game has: the kind.
    pub(crate) kinds: Box<[u8]>,
    pub(crate) classes: Vec<Class<B>>,
    /// The directions of all slides.
    pub(crate) directions: Vec<Offset>,
    /// By pair of squares: the squares strictly between them on a line of any class.
    pub(crate) between: Box<[B]>,
    /// By pair of squares: all squares on the line from the first through the second.
    pub(crate) line: Box<[B]>,
    pub(crate) sides: [Side<B>; 2],
    /// Whether a leader can give check, because the other one could not capture it in return. Never with kings of
    /// chess.
    pub(crate) leaders_meet: bool,
    /// Whether a leader that has moved can castle.
    pub(crate) castles_when_moved: bool,
    pub(crate) unmoved_guards: Vec<UnmovedGuard<B>>,
}

/// Returns whether captures do not depend on the captured piece, promotions do not change other pieces, and the piece leaves
/// its square.
fn captures_anything(plan: &MovePlan) -> bool {
    plan.step != Offset::new(0, 0)
        && plan
            .actions
            .iter()
            .all(|action| action.victims.is_none() && !action.same_tag && action.on != Occupancy::Team)
        && plan.modifiers.iter().all(|modifier| modifier.replaces.is_empty())
}

impl<B: Bits> FastTables<B> {
    /// Returns the tables, if the game is supported.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        let blueprint = rules.blueprint();
        let alternating = matches!(blueprint.order.as_slice(), [first, second] if first != second);
        let [leader] = blueprint.leaders[..] else { return None };
        let leader = leader.index();
        let promotes_to_leader =
            modifiers(rules).any(|it| it.options.iter().any(|kind| kind.index() == leader));
        let is_common = blueprint.mechanics == Mechanics::default()
            && blueprint.endings.iter().all(|ending| !ending.is_on_board())
            && rules.kinds().flat_map(|kind| &rules.kind(kind).moves).all(captures_anything)
            && rules.kinds().all(|kind| kind.index() == leader || rules.kind(kind).castles.is_empty());
        let fits = blueprint.players.len() == 2
            && is_common
            && alternating
            && rules.board().len() <= size_of::<B>() * 8
            && !promotes_to_leader
            && occurring_kinds(rules).all(|kind| have_no_overlaps(&rules.kind(kind).moves))
            && lines_are_plain(rules);
        if !fits {
            return None;
        }
        let atoms = Atoms::new(rules, leader)?;
        let mut directions: Vec<Vec<Offset>> = Vec::new();
        let mut class_of = |steps: Vec<Offset>| {
            directions.iter().position(|other| *other == steps).unwrap_or_else(|| {
                directions.push(steps);
                directions.len() - 1
            })
        };
        let slides = rules.players().map(|player| {
            let turned = |atom: &[Offset]| {
                let mut steps: Vec<Offset> =
                    atom.iter().map(|step| rules.player(player).orientation.turn(*step)).collect();
                steps.sort();
                steps
            };
            atoms.slides.iter().map(|atom| (atom.plane, class_of(turned(&atom.steps)))).collect()
        });
        let slides: Vec<Vec<(usize, usize)>> = slides.collect();
        let classes: Vec<Class<B>> =
            directions.iter().map(|steps| Class::new(rules.board(), steps)).collect();
        let squares = rules.board().len();
        let pairs = |of: fn(&Class<B>, usize, usize) -> B| -> Box<[B]> {
            let set = |index| {
                classes.iter().fold(B::ZERO, |set, class| set | of(class, index / squares, index % squares))
            };
            (0..squares * squares).map(set).collect()
        };
        let (between, line) = (pairs(Class::between), pairs(Class::line));
        let mut all_directions: Vec<Offset> = directions.concat();
        all_directions.sort();
        all_directions.dedup();
        let lower = |player: u8| {
            let slides = slides[usize::from(player)].clone();
            let directions = &all_directions;
            SideCompiler { rules, player: Player(player), leader, atoms: &atoms, directions }.side(slides)
        };
        let sides: [Side<B>; 2] = [lower(0)?, lower(1)?];
        let strikes_back = |one: &Side<B>, other: &Side<B>| {
            one.leader.steps.iter().all(|step| other.leader.steps.contains(&step.reversed()))
        };
        let leaders_meet = !strikes_back(&sides[0], &sides[1]) || !strikes_back(&sides[1], &sides[0]);
        let castles_when_moved = sides.iter().any(|side| {
            let by_source = side.castles.iter().enumerate();
            by_source.into_iter().any(|(source, castles)| {
                castles.iter().any(|castle| (castle.unmoved & B::bit(source)).is_empty())
            })
        });
        Some(FastTables {
            squares,
            planes: atoms.planes,
            kinds: by_column(&atoms),
            columns: atoms.columns,
            classes,
            directions: all_directions,
            between,
            line,
            sides,
            leaders_meet,
            castles_when_moved,
            unmoved_guards: UnmovedGuard::all(rules),
        })
    }

    /// Returns the kind with these planes.
    #[inline(always)]
    pub(crate) fn kind(&self, column: u16) -> usize {
        usize::from(self.kinds[usize::from(column >> LEADER)])
    }
}

/// Returns, by column without the planes that every game has, the kind with these planes.
fn by_column(atoms: &Atoms) -> Box<[u8]> {
    let mut kinds = vec![0; 1 << (atoms.planes - LEADER)];
    for (kind, column) in atoms.columns.iter().enumerate().filter(|(_, column)| **column != 0) {
        kinds[usize::from(column >> LEADER)] = kind as u8;
    }
    kinds.into()
}

/// Returns whether no two moves meet on a square, so that none need to be merged. Castling moves with different
/// partners may meet, because they lead to different positions. So may captures of a flagged piece, because there is
/// one flag at a time.
fn have_no_overlaps(moves: &[MovePlan]) -> bool {
    let taken_along = |plan: &MovePlan| match plan.effects.as_slice() {
        [Effect::Relocate { from, .. }] => Some(*from),
        _ => None,
    };
    let (guarded, others): (Vec<MovePlan>, Vec<MovePlan>) = moves
        .iter()
        .filter(|plan| !is_flag_capture(plan))
        .cloned()
        .partition(|plan| taken_along(plan).is_some());
    let mut along: Vec<Option<Offset>> = guarded.iter().map(taken_along).collect();
    along.sort();
    along.dedup();
    let meets_others = |plan: &MovePlan| overlaps(&[&others[..], std::slice::from_ref(plan)].concat());
    !overlaps(&others) && along.len() == guarded.len() && !guarded.iter().any(meets_others)
}

/// Returns the number of a direction among those of slides.
pub(crate) fn lane(directions: &[Offset], step: Offset) -> usize {
    let unit = step.unit().0;
    directions.iter().position(|it| *it == unit).unwrap_or(NO_LANE)
}

/// The number of a direction without slides.
pub(crate) const NO_LANE: usize = 8;

/// Returns whether a move depends on a flag; see [`SideCompiler::flag_capture`] for the complete form.
pub(crate) fn is_flag_capture(plan: &MovePlan) -> bool {
    matches!(plan.conditions.as_slice(), [Condition::HasFlag(..)])
}

/// Iterates over the kinds that the game starts with or that promotion can create.
pub(crate) fn occurring_kinds(rules: &Rules) -> impl Iterator<Item = Kind> + '_ {
    let start = &rules.blueprint().start;
    rules.kinds().filter(move |kind| {
        start.iter().any(|placed| placed.kind == *kind)
            || modifiers(rules).any(|it| it.options.contains(kind))
    })
}

fn modifiers(rules: &Rules) -> impl Iterator<Item = &ModifierPlan> {
    rules.blueprint().kinds.iter().flat_map(|kind| &kind.moves).flat_map(|plan| &plan.modifiers)
}

/// Returns whether every slide is plain and goes both ways, and no leap jumps along the line of one.
fn lines_are_plain(rules: &Rules) -> bool {
    let mut slides: Vec<(usize, Offset)> = Vec::new();
    let mut leaps: Vec<Offset> = Vec::new();
    for player in rules.players() {
        let orientation = rules.player(player).orientation;
        for kind in occurring_kinds(rules) {
            for plan in &rules.kind(kind).moves {
                let step = orientation.turn(plan.step);
                if is_slide(plan) {
                    slides.push((kind.index() << 1 | player.index(), step));
                } else if plan.repeat.max != Some(1) {
                    return false;
                } else if !plan.conditions.contains(&Condition::PathEmpty) {
                    leaps.push(step);
                }
            }
        }
    }
    let jumps = |leap: &Offset| leap.unit().1 > 1 && slides.iter().any(|(_, step)| *step == leap.unit().0);
    // Attackers of a square are found by sliding away from it, so every slide must go both ways.
    let both_ways =
        |(user, step): &(usize, Offset)| step.unit().1 == 1 && slides.contains(&(*user, step.reversed()));
    !leaps.iter().any(jumps) && slides.iter().all(both_ways)
}

/// Returns whether a move moves and captures alike, without conditions, effects or promotion.
pub(crate) fn is_plain(plan: &MovePlan) -> bool {
    let both = |on: Occupancy| plan.actions.iter().any(|action| action.on == on);
    plan.conditions.is_empty()
        && plan.modifiers.is_empty()
        && plan.effects.is_empty()
        && plan.actions.len() == 2
        && both(Occupancy::Empty)
        && both(Occupancy::Enemy)
        && plan.actions.iter().all(|action| action.conditions.is_empty() && action.effects.is_empty())
}

pub(crate) fn is_slide(plan: &MovePlan) -> bool {
    let any_distance = Repeat { min: 1, max: None, until: Until::State(Occupancy::NotEmpty), hurdles: None };
    plan.repeat == any_distance && is_plain(plan)
}

/// Returns whether a move is a plain single step.
pub(crate) fn is_leap(plan: &MovePlan) -> bool {
    plan.repeat.max == Some(1) && is_plain(plan)
}
