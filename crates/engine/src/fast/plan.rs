//! Which games the fast path can play, and its tables for them. The choice is made by what the rules *are*.
//!
//! It takes two players in turn, one leader each, and moves of four forms:
//! - plain leaps and slides, which move and capture alike (officers, the leader);
//! - single steps with promotion, perhaps only for a piece that has never moved and with a flag for one turn (pawns);
//! - the capture of a piece that carries such a flag;
//! - a guarded move of the leader that takes another piece along (castling).
//!
//! Traps that keep a game off it: a leap along the line of a slide that is longer than one step (it could jump a pinner
//! or the leader), slides that go one way only or in steps that are not the shortest, leaders that slide or can be promoted to, two moves of a
//! kind that meet on a square.

use crate::blueprint::{
    ActionPlan, Anchor, Condition, Effect, KindPlan, ModifierPlan, MovePlan, Occupancy, Repeat, Until,
};
use crate::fast::bits::{Bits, Shift};
use crate::fast::slide::Class;
use crate::fast::state::KINDS;
use crate::piece::{Kind, Player};
use crate::rules::{Rules, overlaps};
use crate::square::{Offset, Square};

/// The tables of one game.
pub(crate) struct Fast<B: Bits> {
    pub(crate) squares: usize,
    pub(crate) leader: usize,
    /// The kinds that can be on the board, as bits; a position with another takes the general path.
    pub(crate) kinds: u32,
    pub(crate) classes: Vec<Class<B>>,
    /// Strictly between two squares on a line of any class, by first and second square.
    pub(crate) between: Box<[B]>,
    /// All squares on a line from the first square through the second.
    pub(crate) line: Box<[B]>,
    pub(crate) sides: [Side<B>; 2],
}

/// The tables of one player.
pub(crate) struct Side<B: Bits> {
    pub(crate) officers: Vec<Officer<B>>,
    pub(crate) steppers: Vec<Stepper<B>>,
    /// By square.
    pub(crate) leader_leaps: Box<[B]>,
    /// By square of the leader.
    pub(crate) castles: Box<[Vec<Castle<B>>]>,
    /// For each kind that captures by leaps: by victim's square, from where.
    pub(crate) hits: Vec<(usize, Box<[B]>)>,
    /// The same for every kind, empty for those that do not.
    pub(crate) hit_by: [Box<[B]>; KINDS],
    /// By class: the kinds that slide in it.
    pub(crate) sliders: Vec<Vec<usize>>,
    /// By kind, source and target: which plain move leads there.
    pub(crate) patterns: Vec<Box<[u16]>>,
}

/// The most classes of slides of a game on the fast path.
pub(crate) const CLASSES: usize = 4;

/// A kind that leaps and slides, and nothing else.
pub(crate) struct Officer<B> {
    pub(crate) kind: usize,
    /// By square; `None` if it does not leap.
    pub(crate) leaps: Option<Box<[B]>>,
    /// Indices of the classes in which it slides.
    pub(crate) classes: Vec<usize>,
}

/// A kind that makes single steps, moved all at once.
pub(crate) struct Stepper<B: Bits> {
    pub(crate) kind: usize,
    pub(crate) steps: Vec<Step<B>>,
    /// The steps that capture.
    pub(crate) captures: Vec<Shift<B>>,
    pub(crate) passings: Vec<Passing<B>>,
}

/// One step of such a kind.
pub(crate) struct Step<B: Bits> {
    pub(crate) pattern: u16,
    /// The whole step; over several squares that must be empty, the shortest step and how often it is made.
    pub(crate) shift: Shift<B>,
    pub(crate) times: u32,
    /// The way back of one shift.
    pub(crate) by: i32,
    pub(crate) on_empty: bool,
    pub(crate) on_enemy: bool,
    pub(crate) first_move: bool,
    pub(crate) promotion: Promotion<B>,
    pub(crate) flag: Option<u8>,
}

