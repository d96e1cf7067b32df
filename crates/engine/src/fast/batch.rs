//! Counting with the last two moves in batches: the positions before the last move are collected, and counted eight at
//! a time. What is left over goes on with the next parent.

use crate::fast::Pext;
use crate::fast::bits::squares;
use crate::fast::generate::{Look, Visitor, passed};
use crate::fast::plan::{Castle, Fast, Passing, Promotion, Step};
use crate::fast::state::State;
use crate::fast::vector::{Batch, Vector};

/// Counts positions so many moves on.
///
/// # Safety
/// The machine must have what [`crate::fast::vector::detected`] asks for; that a [`Vector`] exists shows it.
#[allow(unsafe_code, reason = "the machine has been asked")]
pub(crate) fn perft(fast: &Fast<u64>, vector: &Vector, state: &State<u64>, depth: u32) -> u64 {
    if depth < 2 {
        return Pext::perft(fast, state, depth);
    }
    let mut counting = Counting { fast, vector, batch: Batch::new(), nodes: 0 };
    // SAFETY: a `Vector` is only made where the machine has these instructions.
    unsafe { counting.below(state, depth) };
    let rest: u64 = counting.batch.states().map(|state| Pext::perft(fast, &state, 1)).sum();
    counting.nodes + rest
}

struct Counting<'f> {
    fast: &'f Fast<u64>,
    vector: &'f Vector,
    batch: Batch,
    nodes: u64,
}

impl Counting<'_> {
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,bmi1,bmi2,popcnt,lzcnt")]
    fn below(&mut self, state: &State<u64>, depth: u32) {
        let fast = self.fast;
        fast.visit::<Pext>(state, &mut Children { counting: self, state, depth });
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,bmi1,bmi2,popcnt,lzcnt")]
    fn flush(&mut self) {
        self.nodes += self.vector.count(&self.batch);
        for state in self.batch.marked() {
            self.nodes += self.fast.count_passings::<Pext>(&state);
        }
        self.batch.clear();
    }
}

/// Sends every child on its way: deeper, or into the batch.
struct Children<'c, 'f> {
    counting: &'c mut Counting<'f>,
    state: &'c State<u64>,
    depth: u32,
}

impl Children<'_, '_> {
    #[inline(always)]
    #[allow(unsafe_code, reason = "the machine has been asked")]
    fn go(&mut self, next: &State<u64>) {
        if self.depth > 2 {
            // SAFETY: we come from `Counting::below`.
            unsafe { self.counting.below(next, self.depth - 1) };
        } else if self.counting.batch.push(next) {
            // SAFETY: as above.
            unsafe { self.counting.flush() };
        }
    }

    #[inline(always)]
    fn land(&mut self, next: State<u64>, to: usize, kind: usize, promotion: &Promotion<u64>) {
        promotion.each(next, to, kind, |next| self.go(next));
    }
}

impl Visitor<u64> for Children<'_, '_> {
    #[inline(always)]
    fn officer(&mut self, kind: usize, from: usize, targets: u64) {
        for to in squares(targets) {
            let next = self.state.after(from, to, kind);
            self.go(&next);
        }
    }
    #[inline(always)]
    fn step(&mut self, kind: usize, step: &Step<u64>, targets: u64) {
        for to in squares(targets) {
            let next = step.made(self.state, to, kind);
            self.land(next, to, kind, &step.promotion);
        }
    }
    #[inline(always)]
    fn passing(&mut self, kind: usize, passing: &Passing<u64>, from: usize, to: usize) {
        self.land(passed(self.state, from, to, kind), to, kind, &passing.promotion);
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<u64>, from: usize) {
        let next = self.counting.fast.castled(self.state, castle, from);
        self.go(&next);
    }
}
