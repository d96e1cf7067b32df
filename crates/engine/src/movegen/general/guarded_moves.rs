//! Guarded moves, made by all pieces of a kind at once: the pieces advance step by step, and at each step those that
//! may land are collected.

use std::ops::ControlFlow;

use crate::blueprint::Occupancy;
use crate::blueprint::mechanics::Exposure;
use crate::compile::pattern::{Pattern, Test};
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::kind_moves::{GuardedMove, Promotion};
use crate::movegen::general::visit::{MoveBatch, MoveVisitor, PieceGroup};
use crate::play::PromotionChoice;
use crate::play::results::MoveClass;
use crate::square::Square;

impl<const W: usize> PieceGroup<'_, W> {
    /// Visits the legal moves of some pieces.
    pub(crate) fn visit_guarded_move(
        &self,
        guarded: &GuardedMove,
        pieces: Bitboard<W>,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        let generator = self.generator;
        let pattern = &self.patterns[usize::from(guarded.pattern)];
        let Some(action) = pattern.action(guarded.on) else { return ControlFlow::Continue(()) };
        if matches!(self.legality.class, MoveClass::Captures) && !action.may_capture() {
            return ControlFlow::Continue(());
        }
        let mut front = self.ready(guarded, pieces);
        if front.is_empty() {
            return ControlFlow::Continue(());
        }
        // Whether a capture is allowed matters only if a piece gets there.
        let mut landable = (guarded.on == Occupancy::Empty).then(|| self.landable(guarded.on, action));
        let wide = landable.unwrap_or_else(|| generator.in_state(guarded.on));
        let (mut steps, mut by) = (0, 0);
        loop {
            front = self.advanced(pattern, guarded.path_empty, front);
            steps += 1;
            by += generator.tables.shifts[pattern.jump.index()].distance();
            if steps >= pattern.min && front.meets(wide) {
                let landable = *landable.get_or_insert_with(|| self.landable(guarded.on, action));
                let landings = self.passing(front & landable, &guarded.of_landing);
                let mut batch = MoveBatch { pattern: guarded.pattern, action, landings, by, modifier: None };
                if action.same_tag {
                    batch.landings = self.with_matching_tags(&batch);
                }
                let landings = self.passing_late(guarded, pattern, steps, &batch);
                if !landings.is_empty() {
                    self.promote(guarded, pattern, &MoveBatch { landings, ..batch }, visitor)?;
                }
            }
            if front.is_empty() || steps == pattern.max {
                return ControlFlow::Continue(());
            }
            let blocked = if guarded.path_empty { generator.occupied } else { Bitboard::EMPTY };
            front = front.without(generator.ends(pattern.until) | blocked);
        }
    }

    /// Returns the landings on which the tags allow the capture.
    fn with_matching_tags(&self, batch: &MoveBatch<'_, W>) -> Bitboard<W> {
        let can_capture = |to: &Square| self.walker_on(batch.source(*to)).can_capture(batch.action, *to);
        batch.landings.into_iter().filter(can_capture).collect()
    }

    /// Returns the pieces that satisfy the conditions about sources.
    #[inline]
    pub(crate) fn ready(&self, guarded: &GuardedMove, mut pieces: Bitboard<W>) -> Bitboard<W> {
        for test in &guarded.of_source {
            pieces &= match test {
                Test::FirstMove => self.unmoved(),
                _ => self.generator.sources(test),
            };
            if pieces.is_empty() {
                break;
            }
        }
        pieces
    }

    /// Returns the unmoved pieces of the kind.
    fn unmoved(&self) -> Bitboard<W> {
        let planes = self.generator.planes;
        if !self.generator.has_own_guests {
            return planes.unmoved();
        }
        planes.unmoved().without(planes.all_guests(&[self.kind]))
            | planes.unmoved_guests() & planes.all_guests(&[self.kind])
    }

    /// Returns the pieces one step further. If the path must be empty, they advance in the shortest steps.
    fn advanced(&self, pattern: &Pattern, path_empty: bool, front: Bitboard<W>) -> Bitboard<W> {
        let steps = &self.generator.tables.shifts;
        if !path_empty {
            return steps[pattern.jump.index()].ahead(front);
        }
        let unit = &steps[pattern.unit.index()];
        let further = |front: Bitboard<W>, _| unit.ahead(front.without(self.generator.occupied));
        (1..pattern.units).fold(unit.ahead(front), further)
    }

    /// Returns the landings that satisfy conditions about landings. Counts are the most expensive, so they come last.
    fn passing(&self, mut landings: Bitboard<W>, tests: &[Test]) -> Bitboard<W> {
        if tests.is_empty() {
            return landings;
        }
        let is_count = |test: &&Test| matches!(test, Test::Position(_));
        for test in tests.iter().filter(|test| !is_count(test)).chain(tests.iter().filter(is_count)) {
            if landings.is_empty() {
                break;
            }
            landings &= self.generator.landings(test);
        }
        landings
    }

    /// Returns the landings that satisfy the conditions that are not sets of squares.
    fn passing_late(
        &self,
        guarded: &GuardedMove,
        pattern: &Pattern,
        steps: u32,
        batch: &MoveBatch<'_, W>,
    ) -> Bitboard<W> {
        if guarded.late.is_empty() {
            return batch.landings;
        }
        let passes = |to: &Square| {
            let from = batch.source(*to);
            guarded.late.iter().all(|test| match test {
                Test::NotAttacked => self.is_safe(from, *to),
                Test::PathNotAttacked => {
                    self.walker_on(from).path(pattern, steps).all(|square| self.is_safe(from, square))
                }
                _ => self.ask(from, |walker| walker.holds(test, pattern, *to, steps)),
            })
        };
        batch.landings.into_iter().filter(passes).collect()
    }

    /// Splits landings by promotion.
    fn promote(
        &self,
        guarded: &GuardedMove,
        pattern: &Pattern,
        batch: &MoveBatch<'_, W>,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        if let Some(region) = guarded.promotion_region
            && !batch.landings.meets(self.generator.region(region))
        {
            return self.emit(guarded, batch, visitor);
        }
        match guarded.promotion {
            Promotion::Never => self.emit(guarded, batch, visitor),
            _ if !self.merged.is_empty() => self.split().try_for_each(|group| {
                let is_its = |to: &Square| group.pieces.has(batch.source(*to));
                let landings = batch.landings.into_iter().filter(is_its).collect();
                let pattern = &group.patterns[usize::from(guarded.pattern)];
                group.promote(guarded, pattern, &MoveBatch { landings, ..*batch }, visitor)
            }),
            Promotion::ByLanding => {
                let mut rest = batch.landings;
                for modifier in &pattern.modifiers {
                    if rest.is_empty() {
                        break;
                    }
                    let landings = self.passing(rest, &modifier.tests);
                    rest = rest.without(landings);
                    self.emit(guarded, &MoveBatch { landings, modifier: Some(modifier), ..*batch }, visitor)?;
                }
                self.emit(guarded, &MoveBatch { landings: rest, ..*batch }, visitor)
            }
            Promotion::PerPiece => batch.landings.into_iter().try_for_each(|to| {
                let modifier = self.ask(batch.source(to), |walker| walker.promotion_for(pattern, to));
                self.emit(guarded, &MoveBatch { landings: Bitboard::one(to), modifier, ..*batch }, visitor)
            }),
        }
    }

    /// Visits the landings that are certainly legal and tries the others.
    fn emit(
        &self,
        guarded: &GuardedMove,
        batch: &MoveBatch<'_, W>,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        if batch.landings.is_empty() {
            return ControlFlow::Continue(());
        }
        // A promoted piece may complete a figure.
        let may_complete =
            || guarded.is_tried_if_promoted || !self.generator.rules.mechanics().figures.is_empty();
        let is_tried =
            guarded.is_tried || batch.modifier.is_some() && may_complete() || self.must_try(guarded.on);
        if !is_tried && self.legality.exposure == Exposure::Allowed {
            return visitor.guarded(self, batch);
        }
        let (sure, doubtful) =
            if is_tried { (Bitboard::EMPTY, batch.landings) } else { self.split_legal_batch(batch) };
        if !sure.is_empty() {
            visitor.guarded(self, &MoveBatch { landings: sure, ..*batch })?;
        }
        doubtful.into_iter().try_for_each(|to| self.try_guarded(batch, to, visitor))
    }

    fn try_guarded(
        &self,
        batch: &MoveBatch<'_, W>,
        to: Square,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        let from = batch.source(to);
        let walker = self.walker_on(from);
        let by = (&self.patterns[usize::from(batch.pattern)], batch.action);
        let mut emit =
            |promotion: Option<PromotionChoice<'_>>| match walker.finish(by, to, promotion, self.legality) {
                Some(next) => {
                    let played = self.played(from, to, batch.pattern, promotion.map(PromotionChoice::kind));
                    visitor.tried(played, next)
                }
                None => ControlFlow::Continue(()),
            };
        match batch.modifier {
            Some(modifier) => modifier.choices().try_for_each(|choice| emit(Some(choice))),
            None => emit(None),
        }
    }
}
