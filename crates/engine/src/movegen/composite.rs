//! Moves that are more than a step or a slide along a line: with legs before the last step, to any square, or with captures on
//! the way. They are walked piece by piece.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use crate::compile::pattern::{Action, Pattern};
use crate::movegen::hurdles::{Hop, HopStep};
use crate::movegen::walker::Walker;
use crate::square::Square;

impl<'a> Walker<'a> {
    /// Returns the square from which the last step of a pattern is made: the end of its legs.
    pub(crate) fn origin(&self, pattern: &Pattern) -> Option<Square> {
        let mut at = self.source;
        for leg in &pattern.legs {
            at = self.rules.jumps.to(leg.jump, at)?;
            let is_met = if at == self.source {
                leg.on == crate::blueprint::Occupancy::Empty
            } else {
                self.is_state(at, leg.on)
            };
            if !is_met || leg.captures && !self.can_be_taken(at) {
                return None;
            }
        }
        Some(at)
    }

    pub(crate) fn is_taken(&self, square: Square) -> bool {
        self.rules.is_taken(self.position, square)
    }

    /// Returns whether a move may capture the piece on a square on its way: it is neither frozen nor captured already.
    pub(crate) fn can_be_taken(&self, square: Square) -> bool {
        let frozen = self.position.frozen();
        let is_frozen = self.position.piece(square).is_some_and(|piece| frozen.contains(piece.player));
        !is_frozen && !self.is_taken(square)
    }

    /// Visits every landing of a composite pattern, like [`Walker::landings`].
    pub(crate) fn composite_landings(
        &self,
        pattern: &'a Pattern,
        visit: &mut impl FnMut(Square, &'a Action) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if pattern.anywhere {
            let others = self.rules.board.squares().filter(|square| *square != self.source);
            return others.into_iter().try_for_each(|at| match self.action_on(pattern, at, 1) {
                Some(action) => visit(at, action),
                None => ControlFlow::Continue(()),
            });
        }
        let Some(origin) = self.origin(pattern) else { return ControlFlow::Continue(()) };
        let mut walk = self.rules.jumps.walk(pattern.jump, origin);
        for steps in 1..=pattern.max {
            let Some(at) = walk.next() else { break };
            if steps >= pattern.min
                && let Some(action) = self.action_on(pattern, at, steps)
            {
                visit(at, action)?;
            }
            if at != self.source && self.ends_slide(pattern.until, at) {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the squares of the pieces that a composite move to a target captures on its way.
    pub(crate) fn taken_on_the_way(&self, pattern: &Pattern, target: Square) -> SmallVec<[Square; 2]> {
        let mut taken = SmallVec::new();
        let mut at = self.source;
        for leg in &pattern.legs {
            let Some(next) = self.rules.jumps.to(leg.jump, at) else { return taken };
            at = next;
            if leg.captures {
                taken.push(at);
            }
        }
        let Some(hurdles) = pattern.hurdles.as_ref().filter(|hurdles| hurdles.captured) else { return taken };
        let mut hop = Hop::new(hurdles);
        for at in self.rules.jumps.walk(pattern.jump, at).take_while(|at| *at != target) {
            let before = hop.left;
            if hop.enter(self, at) == HopStep::Pass && hop.left < before {
                taken.push(at);
            }
        }
        taken
    }
}
