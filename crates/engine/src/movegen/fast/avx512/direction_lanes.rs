//! One position at a time, with one direction in each lane of a vector (AVX-512).
//!
//! Three fills (enemy slides, the view from the leader, own slides) find attacks, checks, pins and the targets of all
//! sliders at once. A set of leaps is one rotation, with a different step in each lane. Single steps use scalar code.
//! [`super::position_lanes`] explains how fills give checks and pins.
//!
//! # Safety
//!
//! As in [`super::lanes`]. A [`DirectionLanes`] is created only if [`super::detected`] returns `true`.
#![allow(unsafe_code, reason = "the machine has been tested")]

use std::arch::x86_64::{
    __m512i, _mm_cvtsi128_si64, _mm512_castsi512_si128, _mm512_mask_or_epi64, _mm512_maskz_permutexvar_epi64,
    _mm512_permutexvar_epi64, _mm512_reduce_add_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2,
    _mm512_ternarylogic_epi64, _mm512_test_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use crate::movegen::fast::avx512::lanes::{
    LANES, Narrow, Rotation, all, and, and_and, carried, count, fill, is_short, load, or, or_and, rotate,
    vector, without, words,
};
use crate::movegen::fast::bits::{lookup, squares};
use crate::movegen::fast::castle::Castle;
use crate::movegen::fast::checks::Masks;
use crate::movegen::fast::extras::Extras;
use crate::movegen::fast::made::{after_castle, after_flag_capture};
use crate::movegen::fast::pext::{Pext, is_common, known};
use crate::movegen::fast::side::{FlagCapture, SingleStep, Stepper};
use crate::movegen::fast::state::{LEADER, NO_MARK, UNMOVED};
use crate::movegen::fast::tables::{FastTables, NO_LANE, lane};
use crate::movegen::fast::visitors::MoveVisitor;
use crate::rules::Rules;
use crate::square::Offset;

/// The tables of a game.
pub(super) struct DirectionLanes {
    /// The directions of all slides, forwards and backwards, and the lane of the opposite direction.
    forth: Leaps,
    back: Leaps,
    opposite: Row,
    sides: [Side; 2],
    is_common: bool,
}

/// The tables of one player.
struct Side {
    /// The planes of slides, each with the lanes of its directions.
    slides: Vec<(usize, u8)>,
    /// Leaps: a plane, and as many vectors as needed.
    leaps: Vec<(usize, Leaps, Along)>,
    /// All captures by a single step.
    captures: Vec<(usize, Leaps)>,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([u64; LANES]);

/// For steps in lanes: the lane of the same direction, and whether there is one.
#[derive(Clone, Copy)]
struct Along {
    lane: Row,
    is_there: u8,
}

/// Steps in lanes, and their valid targets.
#[derive(Clone, Copy)]
struct Leaps {
    by: Row,
    valid: Row,
}

impl Leaps {
    fn new(rotations: &[Rotation]) -> Self {
        let row =
            |of: fn(&Rotation) -> u64| Row(std::array::from_fn(|lane| rotations.get(lane).map_or(0, of)));
        Leaps { by: row(|rotation| rotation.by as u64), valid: row(|rotation| rotation.valid) }
    }
}

impl DirectionLanes {
    /// Returns the tables, if the game has no more directions than lanes. The machine must have been tested.
    pub(super) fn new(rules: &Rules, fast: &FastTables<u64>) -> Option<Self> {
        let directions = &fast.directions;
        if directions.len() > LANES {
            return None;
        }
        let back: Vec<Offset> = directions.iter().map(|step| step.reversed()).collect();
        let opposite =
            |lane: usize| directions.iter().position(|it| back.get(lane) == Some(it)).unwrap_or(lane);
        Some(DirectionLanes {
            forth: Leaps::new(&rotations(rules, directions)),
            back: Leaps::new(&rotations(rules, &back)),
            opposite: Row(std::array::from_fn(|lane| opposite(lane) as u64)),
            sides: [0, 1].map(|player| Side::new(rules, fast, player)),
            is_common: is_common(fast) && is_short(rules),
        })
    }

    /// Counts move paths of length `depth`.
    pub(super) fn perft(&self, fast: &FastTables<u64>, state: &Narrow, depth: u32) -> u64 {
        // SAFETY: a `DirectionLanes` exists only if the machine has these instructions.
        unsafe {
            if self.is_common {
                self.below::<true>(fast, state, depth)
            } else {
                self.below::<false>(fast, state, depth)
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn below<const COMMON: bool>(&self, fast: &FastTables<u64>, state: &Narrow, depth: u32) -> u64 {
        if depth == 1 {
            return self.count::<COMMON>(fast, state);
        }
        let mut tree = Tree::<COMMON> { direction_lanes: self, fast, state, depth, nodes: 0 };
        fast.visit::<Pext<COMMON, true>, LANES>(state, &mut tree);
        tree.nodes
    }
}

fn rotations(rules: &Rules, steps: &[Offset]) -> Vec<Rotation> {
    steps.iter().map(|step| Rotation::new(rules, *step)).collect()
}

impl Side {
    fn new(rules: &Rules, fast: &FastTables<u64>, player: usize) -> Self {
        let (side, directions) = (&fast.sides[player], &fast.directions);
        let lanes = |class: usize| {
            let used = |lane: &usize| fast.classes[class].directions.contains(&directions[*lane]);
            (0..directions.len()).filter(used).fold(0, |lanes, lane| lanes | 1 << lane)
        };
        let vectors = |plane: usize, steps: &[Offset]| {
            rotations(rules, steps).chunks(LANES).map(|chunk| (plane, Leaps::new(chunk))).collect::<Vec<_>>()
        };
        let along = |steps: &[Offset]| {
            let lanes: Vec<usize> = steps.iter().map(|step| lane(&fast.directions, *step)).collect();
            let there = |index: &usize| lanes[*index] != NO_LANE;
            Along {
                lane: Row(std::array::from_fn(|index| lanes.get(index).map_or(0, |it| *it as u64 & 7))),
                is_there: (0..lanes.len()).filter(there).fold(0, |set, index| set | 1 << index),
            }
        };
        let leaps = side.leaps.iter().flat_map(|leaps| {
            let rows = vectors(leaps.plane, &leaps.steps);
            let along = leaps.steps.chunks(LANES).map(along).collect::<Vec<_>>();
            rows.into_iter().zip(along).map(|((plane, row), along)| (plane, row, along))
        });
        let leaps: Vec<(usize, Leaps, Along)> = leaps.collect();
        let mut captures: Vec<(usize, Leaps)> = leaps.iter().map(|(plane, row, _)| (*plane, *row)).collect();
        captures.extend(vectors(LEADER, &side.leader.steps));
        for stepper in &side.steppers {
            let hitting = stepper.steps.iter().filter(|step| step.on_enemy).map(|step| step.unit);
            captures.extend(vectors(stepper.plane, &hitting.collect::<Vec<_>>()));
        }
        let slides = side.slides.iter().map(|(plane, class)| (*plane, lanes(*class))).collect();
        Side { slides, leaps, captures }
    }
}

vector! {
    /// Returns the union of all lanes in every lane.
    fn everywhere(set: __m512i) -> __m512i {
        let set = or(set, _mm512_shuffle_i64x2::<0x4E>(set, set));
        let set = or(set, _mm512_shuffle_i64x2::<0xB1>(set, set));
        or(_mm512_unpackhi_epi64(set, set), _mm512_unpacklo_epi64(set, set))
    }
    fn first(set: __m512i) -> u64 { _mm_cvtsi128_si64(_mm512_castsi512_si128(set)) as u64 }
    /// `a & (!b | c)`
    fn and_not_but(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi64::<0xB0>(a, b, c)
    }
    /// Returns all sliders, each in the lanes of its directions.
    fn spread(state: &Narrow, slides: &[(usize, u8)]) -> __m512i {
        let mut set = _mm512_setzero_si512();
        for (plane, lanes) in slides {
            // Atoms of one class share lanes.
            set = _mm512_mask_or_epi64(set, *lanes, set, all(state.plane(*plane)));
        }
        set
    }
}

impl DirectionLanes {
    /// Returns the number of legal moves.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn count<const COMMON: bool>(&self, fast: &FastTables<u64>, state: &Narrow) -> u64 {
        if COMMON {
            self.count_with::<COMMON, 3>(fast, state)
        } else {
            self.count_with::<COMMON, 6>(fast, state)
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn count_with<const COMMON: bool, const ROUNDS: u32>(
        &self,
        fast: &FastTables<u64>,
        state: &Narrow,
    ) -> u64 {
        let (own, enemy) = (state.own(), state.enemy());
        let us = usize::from(state.side & 1);
        let (side, them) = (fast.side(state), fast.other(state));
        let (lanes, their_lanes) = (&self.sides[us], &self.sides[us ^ 1]);
        let leader_bit = state.planes[LEADER] & own;
        let leader = leader_bit.trailing_zeros() as usize;
        // Loading planes into lanes from memory is cheaper than from a register.
        let (ours, theirs) = (all(state.planes[us]), all(state.planes[us ^ 1]));
        let taken = or(ours, theirs);
        let leaders = all(state.planes[LEADER]);

        let (by, valid) = (load(&self.forth.by.0), load(&self.forth.valid.0));
        let snipers = and(spread(state, known::<_, 2, COMMON>(&their_lanes.slides)), theirs);
        // Slides pass through empty squares and the leader.
        let reach = fill::<ROUNDS>(snipers, and_not_but(valid, taken, and(leaders, ours)), by);
        let attack = and(rotate(reach, by), valid);
        let (back, valid_back) = (load(&self.back.by.0), load(&self.back.valid.0));
        let way = fill::<ROUNDS>(and(leaders, ours), without(taken, valid_back), back);
        let view = and(rotate(way, back), valid_back);
        let pins = and_and(view, attack, ours);

        let mut danger = attack;
        for (plane, leaps) in known::<_, 3, COMMON>(&their_lanes.captures) {
            let pieces = and(all(state.plane(*plane)), theirs);
            danger = or_and(danger, rotate(pieces, load(&leaps.by.0)), load(&leaps.valid.0));
        }
        let danger = first(everywhere(danger));
        let mut total = u64::from((lookup(&side.leader.to, leader) & !own & !danger).count_ones());
        let (mut allowed, mut landing) = (!own, without(ours, all(u64::MAX)));
        if danger & leader_bit != 0 {
            let mut checkers = first(everywhere(and(view, snipers)));
            if fast.leaders_meet {
                checkers |= lookup(&them.leader.from, leader) & state.planes[LEADER] & enemy;
            }
            for leaps in &them.leaps {
                checkers |= lookup(&leaps.from, leader) & state.plane(leaps.plane) & enemy;
            }
            for stepper in &them.steppers {
                checkers |= lookup(&stepper.hits, leader) & state.plane(stepper.plane) & enemy;
            }
            let way = first(everywhere(and(view, reach))) | checkers;
            allowed &= if checkers.is_power_of_two() { way } else { 0 };
            landing = all(allowed);
        }

        let mut movable = and(spread(state, known::<_, 2, COMMON>(&lanes.slides)), ours);
        // Own pieces that are pinned on the line of a lane may move along it.
        let (mut line, mut lines) = (_mm512_setzero_si512(), [0; 2 * LANES]);
        let (mut pinned, mut free) = (0, ours);
        if _mm512_test_epi64_mask(pins, pins) != 0 {
            line = or(pins, _mm512_permutexvar_epi64(load(&self.opposite.0), pins));
            let all_pins = everywhere(pins);
            movable = or_and(without(all_pins, movable), movable, line);
            free = without(all_pins, ours);
            pinned = first(all_pins);
            lines[..LANES].copy_from_slice(&words(line));
        }
        let reach = fill::<ROUNDS>(movable, without(taken, valid), by);
        let mut counts = count(_mm512_setzero_si512(), and_and(rotate(reach, by), valid, landing));
        for (plane, leaps, along) in known::<_, 1, COMMON>(&lanes.leaps) {
            let mut movable = free;
            if along.is_there != 0 {
                let line = _mm512_maskz_permutexvar_epi64(along.is_there, load(&along.lane.0), line);
                movable = or_and(free, line, ours);
            }
            let ends = rotate(and(all(state.plane(*plane)), movable), load(&leaps.by.0));
            counts = count(counts, and_and(ends, load(&leaps.valid.0), landing));
        }
        let masks = Masks { leader, allowed, pinned, ..Masks::new(own, enemy) };
        for stepper in known::<_, 1, COMMON>(&side.steppers) {
            let pieces = state.plane(stepper.plane) & own;
            for step in &stepper.steps {
                let movable = pieces & (!pinned | lines[step.lane & (2 * LANES - 1)]);
                total += step.promotion.count(step.targets(state, movable, &masks));
            }
        }
        total += _mm512_reduce_add_epi64(counts) as u64;
        if state.planes[UNMOVED] & leader_bit != 0 || fast.castles_when_moved {
            total += count_castles(fast, state, leader, danger);
        }
        if state.mark != NO_MARK {
            total += count_flag_captures(fast, state);
        }
        total
    }
}

// Rare cases are not inlined: they would take registers from the vectors.

/// Returns the number of legal castling moves, given the attacked squares.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn count_castles(fast: &FastTables<u64>, state: &Narrow, leader: usize, danger: u64) -> u64 {
    let occupied = state.own() | state.enemy();
    let mut total = 0;
    for castle in &fast.side(state).castles[leader] {
        if castle.unmoved & !state.planes[UNMOVED] | castle.empty & occupied | castle.safe & danger == 0
            && castle.has_partners(state)
            && (!castle.needs_trial
                || fast.is_safe::<Pext<false, true>, LANES>(&after_castle(state, castle, leader)))
        {
            total += 1;
        }
    }
    total
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn count_flag_captures(fast: &FastTables<u64>, state: &Narrow) -> u64 {
    fast.count_flag_captures::<Pext<false, true>, LANES>(state)
}

/// Continues with every child.
struct Tree<'c, const COMMON: bool> {
    direction_lanes: &'c DirectionLanes,
    fast: &'c FastTables<u64>,
    state: &'c Narrow,
    depth: u32,
    nodes: u64,
}

impl<const COMMON: bool> Tree<'_, COMMON> {
    #[inline(always)]
    fn go(&mut self, next: &Narrow) {
        // SAFETY: called from `DirectionLanes::below`.
        self.nodes += unsafe {
            if self.depth == 2 {
                self.direction_lanes.count::<COMMON>(self.fast, next)
            } else {
                self.direction_lanes.below::<COMMON>(self.fast, next, self.depth - 1)
            }
        };
    }

    #[inline(always)]
    fn go_plain(&mut self, from: usize, to: usize) {
        // SAFETY: as above.
        let planes = unsafe { words(carried(load(&self.state.planes), from, to)) };
        self.go(&Narrow {
            planes,
            mark: NO_MARK,
            flag: 0,
            side: self.state.side ^ 1,
            extras: Extras::default(),
        });
    }
}

impl<const COMMON: bool> MoveVisitor<u64> for Tree<'_, COMMON> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: u64) {
        for to in squares(targets) {
            self.go_plain(from, to);
        }
    }
    #[inline(always)]
    fn step(&mut self, stepper: &Stepper<u64>, step: &SingleStep<u64>, targets: u64) {
        for to in squares(targets) {
            if step.flag.is_none() && 1 << to & step.promotion.zone == 0 {
                self.go_plain(step.source(to), to);
            } else {
                step.promotion.each(step.made(self.state, stepper, to), to, |next| self.go(next));
            }
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