/// Where a piece becomes another.
#[derive(Clone)]
pub(crate) struct Promotion<B> {
    pub(crate) zone: B,
    pub(crate) options: Vec<u8>,
}

/// The capture of a piece that carries a flag, on another square than the landing.
pub(crate) struct Passing<B: Bits> {
    pub(crate) pattern: u16,
    pub(crate) flag: u8,
    /// From the victim back to the source.
    pub(crate) to_source: Shift<B>,
    pub(crate) step: Shift<B>,
    pub(crate) promotion: Promotion<B>,
}

/// A guarded move of the leader from one square.
pub(crate) struct Castle<B> {
    pub(crate) pattern: u16,
    pub(crate) target: usize,
    /// These have never moved, are empty, are not attacked.
    pub(crate) unmoved: B,
    pub(crate) empty: B,
    pub(crate) safe: B,
    /// Own pieces of a kind that must stand somewhere.
    pub(crate) partners: Vec<(usize, B)>,
    /// Pieces that go along: kind, from, to.
    pub(crate) moved: Vec<(usize, usize, usize)>,
    /// Whether the result must be tried out: leaving their squares may open a line to the leader, say.
    pub(crate) needs_trial: bool,
}

impl<B: Bits> Fast<B> {
    /// The tables, if the game is one for the fast path.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        let blueprint = rules.blueprint();
        let alternating = matches!(blueprint.order.as_slice(), [first, second] if first != second);
        let leader = blueprint.leader?.index();
        let promotes_to_leader =
            modifiers(rules).any(|it| it.options.iter().any(|kind| kind.index() == leader));
        let fits = blueprint.players.len() == 2
            && alternating
            && blueprint.kinds.len() <= KINDS
            && rules.board().len() <= size_of::<B>() * 8
            && !promotes_to_leader
            && arising(rules).all(|kind| keep_apart(&rules.kind(kind).moves));
        if !fits {
            return None;
        }
        let directions = slide_directions(rules)?;
        let grouped = group(directions);
        let classes: Vec<Class<B>> =
            grouped.iter().map(|(_, steps)| Class::new(rules.board(), steps)).collect();
        let squares = rules.board().len();
        let pairs = |of: fn(&Class<B>, usize, usize) -> B| -> Box<[B]> {
            let set = |index| {
                classes.iter().fold(B::ZERO, |set, class| set | of(class, index / squares, index % squares))
            };
            (0..squares * squares).map(set).collect()
        };
        let (between, line) = (pairs(Class::between), pairs(Class::line));
        let lower = |player| Lower { rules, player, leader, users: &grouped }.side();
        let sides = [lower(Player(0))?, lower(Player(1))?];
        let kinds = arising(rules).fold(0, |set, kind| set | 1 << kind.0);
        (classes.len() <= CLASSES).then_some(Fast { squares, leader, kinds, classes, between, line, sides })
    }
}

/// Whether no two moves meet on a square, so that none need to be merged. Guarded moves that take different pieces
/// along may: they lead to different positions.
fn keep_apart(moves: &[MovePlan]) -> bool {
    let taken_along = |plan: &MovePlan| match plan.effects.as_slice() {
        [Effect::Relocate { from, .. }] => Some(*from),
        _ => None,
    };
    let (guarded, others): (Vec<MovePlan>, Vec<MovePlan>) =
        moves.iter().cloned().partition(|plan| taken_along(plan).is_some());
    let mut along: Vec<Option<Offset>> = guarded.iter().map(taken_along).collect();
    along.sort();
    along.dedup();
    let meets_others = |plan: &MovePlan| overlaps(&[&others[..], std::slice::from_ref(plan)].concat());
    !overlaps(&others) && along.len() == guarded.len() && !guarded.iter().any(meets_others)
}

/// The kinds that the game starts with or that promotion can bring.
fn arising(rules: &Rules) -> impl Iterator<Item = Kind> + '_ {
    let start = &rules.blueprint().start;
    rules.kinds().filter(move |kind| {
        start.iter().any(|placed| placed.kind == *kind)
            || modifiers(rules).any(|it| it.options.contains(kind))
    })
}

