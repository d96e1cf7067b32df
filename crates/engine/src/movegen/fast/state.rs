//! The position of the fast generator: a small value made of planes.
//!
//! A plane is a movement *atom*, not a kind: one for each class of slides, one for each set of leaps, one for each
//! kind with other moves. A queen stands in two planes. The bits of all planes at a square are the piece's *column*,
//! which identifies its kind. A move copies a column from one square to another without looking at the kind.

use crate::movegen::fast::bits::{Bits, squares};
use crate::movegen::fast::extras::Extras;
use crate::movegen::fast::tables::FastTables;
use crate::position::Position;

/// The planes that every game has: both players, unmoved pieces, leaders. Atoms follow.
pub(crate) const UNMOVED: usize = 2;
pub(crate) const LEADER: usize = 3;
pub(crate) const ATOMS: usize = 4;

/// The planes of a piece, as bits.
pub(crate) type Column = u32;

/// With more planes than this, moves are functions, because unrolled loops over the planes would be long.
pub(crate) const FEW_PLANES: usize = 8;

/// The value of `mark` without a flag.
pub(crate) const NO_MARK: u8 = u8::MAX;

/// A position of two players with at most one leader each, and at most one flag, which expires with this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct State<B, const P: usize> {
    pub(crate) planes: [B; P],
    /// The square of the flag, or [`NO_MARK`].
    pub(crate) mark: u8,
    pub(crate) flag: u8,
    /// The player to move.
    pub(crate) side: u8,
    pub(crate) extras: Extras,
}

impl<B: Bits, const P: usize> State<B, P> {
    /// Converts a position, if it is supported: no player is eliminated, the game is not over, every kind can occur,
    /// unmoved pieces stand where they can be, and there is at most one flag, which expires with this turn.
    pub(crate) fn of(fast: &FastTables<B>, position: &Position, side: u8) -> Option<Self> {
        let (mark, flag) = match position.marks() {
            [] => (NO_MARK, 0),
            [mark] => {
                mark.countdown.filter(|it| it.remaining == 1 && it.slot != position.slot())?;
                (mark.square.0 as u8, mark.flag.0)
            }
            _ => return None,
        };
        let is_over = position.ended().is_some() || !position.eliminated().is_empty();
        if is_over || fast.unmoved_guards.iter().any(|guard| guard.is_broken(position)) {
            return None;
        }
        let mut planes = [B::ZERO; P];
        for (player, plane) in planes.iter_mut().enumerate().take(2) {
            *plane = B::from_words(position.player_plane(player));
        }
        planes[UNMOVED] = B::from_words(position.unmoved_plane());
        for (kind, column) in fast.columns.iter().enumerate().take(position.kind_count()) {
            let pieces = B::from_words(position.kind_plane(kind));
            if *column == 0 && !pieces.is_empty() {
                return None;
            }
            for plane in squares(u64::from(*column)) {
                planes[plane & (P - 1)] |= pieces;
            }
        }
        let extras = fast.extras.read(position)?;
        Some(State { planes, mark, flag, side, extras })
    }

    #[inline(always)]
    pub(crate) fn own(&self) -> B {
        self.planes[usize::from(self.side & 1)]
    }

    #[inline(always)]
    pub(crate) fn enemy(&self) -> B {
        self.planes[usize::from(!self.side & 1)]
    }

    /// Returns a plane by number.
    #[inline(always)]
    pub(crate) fn plane(&self, index: usize) -> B {
        // `P` is a power of two and numbers are below it, so no bounds check remains.
        self.planes[index & (P - 1)]
    }

    /// Returns the atoms of the piece on a square, as bits.
    #[inline(always)]
    pub(crate) fn column(&self, square: usize) -> Column {
        if P > FEW_PLANES { self.column_among_many(square) } else { self.column_inlined(square) }
    }

    #[inline(never)]
    fn column_among_many(&self, square: usize) -> Column {
        self.column_inlined(square)
    }

    #[inline(always)]
    fn column_inlined(&self, square: usize) -> Column {
        let bit = B::bit(square);
        let mut column = 0;
        for (index, plane) in self.planes.iter().enumerate().skip(LEADER) {
            column |= Column::from(!(*plane & bit).is_empty()) << index;
        }
        column
    }

