//! Slides over hurdles: the first pieces in the way are jumped over, and only then the slide may land.

use std::ops::ControlFlow;

use crate::blueprint::ending::Owner;
use crate::compile::pattern::{Action, Hurdles, Pattern};
use crate::movegen::walker::Walker;
use crate::square::Square;

/// How far a slide over hurdles has come.
pub(crate) struct Hop<'h> {
    hurdles: &'h Hurdles,
    /// The hurdles that remain.
    pub(crate) left: u32,
    /// The steps after the last hurdle.
    beyond: u32,
    /// The last piece that was jumped over.
    pub(crate) last: Option<Square>,
}

/// What a slide over hurdles does on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HopStep {
    /// It goes on: the square is empty, or a piece on it is jumped over.
    Pass,
    /// It may land.
    Land,
    /// The piece on the square cannot be jumped over.
    Stop,
    /// The square is too far from the last hurdle.
    TooFar,
}

impl<'h> Hop<'h> {
    pub(crate) fn new(hurdles: &'h Hurdles) -> Self {
        Hop { hurdles, left: hurdles.count, beyond: 0, last: None }
    }

    /// Enters the next square.
    pub(crate) fn enter(&mut self, walker: &Walker<'_>, at: Square) -> HopStep {
        if self.left == 0 {
            self.beyond += 1;
            return if self.beyond > self.hurdles.beyond { HopStep::TooFar } else { HopStep::Land };
        }
        if !walker.position.occupied(at) {
            return HopStep::Pass;
        }
        if !walker.can_jump_over(self.hurdles, at) {
            return HopStep::Stop;
        }
        self.left -= 1;
        self.last = Some(at);
        HopStep::Pass
    }
}

impl<'a> Walker<'a> {
    /// Returns whether the piece on a square can be jumped over. Of two pieces, the host counts.
    fn can_jump_over(&self, hurdles: &Hurdles, at: Square) -> bool {
        let Some(piece) = self.position.piece(at) else { return false };
        if hurdles.captured && !self.can_be_taken(at) {
            return false;
        }
        let is_own = piece.player == self.player;
        let is_team = self.rules.team(self.player).contains(piece.player);
        let is_fitting = match hurdles.owner {
            Owner::Any => true,
            Owner::Own => is_own,
            Owner::Enemy => !is_team && !is_own,
            Owner::Partner => is_team && !is_own,
            Owner::Team => is_team || is_own,
            Owner::Neutral => self.rules.mechanics().neutral.contains(piece.player),
        };
        is_fitting && hurdles.kinds.as_ref().is_none_or(|kinds| kinds.contains(&piece.kind))
    }

    /// Visits every landing of a slide over hurdles, like [`Walker::landings`].
    pub(crate) fn hop_landings(
        &self,
        pattern: &'a Pattern,
        hurdles: &Hurdles,
        visit: &mut impl FnMut(Square, &'a Action) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut hop = Hop::new(hurdles);
        let Some(origin) = self.origin(pattern) else { return ControlFlow::Continue(()) };
        let mut walk = self.rules.jumps.walk(pattern.jump, origin);
        let mut steps = 0;
        while steps < pattern.max {
            let Some(at) = walk.next() else { break };
            steps += 1;
            match hop.enter(self, at) {
                HopStep::Pass => continue,
                HopStep::Stop | HopStep::TooFar => break,
                HopStep::Land => {}
            }
            if steps >= pattern.min
                && let Some(action) = self.action_on(pattern, at, steps)
            {
                visit(at, action)?;
            }
            if self.ends_slide(pattern.until, at) {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns whether a slide over hurdles may land after `steps`.
    pub(crate) fn hop_reaches(&self, pattern: &Pattern, hurdles: &Hurdles, steps: u32) -> bool {
        let mut hop = Hop::new(hurdles);
        let Some(origin) = self.origin(pattern) else { return false };
        let mut walk = self.rules.jumps.walk(pattern.jump, origin);
        for step in 1..=steps {
            let Some(at) = walk.next() else { return false };
            match hop.enter(self, at) {
                HopStep::Stop | HopStep::TooFar => return false,
                HopStep::Land if step == steps => return true,
                HopStep::Land if self.ends_slide(pattern.until, at) => return false,
                HopStep::Pass | HopStep::Land => {}
            }
        }
        false
    }
}
