//! Separates landings that are certainly legal from those that must be tried, based on checks and pins.

use crate::blueprint::Occupancy;
use crate::blueprint::mechanics::Exposure;
use crate::compile::trigger_scope::TriggerScope;
use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::visit::{MoveBatch, PieceGroup};
use crate::play::results::MoveClass;
use crate::square::Square;

impl<const W: usize> PieceGroup<'_, W> {
    /// Splits the landings of one piece into those that are certainly legal and those that must be tried.
    pub(crate) fn split_legal(&self, from: Square, landings: Bitboard<W>) -> (Bitboard<W>, Bitboard<W>) {
        if self.must_try(Occupancy::NotEmpty) {
            return (Bitboard::EMPTY, landings);
        }
        match (self.is_leader, self.legality.exposure) {
            (_, Exposure::Allowed) | (false, Exposure::AllowedInCheck) => return (landings, Bitboard::EMPTY),
            // A leader whose loss does not decide is like other pieces.
            (true, Exposure::Illegal) if !self.generator.leaders.has(from) => {}
            (true, _) => return self.split_legal_leader(from, landings),
            (false, Exposure::Illegal) => {}
        }
        let (generator, check_info) = (self.generator, &self.generator.check_info);
        let sensitive = if check_info.sensitive.has(from) { Bitboard::FULL } else { check_info.sensitive };
        let doubtful = landings & (generator.sensitive_leaders | sensitive | self.trial_squares());
        let sure = landings.without(doubtful) & check_info.evasions;
        if !check_info.pinned.has(from) {
            return (sure, doubtful);
        }
        let pin = check_info.pins().iter().find(|(square, _)| *square == from);
        (pin.map_or(sure, |(_, between)| sure & *between), doubtful)
    }

    /// Returns whether a move to a square in this state must be made to decide whether it is in question and legal.
    pub(crate) fn must_try(&self, on: Occupancy) -> bool {
        let by_class = match self.legality.class {
            MoveClass::All => false,
            // What lands on a piece captures it.
            MoveClass::Captures => on == Occupancy::Empty,
            MoveClass::Meeting(_) => true,
        };
        by_class || self.generator.tries_all
    }

    /// Returns the landings with further consequences: a piece joins a leader, pieces react, or a figure is
    /// completed.
    fn trial_squares(&self) -> Bitboard<W> {
        if self.generator.rules.is_plain {
            return Bitboard::EMPTY;
        }
        let mechanics = self.generator.rules.mechanics();
        if mechanics.figures.iter().any(|figure| figure.kind == self.kind) {
            return Bitboard::FULL;
        }
        let captures_react = self.generator.rules.trigger_scope == TriggerScope::Captures;
        let reacting = if mechanics.reactions.is_empty() && !captures_react {
            Bitboard::EMPTY
        } else {
            self.generator.occupied
        };
        self.generator.joinable | reacting
    }

    /// Like [`PieceGroup::split_legal`], for the landings of several pieces.
    pub(crate) fn split_legal_batch(&self, batch: &MoveBatch<'_, W>) -> (Bitboard<W>, Bitboard<W>) {
        let (generator, check_info) = (self.generator, &self.generator.check_info);
        match (self.is_leader, self.legality.exposure) {
            (_, Exposure::Allowed) | (false, Exposure::AllowedInCheck) => {
                return (batch.landings, Bitboard::EMPTY);
            }
            _ => {}
        }
        let is_exposed = self.legality.exposure != Exposure::Illegal;
        if self.is_leader || !check_info.sensitive.is_empty() || is_exposed {
            let one_by_one =
                batch.landings.into_iter().map(|to| self.split_legal(batch.source(to), Bitboard::one(to)));
            return one_by_one
                .fold((Bitboard::EMPTY, Bitboard::EMPTY), |all, one| (all.0 | one.0, all.1 | one.1));
        }
        let doubtful = batch.landings & (generator.sensitive_leaders | self.trial_squares());
        let mut sure = batch.landings.without(doubtful) & check_info.evasions;
        if check_info.pinned.meets(self.pieces) {
            let is_free = |to: &Square| {
                let from = batch.source(*to);
                check_info.pins().iter().all(|(square, between)| *square != from || between.has(*to))
            };
            sure = sure.into_iter().filter(is_free).collect();
        }
        (sure, doubtful)
    }

    /// Splits the landings of a leader, which must not be attacked there. If there are several leaders, none may be
    /// left attacked.
    fn split_legal_leader(&self, from: Square, landings: Bitboard<W>) -> (Bitboard<W>, Bitboard<W>) {
        let generator = self.generator;
        if generator.attack_info.has_guarded() || generator.leaders != Bitboard::one(from) {
            return (Bitboard::EMPTY, landings);
        }
        let doubtful = landings & (generator.sensitive_leaders | self.trial_squares());
        let sure = landings.without(doubtful).into_iter().filter(|to| self.is_safe(from, *to));
        (sure.collect(), doubtful)
    }

    /// Returns whether the piece would not be attacked on a square.
    pub(crate) fn is_safe(&self, from: Square, on: Square) -> bool {
        let attack_info = &self.generator.attack_info;
        let is_selective = self.generator.tables.selective.is_some() && !self.is_leader;
        if attack_info.has_guarded() || is_selective {
            !self.walker_on(from).would_be_attacked(on)
        } else {
            !attack_info.attacked_by_plain(on, attack_info.after(from, on))
        }
    }
}
