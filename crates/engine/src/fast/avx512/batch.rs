//! Counting with the last two moves in batches: the positions before the last move are collected, and counted eight at
//! a time. What is left over goes on with the next parent.

use crate::fast::avx512::compass::Compass;
use crate::fast::avx512::vector::{Batch, Vector};
use crate::fast::bits::squares;
use crate::fast::generate::{Look, Made, Visitor, passed};
use crate::fast::pext::Pext;
use crate::fast::plan::{Castle, Fast, Passing, Step};
use crate::fast::state::State;

/// Counts positions so many moves on.
///
/// # Safety
/// The machine must have what [`super::detected`] asks for; that a [`Vector`] exists shows it.
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

/// Counts the last move of each position by itself, all its directions at once.
///
/// # Safety
/// As for [`perft`]; that a [`Compass`] exists shows it.
#[allow(unsafe_code, reason = "the machine has been asked")]
pub(crate) fn perft_singly(fast: &Fast<u64>, compass: &Compass, state: &State<u64>, depth: u32) -> u64 {
    // SAFETY: a `Compass` is only made where the machine has these instructions.
    unsafe { singly(fast, compass, state, depth) }
}

#[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn singly(fast: &Fast<u64>, compass: &Compass, state: &State<u64>, depth: u32) -> u64 {
    if depth == 1 {
        return compass.count(fast, state);
    }
    let mut nodes = 0;
    let go = |next: &State<u64>| nodes += singly(fast, compass, next, depth - 1);
    fast.visit::<Pext>(state, &mut Made { fast, state, go });
    nodes
}

struct Counting<'f> {
    fast: &'f Fast<u64>,
    vector: &'f Vector,
    batch: Batch,
    nodes: u64,
}

impl Counting<'_> {
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn below(&mut self, state: &State<u64>, depth: u32) {
        let fast = self.fast;
        if depth > 2 {
            let go = |next: &State<u64>| self.below(next, depth - 1);
            fast.visit::<Pext>(state, &mut Made { fast, state, go });
        } else {
            fast.visit::<Pext>(state, &mut Leaves { counting: self, state });
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn flush(&mut self) {
        self.nodes += self.vector.count(&self.batch);
        for state in self.batch.marked() {
            self.nodes += self.fast.count_passings::<Pext>(&state);
        }
        self.batch.clear();
    }
}

/// Puts every child into the batch.
struct Leaves<'c, 'f> {
    counting: &'c mut Counting<'f>,
    state: &'c State<u64>,
}

impl Leaves<'_, '_> {
    #[inline(always)]
    #[allow(unsafe_code, reason = "the machine has been asked")]
    fn flush_if(&mut self, is_full: bool) {
        if is_full {
            // SAFETY: we come from `Counting::below`.
            unsafe { self.counting.flush() };
        }
    }

    #[inline(always)]
    fn go(&mut self, next: &State<u64>) {
        let is_full = self.counting.batch.push(next);
        self.flush_if(is_full);
    }
}

impl Visitor<u64> for Leaves<'_, '_> {
    #[inline(always)]
    fn officer(&mut self, kind: usize, from: usize, targets: u64) {
        for to in squares(targets) {
            let is_full = self.counting.batch.push_after(self.state, from, to, kind);
            self.flush_if(is_full);
        }
    }
    #[inline(always)]
    fn step(&mut self, kind: usize, step: &Step<u64>, targets: u64) {
        if step.flag.is_none() && targets & step.promotion.zone == 0 {
            for to in squares(targets) {
                let is_full = self.counting.batch.push_after(self.state, step.source(to), to, kind);
                self.flush_if(is_full);
            }
            return;
        }
        for to in squares(targets) {
            step.promotion.each(step.made(self.state, to, kind), to, kind, |next| self.go(next));
        }
    }
    #[inline(always)]
    fn passing(&mut self, kind: usize, passing: &Passing<u64>, from: usize, to: usize) {
        passing.promotion.each(passed(self.state, from, to, kind), to, kind, |next| self.go(next));
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<u64>, from: usize) {
        self.go(&self.counting.fast.castled(self.state, castle, from));
    }
}
