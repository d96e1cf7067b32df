//! Conditions about what a move does: they are tested once the move is made on a copy.
//!
//! A move, its action and the game (`restrictions`) can have such conditions. Classes of moves that take precedence
//! (`priority`) consist of them.

use crate::blueprint::Event;
use crate::blueprint::mechanics::Exposure;
use crate::compile::pattern::{Action, DropPattern, Pattern, Test};
use crate::movegen::walker::{Walker, Way};
use crate::piece::Kind;
use crate::play::Trial;
use crate::rules::Rules;
use crate::square::Square;

/// What decides whether a move is legal, beyond the conditions of its pattern.
#[derive(Clone, Copy)]
pub(crate) struct Legality<'l> {
    /// Whether leaders may be left attacked.
    pub(crate) exposure: Exposure,
    /// The moves in question.
    pub(crate) class: MoveClass<'l>,
    /// How conditions about the result are tested.
    pub(crate) results: Results,
}

/// The moves in question.
#[derive(Clone, Copy)]
pub(crate) enum MoveClass<'l> {
    /// All moves.
    All,
    /// Captures.
    Captures,
    /// The moves that meet these conditions.
    Meeting(&'l [Test]),
}

/// How conditions about the result of a move are tested.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Results {
    /// All of them.
    Tested,
    /// Those that look ahead count as met.
    TestedExceptAhead,
    /// The move is known to be legal.
    Known,
}

impl Legality<'_> {
    /// A move that is known to be legal.
    pub(crate) const KNOWN: Legality<'static> =
        Legality { exposure: Exposure::Allowed, class: MoveClass::All, results: Results::Known };

    /// Returns the usual tests with the given exposure.
    pub(crate) const fn tested(exposure: Exposure) -> Legality<'static> {
        Legality { exposure, class: MoveClass::All, results: Results::Tested }
    }
}

/// How a move was made.
#[derive(Clone, Copy)]
pub(crate) enum Making<'m> {
    /// By a pattern.
    Pattern { pattern: &'m Pattern, action: &'m Action, target: Square, promotion: Option<Kind> },
    /// By castling.
    Castling { target: Square, drop: Option<(Kind, Square)> },
    /// By a drop from the hand.
    Drop { pattern: &'m DropPattern, target: Square, promotion: Option<Kind> },
}

impl<'m> Making<'m> {
    /// Returns the target of the moving piece.
    pub(crate) fn target(self) -> Square {
        match self {
            Making::Pattern { target, .. }
            | Making::Castling { target, .. }
            | Making::Drop { target, .. } => target,
        }
    }

    fn pattern(self) -> Option<&'m Pattern> {
        match self {
            Making::Pattern { pattern, .. } => Some(pattern),
            Making::Castling { .. } | Making::Drop { .. } => None,
        }
    }

    /// Returns the conditions about the result of the pattern and of its action.
    fn tests(self) -> [&'m [Test]; 2] {
        match self {
            Making::Pattern { pattern, action, .. } => [&pattern.result_tests, &action.result_tests],
            Making::Drop { pattern, .. } => [&pattern.result_tests, &[]],
            Making::Castling { .. } => [&[], &[]],
        }
    }
}

/// A move that was made on a copy.
#[derive(Clone, Copy)]
pub(crate) struct Made<'m> {
    pub(crate) trial: &'m Trial,
    making: Making<'m>,
    /// Whether the game goes on.
    pub(crate) goes_on: bool,
}

impl<'m> Made<'m> {
    pub(crate) fn new(rules: &Rules, trial: &'m Trial, making: Making<'m>) -> Self {
        let is_over = !trial.lost_leaders.is_empty() && rules.last_team(&trial.position).is_some();
        Made { trial, making, goes_on: !is_over }
    }

    /// Returns whether the move does this, with a piece of one of the kinds.
    pub(crate) fn has(&self, event: Event, kinds: Option<&[Kind]>, walker: &Walker<'_>) -> bool {
        let fits = |kind: Kind| kinds.is_none_or(|kinds| kinds.contains(&kind));
        match (event, self.making) {
            (Event::Captured, _) => self.trial.captured.iter().any(|(_, kind)| fits(*kind)),
            // A piece that an effect has removed is not promoted.
            (Event::Promoted, Making::Pattern { promotion, .. }) => {
                self.trial.mover.is_some() && promotion.is_some_and(fits)
            }
            (Event::Promoted, Making::Drop { promotion, .. }) => promotion.is_some_and(fits),
            (Event::Stayed, Making::Pattern { pattern, .. }) => pattern.stays && fits(walker.kind),
            (Event::Shot, Making::Pattern { action, .. }) => action.shoots && fits(walker.kind),
            (Event::Moved, Making::Pattern { pattern, action, .. }) => {
                !pattern.stays && !action.shoots && fits(walker.kind)
            }
            (Event::Moved, Making::Castling { .. })
            | (Event::Castled, Making::Castling { .. })
            | (Event::Dropped, Making::Drop { .. }) => fits(walker.kind),
            (Event::Dropped, Making::Pattern { action, .. }) => action.dropped().any(fits),
            (Event::Dropped, Making::Castling { drop: Some((kind, _)), .. }) => fits(kind),
            // Inside an attack, no move gives check.
            (Event::Check, _) => {
                fits(walker.kind)
                    && walker.test_attacks
                    && walker.rules.gives_check(&self.trial.position, walker.player)
            }
            _ => false,
        }
    }
}

impl Walker<'_> {
    /// Returns whether a move meets all conditions about its result and belongs to the class in question.
    pub(crate) fn meets_results(&self, trial: &Trial, legality: Legality<'_>, making: Making<'_>) -> bool {
        let class = match legality.class {
            MoveClass::All => &[][..],
            // What lands on an enemy captures it. The others are tested.
            MoveClass::Captures if trial.captured.is_empty() => return false,
            MoveClass::Captures => &[],
            MoveClass::Meeting(tests) => tests,
        };
        let [of_pattern, of_action] = making.tests();
        let of_game = &self.rules.restrictions[self.player.index()];
        let of_part = self.part_conditions();
        if class.is_empty()
            && of_part.is_empty()
            && of_pattern.is_empty()
            && of_action.is_empty()
            && of_game.is_empty()
        {
            return true;
        }
        let target = making.target();
        let steps = making.pattern().map_or(0, |pattern| self.steps_to(pattern, target));
        let made = Made::new(self.rules, trial, making);
        let way = Way { pattern: making.pattern(), target, steps, made: Some(made) };
        let is_met = |test: &Test| {
            legality.results == Results::TestedExceptAhead && test.looks_ahead() || self.holds_on(test, &way)
        };
        [of_pattern, of_action, of_game, of_part, class].into_iter().flatten().all(is_met)
    }
}