fn modifiers(rules: &Rules) -> impl Iterator<Item = &ModifierPlan> {
    rules.blueprint().kinds.iter().flat_map(|kind| &kind.moves).flat_map(|plan| &plan.modifiers)
}

/// Who slides in a direction: kinds of the first and of the second player, as bits.
type Users = [u32; 2];

/// Every direction in which somebody slides, turned, with those who do; `None` if a slide is not plain.
fn slide_directions(rules: &Rules) -> Option<Vec<(Offset, Users)>> {
    let mut directions: Vec<(Offset, Users)> = Vec::new();
    let mut leaps: Vec<Offset> = Vec::new();
    for player in rules.players() {
        let orientation = rules.player(player).orientation;
        for kind in arising(rules) {
            for plan in &rules.kind(kind).moves {
                let step = orientation.turn(plan.step);
                if is_slide(plan) {
                    if step.unit().1 != 1 {
                        return None;
                    }
                    let known = directions.iter().position(|(other, _)| *other == step);
                    let index = known.unwrap_or_else(|| {
                        directions.push((step, [0; 2]));
                        directions.len() - 1
                    });
                    directions[index].1[player.index()] |= 1 << kind.index();
                } else if plan.repeat.max != Some(1) {
                    return None;
                } else if !plan.conditions.contains(&Condition::PathEmpty) {
                    leaps.push(step);
                }
            }
        }
    }
    let jumps =
        |leap: &Offset| leap.unit().1 > 1 && directions.iter().any(|(step, _)| *step == leap.unit().0);
    // Who attacks a square is asked by sliding away from it, so every slide must go both ways.
    let both_ways = |(step, users): &(Offset, Users)| directions.contains(&(step.reversed(), *users));
    (!leaps.iter().any(jumps) && directions.iter().all(both_ways)).then_some(directions)
}

/// Directions with the same users, together.
fn group(directions: Vec<(Offset, Users)>) -> Vec<(Users, Vec<Offset>)> {
    let mut groups: Vec<(Users, Vec<Offset>)> = Vec::new();
    for (step, users) in directions {
        match groups.iter_mut().find(|(other, _)| *other == users) {
            Some((_, steps)) => steps.push(step),
            None => groups.push((users, vec![step])),
        }
    }
    groups
}

fn captures(plan: &MovePlan) -> bool {
    plan.actions.iter().any(|action| action.captures)
}

/// Moves and captures alike, without conditions, effects or promotion.
fn is_plain(plan: &MovePlan) -> bool {
    let both = |on: Occupancy| plan.actions.iter().any(|action| action.on == on);
    plan.conditions.is_empty()
        && plan.modifiers.is_empty()
        && plan.effects.is_empty()
        && plan.actions.len() == 2
        && both(Occupancy::Empty)
        && both(Occupancy::Enemy)
        && plan.actions.iter().all(|action| action.conditions.is_empty() && action.effects.is_empty())
}

fn is_slide(plan: &MovePlan) -> bool {
    plan.repeat == Repeat { min: 1, max: None, until: Until::State(Occupancy::NotEmpty) } && is_plain(plan)
}

/// A plain single step.
pub(crate) fn is_leap(plan: &MovePlan) -> bool {
    plan.repeat.max == Some(1) && is_plain(plan)
}

/// Makes the tables of one player.
struct Lower<'r> {
    rules: &'r Rules,
    player: Player,
    leader: usize,
    users: &'r [(Users, Vec<Offset>)],
}

