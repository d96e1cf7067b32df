//! Which landings leave no leader attacked: told from the dangers of the position, as far as they tell.

use crate::general::set::Set;
use crate::general::visit::{Band, Done};
use crate::mechanics::Exposure;
use crate::square::Square;

impl<const W: usize> Band<'_, W> {
    /// Of the landings of one piece: those that are legal for sure, and those that must be tried out.
    pub(crate) fn sift(&self, from: Square, landings: Set<W>) -> (Set<W>, Set<W>) {
        match (self.is_leader, self.exposure) {
            (_, Exposure::Allowed) | (false, Exposure::AllowedInCheck) => return (landings, Set::EMPTY),
            (true, _) => return self.sift_leader(from, landings),
            (false, Exposure::Illegal) => {}
        }
        let (scene, danger) = (self.scene, &self.scene.danger);
        let watched = if danger.watched.has(from) { Set::FULL } else { danger.watched };
        let doubtful = landings & (scene.prizes | watched | self.wary());
        let sure = landings.without(doubtful) & danger.answers;
        if !danger.pinned.has(from) {
            return (sure, doubtful);
        }
        let pin = danger.pins().iter().find(|(square, _)| *square == from);
        (pin.map_or(sure, |(_, between)| sure & *between), doubtful)
    }

    /// Landings after which more may happen than a move and a capture: somebody joins a leader, pieces react, a figure is
    /// complete.
    fn wary(&self) -> Set<W> {
        if self.scene.rules.is_plain {
            return Set::EMPTY;
        }
        let mechanics = self.scene.rules.mechanics();
        if mechanics.figures.iter().any(|figure| figure.kind == self.kind) {
            return Set::FULL;
        }
        let reacting = if mechanics.reactions.is_empty() { Set::EMPTY } else { self.scene.occupied };
        self.scene.joinable | reacting
    }

    /// The same for the landings of several pieces.
    pub(crate) fn sift_all(&self, done: &Done<'_, W>) -> (Set<W>, Set<W>) {
        let (scene, danger) = (self.scene, &self.scene.danger);
        match (self.is_leader, self.exposure) {
            (_, Exposure::Allowed) | (false, Exposure::AllowedInCheck) => return (done.landings, Set::EMPTY),
            _ => {}
        }
        if self.is_leader || !danger.watched.is_empty() || self.exposure != Exposure::Illegal {
            let one_by_one = done.landings.into_iter().map(|to| self.sift(done.source(to), Set::one(to)));
            return one_by_one.fold((Set::EMPTY, Set::EMPTY), |all, one| (all.0 | one.0, all.1 | one.1));
        }
        let doubtful = done.landings & (scene.prizes | self.wary());
        let mut sure = done.landings.without(doubtful) & danger.answers;
        if danger.pinned.meets(self.army) {
            let is_free = |to: &Square| {
                let from = done.source(*to);
                danger.pins().iter().all(|(square, between)| *square != from || between.has(*to))
            };
            sure = sure.into_iter().filter(is_free).collect();
        }
        (sure, doubtful)
    }

    /// A leader must not step onto an attacked square. One of several must not leave another attacked, either.
    fn sift_leader(&self, from: Square, landings: Set<W>) -> (Set<W>, Set<W>) {
        let scene = self.scene;
        if scene.lookout.has_guarded() || scene.leaders != Set::one(from) {
            return (Set::EMPTY, landings);
        }
        let doubtful = landings & (scene.prizes | self.wary());
        let sure = landings.without(doubtful).into_iter().filter(|to| self.is_safe(from, *to));
        (sure.collect(), doubtful)
    }

    /// Whether the piece would not be attacked on a square.
    pub(crate) fn is_safe(&self, from: Square, on: Square) -> bool {
        let lookout = &self.scene.lookout;
        let is_picky = self.scene.tables.picky.is_some() && !self.is_leader;
        if lookout.has_guarded() || is_picky {
            !self.committed(from).would_be_attacked(on)
        } else {
            !lookout.attacks_plainly(on, lookout.after(from, on))
        }
    }
}
