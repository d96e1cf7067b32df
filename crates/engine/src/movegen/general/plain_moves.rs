//! Plain moves, piece by piece: looked up, and slid to the first piece.

use std::ops::ControlFlow;

use crate::movegen::general::bitboard::Bitboard;
use crate::movegen::general::kind_moves::{PlainMove, PlainMoves};
use crate::movegen::general::visit::{MoveVisitor, PieceGroup};
use crate::piece::Kind;
use crate::play::results::MoveClass;
use crate::position::Spot;
use crate::square::Square;

impl<const W: usize> PieceGroup<'_, W> {
    #[inline]
    pub(crate) fn visit_plain(
        &self,
        plain: &PlainMoves,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        let mut landable = self.generator.landable_any(plain.on);
        if !self.is_leader && !self.generator.rules.is_plain {
            // A leader that may be joined is not captured.
            let joinable = self.generator.joinable;
            landable = if plain.on.empty { landable | joinable } else { landable.without(joinable) };
        }
        if matches!(self.legality.class, MoveClass::Captures) {
            let joined = if self.is_leader { Bitboard::EMPTY } else { self.generator.joinable };
            landable &= self.generator.occupied.without(joined);
        }
        for from in self.pieces {
            let mut targets = self.targets(plain, from) & landable;
            if plain.is_selective && targets.meets(self.generator.enemies) {
                targets = self.capturable(plain, from, targets);
            }
            if targets.is_empty() {
                continue;
            }
            let (sure, doubtful) = self.split_legal(from, targets);
            if !sure.is_empty() {
                visitor.plain(self, plain, from, sure)?;
            }
            for to in doubtful {
                self.try_plain(plain, from, to, visitor)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the targets without the enemies that the piece cannot capture.
    fn capturable(&self, plain: &PlainMoves, from: Square, mut targets: Bitboard<W>) -> Bitboard<W> {
        if let Some(victims) = &plain.victims {
            targets = targets.without(self.uncapturable(victims));
        }
        if plain.same_tag { self.with_matching_tag(plain, from, targets) } else { targets }
    }

    /// Returns the enemies that stand alone and have none of these kinds. If two share a square, one suffices.
    fn uncapturable(&self, victims: &[Kind]) -> Bitboard<W> {
        let planes = self.generator.planes;
        let hosts = planes.kinds(victims);
        let is_shared = !self.generator.attack_info.shared.is_empty();
        let fits = if is_shared { hosts | planes.all_guests(victims) } else { hosts };
        self.generator.enemies.without(fits)
    }

    /// Returns the targets on which the tags allow a capture.
    fn with_matching_tag(&self, plain: &PlainMoves, from: Square, targets: Bitboard<W>) -> Bitboard<W> {
        let Some((pattern, _)) = plain.moves.first() else { return targets };
        let Some(action) = &self.patterns[usize::from(*pattern)].on_enemy else { return targets };
        let (position, shared) = (self.generator.position, self.generator.attack_info.shared);
        let walker = self.walker_on(from);
        let tag = position.tag(walker.spot());
        // Single pieces that are frozen or of another kind are not among the targets.
        let fits = |to: &Square| {
            if shared.has(*to) {
                return walker.can_capture(action, *to);
            }
            let other = position.tag(Spot::host(*to));
            tag.is_none() || other.is_none() || tag == other
        };
        let captures = targets & self.generator.enemies;
        let uncapturable: Bitboard<W> = captures.into_iter().filter(|to| !fits(to)).collect();
        targets.without(uncapturable)
    }

    /// Returns the squares that the piece reaches, including occupied ones.
    #[inline]
    fn targets(&self, plain: &PlainMoves, from: Square) -> Bitboard<W> {
        let ray_tables = &self.generator.tables.rays;
        let leaps = plain.leaps.map_or(Bitboard::EMPTY, |leaps| ray_tables.from(leaps, from));
        let slides = plain.slides.iter().map(|slide| slide.reach(ray_tables, from, self.generator.occupied));
        slides.fold(leaps, |all, targets| all | targets)
    }

    /// Returns the squares that one of the moves reaches.
    pub(crate) fn targets_of(&self, plain_move: PlainMove, from: Square) -> Bitboard<W> {
        match plain_move {
            PlainMove::Leap(jump) => {
                self.generator.rules.jumps.to(jump, from).map_or(Bitboard::EMPTY, Bitboard::one)
            }
            PlainMove::Slide(slide) => {
                slide.reach(&self.generator.tables.rays, from, self.generator.occupied)
            }
        }
    }

    fn try_plain(
        &self,
        plain: &PlainMoves,
        from: Square,
        to: Square,
        visitor: &mut impl MoveVisitor<W>,
    ) -> ControlFlow<()> {
        let walker = self.walker_on(from);
        let leads_there = |(_, plain_move): &&(u8, PlainMove)| self.targets_of(*plain_move, from).has(to);
        let Some((pattern, _)) = plain.moves.iter().find(leads_there) else {
            return ControlFlow::Continue(());
        };
        let by = &self.patterns[usize::from(*pattern)];
        let action = walker.action_for(by, to);
        match action.and_then(|action| walker.finish((by, action), to, None, self.legality)) {
            Some(next) => visitor.tried(self.played(from, to, *pattern, None), next),
            None => ControlFlow::Continue(()),
        }
    }
}
