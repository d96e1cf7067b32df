//! Move patterns of one orientation: every offset is rotated and looked up once, at compile time.

use std::sync::Arc;

use crate::blueprint::ending::{Census, Owner};
use crate::blueprint::{
    self, Anchor, Condition, Effect, KindPlan, MovePlan, Occupancy, RegionOf, Repeat, Until,
};
use crate::compile::jump_table::{Jump, JumpTable};
use crate::piece::{Flag, Kind};
use crate::square::{Board, Offset, Orientation};

/// The patterns of one player, by kind and index in the kind's list.
pub(crate) type Patterns = Arc<[Box<[Pattern]>]>;

/// A move of a kind for one orientation.
pub(crate) struct Pattern {
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
    pub(crate) on_empty: Option<Action>,
    pub(crate) on_enemy: Option<Action>,
    pub(crate) on_ally: Option<Action>,
    pub(crate) on_team: Option<Action>,
    pub(crate) modifiers: Box<[Modifier]>,
}

impl Pattern {
    /// Returns whether a slide stops at the first piece, or the move is a single step.
    pub(crate) fn stops_at_pieces(&self) -> bool {
        self.hurdles.is_none() && (self.max == 1 || self.until == Until::State(Occupancy::NotEmpty))
    }

    /// Returns whether the move leaps or slides any distance, moves and captures alike, and has no conditions,
    /// effects or promotion.
    pub(crate) fn is_plain(&self) -> bool {
        let Pattern { min, max, until, hurdles, tests, on_empty, on_enemy, on_ally, modifiers, .. } = self;
        let is_bare = |action: &Option<Action>| {
            action.as_ref().is_some_and(|action| action.tests.is_empty() && action.changes.is_empty())
        };
        *min == 1
            && (*max == 1 || *max == u32::MAX && *until == Until::State(Occupancy::NotEmpty))
            && hurdles.is_none()
            && tests.is_empty()
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

/// The pieces that a slide jumps over.
pub(crate) struct Hurdles {
    pub(crate) count: u32,
    /// The kinds that it can jump over; all if `None`.
    pub(crate) kinds: Option<Box<[Kind]>>,
    pub(crate) owner: Owner,
    /// The maximum number of steps after the last hurdle.
    pub(crate) beyond: u32,
}

impl Hurdles {
    fn new(plan: &blueprint::Hurdles) -> Self {
        Hurdles {
            count: plan.count,
            kinds: plan.kinds.clone().map(Into::into),
            owner: plan.owner,
            beyond: plan.beyond.unwrap_or(u32::MAX),
        }
    }
}

/// The effect of a move on its landing square.
pub(crate) struct Action {
    pub(crate) captures: bool,
    /// The kinds that can be captured; all if `None`.
    pub(crate) victims: Option<Box<[Kind]>>,
    /// Whether a capture needs the same value of the tag, unless one of the pieces has none.
    pub(crate) same_tag: bool,
    pub(crate) tests: Box<[Test]>,
    pub(crate) changes: Box<[Change]>,
    /// Whether a change can make the move impossible.
    pub(crate) may_block: bool,
}

impl Action {
    /// Returns whether the action captures pieces of a kind.
    pub(crate) fn captures_kind(&self, kind: Kind) -> bool {
        self.victims.as_ref().is_none_or(|kinds| kinds.contains(&kind))
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
    Count {
        census: Box<Census>,
        lost: u32,
    },
}

/// A compiled effect.
pub(crate) enum Change {
    SetFlag { flag: Flag, duration: Option<u32> },
    Capture(Jump),
    Relocate { kind: Option<Kind>, from: Jump, to: Jump },
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
            on_empty: self.action(plan, Occupancy::Empty),
            on_enemy: self.action(plan, Occupancy::Enemy),
            on_ally: self.action(plan, Occupancy::Ally),
            on_team: self.action(plan, Occupancy::Team),
            modifiers: plan
                .modifiers
                .iter()
                .map(|modifier| Modifier {
                    tests: self.tests(&modifier.conditions),
                    options: modifier.options.clone().into(),
                    replaces: modifier.replaces.clone().into(),
                })
                .collect(),
        }
    }

    fn action(&mut self, plan: &MovePlan, on: Occupancy) -> Option<Action> {
        let action = plan.actions.iter().find(|action| action.on == on)?;
        let changes: Box<[Change]> =
            action.effects.iter().chain(&plan.effects).map(|effect| self.change(effect)).collect();
        let may_block = changes.iter().any(|change| matches!(change, Change::Relocate { .. }));
        Some(Action {
            captures: action.captures,
            victims: action.victims.clone().map(Into::into),
            same_tag: action.same_tag,
            tests: self.tests(&action.conditions),
            changes,
            may_block,
        })
    }

    fn tests(&mut self, conditions: &[Condition]) -> Box<[Test]> {
        conditions.iter().map(|condition| self.test(condition)).collect()
    }

    fn test(&mut self, condition: &Condition) -> Test {
        match condition {
            Condition::FirstMove => Test::FirstMove,
            Condition::DependsOn(other) => Test::DependsOn(*other),
            Condition::PieceUnmoved(offset) => Test::PieceUnmoved(self.jump(*offset)),
            Condition::EmptyOrUnmoved(offset) => Test::EmptyOrUnmoved(self.jump(*offset)),
            Condition::HasFlag(flag, offset) => Test::HasFlag(*flag, self.jump(*offset)),
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
            Condition::Count { census, lost } => {
                Test::Count { census: Box::new(census.clone()), lost: *lost }
            }
        }
    }

    fn change(&mut self, effect: &Effect) -> Change {
        match effect {
            Effect::SetFlag { flag, duration } => Change::SetFlag { flag: *flag, duration: *duration },
            Effect::Capture(offset) => Change::Capture(self.jump(*offset)),
            Effect::Relocate { kind, from, to } => {
                Change::Relocate { kind: *kind, from: self.jump(*from), to: self.jump(*to) }
            }
        }
    }

    fn jump(&mut self, offset: Offset) -> Jump {
        self.jumps.add(self.board, self.orientation.turn(offset))
    }
}
