//! Perft in batches: the positions before the last move are collected and counted eight at a time. An incomplete
//! batch continues with the next parent.
//!
//! # Safety
//!
//! As in [`super::lanes`]. A [`PositionLanes`] exists only if the machine has been tested.
#![allow(unsafe_code, reason = "the machine has been tested")]

use crate::movegen::fast::avx512::lanes::{LANES, Narrow, carried, load, words};
use crate::movegen::fast::avx512::position_lanes::PositionLanes;
use crate::movegen::fast::bits::squares;
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::extras::Extras;
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::made::{after_castle, after_flag_capture};
use crate::movegen::fast::pext::{Pext, is_common};
use crate::movegen::fast::side::{FlagCapture, SingleStep, Stepper};
use crate::movegen::fast::state::NO_MARK;
use crate::movegen::fast::tables::FastTables;
use crate::movegen::fast::visitors::{MakeMoves, MoveVisitor};

/// Eight positions with the same player to move, stored position by position. They are transposed when they are
/// counted.
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

    /// Returns the index of the next position.
    #[inline(always)]
    fn next(&mut self) -> usize {
        let lane = self.len & (LANES - 1);
        self.len = lane + 1;
        lane
    }

    fn state(&self, lane: usize) -> Narrow {
        Narrow {
            planes: self.rows[lane],
            mark: self.marks[lane],
            flag: self.flags[lane],
            side: self.side,
            extras: Extras::default(),
        }
    }
}

/// Counts move paths of length `depth`.
pub(super) fn perft(fast: &FastTables<u64>, vector: &PositionLanes, state: &Narrow, depth: u32) -> u64 {
    if depth < 2 {
        return Pext::<false, true>::perft(fast, state, depth);
    }
    let mut counting = Counting { fast, vector, batch: Batch::new(), has_marks: false, nodes: 0 };
    counting.batch.side = state.side ^ (depth & 1 ^ 1) as u8;
    // SAFETY: a `PositionLanes` exists only if the machine has these instructions.
    unsafe {
        if is_common(fast) {
            counting.below::<true>(state, depth);
        } else {
            counting.below::<false>(state, depth);
        }
    };
    let rest = 0..counting.batch.len;
    counting.nodes
        + rest.map(|lane| Pext::<false, true>::perft(fast, &counting.batch.state(lane), 1)).sum::<u64>()
}

struct Counting<'f> {
    fast: &'f FastTables<u64>,
    vector: &'f PositionLanes,
    batch: Batch,
    /// Whether a position of the batch has a flag.
    has_marks: bool,
    nodes: u64,
}

impl Counting<'_> {
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn below<const COMMON: bool>(&mut self, state: &Narrow, depth: u32) {
        let fast = self.fast;
        if depth > 2 {
            let go = |next: &Narrow| self.below::<COMMON>(next, depth - 1);
            fast.visit::<Pext<COMMON, true>, LANES>(state, &mut MakeMoves { state, found: false, go });
        } else {
            fast.visit::<Pext<COMMON, true>, LANES>(state, &mut Leaves { counting: self, state });
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
                    self.nodes +=
                        self.fast.count_flag_captures::<Pext<false, true>, LANES>(&self.batch.state(lane));
                    self.batch.marks[lane] = NO_MARK;
                }
            }
        }
        self.batch.len = 0;
    }
}

/// Adds every child to the batch.
struct Leaves<'c, 'f> {
    counting: &'c mut Counting<'f>,
    state: &'c Narrow,
}

impl Leaves<'_, '_> {
    /// Makes a plain move directly in the batch.
    #[inline(always)]
    fn push(&mut self, from: usize, to: usize) {
        let batch = &mut self.counting.batch;
        let lane = batch.next();
        // SAFETY: called from `Counting::below`.
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
            // SAFETY: called from `Counting::below`.
            unsafe { self.counting.flush() };
        }
    }
}

impl MoveVisitor<u64> for Leaves<'_, '_> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: u64) {
        for to in squares(targets) {
            self.push(from, to);
        }
    }
    #[inline(always)]
    fn step(&mut self, stepper: &Stepper<u64>, step: &SingleStep<u64>, targets: u64) {
        if step.flag.is_none() && targets & step.promotion.zone == 0 {
            for to in squares(targets) {
                self.push(step.source(to), to);
            }
            return;
        }
        for to in squares(targets) {
            step.promotion.each(step.made(self.state, stepper, to), to, |next| self.go(next));
        }
    }
    #[inline(always)]
    fn flag_capture(&mut self, _: &Stepper<u64>, flag_capture: &FlagCapture<u64>, from: usize, to: usize) {
        flag_capture.promotion.each(after_flag_capture(self.state, from, to), to, |next| self.go(next));
    }
    #[inline(always)]
    fn castle(&mut self, castle: &Castle<u64>, from: usize) {
        self.go(&after_castle(self.state, castle, from));
    }
}
