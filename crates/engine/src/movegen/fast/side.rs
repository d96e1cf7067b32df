//! The tables of one player.

use crate::blueprint::{ActionPlan, Anchor, Condition, Effect, KindPlan, MovePlan, Occupancy};
use crate::movegen::fast::atoms::{Atom, Atoms, is_plain_kind};
use crate::movegen::fast::bits::{Bits, Shift};
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::special_forms::{fixed_condition, occupancy};
use crate::movegen::fast::specials::Special;
use crate::movegen::fast::state::Column;
use crate::movegen::fast::tables::{
    have_no_overlaps, is_facing, is_leap, is_plain, is_slide, lane, occurring_kinds,
};
use crate::piece::{Kind, Player};
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// The moves of one player's pieces.
pub(crate) struct Side<B: Bits> {
    /// The planes of slides, each with its class.
    pub(crate) slides: Vec<(usize, usize)>,
    pub(crate) leaps: Vec<Leaps<B>>,
    pub(crate) leader: Leaps<B>,
    /// Whether the leader leaps on the whole board.
    pub(crate) leads_everywhere: bool,
    pub(crate) steppers: Vec<Stepper<B>>,
    pub(crate) specials: Vec<Special<B>>,
    /// The lines along which leaders attack each other: the class, and the class of its opposite directions.
    pub(crate) facing: Option<(usize, usize)>,
    /// By square of the leader, or of the kind that castles.
    pub(crate) castles: Box<[Vec<Castle<B>>]>,
    /// Without leaders: the squares from which castling is possible, and the planes of the kind.
    pub(crate) castlers: (B, Column),
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
    /// The squares from which the step is possible.
    pub(crate) sources: B,
    /// Further conditions as sets: all squares or none.
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
    pub(crate) options: Vec<(u8, Column)>,
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
    /// The kind of the leader. The player need not have one.
    pub(crate) leader: Option<usize>,
    pub(crate) atoms: &'r Atoms,
    /// The directions of all slides.
    pub(crate) directions: &'r [Offset],
    /// By class of slides: its directions.
    pub(crate) classes: &'r [Vec<Offset>],
}

