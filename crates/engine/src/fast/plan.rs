//! Which games the fast path can play. The choice is made by what the rules *are*.
//!
//! It takes two players in turn, one leader each, and moves of four forms:
//! - plain leaps and slides, which move and capture alike (officers, the leader);
//! - single steps with promotion, perhaps only for a piece that has never moved and with a flag for one turn (pawns);
//! - the capture of a piece that carries such a flag;
//! - a guarded move of the leader that takes another piece along (castling).
//!
//! Traps that keep a game off it: a leap along the line of a slide that is longer than one step (it could jump a pinner
//! or the leader), slides that go one way only or in steps that are not the shortest, leaders that slide or can be
//! promoted to, two moves of a kind that meet on a square.

use crate::blueprint::{Condition, Effect, ModifierPlan, MovePlan, Occupancy, Repeat, Until};
use crate::fast::atoms::Atoms;
use crate::fast::bits::Bits;
use crate::fast::side::{Lower, Side};
use crate::fast::slide::Class;
use crate::fast::state::LEADER;
use crate::mechanics::Mechanics;
use crate::piece::{Kind, Player};
use crate::rules::{Rules, overlaps};
use crate::square::Offset;

/// The tables of one game.
pub(crate) struct Fast<B: Bits> {
    pub(crate) squares: usize,
    /// How many planes its boards have.
    pub(crate) planes: usize,
    /// By kind: in which planes it stands, as bits; 0 if it cannot arise. A position that holds such a kind takes the
    /// general path.
    pub(crate) columns: Vec<u16>,
    /// The other way: by column, without the planes that every game has.
    pub(crate) kinds: Box<[u8]>,
    pub(crate) classes: Vec<Class<B>>,
    /// The directions of all slides.
    pub(crate) directions: Vec<Offset>,
    /// Strictly between two squares on a line of any class, by first and second square.
    pub(crate) between: Box<[B]>,
    /// All squares on a line from the first square through the second.
    pub(crate) line: Box<[B]>,
    pub(crate) sides: [Side<B>; 2],
    /// Whether a leader can give check: where the other could not strike back. With the usual leaders it never does.
    pub(crate) leaders_meet: bool,
    /// Whether a guarded move can be made by a leader that has moved before.
    pub(crate) castles_when_moved: bool,
}

/// Whether no action of a move asks what it captures, and no promotion changes other pieces.
fn takes_whatever_it_meets(plan: &MovePlan) -> bool {
    plan.actions
        .iter()
        .all(|action| action.victims.is_none() && !action.same_tag && action.on != Occupancy::Team)
        && plan.modifiers.iter().all(|modifier| modifier.replaces.is_empty())
}

impl<B: Bits> Fast<B> {
    /// The tables, if the game is one for the fast path.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        let blueprint = rules.blueprint();
        let alternating = matches!(blueprint.order.as_slice(), [first, second] if first != second);
        let leader = blueprint.leader?.index();
        let promotes_to_leader =
            modifiers(rules).any(|it| it.options.iter().any(|kind| kind.index() == leader));
        let is_usual = blueprint.mechanics == Mechanics::default()
            && blueprint.endings.iter().all(|ending| !ending.stops)
            && rules.kinds().flat_map(|kind| &rules.kind(kind).moves).all(takes_whatever_it_meets);
        let fits = blueprint.players.len() == 2
            && is_usual
            && alternating
            && rules.board().len() <= size_of::<B>() * 8
            && !promotes_to_leader
            && arising(rules).all(|kind| keep_apart(&rules.kind(kind).moves))
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
            Lower { rules, player: Player(player), leader, atoms: &atoms, directions }.side(slides)
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
        Some(Fast {
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
        })
    }

    /// The kind that stands in these planes.
    #[inline(always)]
    pub(crate) fn kind(&self, column: u16) -> usize {
        usize::from(self.kinds[usize::from(column >> LEADER)])
    }
}

/// By column, without the planes that every game has: the kind that stands in these planes.
fn by_column(atoms: &Atoms) -> Box<[u8]> {
    let mut kinds = vec![0; 1 << (atoms.planes - LEADER)];
    for (kind, column) in atoms.columns.iter().enumerate().filter(|(_, column)| **column != 0) {
        kinds[usize::from(column >> LEADER)] = kind as u8;
    }
    kinds.into()
}

/// Whether no two moves meet on a square, so that none need to be merged. Guarded moves that take different pieces
/// along may: they lead to different positions. Captures of a flagged piece may, too: there is one flag at a time.
fn keep_apart(moves: &[MovePlan]) -> bool {
    let taken_along = |plan: &MovePlan| match plan.effects.as_slice() {
        [Effect::Relocate { from, .. }] => Some(*from),
        _ => None,
    };
    let (guarded, others): (Vec<MovePlan>, Vec<MovePlan>) =
        moves.iter().filter(|plan| !is_passing(plan)).cloned().partition(|plan| taken_along(plan).is_some());
    let mut along: Vec<Option<Offset>> = guarded.iter().map(taken_along).collect();
    along.sort();
    along.dedup();
    let meets_others = |plan: &MovePlan| overlaps(&[&others[..], std::slice::from_ref(plan)].concat());
    !overlaps(&others) && along.len() == guarded.len() && !guarded.iter().any(meets_others)
}

/// The number of a direction among those of slides.
pub(crate) fn lane(directions: &[Offset], step: Offset) -> usize {
    let unit = step.unit().0;
    directions.iter().position(|it| *it == unit).unwrap_or(NO_LANE)
}

/// The number of a direction in which nobody slides: it is no number of a lane.
pub(crate) const NO_LANE: usize = 8;

/// Whether a move depends on a flag as a whole; see [`Lower::passing`] for what else it must be.
pub(crate) fn is_passing(plan: &MovePlan) -> bool {
    matches!(plan.conditions.as_slice(), [Condition::CheckState(..)])
}

/// The kinds that the game starts with or that promotion can bring.
pub(crate) fn arising(rules: &Rules) -> impl Iterator<Item = Kind> + '_ {
    let start = &rules.blueprint().start;
    rules.kinds().filter(move |kind| {
        start.iter().any(|placed| placed.kind == *kind)
            || modifiers(rules).any(|it| it.options.contains(kind))
    })
}

fn modifiers(rules: &Rules) -> impl Iterator<Item = &ModifierPlan> {
    rules.blueprint().kinds.iter().flat_map(|kind| &kind.moves).flat_map(|plan| &plan.modifiers)
}

/// Whether every slide is plain and goes both ways, and no leap jumps along the line of one.
fn lines_are_plain(rules: &Rules) -> bool {
    let mut slides: Vec<(usize, Offset)> = Vec::new();
    let mut leaps: Vec<Offset> = Vec::new();
    for player in rules.players() {
        let orientation = rules.player(player).orientation;
        for kind in arising(rules) {
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
    // Who attacks a square is asked by sliding away from it, so every slide must go both ways.
    let both_ways =
        |(user, step): &(usize, Offset)| step.unit().1 == 1 && slides.contains(&(*user, step.reversed()));
    !leaps.iter().any(jumps) && slides.iter().all(both_ways)
}

/// Moves and captures alike, without conditions, effects or promotion.
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
    plan.repeat == Repeat { min: 1, max: None, until: Until::State(Occupancy::NotEmpty) } && is_plain(plan)
}

/// A plain single step.
pub(crate) fn is_leap(plan: &MovePlan) -> bool {
    plan.repeat.max == Some(1) && is_plain(plan)
}
