//! The moves of a kind as one player makes them: every offset turned and looked up once, when the rules are compiled.

use crate::blueprint::{Anchor, Condition, Effect, KindPlan, MovePlan, Occupancy, RegionOf, Repeat, Until};
use crate::ending::Census;
use crate::jumps::{Jump, Jumps};
use crate::piece::{Flag, Kind};
use crate::square::{Board, Offset, Orientation};

/// A move of a kind, turned for one player.
pub(crate) struct Pattern {
    pub(crate) jump: Jump,
    pub(crate) back: Jump,
    /// The shortest step in the direction, and how many make one step.
    pub(crate) unit: Jump,
    pub(crate) unit_offset: Offset,
    pub(crate) units: u32,
    pub(crate) min: u32,
    pub(crate) max: u32,
    pub(crate) until: Until,
    pub(crate) tests: Box<[Test]>,
    pub(crate) on_empty: Option<Act>,
    pub(crate) on_enemy: Option<Act>,
    pub(crate) on_ally: Option<Act>,
    pub(crate) on_team: Option<Act>,
    pub(crate) modifiers: Box<[Modifier]>,
}

impl Pattern {
    /// Whether a slide ends on the first square on which anything stands, or there is no slide.
    pub(crate) fn stops_at_pieces(&self) -> bool {
        self.max == 1 || self.until == Until::State(Occupancy::NotEmpty)
    }

    /// Whether it is an officer's: it leaps or slides as far as it can, moves and captures alike, asks for nothing and
    /// changes nothing else.
    pub(crate) fn is_officers(&self) -> bool {
        let Pattern { min, max, until, tests, on_empty, on_enemy, on_ally, modifiers, .. } = self;
        let is_bare = |act: &Option<Act>| {
            act.as_ref().is_some_and(|act| act.tests.is_empty() && act.changes.is_empty())
        };
        *min == 1
            && (*max == 1 || *max == u32::MAX && *until == Until::State(Occupancy::NotEmpty))
            && tests.is_empty()
            && is_bare(on_empty)
            && is_bare(on_enemy)
            && on_ally.is_none()
            && modifiers.is_empty()
    }

    /// What it does on a landing in that state.
    pub(crate) fn act(&self, on: Occupancy) -> Option<&Act> {
        match on {
            Occupancy::Empty => self.on_empty.as_ref(),
            Occupancy::Enemy => self.on_enemy.as_ref(),
            Occupancy::Ally => self.on_ally.as_ref(),
            Occupancy::Team => self.on_team.as_ref(),
            Occupancy::NotEmpty => None,
        }
    }
}

/// What a move does on a landing.
pub(crate) struct Act {
    pub(crate) captures: bool,
    /// The kinds that it captures; all if `None`.
    pub(crate) victims: Option<Box<[Kind]>>,
    /// Whether only pieces with the same value of the tag are captured, and those without one.
    pub(crate) same_tag: bool,
    pub(crate) tests: Box<[Test]>,
    pub(crate) changes: Box<[Change]>,
    /// Whether a change can forbid the move.
    pub(crate) may_block: bool,
}

impl Act {
    /// Whether it captures pieces of a kind at all.
    pub(crate) fn takes(&self, kind: Kind) -> bool {
        self.victims.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }

    /// Whether it captures whatever it meets.
    pub(crate) fn takes_all(&self) -> bool {
        self.victims.is_none() && !self.same_tag
    }
}

/// A condition, turned.
#[derive(Clone)]
pub(crate) enum Test {
    FirstMove,
    DependsOn(u16),
    PieceFirstMove(Jump),
    RookFirstMove(Jump),
    CheckState(Flag, Jump),
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

/// An effect, turned.
pub(crate) enum Change {
    SetFlag { flag: Flag, duration: Option<u32> },
    Capture(Jump),
    Relocate { kind: Option<Kind>, from: Jump, to: Jump },
}

/// A promotion, turned.
pub(crate) struct Modifier {
    pub(crate) tests: Box<[Test]>,
    pub(crate) options: Box<[Kind]>,
    pub(crate) replaces: Box<[(Kind, Kind)]>,
}

/// Turns the plans of those who look at the board one way.
pub(crate) struct Lower<'a> {
    pub(crate) board: &'a Board,
    pub(crate) jumps: &'a mut Jumps,
    pub(crate) orientation: Orientation,
}

impl Lower<'_> {
    pub(crate) fn patterns(&mut self, kind: &KindPlan) -> Box<[Pattern]> {
        kind.moves.iter().map(|plan| self.pattern(plan)).collect()
    }

    fn pattern(&mut self, plan: &MovePlan) -> Pattern {
        let step = self.orientation.turn(plan.step);
        let (unit, units) = step.unit();
        let Repeat { min, max, until } = plan.repeat;
        Pattern {
            jump: self.jumps.add(self.board, step),
            back: self.jumps.add(self.board, step.reversed()),
            unit: self.jumps.add(self.board, unit),
            unit_offset: unit,
            units,
            min,
            max: max.unwrap_or(u32::MAX),
            until,
            tests: self.tests(&plan.conditions),
            on_empty: self.act(plan, Occupancy::Empty),
            on_enemy: self.act(plan, Occupancy::Enemy),
            on_ally: self.act(plan, Occupancy::Ally),
            on_team: self.act(plan, Occupancy::Team),
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

    fn act(&mut self, plan: &MovePlan, on: Occupancy) -> Option<Act> {
        let action = plan.actions.iter().find(|action| action.on == on)?;
        let changes: Box<[Change]> =
            action.effects.iter().chain(&plan.effects).map(|effect| self.change(effect)).collect();
        let may_block = changes.iter().any(|change| matches!(change, Change::Relocate { .. }));
        Some(Act {
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
            Condition::PieceFirstMove(offset) => Test::PieceFirstMove(self.jump(*offset)),
            Condition::RookFirstMove(offset) => Test::RookFirstMove(self.jump(*offset)),
            Condition::CheckState(flag, offset) => Test::CheckState(*flag, self.jump(*offset)),
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