    /// Returns the position after a piece has moved, capturing any piece on the target.
    #[inline(always)]
    pub(crate) fn after(&self, from: usize, to: usize) -> Self {
        if P > FEW_PLANES {
            return self.carried(self.column(from), from, to);
        }
        let mut next =
            State { planes: [B::ZERO; P], mark: NO_MARK, flag: 0, side: 0, extras: Extras::default() };
        self.make(&mut next, from, to);
        next
    }

    /// Returns the position after a piece with a known column has moved. With many planes, only those of the column need
    /// a look at the piece.
    #[inline(never)]
    pub(crate) fn carried(&self, column: Column, from: usize, to: usize) -> Self {
        let (from, to) = (B::bit(from), B::bit(to));
        let keep = !(from | to);
        let planes = self.planes.map(|plane| plane & keep);
        let mut next = State { planes, mark: NO_MARK, flag: 0, side: self.side ^ 1, extras: self.extras };
        next.planes[usize::from(self.side & 1)] |= to;
        next.put(column, to);
        next
    }

    /// Adds a bit to the planes of a column.
    #[inline(always)]
    fn put(&mut self, mut column: Column, bit: B) {
        while column != 0 {
            self.planes[column.trailing_zeros() as usize & (P - 1)] |= bit;
            column &= column - 1;
        }
    }

    /// Writes the position after a move over another one. Each word is written once, so that nothing waits for a
    /// previous write.
    #[inline(always)]
    pub(crate) fn make(&self, next: &mut Self, from: usize, to: usize) {
        let (from, to) = (B::bit(from), B::bit(to));
        let keep = !(from | to);
        for (index, plane) in next.planes.iter_mut().enumerate() {
            let is_there = index != UNMOVED && !(self.planes[index] & from).is_empty();
            *plane = (self.planes[index] & keep) | if is_there { to } else { B::ZERO };
        }
        next.mark = NO_MARK;
        next.side = self.side ^ 1;
        // Usual games, which have few planes, have no extras.
        if P > FEW_PLANES {
            next.extras = self.extras;
        }
    }

    /// Returns the own or enemy pieces with exactly these planes.
    #[inline(never)]
    pub(crate) fn pieces(&self, player: usize, column: Column) -> B {
        let mut pieces = self.planes[player & 1];
        for (index, plane) in self.planes.iter().enumerate().skip(LEADER) {
            pieces &= if column >> index & 1 == 1 { *plane } else { !*plane };
        }
        pieces
    }

    /// Returns the position after a piece from the hand was put on an empty square.
    #[inline(never)]
    pub(crate) fn after_drop(&self, column: Column, to: usize) -> Self {
        let mut next = *self;
        let bit = B::bit(to);
        next.put(column, bit);
        next.planes[usize::from(self.side & 1)] |= bit;
        next.mark = NO_MARK;
        next.side = self.side ^ 1;
        next
    }

    /// Removes the piece on a square.
    #[inline(always)]
    pub(crate) fn remove(&mut self, square: usize) {
        let keep = !B::bit(square);
        for plane in &mut self.planes {
            *plane &= keep;
        }
    }

    /// Replaces the piece on a square with a new, unmoved one.
    #[inline(always)]
    pub(crate) fn transform(&mut self, square: usize, column: Column) {
        if P > FEW_PLANES {
            return self.transform_among_many(square, column);
        }
        let bit = B::bit(square);
        for (index, plane) in self.planes.iter_mut().enumerate().skip(LEADER) {
            *plane = (*plane & !bit) | if column >> index & 1 == 1 { bit } else { B::ZERO };
        }
        self.planes[UNMOVED] |= bit;
    }

    #[inline(never)]
    fn transform_among_many(&mut self, square: usize, column: Column) {
        let bit = B::bit(square);
        for plane in self.planes.iter_mut().skip(LEADER) {
            *plane &= !bit;
        }
        self.put(column, bit);
        self.planes[UNMOVED] |= bit;
    }
}
