//! The tables of one player.

use crate::blueprint::{ActionPlan, Condition, Effect, KindPlan, MovePlan, Occupancy};
use crate::movegen::fast::atoms::{Atom, Atoms};
use crate::movegen::fast::bits::{Bits, Shift};
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::tables::{is_leap, is_plain, is_slide, lane, occurring_kinds};
use crate::piece::{Kind, Player};
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// The moves of one player's pieces.
pub(crate) struct Side<B: Bits> {
    /// The planes of slides, each with its class.
    pub(crate) slides: Vec<(usize, usize)>,
    pub(crate) leaps: Vec<Leaps<B>>,
    pub(crate) leader: Leaps<B>,
    pub(crate) steppers: Vec<Stepper<B>>,
    /// By square of the leader.
    pub(crate) castles: Box<[Vec<Castle<B>>]>,
    /// By kind, source and target: the index of the plain move.
    pub(crate) patterns: Vec<Box<[u8]>>,
}

/// The plain leaps of an atom.
pub(crate) struct Leaps<B> {
    pub(crate) plane: usize,
    /// By square: the targets, and the sources.
    pub(crate) to: Box<[B]>,
    pub(crate) from: Box<[B]>,
    /// Steps on the board.
    pub(crate) steps: Vec<Offset>,
}

/// A kind that makes single steps; all its pieces move at once.
pub(crate) struct Stepper<B: Bits> {
    pub(crate) kind: usize,
    pub(crate) plane: usize,
    pub(crate) steps: Vec<SingleStep<B>>,
    /// The capturing steps.
    pub(crate) captures: Vec<Shift<B>>,
    /// By square of the victim: the sources.
    pub(crate) hits: Box<[B]>,
    pub(crate) flag_captures: Vec<FlagCapture<B>>,
}

/// A single step of such a kind.
pub(crate) struct SingleStep<B: Bits> {
    pub(crate) pattern: u8,
    /// The whole step; or, over several squares that must be empty, the shortest step and how often it is made.
    pub(crate) shift: Shift<B>,
    pub(crate) times: u32,
    /// One shift as an offset on the board, and the number of its direction.
    pub(crate) unit: Offset,
    pub(crate) lane: usize,
    /// The index difference of one shift.
    pub(crate) by: i32,
    pub(crate) on_empty: bool,
    pub(crate) on_enemy: bool,
    pub(crate) first_move: bool,
    /// The same three conditions as sets: all squares or none.
    pub(crate) empty: B,
    pub(crate) enemy: B,
    pub(crate) moved: B,
    pub(crate) promotion: Promotion<B>,
    pub(crate) flag: Option<u8>,
}

/// The squares on which a piece is promoted.
#[derive(Clone, PartialEq)]
pub(crate) struct Promotion<B> {
    pub(crate) zone: B,
    /// Kinds and their columns.
    pub(crate) options: Vec<(u8, u16)>,
}

/// The capture of a flagged piece beside the landing, such as en passant.
pub(crate) struct FlagCapture<B: Bits> {
    pub(crate) pattern: u8,
    pub(crate) flag: u8,
    /// From the victim to the source.
    pub(crate) to_source: Shift<B>,
    pub(crate) step: Shift<B>,
    pub(crate) promotion: Promotion<B>,
    /// The offset of the victim, and the step. Captures with equal forms coincide.
    form: (Offset, Offset),
}

/// Compiles the tables of one player.
pub(crate) struct SideCompiler<'r> {
    pub(crate) rules: &'r Rules,
    pub(crate) player: Player,
    pub(crate) leader: usize,
    pub(crate) atoms: &'r Atoms,
    /// The directions of all slides.
    pub(crate) directions: &'r [Offset],
}

