//! Drops from the hand, as sets of empty squares.

use std::ops::ControlFlow;

use crate::blueprint::mechanics::Exposure;
use crate::compile::pattern::{DropPattern, Modifier};
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::generator::Generator;
use crate::movegen::general::kind_moves::is_of_landing_or_none;
use crate::movegen::general::visit::MoveVisitor;
use crate::movegen::general::visitors::ListMoves;
use crate::movegen::walker::Walker;
use crate::moves::Move;
use crate::piece::Kind;
use crate::play::results::{Legality, MoveClass};
use crate::square::Square;

/// Drops of one kind, all with the same promotion.
pub(crate) struct DropBatch<'a, const W: usize> {
    pub(crate) kind: Kind,
    pub(crate) pattern: u8,
    pub(crate) landings: Bitboard<W>,
    /// The promotion, if the piece must be promoted.
    pub(crate) modifier: Option<&'a Modifier>,
}

impl<const W: usize> Generator<'_, W> {
    /// Visits every legal drop.
    pub(crate) fn visit_drops(
        &self,
        legality: Legality<'_>,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        // A drop captures nothing.
        if matches!(legality.class, MoveClass::Captures) {
            return ControlFlow::Continue(());
        }
        let patterns = &self.rules.drops[self.player.index()];
        let in_hand = |kind: &&Kind| self.position.in_hand(self.player, **kind) > 0;
        let is_repeated = |kind: Kind| patterns.iter().filter(|it| it.kinds.contains(&kind)).nth(1).is_some();
        for (index, pattern) in patterns.iter().enumerate() {
            for kind in pattern.kinds.iter().filter(in_hand) {
                if patterns.len() > 1 && is_repeated(*kind) {
                    self.visit_repeated_drop(*kind, index, legality, visitor)?;
                } else {
                    self.visit_drop(*kind, (index as u8, pattern), legality, visitor)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits the drops of a pattern, except those that an earlier pattern allows as well.
    fn visit_repeated_drop(
        &self,
        kind: Kind,
        index: usize,
        legality: Legality<'_>,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        let patterns = &self.rules.drops[self.player.index()];
        let mut earlier = Vec::new();
        for (index, pattern) in
            patterns[..index].iter().enumerate().filter(|(_, it)| it.kinds.contains(&kind))
        {
            let _ = self.visit_drop(
                kind,
                (index as u8, pattern),
                legality,
                &mut ListMoves { moves: &mut earlier },
            );
        }
        let mut found = Vec::new();
        let list = &mut ListMoves { moves: &mut found };
        let _ = self.visit_drop(kind, (index as u8, &patterns[index]), legality, list);
        let is_new =
            |played: &&Move| !earlier.iter().any(|it| (it.to, it.promotion) == (played.to, played.promotion));
        found.iter().filter(is_new).try_for_each(|played| {
            let walker = self.dropper(kind, played.to);
            let next = walker.finish_drop(&patterns[index], played.to, played.promotion, Legality::KNOWN);
            next.map_or(ControlFlow::Continue(()), |next| visitor.tried(*played, next))
        })
    }

    fn visit_drop(
        &self,
        kind: Kind,
        (index, pattern): (u8, &DropPattern),
        legality: Legality<'_>,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        let is_tried = self.must_try_drop(kind, pattern, legality);
        let mut squares = self.tables.squares.without(self.occupied);
        if !is_tried && restricts_drops(legality) {
            squares &= self.check_info.evasions | self.check_info.sensitive;
        }
        let (sets, others): (Vec<_>, Vec<_>) = pattern.tests.iter().partition(|it| is_of_landing_or_none(it));
        for test in sets {
            squares &= self.landings(test);
        }
        let passes = |to: &Square| {
            let walker = self.dropper(kind, *to);
            others.iter().all(|test| walker.holds_drop(test, *to))
        };
        if !others.is_empty() {
            squares = squares.into_iter().filter(passes).collect();
        }
        if squares.is_empty() {
            return ControlFlow::Continue(());
        }
        if pattern.modifiers.is_empty() {
            let batch = DropBatch { kind, pattern: index, landings: squares, modifier: None };
            return self.emit_drops(&batch, pattern, is_tried, legality, visitor);
        }
        squares.into_iter().try_for_each(|to| {
            let modifier = self.dropper(kind, to).drop_promotion(pattern, to);
            let batch = DropBatch { kind, pattern: index, landings: Bitboard::one(to), modifier };
            self.emit_drops(&batch, pattern, is_tried, legality, visitor)
        })
    }

    /// Visits the drops that are certainly legal and tries the others.
    fn emit_drops(
        &self,
        batch: &DropBatch<'_, W>,
        pattern: &DropPattern,
        is_tried: bool,
        legality: Legality<'_>,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        let doubtful = if is_tried {
            batch.landings
        } else if restricts_drops(legality) {
            batch.landings & self.check_info.sensitive
        } else {
            Bitboard::EMPTY
        };
        let sure = batch.landings.without(doubtful);
        if !sure.is_empty() {
            visitor.drops(self, &DropBatch { landings: sure, ..*batch })?;
        }
        for to in doubtful {
            let walker = self.dropper(batch.kind, to);
            let mut try_drop = |promotion: Option<Kind>| {
                let played = Move { promotion, ..Move::drop(batch.kind, to, batch.pattern) };
                match walker.finish_drop(pattern, to, promotion, legality) {
                    Some(next) => visitor.tried(played, next),
                    None => ControlFlow::Continue(()),
                }
            };
            match batch.modifier {
                Some(modifier) => modifier.options.iter().try_for_each(|option| try_drop(Some(*option)))?,
                None => try_drop(None)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns whether drops must be made to decide whether they are legal.
    fn must_try_drop(&self, kind: Kind, pattern: &DropPattern, legality: Legality<'_>) -> bool {
        let mut options = pattern.modifiers.iter().flat_map(|modifier| &modifier.options).chain([&kind]);
        !pattern.result_tests.is_empty()
            || matches!(legality.class, MoveClass::Meeting(_))
            || self.is_checked_by_all
            || self.rules.tries_all_moves()
            || !self.rules.mechanics().figures.is_empty()
            || options.any(|kind| self.rules.is_leader(*kind))
    }

    /// Returns a walker for a piece that is dropped on a square.
    pub(crate) fn dropper(&self, kind: Kind, to: Square) -> Walker<'_> {
        Walker::for_landing(self.rules, self.position, self.player, kind, to)
    }
}

/// Returns whether a drop must not leave a leader attacked.
fn restricts_drops(legality: Legality<'_>) -> bool {
    legality.exposure == Exposure::Illegal
}
