//! Kinds whose moves are not plain: leaps within regions or over squares that must be empty, slides that only move or
//! only capture, moves over a hurdle, promotion on any move. Regions are part of the tables.

use crate::movegen::fast::bits::{Bits, lookup, squares};
use crate::movegen::fast::checks::Masks;
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::lame::LameTable;
use crate::movegen::fast::side::Side;
use crate::movegen::fast::state::{Column, LEADER, State};
use crate::movegen::fast::tables::FastTables;
use crate::movegen::fast::visitors::MoveVisitor;

/// The moves of a kind that are not plain.
pub(crate) struct Special<B> {
    pub(crate) plane: usize,
    /// By square: the targets of leaps to empty squares, and of capturing leaps.
    pub(super) quiet: Box<[B]>,
    pub(super) captures: Box<[B]>,
    /// By square: the sources of capturing leaps.
    pub(super) from: Box<[B]>,
    pub(super) lame: Vec<LameLeaps<B>>,
    pub(super) slides: Vec<Slide<B>>,
    pub(super) hurdles: Vec<Hurdle<B>>,
    pub(crate) promotions: Vec<PromotionRule<B>>,
    /// By source and target: the index of the move to an empty square, and of the capture.
    pub(super) quiet_patterns: Box<[u8]>,
    pub(super) capture_patterns: Box<[u8]>,
}

/// Leaps over squares that must be empty.
pub(super) struct LameLeaps<B> {
    /// All squares or none: whether the leaps go to empty squares, and whether they capture.
    pub(super) quiet: B,
    pub(super) captures: B,
    /// By source: the targets.
    pub(super) to: LameTable<B>,
    /// By target: the sources.
    pub(super) from: LameTable<B>,
}

/// Slides of one form.
pub(super) struct Slide<B> {
    pub(super) class: usize,
    /// The class of the opposite directions.
    pub(super) reverse: usize,
    pub(super) quiet: B,
    pub(super) captures: B,
}

/// Moves over one piece.
pub(super) struct Hurdle<B> {
    pub(super) class: usize,
    pub(super) reverse: usize,
    pub(super) quiet: B,
    pub(super) captures: B,
    /// If only the square behind the piece is a target: the tables of such hops.
    pub(super) hop: Option<Hop<B>>,
}

/// The tables of hops.
pub(super) struct Hop<B> {
    /// By source and hurdle: the target.
    pub(super) behind: Box<[B]>,
    /// By target: the squares of possible hurdles.
    pub(super) beside: Box<[B]>,
}

/// A promotion that depends on source and target.
pub(crate) struct PromotionRule<B> {
    /// By source: the targets.
    pub(super) zones: Box<[B]>,
    /// Kinds and their columns.
    pub(crate) options: Vec<(u8, Column)>,
}

impl<B: Bits> PromotionRule<B> {
    /// Returns the targets on which a piece is promoted.
    #[inline(always)]
    pub(crate) fn of(&self, from: usize, targets: B) -> B {
        lookup(&self.zones, from) & targets
    }
}

impl<B: Bits> Hurdle<B> {
    /// Returns the squares that are reached over one piece.
    #[inline(always)]
    fn targets<L: SlideLookup<B>>(&self, fast: &FastTables<B>, from: usize, occupied: B) -> B {
        match &self.hop {
            None => over_hurdle::<B, L>(fast, self.class, from, occupied),
            Some(hop) => {
                let hurdles = L::slide(fast, self.class, from, occupied) & occupied;
                squares(hurdles).fold(B::ZERO, |targets, hurdle| {
                    targets | lookup(&hop.behind, from * fast.squares + hurdle)
                })
            }
        }
    }

    /// Returns the squares from which a square is reached over one piece.
    #[inline(always)]
    fn sources<L: SlideLookup<B>>(&self, fast: &FastTables<B>, square: usize, occupied: B) -> B {
        match &self.hop {
            None => over_hurdle::<B, L>(fast, self.reverse, square, occupied),
            Some(hop) => {
                let hurdles = lookup(&hop.beside, square) & occupied;
                L::slide(fast, self.reverse, square, occupied & !hurdles)
                    & !L::slide(fast, self.reverse, square, occupied)
            }
        }
    }
}

/// Returns the squares behind the first piece in each direction, up to and including the second.
#[inline(always)]
fn over_hurdle<B: Bits, L: SlideLookup<B>>(
    fast: &FastTables<B>,
    class: usize,
    square: usize,
    occupied: B,
) -> B {
    let near = L::slide(fast, class, square, occupied);
    L::slide(fast, class, square, occupied & !near) & !near
}

impl<B: Bits> Special<B> {
    /// Returns the index of a move.
    #[inline(always)]
    pub(crate) fn pattern(&self, pair: usize, captures: bool) -> u8 {
        lookup(if captures { &self.capture_patterns } else { &self.quiet_patterns }, pair)
    }

