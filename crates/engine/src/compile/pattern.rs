//! Move patterns of one orientation: every offset is rotated and looked up once, at compile time.

use std::sync::Arc;

use crate::blueprint::ending::{Clause, Owner};
use crate::blueprint::mechanics::{DropPlan, PartPlan};
use crate::blueprint::{
    self, Anchor, Condition, Effect, Event, KindPlan, LegPlan, ModifierPlan, MovePlan, Occupancy, RegionOf,
    Repeat, Until,
};
use crate::compile::jump_table::{Jump, JumpTable};
use crate::piece::{Flag, Kind};
use crate::square::{Board, Offset, Orientation};

/// The patterns of one player, by kind and index in the kind's list.
pub(crate) type Patterns = Arc<[Box<[Pattern]>]>;

/// A move of a kind for one orientation.
pub(crate) struct Pattern {
    /// Whether the piece stays on its square.
    pub(crate) stays: bool,
    /// Whether the pattern is walked piece by piece; see [`MovePlan::is_composite`].
    pub(crate) is_composite: bool,
    pub(crate) anywhere: bool,
    pub(crate) legs: Box<[Leg]>,
    pub(crate) jump: Jump,
    pub(crate) back: Jump,
    /// The shortest offset in the direction, and how many of them make up one step.
    pub(crate) unit: Jump,
    pub(crate) unit_offset: Offset,
    pub(crate) units: u32,
    pub(crate) min: u32,
    pub(crate) max: u32,
    pub(crate) until: Until,
    pub(crate) hurdles: Option<Box<Hurdles>>,
    pub(crate) tests: Box<[Test]>,
    /// The tests of what the move does.
    pub(crate) result_tests: Box<[Test]>,
    pub(crate) on_empty: Option<Action>,
    pub(crate) on_enemy: Option<Action>,
    pub(crate) on_ally: Option<Action>,
    pub(crate) on_team: Option<Action>,
    pub(crate) modifiers: Box<[Modifier]>,
}

impl Pattern {
    /// Returns whether a slide stops at the first piece, or the move is a single step.
    pub(crate) fn stops_at_pieces(&self) -> bool {
        !self.is_composite
            && self.hurdles.is_none()
            && (self.max == 1 || self.until == Until::State(Occupancy::NotEmpty))
    }

    /// Returns whether the move leaps or slides any distance, moves and captures alike, and has no conditions,
    /// effects or promotion.
    pub(crate) fn is_plain(&self) -> bool {
        let Pattern {
            min,
            max,
            until,
            hurdles,
            tests,
            result_tests,
            on_empty,
            on_enemy,
            on_ally,
            modifiers,
            is_composite,
            ..
        } = self;
        let is_bare = |action: &Option<Action>| {
            action.as_ref().is_some_and(|action| {
                action.tests.is_empty() && action.result_tests.is_empty() && action.changes.is_empty()
            })
        };
        *min == 1
            && !is_composite
            && (*max == 1 || *max == u32::MAX && *until == Until::State(Occupancy::NotEmpty))
            && hurdles.is_none()
            && tests.is_empty()
            && result_tests.is_empty()
            && is_bare(on_empty)
            && is_bare(on_enemy)
            && on_ally.is_none()
            && modifiers.is_empty()
    }

    /// Returns the action for a landing in this state.
    pub(crate) fn action(&self, on: Occupancy) -> Option<&Action> {
        match on {
            Occupancy::Empty => self.on_empty.as_ref(),
            Occupancy::Enemy => self.on_enemy.as_ref(),
            Occupancy::Ally => self.on_ally.as_ref(),
            Occupancy::Team => self.on_team.as_ref(),
            Occupancy::NotEmpty => None,
        }
    }
}

/// A step before the last one of a move.
pub(crate) struct Leg {
    /// From the square before.
    pub(crate) jump: Jump,
    pub(crate) on: Occupancy,
    pub(crate) captures: bool,
}

/// The pieces that a slide jumps over.
pub(crate) struct Hurdles {
    pub(crate) count: u32,
    /// The kinds that it can jump over; all if `None`.
    pub(crate) kinds: Option<Box<[Kind]>>,
    pub(crate) owner: Owner,
    /// The maximum number of steps after the last hurdle.
    pub(crate) beyond: u32,
    /// Whether they are captured.
    pub(crate) captured: bool,
}

