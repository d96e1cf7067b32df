//! Positions after moves, and the counts of steps and promotions.

use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::checks::Masks;
use crate::movegen::fast::side::{Promotion, SingleStep, Stepper};
use crate::movegen::fast::state::{FEW_PLANES, NO_MARK, State, UNMOVED};

/// Returns the position after castling.
#[inline(always)]
pub(crate) fn after_castle<B: Bits, const P: usize>(
    state: &State<B, P>,
    castle: &Castle<B>,
    from: usize,
) -> State<B, P> {
    let (partner_from, partner_at) = castle.moved;
    let is_disjoint = from != castle.target
        && partner_from != partner_at
        && partner_at != from
        && partner_from != castle.target;
    if !is_disjoint {
        return after_crossing(state, castle, from);
    }
    let mut next = state.after(partner_from, partner_at);
    next.side = state.side;
    next.after(from, castle.target)
}

/// Returns the position after castling if a piece stays, or goes to the square of the other.
#[cold]
#[inline(never)]
fn after_crossing<B: Bits, const P: usize>(
    state: &State<B, P>,
    castle: &Castle<B>,
    from: usize,
) -> State<B, P> {
    let (partner_from, partner_at) = castle.moved;
    let (king, partner) = (B::bit(from), B::bit(partner_from));
    let (to, partner_to) = (B::bit(castle.target), B::bit(partner_at));
    let keep = !(king | partner | to | partner_to);
    let mut next =
        State { planes: state.planes, mark: NO_MARK, flag: 0, side: state.side ^ 1, extras: state.extras };
    for (index, plane) in next.planes.iter_mut().enumerate() {
        let when = |is_there: bool, bit: B| if is_there && index != UNMOVED { bit } else { B::ZERO };
        let (is_king, is_partner) = (!(*plane & king).is_empty(), !(*plane & partner).is_empty());
        *plane = *plane & keep | when(is_king, to) | when(is_partner, partner_to);
    }
    next
}

/// Returns the position after the capture of the flagged piece.
#[inline(always)]
pub(crate) fn after_flag_capture<B: Bits, const P: usize>(
    state: &State<B, P>,
    from: usize,
    to: usize,
) -> State<B, P> {
    let mut next = state.after(from, to);
    next.remove(usize::from(state.mark));
    next
}

impl<B: Bits> SingleStep<B> {
    /// Returns the landings of some pieces with this step.
    #[inline(always)]
    pub(crate) fn targets<const P: usize>(&self, state: &State<B, P>, pieces: B, masks: &Masks<B>) -> B {
        let mut set = pieces & (state.planes[UNMOVED] | self.moved);
        for _ in 1..self.times {
            set = self.shift.of(set) & !masks.occupied;
        }
        set = self.shift.of(set);
        // Own squares are never allowed.
        set & ((self.empty & !masks.occupied) | (self.enemy & masks.occupied)) & masks.allowed
    }

    /// Returns the source of a landing.
    #[inline(always)]
    pub(crate) fn source(&self, to: usize) -> usize {
        (to as i32 - self.by * self.times as i32) as usize
    }

    /// Returns the position after a landing, before promotion.
    #[inline(always)]
    pub(crate) fn made<const P: usize>(
        &self,
        state: &State<B, P>,
        stepper: &Stepper<B>,
        to: usize,
    ) -> State<B, P> {
        let from = self.source(to);
        let is_deep = P > FEW_PLANES;
        let mut next =
            if is_deep { state.carried(1 << stepper.plane, from, to) } else { state.after(from, to) };
        if let Some(flag) = self.flag {
            next.mark = to as u8;
            next.flag = flag;
        }
        next
    }
}

impl<B: Bits> Promotion<B> {
    /// Returns the landings on which a piece is promoted.
    #[inline(always)]
    pub(crate) fn of(&self, targets: B) -> B {
        if self.options.is_empty() { B::ZERO } else { targets & self.zone }
    }

    /// Calls `go` with the position after a landing, or with one for each promotion.
    #[inline(always)]
    pub(crate) fn each<const P: usize>(
        &self,
        next: State<B, P>,
        to: usize,
        mut go: impl FnMut(&State<B, P>),
    ) {
        if self.of(B::bit(to)).is_empty() {
            return go(&next);
        }
        for (_, column) in &self.options {
            let mut fresh = next;
            fresh.transform(to, *column);
            go(&fresh);
        }
    }

    /// Returns the number of moves for a set of landings.
    #[inline(always)]
    pub(crate) fn count(&self, targets: B) -> u64 {
        let promoting = targets & self.zone;
        let mut count = u64::from(targets.count());
        if !promoting.is_empty() {
            count += u64::from(promoting.count()) * (self.options.len().max(1) - 1) as u64;
        }
        count
    }
}
