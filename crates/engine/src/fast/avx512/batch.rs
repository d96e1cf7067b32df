//! Counting with the last two moves in batches: the positions before the last move are collected, and counted eight at
//! a time. What is left over goes on with the next parent.
//!
//! # Safety
//! As in [`super::lanes`]; that a [`Vector`] exists shows that the machine has been asked.
#![allow(unsafe_code, reason = "the machine has been asked")]

use crate::fast::avx512::lanes::{LANES, Narrow, carried, load, words};
use crate::fast::avx512::vector::Vector;
use crate::fast::bits::squares;
use crate::fast::castle::Castle;
use crate::fast::generate::{Look, Made, Visitor, castled, passed};
use crate::fast::pext::{Pext, is_usual};
use crate::fast::plan::Fast;
use crate::fast::side::{Passing, Step, Stepper};
use crate::fast::state::NO_MARK;

/// Eight positions with the same player to move. They lie position by position, as they are made, and are turned into
/// planes of eight when they are counted.
#[repr(align(64))]
pub(super) struct Batch {
    pub(super) rows: [[u64; LANES]; LANES],
    marks: [u8; LANES],
    flags: [u8; LANES],
    pub(super) side: u8,
    len: usize,
}

impl Batch {
    fn new() -> Self {
        Batch { rows: [[0; LANES]; LANES], marks: [NO_MARK; LANES], flags: [0; LANES], side: 0, len: 0 }
    }

    /// The place of the next position.
    #[inline(always)]
    fn next(&mut self) -> usize {
        let lane = self.len & (LANES - 1);
        self.len = lane + 1;
        lane
    }

    fn state(&self, lane: usize) -> Narrow {
        Narrow { planes: self.rows[lane], mark: self.marks[lane], flag: self.flags[lane], side: self.side }
    }
}

/// Counts positions so many moves on.
pub(super) fn perft(fast: &Fast<u64>, vector: &Vector, state: &Narrow, depth: u32) -> u64 {
    if depth < 2 {
        return Pext::<false>::perft(fast, state, depth);
    }
    let mut counting = Counting { fast, vector, batch: Batch::new(), has_marks: false, nodes: 0 };
    counting.batch.side = state.side ^ (depth & 1 ^ 1) as u8;
    // SAFETY: a `Vector` is only made where the machine has these instructions.
    unsafe {
        if is_usual(fast) {
            counting.below::<true>(state, depth);
        } else {
            counting.below::<false>(state, depth);
        }
    };
    let rest = 0..counting.batch.len;
    counting.nodes + rest.map(|lane| Pext::<false>::perft(fast, &counting.batch.state(lane), 1)).sum::<u64>()
}

struct Counting<'f> {
    fast: &'f Fast<u64>,
    vector: &'f Vector,
    batch: Batch,
    /// Whether a position of the batch carries a flag.
    has_marks: bool,
    nodes: u64,
}

impl Counting<'_> {
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn below<const USUAL: bool>(&mut self, state: &Narrow, depth: u32) {
        let fast = self.fast;
        if depth > 2 {
            let go = |next: &Narrow| self.below::<USUAL>(next, depth - 1);
            fast.visit::<Pext<USUAL>, LANES>(state, &mut Made { state, go });
        } else {
            fast.visit::<Pext<USUAL>, LANES>(state, &mut Leaves { counting: self, state });
        }
    }

    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn flush(&mut self) {
        self.nodes += self.vector.count(&self.batch);
        if self.has_marks {
            self.has_marks = false;
            for lane in 0..LANES {
                if self.batch.marks[lane] != NO_MARK {
                    self.nodes += self.fast.count_passings::<Pext<false>, LANES>(&self.batch.state(lane));
                    self.batch.marks[lane] = NO_MARK;
                }
            }
        }
        self.batch.len = 0;
    }
}

/// Puts every child into the batch.
struct Leaves<'c, 'f> {
    counting: &'c mut Counting<'f>,
    state: &'c Narrow,
}

impl Leaves<'_, '_> {
    /// A plain move, made right where it is counted.
    #[inline(always)]
    fn push(&mut self, from: usize, to: usize) {
        let batch = &mut self.counting.batch;
        let lane = batch.next();
        // SAFETY: we come from `Counting::below`.
        batch.rows[lane] = unsafe { words(carried(load(&self.state.planes), from, to)) };
        self.flush_if_full();
    }

    #[inline(always)]
    fn go(&mut self, next: &Narrow) {
        let batch = &mut self.counting.batch;
        let lane = batch.next();
        batch.rows[lane] = next.planes;
        batch.marks[lane] = next.mark;
        batch.flags[lane] = next.flag;
        self.counting.has_marks |= next.mark != NO_MARK;
        self.flush_if_full();
    }

    #[inline(always)]
    fn flush_if_full(&mut self) {
        if self.counting.batch.len == LANES {
            // SAFETY: we come from `Counting::below`.
            unsafe { self.counting.flush() };
        }
    }
}

impl Visitor<u64> for Leaves<'_, '_> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: u64) {
        for to in squares(targets) {
            self.push(from, to);
        }
    }
    #[inline(always)]
    fn step(&mut self, _: &Stepper<u64>, step: &Step<u64>, targets: u64) {
        if step.flag.is_none() && targets & step.promotion.zone == 0 {
            for to in squares(targets) {
                self.push(step.source(to), to);
            }
            return;
        }
        for to in squares(targets) {
            step.promotion.each(step.made(self.state, to), to, |next| self.go(next));
        }
    }
    #[inline(always)]
    fn passing(&mut self, _: &Stepper<u64>, passing: &Passing<u64>, from: usize, to: usize) {
        passing.promotion.each(passed(self.state, from, to), to, |next| self.go(next));
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<u64>, from: usize) {
        self.go(&castled(self.state, castle, from));
    }
}