impl SideCompiler<'_> {
    pub(crate) fn side<B: Bits>(&self, slides: Vec<(usize, usize)>) -> Option<Side<B>> {
        let castles: Box<[Vec<Castle<B>>]> = self.castles()?;
        let castling = castles.iter().enumerate().filter(|(_, list)| !list.is_empty());
        let castling = castling.fold(B::ZERO, |set, (square, _)| set | B::bit(square));
        let castler = self.castler().filter(|_| self.leader.is_none());
        let mut side = Side {
            slides,
            leaps: self.atoms.leaps.iter().map(|atom| self.leaps(atom)).collect(),
            leader: self.leader_leaps(),
            leads_everywhere: !self.leader_moves().iter().any(|plan| self.is_fixed_leap(plan)),
            steppers: Vec::new(),
            specials: Vec::new(),
            facing: self.facing()?,
            castlers: castler.map_or((B::ZERO, 0), |kind| (castling, self.atoms.columns[kind])),
            castles,
            patterns: self.rules.kinds().map(|kind| self.patterns(self.rules.kind(kind))).collect(),
        };
        for kind in occurring_kinds(self.rules).map(Kind::index) {
            let plan = &self.rules.blueprint().kinds[kind];
            let is_plain = Some(kind) == self.leader || is_plain_kind(self.rules, kind);
            let is_distinct = self.have_no_overlaps(&plan.moves);
            if is_plain && !is_distinct {
                return None;
            }
            if is_plain {
                continue;
            }
            match self.stepper(plan, kind).filter(|_| is_distinct) {
                Some(stepper) => side.steppers.push(stepper),
                None => side.specials.push(self.special(kind)?),
            }
        }
        Some(side)
    }

    /// Returns whether no two moves of a kind meet on a square. Moves from different squares do not meet.
    fn have_no_overlaps(&self, moves: &[MovePlan]) -> bool {
        let mut all: Vec<MovePlan> = Vec::new();
        for plan in moves.iter().filter(|plan| !is_facing(self.rules, plan)) {
            let is_elsewhere = |other: &MovePlan| {
                let both = self.sources::<u128>(plan).zip(self.sources::<u128>(other));
                let is_same = (other.step, &other.repeat) == (plan.step, &plan.repeat);
                is_same && both.is_some_and(|(one, two)| one & two == 0)
            };
            if !all.iter().any(is_elsewhere) {
                all.push(plan.clone());
            }
        }
        have_no_overlaps(&all)
    }

    /// Returns the squares from which a move is possible, as far as regions decide.
    fn sources<B: Bits>(&self, plan: &MovePlan) -> Option<B> {
        let mut sources = B::ALL;
        for condition in &plan.conditions {
            if let Condition::Region { region, of, at: Anchor::Source } = condition {
                let players = self.rules.region_players(*of, self.player);
                let inside = self.rules.board().squares();
                let inside = inside.filter(|square| self.rules.in_region_of(*region, players, *square));
                sources &= inside.fold(B::ZERO, |set, square| set | B::bit(square.index()));
            }
        }
        (self.rules.board().len() <= size_of::<B>() * 8).then_some(sources)
    }

    /// Returns whether a move of the leader is a leap within regions.
    pub(super) fn is_fixed_leap(&self, plan: &MovePlan) -> bool {
        plan.repeat.max == Some(1)
            && plan.modifiers.is_empty()
            && occupancy(plan) == Some((true, true))
            && !plan.conditions.is_empty()
            && plan
                .conditions
                .iter()
                .all(|it| fixed_condition(self.rules, self.player, it, Square(0), Square(0)).is_some())
    }

    fn leader_moves(&self) -> &[MovePlan] {
        self.leader.map_or(&[], |leader| &self.rules.blueprint().kinds[leader].moves)
    }

    /// Returns the leaps of the leader.
    fn leader_leaps<B: Bits>(&self) -> Leaps<B> {
        let board = self.rules.board();
        let moves = self.leader_moves();
        let plain = moves.iter().filter(|it| is_leap(it)).map(|it| it.step).collect();
        let mut leaps: Leaps<B> = self.leaps(&Atom { plane: super::state::LEADER, steps: plain });
        for plan in moves.iter().filter(|plan| !is_leap(plan) && self.is_fixed_leap(plan)) {
            leaps.steps.push(self.turn(plan.step));
            for source in board.squares() {
                let Some(target) = board.step(source, self.turn(plan.step)) else { continue };
                if self.is_possible(plan, source, target) {
                    leaps.to[source.index()] |= B::bit(target.index());
                    leaps.from[target.index()] |= B::bit(source.index());
                }
            }
        }
        leaps
    }

    /// Returns the classes of the lines along which leaders attack each other. The outer `None` means that they have
    /// another form.
    #[allow(clippy::option_option, reason = "the two levels have different meanings")]
    fn facing(&self) -> Option<Option<(usize, usize)>> {
        let moves = self.leader_moves();
        let mut steps: Vec<Offset> =
            moves.iter().filter(|it| is_facing(self.rules, it)).map(|it| self.turn(it.step)).collect();
        if steps.is_empty() {
            return Some(None);
        }
        steps.sort();
        let mut opposites: Vec<Offset> = steps.iter().map(|step| step.reversed()).collect();
        opposites.sort();
        let class = |steps: &[Offset]| self.classes.iter().position(|it| it == steps);
        Some(Some((class(&steps)?, class(&opposites)?)))
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
        for (index, plan) in
            plan.moves.iter().enumerate().filter(|(_, it)| is_plain(it) || self.is_fixed_leap(it))
        {
            let step = self.turn(plan.step);
            for source in board.squares() {
                let mut at = source;
                while let Some(next) = board.step(at, step) {
                    if self.is_possible(plan, source, next) {
                        table[source.index() * board.len() + next.index()] = index as u8;
                    }
                    at = next;
                    if !is_slide(plan) {
                        break;
                    }
                }
            }
        }
        table.into()
    }

    /// Returns whether the conditions of a move between two squares, which depend only on these, hold.
    fn is_possible(&self, plan: &MovePlan, source: Square, target: Square) -> bool {
        let holds = |it| fixed_condition(self.rules, self.player, it, source, target) == Some(true);
        plan.conditions.iter().all(holds)
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
        let known = |it: &Condition| {
            let is_source = matches!(it, Condition::Region { at: Anchor::Source, .. });
            is_source || matches!(it, Condition::FirstMove | Condition::PathEmpty)
        };
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
        let sources = self.sources(plan)?;
        let landings = self.shift::<B>(plan.step).0.of(sources);
        let is_reached = !(landings & promotion.zone).is_empty();
        if !is_reached || !self.rules.may_promote(self.player, Kind(kind as u8), plan) {
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
            sources,
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
