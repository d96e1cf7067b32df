//! Conditions about what a move does: they are tested once the move is made on a copy.
//!
//! A move, its action and the game (`restrictions`) can have such conditions. Classes of moves that take precedence
//! (`priority`) consist of them.

use crate::blueprint::Event;
use crate::blueprint::mechanics::Exposure;
use crate::compile::pattern::{Action, Pattern, Test};
use crate::movegen::walker::{Walker, Way};
use crate::piece::Kind;
use crate::play::Trial;
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

/// How a move was made: by a pattern, or by castling.
#[derive(Clone, Copy)]
pub(crate) struct Making<'m> {
    pub(crate) pattern: Option<(&'m Pattern, &'m Action)>,
    pub(crate) target: Square,
    pub(crate) promotion: Option<Kind>,
}

/// A move that was made on a copy.
#[derive(Clone, Copy)]
pub(crate) struct Made<'m> {
    pub(crate) trial: &'m Trial,
    promotion: Option<Kind>,
    castles: bool,
    /// Whether the game goes on.
    pub(crate) goes_on: bool,
}

impl Made<'_> {
    /// Returns whether the move of a piece does this, with a piece of one of the kinds.
    pub(crate) fn has(&self, event: Event, kinds: Option<&[Kind]>, mover: Kind) -> bool {
        let fits = |kind: Kind| kinds.is_none_or(|kinds| kinds.contains(&kind));
        match event {
            Event::Captured => self.trial.captured.iter().any(|(_, kind)| fits(*kind)),
            Event::Promoted => self.promotion.is_some_and(fits),
            Event::Moved => fits(mover),
            Event::Castled => self.castles && fits(mover),
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
        let (of_pattern, of_action) = making
            .pattern
            .map_or((&[][..], &[][..]), |(pattern, action)| (&*pattern.result_tests, &*action.result_tests));
        let of_game = &self.rules.restrictions[self.player.index()];
        if class.is_empty() && of_pattern.is_empty() && of_action.is_empty() && of_game.is_empty() {
            return true;
        }
        let over = || !trial.lost_leaders.is_empty() && self.rules.last_team(&trial.position).is_some();
        // A piece that an effect has removed is not promoted.
        let promotion = making.promotion.filter(|_| trial.mover.is_some());
        let made = Made { trial, promotion, castles: making.pattern.is_none(), goes_on: !over() };
        let pattern = making.pattern.map(|(pattern, _)| pattern);
        let steps = pattern.map_or(0, |pattern| self.steps_to(pattern, making.target));
        let way = Way { pattern, target: making.target, steps, made: Some(made) };
        let is_met = |test: &Test| {
            legality.results == Results::TestedExceptAhead && test.looks_ahead() || self.holds_on(test, &way)
        };
        [of_pattern, of_action, of_game, class].into_iter().flatten().all(is_met)
    }
}