impl Lower<'_> {
    fn side<B: Bits>(&self) -> Option<Side<B>> {
        let board = self.rules.board().len();
        let mut side = Side {
            officers: Vec::new(),
            steppers: Vec::new(),
            leader_leaps: vec![B::ZERO; board].into(),
            castles: (0..board).map(|_| Vec::new()).collect(),
            hits: Vec::new(),
            hit_by: std::array::from_fn(|_| vec![B::ZERO; board].into()),
            sliders: (0..self.users.len()).map(|class| self.sliders(class)).collect(),
            patterns: self.rules.kinds().map(|kind| self.patterns(self.rules.kind(kind))).collect(),
        };
        for kind in arising(self.rules) {
            let (plan, kind) = (self.rules.kind(kind), kind.index());
            let capturing: Vec<Offset> =
                plan.moves.iter().filter(|it| !is_slide(it) && captures(it)).map(|it| it.step).collect();
            if !capturing.is_empty() {
                side.hit_by[kind] = self.table(&capturing, true);
                side.hits.push((kind, side.hit_by[kind].clone()));
            }
            if kind == self.leader {
                self.leader(plan, &mut side)?;
            } else if plan.moves.iter().all(|it| is_slide(it) || is_leap(it)) {
                side.officers.push(self.officer(plan, kind));
            } else {
                side.steppers.push(self.stepper(plan, kind)?);
            }
        }
        Some(side)
    }

    /// By source and target: the place of the plain move that leads there in the kind's list.
    fn patterns(&self, plan: &KindPlan) -> Box<[u16]> {
        let board = self.rules.board();
        let mut table = vec![u16::MAX; board.len() * board.len()];
        for (index, plan) in plan.moves.iter().enumerate().filter(|(_, it)| is_plain(it)) {
            let step = self.turn(plan.step);
            for source in board.squares() {
                let mut at = source;
                while let Some(next) = board.step(at, step) {
                    table[source.index() * board.len() + next.index()] = index as u16;
                    at = next;
                    if !is_slide(plan) {
                        break;
                    }
                }
            }
        }
        table.into()
    }

    fn sliders(&self, class: usize) -> Vec<usize> {
        (0..KINDS).filter(|kind| self.users[class].0[self.player.index()] >> kind & 1 == 1).collect()
    }

    fn turn(&self, step: Offset) -> Offset {
        self.rules.player(self.player).orientation.turn(step)
    }

    /// By square: where the steps lead, or (backwards) from where they come.
    fn table<B: Bits>(&self, steps: &[Offset], backwards: bool) -> Box<[B]> {
        let board = self.rules.board();
        (0..board.len() as u16)
            .map(Square)
            .map(|square| {
                let turned = steps.iter().map(|step| self.turn(*step));
                let ways = turned.map(|step| if backwards { step.reversed() } else { step });
                let ends =
                    ways.filter_map(|step| board.has(square).then(|| board.step(square, step)).flatten());
                ends.fold(B::ZERO, |set, end| set | B::bit(end.index()))
            })
            .collect()
    }

    fn shift<B: Bits>(&self, step: Offset) -> (Shift<B>, i32) {
        let board = self.rules.board();
        let step = self.turn(step);
        let from = board.squares().filter(|square| board.step(*square, step).is_some());
        let by = step.dy * i32::from(board.files()) + step.dx;
        (Shift::new(from.fold(B::ZERO, |set, square| set | B::bit(square.index())), by), by)
    }

    fn officer<B: Bits>(&self, plan: &KindPlan, kind: usize) -> Officer<B> {
        let leaps: Vec<Offset> = plan.moves.iter().filter(|it| is_leap(it)).map(|it| it.step).collect();
        let slides_in = |class: &usize| self.sliders(*class).contains(&kind);
        Officer {
            kind,
            leaps: (!leaps.is_empty()).then(|| self.table(&leaps, false)),
            classes: (0..self.users.len()).filter(slides_in).collect(),
        }
    }

    fn promotion<B: Bits>(&self, plan: &MovePlan) -> Option<Promotion<B>> {
        let [modifier] = plan.modifiers.as_slice() else {
            return plan.modifiers.is_empty().then(|| Promotion { zone: B::ZERO, options: Vec::new() });
        };
        let mut zone = B::ALL;
        for condition in &modifier.conditions {
            let Condition::InRegion(region) = condition else { return None };
            zone &= B::from_words(&self.rules.regions[usize::from(*region)][self.player.index()]);
        }
        Some(Promotion { zone, options: modifier.options.iter().map(|kind| kind.0).collect() })
    }

    fn stepper<B: Bits>(&self, plan: &KindPlan, kind: usize) -> Option<Stepper<B>> {
        let mut stepper = Stepper { kind, steps: Vec::new(), captures: Vec::new(), passings: Vec::new() };
        for (index, plan) in plan.moves.iter().enumerate() {
            if plan.repeat.max != Some(1) {
                return None;
            }
            let (passing, plain): (Vec<&ActionPlan>, Vec<&ActionPlan>) =
                plan.actions.iter().partition(|action| !action.conditions.is_empty());
            for action in passing {
                stepper.passings.push(self.passing(plan, action, index as u16)?);
            }
            if !plain.is_empty() {
                stepper.steps.push(self.step(plan, &plain, index as u16)?);
            }
        }
        stepper.captures = stepper.steps.iter().filter(|step| step.on_enemy).map(|step| step.shift).collect();
        Some(stepper)
    }

    fn step<B: Bits>(&self, plan: &MovePlan, actions: &[&ActionPlan], pattern: u16) -> Option<Step<B>> {
        let first_move = plan.conditions.contains(&Condition::FirstMove);
        let path_empty = plan.conditions.contains(&Condition::PathEmpty);
        let known = |it: &Condition| matches!(it, Condition::FirstMove | Condition::PathEmpty);
        let on = |state| actions.iter().any(|action| action.on == state);
        let (on_empty, on_enemy) = (on(Occupancy::Empty), on(Occupancy::Enemy));
        // An attack must not depend on anything: the map of attacks is made without asking.
        if !plan.conditions.iter().all(known)
            || on(Occupancy::Ally)
            || on_enemy && !plan.conditions.is_empty()
        {
            return None;
        }
        let effects: Vec<&Effect> =
            plan.effects.iter().chain(actions.iter().flat_map(|action| &action.effects)).collect();
        let flag = match effects.as_slice() {
            [] => None,
            [Effect::SetFlag { flag, duration: Some(1) }] if !on_enemy => Some(flag.0),
            _ => return None,
        };
        let promotion = self.promotion(plan)?;
        // The fresh piece would not keep the flag.
        if flag.is_some() && !promotion.options.is_empty() {
            return None;
        }
        let (unit, units) = plan.step.unit();
        let (step, times) = if path_empty { (unit, units) } else { (plan.step, 1) };
        let (shift, by) = self.shift(step);
        Some(Step { pattern, shift, times, by, on_empty, on_enemy, first_move, promotion, flag })
    }

    fn passing<B: Bits>(&self, plan: &MovePlan, action: &ActionPlan, pattern: u16) -> Option<Passing<B>> {
        let ([Condition::CheckState(flag, seen)], [Effect::Capture(target)]) =
            (action.conditions.as_slice(), action.effects.as_slice())
        else {
            return None;
        };
        let plain = action.on == Occupancy::Empty && plan.conditions.is_empty() && plan.effects.is_empty();
        let (step, _) = self.shift(plan.step);
        let (to_source, _) = self.shift(seen.reversed());
        (plain && seen == target && *seen != plan.step && *seen != Offset::new(0, 0)).then_some(Passing {
            pattern,
            flag: flag.0,
            to_source,
            step,
            promotion: self.promotion(plan)?,
        })
    }

    fn leader<B: Bits>(&self, plan: &KindPlan, side: &mut Side<B>) -> Option<()> {
        let leaps: Vec<Offset> = plan.moves.iter().filter(|it| is_leap(it)).map(|it| it.step).collect();
        side.leader_leaps = self.table(&leaps, false);
        for (index, plan) in plan.moves.iter().enumerate().filter(|(_, it)| !is_leap(it)) {
            for source in self.rules.board().squares() {
                if let Some(castle) = self.castle(plan, source, index as u16)? {
                    side.castles[source.index()].push(castle);
                }
            }
        }
        Some(())
    }

    /// The guarded move from one square: outer `None` if it has a form we do not know, inner if it cannot be made
    /// from there at all.
    #[allow(clippy::option_option, reason = "two different questions")]
    fn castle<B: Bits>(&self, plan: &MovePlan, source: Square, pattern: u16) -> Option<Option<Castle<B>>> {
        let [action] = plan.actions.as_slice() else { return None };
        let plain =
            action.on == Occupancy::Empty && action.conditions.is_empty() && plan.modifiers.is_empty();
        if !plain || plan.repeat.max != Some(1) {
            return None;
        }
        let board = self.rules.board();
        let at = |offset: Offset| board.step(source, self.turn(offset)).map(Square::index);
        let (unit, units) = plan.step.unit();
        let path = |units: std::ops::RangeInclusive<i32>| -> Option<B> {
            units
                .map(|it| at(Offset::new(unit.dx * it, unit.dy * it)))
                .try_fold(B::ZERO, |set, square| Some(set | B::bit(square?)))
        };
        let whole = path(0..=units as i32);
        let (Some(target), Some(whole)) = (at(plan.step), whole) else { return Some(None) };
        let mut castle = Castle {
            pattern,
            target,
            unmoved: B::ZERO,
            empty: B::bit(target),
            safe: B::ZERO,
            partners: Vec::new(),
            moved: Vec::new(),
            needs_trial: false,
        };
        for condition in &plan.conditions {
            match condition {
                Condition::FirstMove => castle.unmoved |= B::bit(source.index()),
                Condition::PathEmpty => castle.empty |= whole & !B::bit(source.index()),
                Condition::NotAttacked => castle.safe |= B::bit(target),
                Condition::PathNotAttacked => castle.safe |= whole,
                Condition::Square(test) if test.anchor == Anchor::Source => {
                    let Some(square) = at(test.offset) else { return Some(None) };
                    match (test.state, test.kinds.as_deref(), test.unmoved) {
                        (Some(Occupancy::Empty), None, None) => castle.empty |= B::bit(square),
                        (Some(Occupancy::Ally), Some([kind]), unmoved) if unmoved != Some(false) => {
                            castle.partners.push((kind.index(), B::bit(square)));
                            if unmoved.is_some() {
                                castle.unmoved |= B::bit(square);
                            }
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        for effect in plan.effects.iter().chain(&action.effects) {
            let Effect::Relocate { kind: Some(kind), from, to } = effect else { return None };
            let (Some(from), Some(to)) = (at(*from), at(*to)) else { return Some(None) };
            // The piece must be sure to stand there, and its new place must be sure to be free.
            let stands = castle.partners.contains(&(kind.index(), B::bit(from)));
            let is_free = !(B::bit(to) & castle.empty).is_empty() && to != target || to == source.index();
            if !stands || !is_free || !castle.moved.is_empty() || kind.index() == self.leader {
                return None;
            }
            castle.moved.push((kind.index(), from, to));
            castle.needs_trial |= self.opens_line(Square(target as u16), Square(from as u16));
        }
        // Where the rules do not ask for safety, the piece that goes along may give it: only a trial tells.
        castle.needs_trial |= (castle.safe & B::bit(target)).is_empty();
        (castle.moved.len() == 1).then_some(Some(castle))
    }

    /// Whether a line of somebody's slide runs from the target through the square and on to others.
    fn opens_line(&self, target: Square, square: Square) -> bool {
        let board = self.rules.board();
        self.users.iter().flat_map(|(_, steps)| steps).any(|step| {
            let mut at = target;
            while let Some(next) = board.step(at, *step) {
                at = next;
                if at == square {
                    return board.step(at, *step).is_some();
                }
            }
            false
        })
    }
}
