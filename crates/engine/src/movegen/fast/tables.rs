//! The tables of the fast generator, and which games it supports. Only the rules decide.
//!
//! A game needs two players in turn, at most one leader each, and moves of these forms:
//! - plain leaps and slides, which move and capture alike;
//! - single steps with promotion, possibly only for an unmoved piece and with a flag for one turn (pawns);
//! - the capture of a piece with such a flag (en passant);
//! - castling;
//! - leaps within regions or over squares that must be empty, slides that only move or only capture, moves over one
//!   piece, promotion on any move ([`super::specials`]);
//! - drops ([`super::drops`]).
//!
//! It may have hands, a counter of checks, endings decided by the board, and compulsory captures ([`super::extras`]).
//!
//! Unsupported are: slides not in the shortest steps, plain ones that go one way only, leaders that slide except against
//! each other, promotion to a leader, and two moves of a kind that meet on a square. Leaps of more than one step along
//! the line of a slide could jump over a pinning piece, so they are tried.

use crate::blueprint::mechanics::Mechanics;
use crate::blueprint::{Condition, Effect, ModifierPlan, MovePlan, Occupancy, Repeat, Until};
use crate::compile::kind_traits::overlaps;
use crate::movegen::fast::atoms::{Atoms, is_plain_kind};
use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::extras::{ExtraRules, is_from_hand};
use crate::movegen::fast::side::{Side, SideCompiler};
use crate::movegen::fast::slide::Class;
use crate::movegen::fast::special_forms::slide_directions;
use crate::movegen::fast::specials::Special;
use crate::movegen::fast::state::{Column, LEADER};
use crate::movegen::fast::unmoved::UnmovedGuard;
use crate::piece::{Kind, Player};
use crate::rules::Rules;
use crate::square::Offset;

/// The largest number of planes that distinguish kinds.
const MOST_COLUMN_BITS: usize = 20;

/// The tables of one game.
#[expect(clippy::struct_excessive_bools, reason = "independent properties of the rules")]
pub(crate) struct FastTables<B: Bits> {
    pub(crate) squares: usize,
    /// The number of planes.
    pub(crate) planes: usize,
    /// By kind: its planes, as bits; 0 if the kind cannot occur. Positions with such a kind are not supported.
    pub(crate) columns: Vec<Column>,
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
    /// By player: whether the player has a leader.
    pub(crate) has_leader: [bool; 2],
    pub(crate) extras: ExtraRules<B>,
    /// Whether the game has nothing beyond plain moves, steps, castling, and a leader on both sides.
    pub(crate) is_usual: bool,
    pub(crate) has_specials: bool,
    /// Whether pieces that leave or enter a square can open a check other than by a line.
    pub(crate) needs_watch: bool,
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

/// Returns whether a move only captures enemy leaders, along a line, so that leaders must not face each other.
pub(crate) fn is_facing(rules: &Rules, plan: &MovePlan) -> bool {
    let [action] = plan.actions.as_slice() else { return false };
    let is_bare = plan.conditions.is_empty() && plan.modifiers.is_empty() && plan.effects.is_empty();
    is_bare
        && plan.repeat == any_distance()
        && (action.on, action.captures, action.same_tag) == (Occupancy::Enemy, true, false)
        && action.victims.as_deref() == Some(&rules.blueprint().leaders[..])
        && action.conditions.is_empty()
        && action.effects.is_empty()
}

/// The directions of each class of slides.
#[derive(Default)]
struct ClassList(Vec<Vec<Offset>>);

impl ClassList {
    fn index_of(&mut self, steps: Vec<Offset>) -> usize {
        self.0.iter().position(|other| *other == steps).unwrap_or_else(|| {
            self.0.push(steps);
            self.0.len() - 1
        })
    }

