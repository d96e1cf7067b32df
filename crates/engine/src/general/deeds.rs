//! Deeds, made by all pieces of a kind at once: those who may set out go step by step, and on each square it is looked
//! who may land.

use std::ops::ControlFlow;

use crate::blueprint::Occupancy;
use crate::general::repertoire::{Deed, Promotion};
use crate::general::set::Set;
use crate::general::visit::{Band, Done, Visitor};
use crate::mechanics::Exposure;
use crate::play::Becoming;
use crate::rules::{Pattern, Test};
use crate::square::Square;

impl<const W: usize> Band<'_, W> {
    /// Shows the legal moves of some pieces.
    pub(crate) fn visit_deed(
        &self,
        deed: &Deed,
        pieces: Set<W>,
        visitor: &mut impl Visitor<W>,
    ) -> ControlFlow<()> {
        let scene = self.scene;
        let pattern = &self.patterns[usize::from(deed.pattern)];
        let Some(act) = pattern.act(deed.on) else { return ControlFlow::Continue(()) };
        let mut front = self.ready(deed, pieces);
        if front.is_empty() {
            return ControlFlow::Continue(());
        }
        // Only those who come to a piece at all need to know whether they may capture it.
        let mut ground = (deed.on == Occupancy::Empty).then(|| self.ground(deed.on, act));
        let wide = ground.unwrap_or_else(|| scene.in_state(deed.on));
        let (mut steps, mut by) = (0, 0);
        loop {
            front = self.advanced(pattern, deed.path_empty, front);
            steps += 1;
            by += scene.tables.steps[pattern.jump.index()].distance();
            if steps >= pattern.min && front.meets(wide) {
                let ground = *ground.get_or_insert_with(|| self.ground(deed.on, act));
                let landings = self.passing(front & ground, &deed.of_landing);
                let mut done = Done { pattern: deed.pattern, act, landings, by, modifier: None };
                if act.same_tag {
                    done.landings = self.with_same_tag(&done);
                }
                let landings = self.passing_late(deed, pattern, steps, &done);
                if !landings.is_empty() {
                    self.promote(deed, pattern, &Done { landings, ..done }, visitor)?;
                }
            }
            if front.is_empty() || steps == pattern.max {
                return ControlFlow::Continue(());
            }
            let blocked = if deed.path_empty { scene.occupied } else { Set::EMPTY };
            front = front.without(scene.ends(pattern.until) | blocked);
        }
    }

    /// The landings on which each piece may capture as far as its tag goes.
    fn with_same_tag(&self, done: &Done<'_, W>) -> Set<W> {
        let may_take = |to: &Square| self.committed(done.source(*to)).may_take(done.act, *to);
        done.landings.into_iter().filter(may_take).collect()
    }

    /// Those of the pieces that pass conditions about sources.
    #[inline]
    pub(crate) fn ready(&self, deed: &Deed, mut pieces: Set<W>) -> Set<W> {
        for test in &deed.of_source {
            pieces &= match test {
                Test::FirstMove => self.unmoved(),
                _ => self.scene.sources(test),
            };
            if pieces.is_empty() {
                break;
            }
        }
        pieces
    }

    /// The pieces of the kind that have never moved.
    fn unmoved(&self) -> Set<W> {
        let planes = self.scene.planes;
        if !self.scene.has_own_guests {
            return planes.unmoved();
        }
        planes.unmoved().without(planes.all_guests(&[self.kind]))
            | planes.unmoved_guests() & planes.all_guests(&[self.kind])
    }

    /// The pieces that are under way, one step on. If the path must be empty, it is walked in the shortest steps.
    fn advanced(&self, pattern: &Pattern, path_empty: bool, front: Set<W>) -> Set<W> {
        let steps = &self.scene.tables.steps;
        if !path_empty {
            return steps[pattern.jump.index()].ahead(front);
        }
        let unit = &steps[pattern.unit.index()];
        let further = |front: Set<W>, _| unit.ahead(front.without(self.scene.occupied));
        (1..pattern.units).fold(unit.ahead(front), further)
    }

    /// The landings that pass conditions about landings. Counting is the dearest, and last.
    fn passing(&self, mut landings: Set<W>, tests: &[Test]) -> Set<W> {
        if tests.is_empty() {
            return landings;
        }
        let is_count = |test: &&Test| matches!(test, Test::Count { .. });
        for test in tests.iter().filter(|test| !is_count(test)).chain(tests.iter().filter(is_count)) {
            if landings.is_empty() {
                break;
            }
            landings &= self.scene.landings(test);
        }
        landings
    }

    /// The landings that pass the conditions that are no sets.
    fn passing_late(&self, deed: &Deed, pattern: &Pattern, steps: u32, done: &Done<'_, W>) -> Set<W> {
        if deed.late.is_empty() {
            return done.landings;
        }
        let passes = |to: &Square| {
            let from = done.source(*to);
            deed.late.iter().all(|test| match test {
                Test::NotAttacked => self.is_safe(from, *to),
                Test::PathNotAttacked => {
                    self.committed(from).path(pattern, steps).all(|square| self.is_safe(from, square))
                }
                _ => self.ask(from, |walker| walker.holds(test, pattern, *to, steps)),
            })
        };
        done.landings.into_iter().filter(passes).collect()
    }

    /// Splits landings by what the pieces become there.
    fn promote(
        &self,
        deed: &Deed,
        pattern: &Pattern,
        done: &Done<'_, W>,
        visitor: &mut impl Visitor<W>,
    ) -> ControlFlow<()> {
        if let Some(region) = deed.promotion_region
            && !done.landings.meets(self.scene.region(region))
        {
            return self.offer(deed, done, visitor);
        }
        match deed.promotion {
            Promotion::Never => self.offer(deed, done, visitor),
            _ if !self.alike.is_empty() => self.split().try_for_each(|band| {
                let is_its = |to: &Square| band.army.has(done.source(*to));
                let landings = done.landings.into_iter().filter(is_its).collect();
                let pattern = &band.patterns[usize::from(deed.pattern)];
                band.promote(deed, pattern, &Done { landings, ..*done }, visitor)
            }),
            Promotion::ByLanding => {
                let mut rest = done.landings;
                for modifier in &pattern.modifiers {
                    if rest.is_empty() {
                        break;
                    }
                    let landings = self.passing(rest, &modifier.tests);
                    rest = rest.without(landings);
                    self.offer(deed, &Done { landings, modifier: Some(modifier), ..*done }, visitor)?;
                }
                self.offer(deed, &Done { landings: rest, ..*done }, visitor)
            }
            Promotion::Asked => done.landings.into_iter().try_for_each(|to| {
                let modifier = self.ask(done.source(to), |walker| walker.chosen(pattern, to));
                self.offer(deed, &Done { landings: Set::one(to), modifier, ..*done }, visitor)
            }),
        }
    }

    /// Shows what is legal for sure, and tries the rest out.
    fn offer(&self, deed: &Deed, done: &Done<'_, W>, visitor: &mut impl Visitor<W>) -> ControlFlow<()> {
        if done.landings.is_empty() {
            return ControlFlow::Continue(());
        }
        // A piece that becomes another may complete a figure.
        let may_complete = || deed.is_tried_if_promoted || !self.scene.rules.mechanics().figures.is_empty();
        let is_tried = deed.is_tried || done.modifier.is_some() && may_complete();
        if !is_tried && self.exposure == Exposure::Allowed {
            return visitor.deed(self, done);
        }
        let (sure, doubtful) = if is_tried { (Set::EMPTY, done.landings) } else { self.sift_all(done) };
        if !sure.is_empty() {
            visitor.deed(self, &Done { landings: sure, ..*done })?;
        }
        doubtful.into_iter().try_for_each(|to| self.try_out(done, to, visitor))
    }

    fn try_out(&self, done: &Done<'_, W>, to: Square, visitor: &mut impl Visitor<W>) -> ControlFlow<()> {
        let from = done.source(to);
        let walker = self.committed(from);
        let mut offer =
            |becomes: Option<Becoming<'_>>| match walker.finish(done.act, to, becomes, self.exposure) {
                Some(next) => {
                    let played = self.played(from, to, done.pattern, becomes.map(Becoming::kind));
                    visitor.tried(played, next)
                }
                None => ControlFlow::Continue(()),
            };
        match done.modifier {
            Some(modifier) => modifier.choices().try_for_each(|choice| offer(Some(choice))),
            None => offer(None),
        }
    }
}