impl Hurdles {
    fn new(plan: &blueprint::Hurdles) -> Self {
        Hurdles {
            count: plan.count,
            kinds: plan.kinds.clone().map(Into::into),
            owner: plan.owner,
            beyond: plan.beyond.unwrap_or(u32::MAX),
            captured: plan.captured,
        }
    }
}

/// The effect of a move on its landing square.
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
pub(crate) struct Action {
    pub(crate) captures: bool,
    /// Whether the piece stays where it is.
    pub(crate) shoots: bool,
    /// The kinds that can be captured; all if `None`.
    pub(crate) victims: Option<Box<[Kind]>>,
    /// Whether a capture needs the same value of the tag, unless one of the pieces has none.
    pub(crate) same_tag: bool,
    pub(crate) tests: Box<[Test]>,
    /// The tests of what the move does.
    pub(crate) result_tests: Box<[Test]>,
    pub(crate) changes: Box<[Change]>,
    /// Whether a change can make the move impossible.
    pub(crate) may_block: bool,
}

impl Action {
    /// Returns whether the action captures pieces of a kind.
    pub(crate) fn captures_kind(&self, kind: Kind) -> bool {
        self.victims.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }

    /// Returns whether the action or one of its effects may capture a piece.
    pub(crate) fn may_capture(&self) -> bool {
        self.captures
            || self
                .changes
                .iter()
                .any(|change| matches!(change, Change::Capture(_) | Change::CaptureMarked(_)))
    }

    /// Returns the kinds that effects of the action drop.
    pub(crate) fn dropped(&self) -> impl Iterator<Item = Kind> + '_ {
        self.changes.iter().filter_map(|change| match change {
            Change::Drop { kind, .. } => Some(*kind),
            _ => None,
        })
    }

    /// Returns whether the action captures every piece.
    pub(crate) fn captures_any(&self) -> bool {
        self.victims.is_none() && !self.same_tag
    }
}

/// A compiled condition.
#[derive(Clone)]
pub(crate) enum Test {
    FirstMove,
    DependsOn(u16),
    PieceUnmoved(Jump),
    EmptyOrUnmoved(Jump),
    HasFlag(Flag, Jump),
    Marked(Flag),
    PathEmpty,
    NotAttacked,
    PathNotAttacked,
    InRegion(u16),
    Square {
        jump: Jump,
        anchor: Anchor,
        state: Option<Occupancy>,
        kinds: Option<Box<[Kind]>>,
        unmoved: Option<bool>,
    },
    Region {
        region: u16,
        of: RegionOf,
        anchor: Anchor,
    },
    Attacked {
        jump: Jump,
        anchor: Anchor,
        defended: bool,
        by: Option<Box<[Kind]>>,
    },
    Event(Event, Option<Box<[Kind]>>),
    After(Box<[Clause]>),
    Position(Box<Clause>),
    Any(Box<[Box<[Test]>]>),
    Not(Box<[Test]>),
    /// A combination about attacks, which counts as met inside an attack.
    AboutAttacks(Box<Test>),
}

/// Drops of some kinds for one orientation.
pub(crate) struct DropPattern {
    pub(crate) kinds: Box<[Kind]>,
    pub(crate) tests: Box<[Test]>,
    pub(crate) result_tests: Box<[Test]>,
    pub(crate) modifiers: Box<[Modifier]>,
    pub(crate) unmoved: bool,
}

/// The conditions of a class of moves.
pub(crate) struct MoveClassTests {
    pub(crate) tests: Box<[Test]>,
    /// Whether the class is that of all captures.
    pub(crate) is_captures: bool,
}

impl Test {
    /// Returns whether a predicate holds for all tests that this one consists of.
    pub(crate) fn all_parts(&self, holds: &impl Fn(&Test) -> bool) -> bool {
        match self {
            Test::Any(lists) => lists.iter().flatten().all(|test| test.all_parts(holds)),
            Test::Not(list) => list.iter().all(|test| test.all_parts(holds)),
            Test::AboutAttacks(test) => test.all_parts(holds),
            leaf => holds(leaf),
        }
    }

    /// Returns whether the test looks ahead at the position after the move.
    pub(crate) fn looks_ahead(&self) -> bool {
        !self.all_parts(&|part| !matches!(part, Test::After(_)))
    }
}

/// The conditions of a part of a turn, and its moves.
pub(crate) struct PartPattern {
    pub(crate) after: Box<[Test]>,
    pub(crate) only: Box<[Test]>,
    pub(crate) moves: Box<[Pattern]>,
}