impl SideCompiler<'_> {
    pub(crate) fn side<B: Bits>(&self, slides: Vec<(usize, usize)>) -> Option<Side<B>> {
        let leader = self.rules.blueprint().kinds[self.leader].moves.iter();
        let steps = leader.filter(|it| is_leap(it)).map(|it| it.step).collect();
        let mut side = Side {
            slides,
            leaps: self.atoms.leaps.iter().map(|atom| self.leaps(atom)).collect(),
            leader: self.leaps(&Atom { plane: super::state::LEADER, steps }),
            steppers: Vec::new(),
            castles: self.castles()?,
            patterns: self.rules.kinds().map(|kind| self.patterns(self.rules.kind(kind))).collect(),
        };
        for kind in occurring_kinds(self.rules).map(Kind::index).filter(|kind| *kind != self.leader) {
            let plan = &self.rules.blueprint().kinds[kind];
            if !plan.moves.iter().all(|it| is_slide(it) || is_leap(it)) {
                side.steppers.push(self.stepper(plan, kind)?);
            }
        }
        Some(side)
    }

    pub(crate) fn turn(&self, step: Offset) -> Offset {
        self.rules.player(self.player).orientation.turn(step)
    }

    fn leaps<B: Bits>(&self, atom: &Atom) -> Leaps<B> {
        Leaps {
            plane: atom.plane,
            to: self.table(&atom.steps, false),
            from: self.table(&atom.steps, true),
            steps: atom.steps.iter().map(|step| self.turn(*step)).collect(),
        }
    }

    /// Returns, by source and target, the index of the plain move in the kind's list.
    fn patterns(&self, plan: &KindPlan) -> Box<[u8]> {
        let board = self.rules.board();
        let mut table = vec![u8::MAX; board.len() * board.len()];
        for (index, plan) in plan.moves.iter().enumerate().filter(|(_, it)| is_plain(it)) {
            let step = self.turn(plan.step);
            for source in board.squares() {
                let mut at = source;
                while let Some(next) = board.step(at, step) {
                    table[source.index() * board.len() + next.index()] = index as u8;
                    at = next;
                    if !is_slide(plan) {
                        break;
                    }
                }
            }
        }
        table.into()
    }

    /// Returns, by square, the targets of the steps or (backwards) their sources.
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

    fn promotion<B: Bits>(&self, plan: &MovePlan) -> Option<Promotion<B>> {
        let [modifier] = plan.modifiers.as_slice() else {
            return plan.modifiers.is_empty().then(|| Promotion { zone: B::ZERO, options: Vec::new() });
        };
        let mut zone = B::ALL;
        for condition in &modifier.conditions {
            let Condition::InRegion(region) = condition else { return None };
            zone &= B::from_words(&self.rules.regions[usize::from(*region)][self.player.index()]);
        }
        let options =
            modifier.options.iter().map(|kind| (kind.0, self.atoms.columns[kind.index()])).collect();
        Some(Promotion { zone, options })
    }

    fn stepper<B: Bits>(&self, plan: &KindPlan, kind: usize) -> Option<Stepper<B>> {
        let plane = self.atoms.columns[kind].trailing_zeros() as usize;
        let (mut steps, mut flag_captures): (Vec<SingleStep<B>>, Vec<FlagCapture<B>>) =
            (Vec::new(), Vec::new());
        for (index, plan) in plan.moves.iter().enumerate() {
            if plan.repeat.max != Some(1) {
                return None;
            }
            let has_flag = |it: &Condition| matches!(it, Condition::HasFlag(..));
            let (flag_capture, plain): (Vec<&ActionPlan>, Vec<&ActionPlan>) = plan
                .actions
                .iter()
                .partition(|action| !action.conditions.is_empty() || plan.conditions.iter().any(has_flag));
            for action in flag_capture {
                flag_captures.push(self.flag_capture(plan, action, index as u8)?);
            }
            if !plain.is_empty() {
                steps.push(self.step(plan, kind, &plain, index as u8)?);
            }
        }
        // The general path lists a step and a capture to the same square in another order.
        let is_empty_step = |it: &MovePlan| {
            it.actions.iter().any(|action| action.on == Occupancy::Empty && action.conditions.is_empty())
                && !it.conditions.iter().any(|condition| matches!(condition, Condition::HasFlag(..)))
        };
        let takes_flag = |it: &MovePlan| {
            !is_empty_step(it) && it.actions.iter().any(|action| action.on == Occupancy::Empty)
        };
        let moves = &plan.moves;
        if moves
            .iter()
            .filter(|it| takes_flag(it))
            .any(|it| moves.iter().any(|other| is_empty_step(other) && other.step == it.step))
        {
            return None;
        }
        // Two equal captures would have to be merged.
        let is_again = |index: usize| {
            flag_captures[..index]
                .iter()
                .any(|it| (it.flag, it.form) == (flag_captures[index].flag, flag_captures[index].form))
        };
        if (0..flag_captures.len()).any(is_again) {
            return None;
        }
        let hitting = plan.moves.iter().filter(|it| it.actions.iter().any(|action| action.captures));
        let hits = self.table(&hitting.map(|it| it.step).collect::<Vec<_>>(), true);
        let captures = steps.iter().filter(|step| step.on_enemy).map(|step| step.shift).collect();
        Some(Stepper { kind, plane, steps, captures, hits, flag_captures })
    }

    fn step<B: Bits>(
        &self,
        plan: &MovePlan,
        kind: usize,
        actions: &[&ActionPlan],
        pattern: u8,
    ) -> Option<SingleStep<B>> {
        let first_move = plan.conditions.contains(&Condition::FirstMove);
        let path_empty = plan.conditions.contains(&Condition::PathEmpty);
        let known = |it: &Condition| matches!(it, Condition::FirstMove | Condition::PathEmpty);
        let on = |state| actions.iter().any(|action| action.on == state);
        let (on_empty, on_enemy) = (on(Occupancy::Empty), on(Occupancy::Enemy));
        // Attacks must be unconditional, because attack maps are computed without testing conditions.
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
        let mut promotion = self.promotion(plan)?;
        if !self.rules.may_promote(self.player, Kind(kind as u8), plan) {
            promotion = Promotion { zone: B::ZERO, options: Vec::new() };
        }
        // The promoted piece would not keep the flag.
        if flag.is_some() && !promotion.options.is_empty() {
            return None;
        }
        let (unit, units) = plan.step.unit();
        let (step, times) = if path_empty { (unit, units) } else { (plan.step, 1) };
        let (shift, by) = self.shift(step);
        let if_so = |so: bool| if so { B::ALL } else { B::ZERO };
        Some(SingleStep {
            pattern,
            shift,
            times,
            unit: self.turn(step),
            lane: lane(self.directions, self.turn(step)),
            by,
            on_empty,
            on_enemy,
            first_move,
            empty: if_so(on_empty),
            enemy: if_so(on_enemy),
            moved: if_so(!first_move),
            promotion,
            flag,
        })
    }

    fn flag_capture<B: Bits>(
        &self,
        plan: &MovePlan,
        action: &ActionPlan,
        pattern: u8,
    ) -> Option<FlagCapture<B>> {
        let conditions: Vec<&Condition> = plan.conditions.iter().chain(&action.conditions).collect();
        let effects: Vec<&Effect> = plan.effects.iter().chain(&action.effects).collect();
        let ([Condition::HasFlag(flag, seen)], [Effect::Capture(target)]) =
            (conditions.as_slice(), effects.as_slice())
        else {
            return None;
        };
        let plain = action.on == Occupancy::Empty
            && seen == target
            && *seen != plan.step
            && *seen != Offset::new(0, 0);
        let (step, _) = self.shift(plan.step);
        let (to_source, _) = self.shift(seen.reversed());
        plain.then_some(FlagCapture {
            pattern,
            flag: flag.0,
            to_source,
            step,
            promotion: self.promotion(plan)?,
            form: (*seen, plan.step),
        })
    }
}
