//! The tables of one player on the fast path.

use crate::blueprint::{ActionPlan, Condition, Effect, KindPlan, MovePlan, Occupancy};
use crate::fast::atoms::{Atom, Atoms};
use crate::fast::bits::{Bits, Shift};
use crate::fast::castle::Castle;
use crate::fast::plan::{arising, is_leap, is_plain, is_slide, lane};
use crate::piece::{Kind, Player};
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// What one player's pieces can do.
pub(crate) struct Side<B: Bits> {
    /// The planes of slides, each with its class.
    pub(crate) slides: Vec<(usize, usize)>,
    pub(crate) leaps: Vec<Leaps<B>>,
    pub(crate) leader: Leaps<B>,
    pub(crate) steppers: Vec<Stepper<B>>,
    /// By square of the leader.
    pub(crate) castles: Box<[Vec<Castle<B>>]>,
    /// By kind, source and target: which plain move leads there.
    pub(crate) patterns: Vec<Box<[u8]>>,
}

/// Plain leaps of an atom.
pub(crate) struct Leaps<B> {
    pub(crate) plane: usize,
    /// By square: where they lead, and from where they come.
    pub(crate) to: Box<[B]>,
    pub(crate) from: Box<[B]>,
    /// Turned.
    pub(crate) steps: Vec<Offset>,
}

/// A kind that makes single steps, moved all at once.
pub(crate) struct Stepper<B: Bits> {
    pub(crate) kind: usize,
    pub(crate) plane: usize,
    pub(crate) steps: Vec<Step<B>>,
    /// The steps that capture.
    pub(crate) captures: Vec<Shift<B>>,
    /// By victim's square: from where they come.
    pub(crate) hits: Box<[B]>,
    pub(crate) passings: Vec<Passing<B>>,
}

/// One step of such a kind.
pub(crate) struct Step<B: Bits> {
    pub(crate) pattern: u8,
    /// The whole step; over several squares that must be empty, the shortest step and how often it is made.
    pub(crate) shift: Shift<B>,
    pub(crate) times: u32,
    /// One shift, turned, and the number of its direction.
    pub(crate) unit: Offset,
    pub(crate) lane: usize,
    /// The way back of one shift.
    pub(crate) by: i32,
    pub(crate) on_empty: bool,
    pub(crate) on_enemy: bool,
    pub(crate) first_move: bool,
    /// The same three as sets: all squares or none.
    pub(crate) empty: B,
    pub(crate) enemy: B,
    pub(crate) moved: B,
    pub(crate) promotion: Promotion<B>,
    pub(crate) flag: Option<u8>,
}

/// Where a piece becomes another.
#[derive(Clone, PartialEq)]
pub(crate) struct Promotion<B> {
    pub(crate) zone: B,
    /// Kinds and their columns; none outside of the zone.
    pub(crate) options: Vec<(u8, u16)>,
}

/// The capture of a piece that carries a flag, on another square than the landing.
pub(crate) struct Passing<B: Bits> {
    pub(crate) pattern: u8,
    pub(crate) flag: u8,
    /// From the victim back to the source.
    pub(crate) to_source: Shift<B>,
    pub(crate) step: Shift<B>,
    pub(crate) promotion: Promotion<B>,
    /// Where the victim stands, and the step: what makes two of them the same.
    form: (Offset, Offset),
}

/// Makes the tables of one player.
pub(crate) struct Lower<'r> {
    pub(crate) rules: &'r Rules,
    pub(crate) player: Player,
    pub(crate) leader: usize,
    pub(crate) atoms: &'r Atoms,
    /// Of all slides.
    pub(crate) directions: &'r [Offset],
}

impl Lower<'_> {
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
        for kind in arising(self.rules).map(Kind::index).filter(|kind| *kind != self.leader) {
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

    /// By source and target: the place of the plain move that leads there in the kind's list.
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
        let (mut steps, mut passings): (Vec<Step<B>>, Vec<Passing<B>>) = (Vec::new(), Vec::new());
        for (index, plan) in plan.moves.iter().enumerate() {
            if plan.repeat.max != Some(1) {
                return None;
            }
            let has_flag = |it: &Condition| matches!(it, Condition::CheckState(..));
            let (passing, plain): (Vec<&ActionPlan>, Vec<&ActionPlan>) = plan
                .actions
                .iter()
                .partition(|action| !action.conditions.is_empty() || plan.conditions.iter().any(has_flag));
            for action in passing {
                passings.push(self.passing(plan, action, index as u8)?);
            }
            if !plain.is_empty() {
                steps.push(self.step(plan, &plain, index as u8)?);
            }
        }
        // The same capture twice would have to be merged.
        let is_again = |index: usize| {
            passings[..index]
                .iter()
                .any(|it| (it.flag, it.form) == (passings[index].flag, passings[index].form))
        };
        if (0..passings.len()).any(is_again) {
            return None;
        }
        let hitting = plan.moves.iter().filter(|it| it.actions.iter().any(|action| action.captures));
        let hits = self.table(&hitting.map(|it| it.step).collect::<Vec<_>>(), true);
        let captures = steps.iter().filter(|step| step.on_enemy).map(|step| step.shift).collect();
        Some(Stepper { kind, plane, steps, captures, hits, passings })
    }

    fn step<B: Bits>(&self, plan: &MovePlan, actions: &[&ActionPlan], pattern: u8) -> Option<Step<B>> {
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
        let if_so = |so: bool| if so { B::ALL } else { B::ZERO };
        Some(Step {
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

    fn passing<B: Bits>(&self, plan: &MovePlan, action: &ActionPlan, pattern: u8) -> Option<Passing<B>> {
        let conditions: Vec<&Condition> = plan.conditions.iter().chain(&action.conditions).collect();
        let effects: Vec<&Effect> = plan.effects.iter().chain(&action.effects).collect();
        let ([Condition::CheckState(flag, seen)], [Effect::Capture(target)]) =
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
        plain.then_some(Passing {
            pattern,
            flag: flag.0,
            to_source,
            step,
            promotion: self.promotion(plan)?,
            form: (*seen, plan.step),
        })
    }
}
