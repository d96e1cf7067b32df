//! Equality of positions for repetition: two positions are the same if the same play is possible from both.
//!
//! The board and the turn always count. Whether a piece has moved counts only while a rule that tests it can still
//! apply: after the king of chess has moved, it no longer matters whether its rook has. A flag counts only while a
//! move can use it: an en passant flag that no legal move uses is ignored. What is too expensive to decide counts, so
//! different positions are never treated as equal.

use smallvec::SmallVec;

use crate::piece::Piece;
use crate::position::zobrist;
use crate::position::{Mark, Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// A position for repetition.
///
/// # Equality
///
/// Two identities are equal if and only if the positions count as the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity(Position);

impl Identity {
    /// Returns a key for hash tables.
    #[inline]
    pub fn key(&self) -> u64 {
        self.0.key()
    }

    /// Returns the position without the facts that make no difference.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.0
    }
}

impl Rules {
    /// Returns the identity of a position for repetition. Whether the game has ended there does not count: that may depend on
    /// counters that do not.
    pub fn identity(&self, position: &Position) -> Identity {
        let mut bare = position.clone();
        bare.ended = None;
        self.forget_counters(&mut bare);
        if self.restrictions_ask_past {
            return Identity(bare);
        }
        self.forget_flags(&mut bare);
        self.general.for_each_irrelevant_unmoved(self, position, |square| bare.forget_unmoved(square));
        Identity(bare)
    }

    /// Returns the key of the identity. Usually cheaper than [`Rules::identity`], because nothing is copied.
    ///
    /// # Examples
    ///
    /// ```
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    /// let mut position = rules.start();
    /// while let Some(played) = rules.legal_moves(&position).last() {
    ///     position = rules.play_unchecked(&position, *played);
    ///     assert_eq!(rules.identity_key(&position), rules.identity(&position).key());
    ///     # if position.piece_count() < 30 { break; }
    /// }
    /// ```
    pub fn identity_key(&self, position: &Position) -> u64 {
        let mut key = position.key();
        if self.mechanics().counters.iter().any(|counter| !counter.in_identity) {
            return self.identity(position).key();
        }
        if self.restrictions_ask_past {
            return key;
        }
        if !position.marks().is_empty() {
            let mut bare = position.clone();
            self.forget_flags(&mut bare);
            key = bare.key();
        }
        let forget = |square| key ^= zobrist::unmoved(Spot::host(square));
        self.general.for_each_irrelevant_unmoved(self, position, forget);
        key
    }

    /// Sets the counters to 0 that do not distinguish positions.
    fn forget_counters(&self, position: &mut Position) {
        for (counter, plan) in (0u8..).zip(&self.mechanics().counters) {
            for player in self.players().filter(|_| !plan.in_identity) {
                position.set_counter_value(self.counter_place(counter, player), 0);
            }
        }
    }

    /// Drops the flags that no rule tests, and those that expire with this turn unused.
    fn forget_flags(&self, position: &mut Position) {
        let mut marks: SmallVec<[Mark; 4]> = position.marks().into();
        if marks.len() > 1 {
            marks.sort_by_key(|mark| (mark.square, self.flag(mark.flag)));
        }
        for mark in marks {
            let slot = position.slot();
            let last_turn = mark.countdown.is_some_and(|it| it.remaining == 1 && it.slot != slot);
            let is_tested = self.unmoved.marks_are_read[mark.flag.index()]
                || !self.unmoved.flag_readers[mark.flag.index()].is_empty();
            if !is_tested || last_turn && !self.affects_moves(position, &mark) {
                position.retain_marks(|other| *other != mark);
            }
        }
    }

    /// Returns whether a flag that expires with this turn changes the set of legal moves, ignoring the die.
    fn affects_moves(&self, position: &Position, mark: &Mark) -> bool {
        // A flag on an own piece travels with it when the generator tests whether the piece would be attacked
        // elsewhere.
        let is_own = position.owned_by(self.mover(position), mark.square);
        let may_count = is_own || self.unmoved.marks_are_read[mark.flag.index()];
        if !may_count && !self.is_tested_now(position, mark) {
            return false;
        }
        let fast = self.fast.as_ref().and_then(|fast| fast.uses_mark(self, position));
        fast.unwrap_or_else(|| {
            let mut without = position.clone();
            without.retain_marks(|other| other != mark);
            if self.has_parts {
                return self.turns(position) != self.turns(&without);
            }
            self.general.moves(self, position) != self.general.moves(self, &without)
        })
    }

    /// Returns whether a piece stands where one of its moves would test the flag.
    fn is_tested_now(&self, position: &Position, mark: &Mark) -> bool {
        self.unmoved.flag_readers[mark.flag.index()].iter().any(|(kind, offset)| {
            self.players().any(|player| {
                let is_reader = |piece: Piece| (piece.player, piece.kind) == (player, *kind);
                let looks = |from: Square| {
                    position.owned_by(player, from) && position.is_kind(*kind, from)
                        || position.has_upper() && position.guest(from).is_some_and(is_reader)
                };
                let offset = self.player(player).orientation.turn(*offset);
                self.board.sources(mark.square, offset).into_iter().any(looks)
            })
        })
    }
}
