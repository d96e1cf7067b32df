//! The position of the fast path: a plain small value.

use crate::fast::bits::Bits;
use crate::position::Position;

/// The most kinds of a game on the fast path.
pub(crate) const KINDS: usize = 8;

/// No flag is on the board.
pub(crate) const NO_MARK: u8 = u8::MAX;

/// A position of two players, one leader each, and at most one flag, which goes with this turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State<B> {
    pub(crate) kinds: [B; KINDS],
    pub(crate) players: [B; 2],
    pub(crate) unmoved: B,
    /// Where the flag lies, or [`NO_MARK`].
    pub(crate) mark: u8,
    pub(crate) flag: u8,
    /// Whose turn it is.
    pub(crate) side: u8,
}

impl<B: Bits> State<B> {
    /// The board of a position, if it has no more than the fast path knows: nobody is out, the game goes on, and there
    /// is at most one flag, which goes with this turn.
    pub(crate) fn of(position: &Position, side: u8) -> Option<Self> {
        let mark = match position.marks() {
            [] => (NO_MARK, 0),
            [mark] => {
                let countdown =
                    mark.countdown.filter(|it| it.remaining == 1 && it.slot != position.slot())?;
                let _ = countdown;
                (mark.square.0 as u8, mark.flag.0)
            }
            _ => return None,
        };
        if position.ended().is_some() || !position.eliminated().is_empty() {
            return None;
        }
        let mut kinds = [B::ZERO; KINDS];
        for (kind, plane) in kinds.iter_mut().enumerate().take(position.kind_count()) {
            *plane = B::from_words(position.kind_plane(kind));
        }
        Some(State {
            kinds,
            players: [0, 1].map(|player| B::from_words(position.player_plane(player))),
            unmoved: B::from_words(position.unmoved_plane()),
            mark: mark.0,
            flag: mark.1,
            side,
        })
    }

    #[inline(always)]
    pub(crate) fn own(&self) -> B {
        self.players[usize::from(self.side)]
    }

    #[inline(always)]
    pub(crate) fn enemy(&self) -> B {
        self.players[usize::from(self.side ^ 1)]
    }

    /// The board after a piece has gone from one square to another and become `kind`; what stood there is gone.
    #[inline(always)]
    pub(crate) fn after(&self, from: usize, to: usize, kind: usize) -> Self {
        let mut next = *self;
        self.make(&mut next, from, to, kind);
        next
    }

    /// The same, written over another board: every word once, all planes in one breath, so that nothing waits for a
    /// word that was just written.
    #[inline(always)]
    pub(crate) fn make(&self, next: &mut Self, from: usize, to: usize, kind: usize) {
        let (from, to) = (B::bit(from), B::bit(to));
        let keep = !(from | to);
        for (index, plane) in next.kinds.iter_mut().enumerate() {
            let put = if index == kind { to } else { B::ZERO };
            *plane = (self.kinds[index] & keep) | put;
        }
        next.unmoved = self.unmoved & keep;
        let side = usize::from(self.side & 1);
        next.players[side] = (self.players[side] & keep) | to;
        next.players[side ^ 1] = self.players[side ^ 1] & keep;
        next.mark = NO_MARK;
        next.side = self.side ^ 1;
    }

    /// Removes whatever stands on a square.
    #[inline(always)]
    pub(crate) fn remove(&mut self, square: usize) {
        let keep = !B::bit(square);
        for plane in &mut self.kinds {
            *plane &= keep;
        }
        self.unmoved &= keep;
        self.players[0] &= keep;
        self.players[1] &= keep;
    }
}