    /// Adds the lines of all kinds of a player that are not plain.
    fn add_specials(&mut self, rules: &Rules, player: Player) {
        for kind in occurring_kinds(rules).filter(|kind| !is_plain_kind(rules, kind.index())) {
            for steps in slide_directions(rules, player, &rules.kind(kind).moves) {
                self.index_of(steps);
            }
        }
    }
}

impl<B: Bits> FastTables<B> {
    /// Returns the tables, if the game is supported.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        let blueprint = rules.blueprint();
        let alternating = matches!(blueprint.order.as_slice(), [first, second] if first != second);
        let leader = match blueprint.leaders[..] {
            [] => None,
            [leader] => Some(leader),
            _ => return None,
        };
        let promotes_to_leader =
            modifiers(rules).any(|it| it.options.iter().any(|kind| Some(*kind) == leader));
        let leader = leader.map(Kind::index);
        let castlers = rules.kinds().filter(|kind| !rules.kind(*kind).castles.is_empty());
        let castlers: Vec<usize> = castlers.map(Kind::index).collect();
        let is_common = rules
            .kinds()
            .flat_map(|kind| &rules.kind(kind).moves)
            .all(|plan| captures_anything(plan) || is_facing(rules, plan))
            && match leader {
                Some(leader) => castlers.iter().all(|kind| *kind == leader),
                None => castlers.len() <= 1 && castlers.iter().all(|kind| is_plain_kind(rules, *kind)),
            };
        let fits = blueprint.players.len() == 2
            && is_common
            && alternating
            && rules.board().len() <= size_of::<B>() * 8
            && !promotes_to_leader;
        if !fits {
            return None;
        }
        let jumps = jump_along_lines(rules)?;
        let atoms = Atoms::new(rules, leader)?;
        let extras = ExtraRules::new(rules, &atoms)?;
        let mut list = ClassList::default();
        let slides = rules.players().map(|player| {
            let turned = |atom: &[Offset]| {
                let mut steps: Vec<Offset> =
                    atom.iter().map(|step| rules.player(player).orientation.turn(*step)).collect();
                steps.sort();
                steps
            };
            atoms.slides.iter().map(|atom| (atom.plane, list.index_of(turned(&atom.steps)))).collect()
        });
        let slides: Vec<Vec<(usize, usize)>> = slides.collect();
        rules.players().for_each(|player| list.add_specials(rules, player));
        let directions = list.0;
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
            let (player, atoms, classes) = (Player(player), &atoms, &directions[..]);
            let directions = &all_directions;
            SideCompiler { rules, player, leader, atoms, directions, classes }.side(slides)
        };
        let sides: [Side<B>; 2] = [lower(0)?, lower(1)?];
        let strikes_back = |one: &Side<B>, other: &Side<B>| {
            (0..squares).all(|square| one.leader.to[square] == other.leader.from[square])
        };
        let leaders_meet = !strikes_back(&sides[0], &sides[1]) || !strikes_back(&sides[1], &sides[0]);
        let castles_when_moved = sides.iter().any(|side| {
            let by_source = side.castles.iter().enumerate();
            by_source.into_iter().any(|(source, castles)| {
                castles.iter().any(|castle| (castle.unmoved & B::bit(source)).is_empty())
            })
        });
        let leading = blueprint.mechanics.leadership.players;
        let has_leader = [0, 1]
            .map(|player| leader.is_some() && leading.is_none_or(|players| players.contains(Player(player))));
        let is_usual = |side: &Side<B>| {
            let steps = side.steppers.iter().flat_map(|stepper| &stepper.steps);
            let mut steps = steps.map(|step| step.sources);
            side.specials.is_empty()
                && side.facing.is_none()
                && side.leads_everywhere
                && steps.all(|sources| sources == B::ALL)
        };
        let needs_watch = jumps || sides.iter().any(|side| side.specials.iter().any(Special::needs_watch));
        let is_special = |side: &Side<B>| !side.specials.is_empty() || side.facing.is_some();
        Some(FastTables {
            squares,
            planes: atoms.planes,
            kinds: by_column(&atoms)?,
            columns: atoms.columns,
            classes,
            directions: all_directions,
            between,
            line,
            is_usual: has_leader == [true; 2]
                && blueprint.mechanics == Mechanics::default()
                && !extras.settles
                && !jumps
                && sides.iter().all(is_usual),
            has_specials: jumps || sides.iter().any(is_special),
            needs_watch,
            sides,
            has_leader,
            extras,
            leaders_meet,
            castles_when_moved,
            unmoved_guards: UnmovedGuard::all(rules),
        })
    }

    /// Returns the kind with these planes.
    #[inline(always)]
    pub(crate) fn kind(&self, column: Column) -> usize {
        usize::from(self.kinds[(column >> LEADER) as usize])
    }
}