    /// Returns whether pieces that leave or enter a square can open or give an attack, other than by a line.
    pub(crate) fn needs_watch(&self) -> bool {
        let captures = |set: B| set != B::ZERO;
        self.hurdles.iter().any(|it| captures(it.captures))
            || self.lame.iter().any(|it| captures(it.captures))
    }

    /// Returns the targets of a piece.
    #[inline(always)]
    fn targets<L: SlideLookup<B>>(&self, fast: &FastTables<B>, from: usize, masks: &Masks<B>) -> B {
        let (free, enemy) = (!masks.occupied, masks.enemy);
        let mut targets = (lookup(&self.quiet, from) & free) | (lookup(&self.captures, from) & enemy);
        for leaps in &self.lame {
            targets |=
                L::lame(&leaps.to, from, masks.occupied) & ((leaps.quiet & free) | (leaps.captures & enemy));
        }
        for slide in &self.slides {
            targets |= L::slide(fast, slide.class, from, masks.occupied)
                & ((slide.quiet & free) | (slide.captures & enemy));
        }
        for hurdle in &self.hurdles {
            targets |= hurdle.targets::<L>(fast, from, masks.occupied)
                & ((hurdle.quiet & free) | (hurdle.captures & enemy));
        }
        targets
    }

    /// Returns the squares from which a piece attacks a square.
    #[inline(always)]
    pub(crate) fn sources<L: SlideLookup<B>>(&self, fast: &FastTables<B>, square: usize, occupied: B) -> B {
        let mut sources = lookup(&self.from, square);
        for leaps in &self.lame {
            sources |= L::lame(&leaps.from, square, occupied) & leaps.captures;
        }
        for slide in &self.slides {
            sources |= L::slide(fast, slide.reverse, square, occupied) & slide.captures;
        }
        for hurdle in &self.hurdles {
            sources |= hurdle.sources::<L>(fast, square, occupied) & hurdle.captures;
        }
        sources
    }
}

impl<B: Bits> FastTables<B> {
    /// Returns the squares from which the specials and the leader of a player attack a square along other lines than
    /// plain ones.
    #[inline(always)]
    pub(crate) fn special_sources<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        side: &Side<B>,
        square: usize,
        occupied: B,
    ) -> B {
        let mut hits = B::ZERO;
        for special in &side.specials {
            hits |= special.sources::<L>(self, square, occupied) & state.plane(special.plane);
        }
        if let Some((_, reverse)) = side.facing {
            hits |= L::slide(self, reverse, square, occupied) & state.planes[LEADER];
        }
        hits
    }

    /// Returns the squares from which a piece with these planes attacks a square.
    #[inline(always)]
    pub(crate) fn attack_sources<L: SlideLookup<B>>(
        &self,
        by: usize,
        column: Column,
        square: usize,
        occupied: B,
    ) -> B {
        let side = &self.sides[by & 1];
        let has = |plane: usize| column >> plane & 1 == 1;
        let mut sources = B::ZERO;
        for leaps in L::leaps(side).iter().filter(|it| has(it.plane)) {
            sources |= lookup(&leaps.from, square);
        }
        for stepper in L::steppers(side).iter().filter(|it| has(it.plane)) {
            sources |= lookup(&stepper.hits, square);
        }
        for (_, class) in L::slides(side).iter().filter(|(plane, _)| has(*plane)) {
            sources |= L::slide(self, *class, square, occupied);
        }
        for special in side.specials.iter().filter(|it| has(it.plane)) {
            sources |= special.sources::<L>(self, square, occupied);
        }
        sources
    }

    /// Visits the moves of the specials among some pieces, to allowed squares.
    #[inline(always)]
    pub(crate) fn visit_specials<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        pieces: B,
        (masks, allowed): (&Masks<B>, B),
        visitor: &mut impl MoveVisitor<B>,
    ) {
        for special in &self.side(state).specials {
            for from in squares(state.plane(special.plane) & pieces) {
                let targets = special.targets::<L>(self, from, masks) & allowed;
                let targets = self.watched::<L, P>(state, masks, from, targets);
                visitor.special(special, from, targets);
            }
        }
    }

    /// Returns the targets of a piece that leave the leader safe, where leaving or entering a square may open a check.
    #[inline(always)]
    pub(crate) fn watched<L: SlideLookup<B>, const P: usize>(
        &self,
        state: &State<B, P>,
        masks: &Masks<B>,
        from: usize,
        targets: B,
    ) -> B {
        if L::USUAL || !masks.watches {
            return targets;
        }
        let leaves = !(masks.watch_from & B::bit(from)).is_empty();
        let doubtful = if leaves { targets } else { targets & masks.watch_to };
        let mut safe = targets;
        for to in squares(doubtful) {
            if !self.stays_safe::<L, P>(&state.after(from, to)) {
                safe ^= B::bit(to);
            }
        }
        safe
    }
}
