//! Plain moves, piece by piece: looked up, and slid to the first piece.

use std::ops::ControlFlow;

use crate::general::repertoire::{Course, Reach};
use crate::general::set::Set;
use crate::general::visit::{Band, Visitor};
use crate::piece::Kind;
use crate::position::Spot;
use crate::square::Square;

impl<const W: usize> Band<'_, W> {
    #[inline]
    pub(crate) fn visit_reach(&self, reach: &Reach, visitor: &mut impl Visitor<W>) -> ControlFlow<()> {
        let mut ground = self.scene.grounds(reach.on);
        if !self.is_leader && !self.scene.rules.is_plain {
            // Whoever may be joined is not captured.
            let joinable = self.scene.joinable;
            ground = if reach.on.empty { ground | joinable } else { ground.without(joinable) };
        }
        for from in self.army {
            let mut targets = self.targets(reach, from) & ground;
            if reach.is_picky && targets.meets(self.scene.enemies) {
                targets = self.takeable(reach, from, targets);
            }
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

    /// The targets without the enemies that the piece does not capture.
    fn takeable(&self, reach: &Reach, from: Square, mut targets: Set<W>) -> Set<W> {
        if let Some(victims) = &reach.victims {
            targets = targets.without(self.spared(victims));
        }
        if reach.same_tag { self.with_tag_of(reach, from, targets) } else { targets }
    }

    /// The enemies that stand alone and are of none of these kinds; of two, one is enough.
    fn spared(&self, victims: &[Kind]) -> Set<W> {
        let planes = self.scene.planes;
        let hosts = planes.kinds(victims);
        let is_shared = !self.scene.lookout.shared.is_empty();
        let fits = if is_shared { hosts | planes.all_guests(victims) } else { hosts };
        self.scene.enemies.without(fits)
    }

    /// The targets on which a piece may capture as far as its tag goes.
    fn with_tag_of(&self, reach: &Reach, from: Square, targets: Set<W>) -> Set<W> {
        let Some((pattern, _)) = reach.courses.first() else { return targets };
        let Some(act) = &self.patterns[usize::from(*pattern)].on_enemy else { return targets };
        let (position, shared) = (self.scene.position, self.scene.lookout.shared);
        let walker = self.committed(from);
        let tag = position.tag(walker.spot());
        // What is alone on its square and frozen, or of another kind, is not among the targets.
        let fits = |to: &Square| {
            if shared.has(*to) {
                return walker.may_take(act, *to);
            }
            let other = position.tag(Spot::host(*to));
            tag.is_none() || other.is_none() || tag == other
        };
        let foes = targets & self.scene.enemies;
        let spared: Set<W> = foes.into_iter().filter(|to| !fits(to)).collect();
        targets.without(spared)
    }

    /// Where the piece comes to, whatever stands there.
    #[inline]
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