/// A compiled effect.
pub(crate) enum Change {
    SetFlag {
        flag: Flag,
        duration: Option<u32>,
    },
    Capture(Jump),
    CaptureMarked(Flag),
    Relocate {
        kind: Option<Kind>,
        from: Jump,
        to: Jump,
    },
    /// `needed` is the number of pieces that must be in hand: one for each drop of the kind so far.
    Drop {
        kind: Kind,
        at: Jump,
        needed: u8,
    },
}

/// A compiled promotion.
pub(crate) struct Modifier {
    pub(crate) tests: Box<[Test]>,
    pub(crate) options: Box<[Kind]>,
    pub(crate) replaces: Box<[(Kind, Kind)]>,
}

/// Compiles the moves of kinds for one orientation.
pub(crate) struct PatternCompiler<'a> {
    pub(crate) board: &'a Board,
    pub(crate) jumps: &'a mut JumpTable,
    pub(crate) orientation: Orientation,
}

impl PatternCompiler<'_> {
    pub(crate) fn patterns(&mut self, kind: &KindPlan) -> Box<[Pattern]> {
        kind.moves.iter().map(|plan| self.pattern(plan)).collect()
    }

    fn pattern(&mut self, plan: &MovePlan) -> Pattern {
        let step = self.orientation.turn(plan.step);
        let (unit, units) = step.unit();
        let Repeat { min, max, until, ref hurdles } = plan.repeat;
        Pattern {
            stays: step == Offset::new(0, 0) && !plan.anywhere && plan.legs.is_empty(),
            is_composite: plan.is_composite(),
            anywhere: plan.anywhere,
            legs: plan.legs.iter().map(|leg| self.leg(leg)).collect(),
            jump: self.jumps.add(self.board, step),
            back: self.jumps.add(self.board, step.reversed()),
            unit: self.jumps.add(self.board, unit),
            unit_offset: unit,
            units,
            min,
            max: max.unwrap_or(u32::MAX),
            until,
            hurdles: hurdles.as_ref().map(|hurdles| Box::new(Hurdles::new(hurdles))),
            tests: self.tests(&plan.conditions),
            result_tests: self.result_tests(&plan.conditions),
            on_empty: self.action(plan, Occupancy::Empty),
            on_enemy: self.action(plan, Occupancy::Enemy),
            on_ally: self.action(plan, Occupancy::Ally),
            on_team: self.action(plan, Occupancy::Team),
            modifiers: self.modifiers(&plan.modifiers),
        }
    }

    fn leg(&mut self, plan: &LegPlan) -> Leg {
        Leg { jump: self.jump(plan.step), on: plan.on, captures: plan.captures }
    }

    /// Compiles a part of a turn.
    pub(crate) fn part_pattern(&mut self, plan: &PartPlan) -> PartPattern {
        PartPattern {
            after: self.all_tests(&plan.after),
            only: self.all_tests(&plan.only),
            moves: plan.moves.iter().map(|plan| self.pattern(plan)).collect(),
        }
    }

    /// Compiles drops.
    pub(crate) fn drop_pattern(&mut self, plan: &DropPlan) -> DropPattern {
        DropPattern {
            kinds: plan.kinds.clone().into(),
            tests: self.tests(&plan.conditions),
            result_tests: self.result_tests(&plan.conditions),
            modifiers: self.modifiers(&plan.modifiers),
            unmoved: plan.unmoved,
        }
    }

    fn modifiers(&mut self, plans: &[ModifierPlan]) -> Box<[Modifier]> {
        let modifier = |modifier: &ModifierPlan| Modifier {
            tests: self.tests(&modifier.conditions),
            options: modifier.options.clone().into(),
            replaces: modifier.replaces.clone().into(),
        };
        plans.iter().map(modifier).collect()
    }

    fn action(&mut self, plan: &MovePlan, on: Occupancy) -> Option<Action> {
        let action = plan.actions.iter().find(|action| action.on == on)?;
        let mut changes: Box<[Change]> =
            action.effects.iter().chain(&plan.effects).map(|effect| self.change(effect)).collect();
        number_drops(&mut changes);
        let may_block =
            changes.iter().any(|change| matches!(change, Change::Relocate { .. } | Change::Drop { .. }));
        Some(Action {
            captures: action.captures,
            shoots: action.shoots,
            victims: action.victims.clone().map(Into::into),
            same_tag: action.same_tag,
            tests: self.tests(&action.conditions),
            result_tests: self.result_tests(&action.conditions),
            changes,
            may_block,
        })
    }

    /// Compiles the conditions that are tested before the move is made.
    fn tests(&mut self, conditions: &[Condition]) -> Box<[Test]> {
        let conditions = conditions.iter().filter(|condition| !condition.is_about_result());
        conditions.map(|condition| self.test(condition)).collect()
    }

    /// Compiles the conditions that are tested once the move is made.
    fn result_tests(&mut self, conditions: &[Condition]) -> Box<[Test]> {
        let conditions = conditions.iter().filter(|condition| condition.is_about_result());
        conditions.map(|condition| self.test(condition)).collect()
    }

    /// Compiles conditions of any kind.
    pub(crate) fn all_tests(&mut self, conditions: &[Condition]) -> Box<[Test]> {
        conditions.iter().map(|condition| self.test(condition)).collect()
    }

    fn test(&mut self, condition: &Condition) -> Test {
        let test = self.plain_test(condition);
        let is_whole = matches!(test, Test::NotAttacked | Test::PathNotAttacked | Test::Attacked { .. });
        if condition.is_about_attacks() && !is_whole { Test::AboutAttacks(Box::new(test)) } else { test }
    }

    fn plain_test(&mut self, condition: &Condition) -> Test {
        let mut list = |conditions: &[Condition]| -> Box<[Test]> {
            conditions.iter().map(|condition| self.plain_test(condition)).collect()
        };
        match condition {
            Condition::Any(lists) => return Test::Any(lists.iter().map(|it| list(it)).collect()),
            Condition::Not(conditions) => return Test::Not(list(conditions)),
            _ => {}
        }
        match condition {
            Condition::FirstMove => Test::FirstMove,
            Condition::DependsOn(other) => Test::DependsOn(*other),
            Condition::PieceUnmoved(offset) => Test::PieceUnmoved(self.jump(*offset)),
            Condition::EmptyOrUnmoved(offset) => Test::EmptyOrUnmoved(self.jump(*offset)),
            Condition::HasFlag(flag, offset) => Test::HasFlag(*flag, self.jump(*offset)),
            Condition::Marked(flag) => Test::Marked(*flag),
            Condition::PathEmpty => Test::PathEmpty,
            Condition::NotAttacked => Test::NotAttacked,
            Condition::PathNotAttacked => Test::PathNotAttacked,
            Condition::InRegion(region) => Test::InRegion(*region),
            Condition::Square(test) => Test::Square {
                jump: self.jump(test.offset),
                anchor: test.anchor,
                state: test.state,
                kinds: test.kinds.clone().map(Into::into),
                unmoved: test.unmoved,
            },
            Condition::Region { region, of, at } => Test::Region { region: *region, of: *of, anchor: *at },
            Condition::Attacked(test) => Test::Attacked {
                jump: self.jump(test.offset),
                anchor: test.anchor,
                defended: test.defended,
                by: test.by.clone().map(Into::into),
            },
            Condition::Event(test) => Test::Event(test.event, test.kinds.clone().map(Into::into)),
            Condition::After(clauses) => Test::After(clauses.clone().into()),
            Condition::Position(clause) => Test::Position(Box::new(clause.clone())),
            Condition::Any(_) | Condition::Not(_) => unreachable!("compiled above"),
        }
    }

    fn change(&mut self, effect: &Effect) -> Change {
        match effect {
            Effect::SetFlag { flag, duration } => Change::SetFlag { flag: *flag, duration: *duration },
            Effect::Capture(offset) => Change::Capture(self.jump(*offset)),
            Effect::CaptureMarked(flag) => Change::CaptureMarked(*flag),
            Effect::Relocate { kind, from, to } => {
                Change::Relocate { kind: *kind, from: self.jump(*from), to: self.jump(*to) }
            }
            Effect::Drop { kind, at } => Change::Drop { kind: *kind, at: self.jump(*at), needed: 1 },
        }
    }

    /// Adds an offset.
    pub(crate) fn jump(&mut self, offset: Offset) -> Jump {
        self.jumps.add(self.board, self.orientation.turn(offset))
    }
}

/// Numbers the drops of each kind.
fn number_drops(changes: &mut [Change]) {
    let mut so_far: Vec<Kind> = Vec::new();
    for change in changes {
        if let Change::Drop { kind, needed, .. } = change {
            so_far.push(*kind);
            *needed = so_far.iter().filter(|other| *other == kind).count() as u8;
        }
    }
}
