//! Plain moves, piece by piece: looked up, and slid to the first piece.

use std::ops::ControlFlow;

use crate::general::repertoire::{Course, Reach};
use crate::general::set::Set;
use crate::general::visit::{Band, Visitor};
use crate::square::Square;

impl<const W: usize> Band<'_, W> {
    pub(crate) fn visit_reach(&self, reach: &Reach, visitor: &mut impl Visitor<W>) -> ControlFlow<()> {
        let mut ground = self.scene.grounds(reach.on);
        if !self.is_leader {
            // Whoever may be joined is not captured.
            let joinable = self.scene.joinable;
            ground = if reach.on.empty { ground | joinable } else { ground.without(joinable) };
        }
        for from in self.army {
            let targets = self.targets(reach, from) & ground;
            if targets.is_empty() {
                continue;
            }
            let (sure, doubtful) = self.sift(from, targets);
            if !sure.is_empty() {
                visitor.reach(self, reach, from, sure)?;
            }
            for to in doubtful {
                self.try_plainly(reach, from, to, visitor)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Where the piece comes to, whatever stands there.
    fn targets(&self, reach: &Reach, from: Square) -> Set<W> {
        let fans = &self.scene.tables.fans;
        let leaps = reach.leaps.map_or(Set::EMPTY, |leaps| fans.from(leaps, from));
        let slides = reach.slides.iter().map(|slide| slide.reach(fans, from, self.scene.occupied));
        slides.fold(leaps, |all, targets| all | targets)
    }

    /// Where one of the moves comes to.
    pub(crate) fn course(&self, course: Course, from: Square) -> Set<W> {
        match course {
            Course::Leap(jump) => self.scene.rules.jumps.to(jump, from).map_or(Set::EMPTY, Set::one),
            Course::Slide(slide) => slide.reach(&self.scene.tables.fans, from, self.scene.occupied),
        }
    }

    fn try_plainly(
        &self,
        reach: &Reach,
        from: Square,
        to: Square,
        visitor: &mut impl Visitor<W>,
    ) -> ControlFlow<()> {
        let walker = self.committed(from);
        let leads_there = |(_, course): &&(u8, Course)| self.course(*course, from).has(to);
        let Some((pattern, _)) = reach.courses.iter().find(leads_there) else {
            return ControlFlow::Continue(());
        };
        let act = walker.act_for(&self.patterns[usize::from(*pattern)], to);
        match act.and_then(|act| walker.finish(act, to, None, self.exposure)) {
            Some(next) => visitor.tried(self.played(from, to, *pattern, None), next),
            None => ControlFlow::Continue(()),
        }
    }
}