/// Returns, by column without the planes that every game has, the kind with these planes.
fn by_column(atoms: &Atoms) -> Option<Box<[u8]>> {
    let bits = atoms.planes - LEADER;
    if bits > MOST_COLUMN_BITS {
        return None;
    }
    let mut kinds = vec![0; 1 << bits];
    for (kind, column) in atoms.columns.iter().enumerate().filter(|(_, column)| **column != 0) {
        kinds[(column >> LEADER) as usize] = kind as u8;
    }
    Some(kinds.into())
}

/// Returns whether no two moves meet on a square, so that none need to be merged. Castling moves with different
/// partners may meet, because they lead to different positions. So may captures of a flagged piece, because there is
/// one flag at a time.
pub(crate) fn have_no_overlaps(moves: &[MovePlan]) -> bool {
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
            || is_from_hand(rules, *kind)
            || modifiers(rules).any(|it| it.options.contains(kind))
    })
}

fn modifiers(rules: &Rules) -> impl Iterator<Item = &ModifierPlan> {
    rules.blueprint().kinds.iter().flat_map(|kind| &kind.moves).flat_map(|plan| &plan.modifiers)
}

/// Returns whether a leap jumps along the line of a slide, if the slides are supported: every plain one goes both ways in
/// the shortest steps.
fn jump_along_lines(rules: &Rules) -> Option<bool> {
    let mut slides: Vec<(usize, Offset)> = Vec::new();
    let mut leaps: Vec<Offset> = Vec::new();
    for player in rules.players() {
        let orientation = rules.player(player).orientation;
        for kind in occurring_kinds(rules) {
            for plan in &rules.kind(kind).moves {
                let step = orientation.turn(plan.step);
                if step == Offset::new(0, 0) || rules.drops_with_moves {
                    return None;
                }
                if plan.repeat.max.is_none() {
                    slides.push((kind.index() << 1 | player.index(), step));
                } else if plan.repeat.max != Some(1) {
                    return None;
                } else if !plan.conditions.contains(&Condition::PathEmpty) {
                    leaps.push(step);
                }
            }
        }
    }
    let jumps = |leap: &Offset| leap.unit().1 > 1 && slides.iter().any(|(_, step)| *step == leap.unit().0);
    // Attackers of a square are found by sliding away from it, so every plain slide must go both ways.
    let both_ways = |(user, step): &(usize, Offset)| {
        step.unit().1 == 1 && (!is_plain_kind(rules, user >> 1) || slides.contains(&(*user, step.reversed())))
    };
    slides.iter().all(both_ways).then(|| leaps.iter().any(jumps))
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
    plan.repeat == any_distance() && is_plain(plan)
}

/// Returns the repetition of a slide.
pub(crate) fn any_distance() -> Repeat {
    Repeat { min: 1, max: None, until: Until::State(Occupancy::NotEmpty), hurdles: None }
}

/// Returns whether a move is a plain single step.
pub(crate) fn is_leap(plan: &MovePlan) -> bool {
    plan.repeat.max == Some(1) && is_plain(plan)
}
