//! What a player must mind so that no leader of his is left attacked, found once for a position.
//!
//! A plain move of another piece than a leader changes two squares. Along a slide at the leader only the first piece
//! matters: a move answers a check by landing on the slide, and opens one by leaving it. So checks become a set of
//! landings, and pins a set of landings for each pinned piece. Guarded captures depend on more squares; those are
//! *watched*, and a move that touches one is tried out.

use smallvec::SmallVec;

use crate::general::lookout::Lookout;
use crate::general::set::Set;
use crate::general::slide::Slide;
use crate::general::watch::watched;
use crate::square::Square;

/// The dangers for the leaders of one player.
pub(crate) struct Danger<const W: usize> {
    /// Where another piece must land so that every check is answered: anywhere, if there is none.
    pub(crate) answers: Set<W>,
    pub(crate) pinned: Set<W>,
    /// Pinned pieces, each with the squares on which it still stands between.
    pins: SmallVec<[(Square, Set<W>); 4]>,
    /// A move that leaves or enters one of these must be tried out.
    pub(crate) watched: Set<W>,
}

impl<const W: usize> Danger<W> {
    /// The dangers for leaders on these squares, among pieces of their own.
    pub(crate) fn new(lookout: &Lookout<'_, W>, leaders: Set<W>, own: Set<W>) -> Self {
        let mut danger =
            Danger { answers: Set::FULL, pinned: Set::EMPTY, pins: SmallVec::new(), watched: Set::EMPTY };
        for leader in leaders {
            danger.add_leaps(lookout, leader);
            danger.add_slides(lookout, leader, own);
            if lookout.has_guarded() {
                danger.add_guarded(lookout, leader);
            }
        }
        danger
    }

    /// Where a pinned piece may go.
    pub(crate) fn pins(&self) -> &[(Square, Set<W>)] {
        &self.pins
    }

    /// A leap is answered by capturing who leaps.
    fn add_leaps(&mut self, lookout: &Lookout<'_, W>, leader: Square) {
        let leapers = lookout.leapers_on(leader);
        if !leapers.is_empty() {
            self.answers &= leapers;
        }
        if leapers.count() > 1 {
            self.answers = Set::EMPTY;
        }
    }

    fn add_slides(&mut self, lookout: &Lookout<'_, W>, leader: Square, own: Set<W>) {
        let fans = &lookout.tables.fans;
        for (sight, army) in lookout.sliders() {
            if !fans.from(sight.star, leader).meets(army) {
                continue;
            }
            for slide in &sight.slides {
                let army = slide.within(fans, leader, slide.ray(fans, leader) & army);
                if !army.is_empty() {
                    self.add_slide(lookout, leader, own, *slide, army);
                }
            }
        }
    }

    /// Looks along a direction in which some stand who could slide to the leader.
    fn add_slide(
        &mut self,
        lookout: &Lookout<'_, W>,
        leader: Square,
        own: Set<W>,
        slide: Slide,
        army: Set<W>,
    ) {
        let fans = &lookout.tables.fans;
        let ray = slide.ray(fans, leader);
        let Some(first) = slide.first(ray & lookout.occupied) else { return };
        let behind = slide.ray(fans, first);
        if army.has(first) {
            self.answers &= ray ^ behind;
        } else if own.has(first)
            && let Some(second) = slide.first(behind & lookout.occupied)
            && army.has(second)
        {
            self.pin(first, ray ^ slide.ray(fans, second));
        }
    }

    /// A piece may be pinned twice.
    fn pin(&mut self, square: Square, between: Set<W>) {
        self.pinned |= Set::one(square);
        match self.pins.iter_mut().find(|(pinned, _)| *pinned == square) {
            Some((_, allowed)) => *allowed &= between,
            None => self.pins.push((square, between)),
        }
    }

    /// If a guarded capture hits now, any move may answer it.
    fn add_guarded(&mut self, lookout: &Lookout<'_, W>, leader: Square) {
        for aimed in lookout.guarded_on(leader) {
            let hits = lookout.fires(&aimed, leader);
            let squares = if hits { None } else { watched(&lookout.rules.jumps, &aimed, leader) };
            self.watched |= squares.unwrap_or(Set::FULL);
        }
    }
}
