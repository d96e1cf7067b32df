//! When two positions are the same for repetition: if the same can still happen in both.
//!
//! The board and the turn always count. That a piece has never moved counts only while some rule that asks for it
//! can still fire: once a king has moved, nobody asks any more whether its rook has. A flag counts only while
//! somebody can use it: an en-passant flag that no legal move uses makes no difference. What cannot be told cheaply
//! counts, so that different positions are never taken for the same.

use smallvec::SmallVec;

use crate::hash;
use crate::piece::Player;
use crate::position::{Mark, Position, Spot};
use crate::rules::Rules;
use crate::square::{Offset, Square};

/// What a position is for repetition: equal if and only if the positions count as the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity(Position);

impl Identity {
    /// A key for tables.
    pub fn key(&self) -> u64 {
        self.0.key()
    }

    /// The position with everything forgotten that makes no difference.
    pub fn position(&self) -> &Position {
        &self.0
    }
}

impl Rules {
    /// The identity for repetition.
    pub fn identity(&self, position: &Position) -> Identity {
        let mut bare = position.clone();
        self.forget_flags(&mut bare);
        self.general.each_unmoved_in_vain(self, position, |square| bare.forget_unmoved(square));
        Identity(bare)
    }

    /// The key of the identity, for whoever needs no more: mostly nothing is copied for it.
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
        if !position.marks().is_empty() {
            let mut bare = position.clone();
            self.forget_flags(&mut bare);
            key = bare.key();
        }
        let forget = |square| key ^= hash::unmoved(Spot::host(square));
        self.general.each_unmoved_in_vain(self, position, forget);
        key
    }

    /// Drops the flags that no rule asks for, and those that go with this turn without having been of use.
    fn forget_flags(&self, position: &mut Position) {
        let mut marks: SmallVec<[Mark; 4]> = position.marks().into();
        if marks.len() > 1 {
            marks.sort_by_key(|mark| (mark.square, self.flag(mark.flag)));
        }
        for mark in marks {
            let slot = position.slot();
            let last_turn = mark.countdown.is_some_and(|it| it.remaining == 1 && it.slot != slot);
            let is_tested = !self.memory.lookers[mark.flag.index()].is_empty();
            if !is_tested || last_turn && !self.is_of_use(position, &mark) {
                position.retain_marks(|other| *other != mark);
            }
        }
    }

    /// Whether a flag that goes with this turn makes a difference to the legal moves, whatever a die will say.
    fn is_of_use(&self, position: &Position, mark: &Mark) -> bool {
        // A flag on a piece of one's own goes along when it is asked whether that would be attacked elsewhere.
        let is_own = position.owned_by(self.mover(position), mark.square);
        if !is_own && !self.is_looked_at(position, mark) {
            return false;
        }
        let fast = self.fast.as_ref().and_then(|fast| fast.uses_mark(self, position));
        fast.unwrap_or_else(|| {
            let mut without = position.clone();
            without.retain_marks(|other| other != mark);
            self.general.moves(self, position) != self.general.moves(self, &without)
        })
    }

    /// Whether a piece stands where one of its moves would look for the flag.
    fn is_looked_at(&self, position: &Position, mark: &Mark) -> bool {
        self.memory.lookers[mark.flag.index()].iter().any(|(kind, offset)| {
            self.players().any(|player| {
                let looks = |from: Square| position.owned_by(player, from) && position.is_kind(*kind, from);
                self.offset_square(mark.square, player, offset.reversed()).is_some_and(looks)
            })
        })
    }

    /// The square at a neutral offset, as the player sees it.
    pub(crate) fn offset_square(&self, source: Square, player: Player, offset: Offset) -> Option<Square> {
        self.board.step(source, self.player(player).orientation.turn(offset))
    }
}
