//! One position at a time with all directions at once: one direction in each lane of a vector (AVX-512).
//!
//! Three fills (the enemy's slides, the view from the leader, the own slides) find attacks, checks, pins and the
//! targets of all sliders together; a set of leaps is one rotation, each lane by its own step. What steps goes the
//! scalar way beside them. How checks and pins come out of fills is told in [`super::vector`].
//!
//! # Safety
//! As in [`super::lanes`]; a [`Compass`] is only made after [`super::detected`] has answered yes.
#![allow(unsafe_code, reason = "the machine has been asked")]

use std::arch::x86_64::{
    __m512i, _mm_cvtsi128_si64, _mm512_castsi512_si128, _mm512_mask_or_epi64, _mm512_maskz_permutexvar_epi64,
    _mm512_permutexvar_epi64, _mm512_reduce_add_epi64, _mm512_setzero_si512, _mm512_shuffle_i64x2,
    _mm512_ternarylogic_epi64, _mm512_test_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use crate::fast::avx512::lanes::{
    LANES, Narrow, Turn, all, and, and_and, carried, count, fill, is_short, load, or, or_and, rotate, vector,
    without, words,
};
use crate::fast::bits::{look, squares};
use crate::fast::castle::Castle;
use crate::fast::generate::{Masks, Visitor, castled, passed};
use crate::fast::pext::{Pext, is_usual, known};
use crate::fast::plan::{Fast, NO_LANE, lane};
use crate::fast::side::{Passing, Step, Stepper};
use crate::fast::state::{LEADER, NO_MARK, UNMOVED};
use crate::rules::Rules;
use crate::square::Offset;

/// The tables of a game for this module.
pub(super) struct Compass {
    /// The directions of all slides, forth and back, and which lane is the opposite of one.
    forth: Leaps,
    back: Leaps,
    opposite: Row,
    sides: [Side; 2],
    is_usual: bool,
}

/// The tables of one player.
struct Side {
    /// The planes of slides, each with the lanes of its directions.
    slides: Vec<(usize, u8)>,
    /// Leaps of officers: a plane, and as many vectors as they need.
    leaps: Vec<(usize, Leaps, Along)>,
    /// Everything that captures by a single step.
    captures: Vec<(usize, Leaps)>,
}

#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([u64; LANES]);

/// For steps in lanes: which lane has the direction, and for which there is one.
#[derive(Clone, Copy)]
struct Along {
    lane: Row,
    is_there: u8,
}

/// Steps in lanes, and where they may end.
#[derive(Clone, Copy)]
struct Leaps {
    by: Row,
    valid: Row,
}

impl Leaps {
    fn new(turns: &[Turn]) -> Self {
        let row = |of: fn(&Turn) -> u64| Row(std::array::from_fn(|lane| turns.get(lane).map_or(0, of)));
        Leaps { by: row(|turn| turn.by as u64), valid: row(|turn| turn.valid) }
    }
}

impl Compass {
    /// The tables, if the game is for this path: no more directions than lanes. The machine must be, too.
    pub(super) fn new(rules: &Rules, fast: &Fast<u64>) -> Option<Self> {
        let directions = &fast.directions;
        if directions.len() > LANES {
            return None;
        }
        let back: Vec<Offset> = directions.iter().map(|step| step.reversed()).collect();
        let opposite =
            |lane: usize| directions.iter().position(|it| back.get(lane) == Some(it)).unwrap_or(lane);
        Some(Compass {
            forth: Leaps::new(&turns(rules, directions)),
            back: Leaps::new(&turns(rules, &back)),
            opposite: Row(std::array::from_fn(|lane| opposite(lane) as u64)),
            sides: [0, 1].map(|player| Side::new(rules, fast, player)),
            is_usual: is_usual(fast) && is_short(rules),
        })
    }

    /// Counts positions so many moves on.
    pub(super) fn perft(&self, fast: &Fast<u64>, state: &Narrow, depth: u32) -> u64 {
        // SAFETY: a `Compass` is only made where the machine has these instructions.
        unsafe {
            if self.is_usual {
                self.below::<true>(fast, state, depth)
            } else {
                self.below::<false>(fast, state, depth)
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn below<const USUAL: bool>(&self, fast: &Fast<u64>, state: &Narrow, depth: u32) -> u64 {
        if depth == 1 {
            return self.count::<USUAL>(fast, state);
        }
        let mut tree = Tree::<USUAL> { compass: self, fast, state, depth, nodes: 0 };
        fast.visit::<Pext<USUAL>, LANES>(state, &mut tree);
        tree.nodes
    }
}

fn turns(rules: &Rules, steps: &[Offset]) -> Vec<Turn> {
    steps.iter().map(|step| Turn::new(rules, *step)).collect()
}

impl Side {
    fn new(rules: &Rules, fast: &Fast<u64>, player: usize) -> Self {
        let (side, directions) = (&fast.sides[player], &fast.directions);
        let lanes = |class: usize| {
            let used = |lane: &usize| fast.classes[class].directions.contains(&directions[*lane]);
            (0..directions.len()).filter(used).fold(0, |lanes, lane| lanes | 1 << lane)
        };
        let vectors = |plane: usize, steps: &[Offset]| {
            turns(rules, steps).chunks(LANES).map(|chunk| (plane, Leaps::new(chunk))).collect::<Vec<_>>()
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
    /// The union of all lanes, in every lane.
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
    /// All sliders, each in the lanes of its directions.
    fn spread(state: &Narrow, slides: &[(usize, u8)]) -> __m512i {
        let mut set = _mm512_setzero_si512();
        for (plane, lanes) in slides {
            // Atoms of one class share lanes.
            set = _mm512_mask_or_epi64(set, *lanes, set, all(state.plane(*plane)));
        }
        set
    }
}

impl Compass {
    /// How many legal moves there are.
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn count<const USUAL: bool>(&self, fast: &Fast<u64>, state: &Narrow) -> u64 {
        if USUAL {
            self.count_with::<USUAL, 3>(fast, state)
        } else {
            self.count_with::<USUAL, 6>(fast, state)
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn count_with<const USUAL: bool, const ROUNDS: u32>(&self, fast: &Fast<u64>, state: &Narrow) -> u64 {
        let (own, enemy) = (state.own(), state.enemy());
        let us = usize::from(state.side & 1);
        let (side, them) = (fast.side(state), fast.other(state));
        let (lanes, their_lanes) = (&self.sides[us], &self.sides[us ^ 1]);
        let occupied = own | enemy;
        let king = state.planes[LEADER] & own;
        let leader = king.trailing_zeros() as usize;
        // Planes come into the lanes straight from memory, which is cheaper than by way of a register.
        let (ours, theirs) = (all(state.planes[us]), all(state.planes[us ^ 1]));
        let taken = or(ours, theirs);
        let kings = all(state.planes[LEADER]);

        let (by, valid) = (load(&self.forth.by.0), load(&self.forth.valid.0));
        let snipers = and(spread(state, known::<_, 2, USUAL>(&their_lanes.slides)), theirs);
        // Through what is empty, and through the leader.
        let reach = fill::<ROUNDS>(snipers, and_not_but(valid, taken, and(kings, ours)), by);
        let attack = and(rotate(reach, by), valid);
        let (back, valid_back) = (load(&self.back.by.0), load(&self.back.valid.0));
        let way = fill::<ROUNDS>(and(kings, ours), without(taken, valid_back), back);
        let view = and(rotate(way, back), valid_back);
        let pins = and_and(view, attack, ours);

        let mut danger = attack;
        for (plane, leaps) in known::<_, 3, USUAL>(&their_lanes.captures) {
            let pieces = and(all(state.plane(*plane)), theirs);
            danger = or_and(danger, rotate(pieces, load(&leaps.by.0)), load(&leaps.valid.0));
        }
        let danger = first(everywhere(danger));
        let mut total = u64::from((look(&side.leader.to, leader) & !own & !danger).count_ones());
        let (mut allowed, mut landing) = (!own, without(ours, all(u64::MAX)));
        if danger & king != 0 {
            let mut checkers = first(everywhere(and(view, snipers)));
            if fast.leaders_meet {
                checkers |= look(&them.leader.from, leader) & state.planes[LEADER] & enemy;
            }
            for leaps in &them.leaps {
                checkers |= look(&leaps.from, leader) & state.plane(leaps.plane) & enemy;
            }
            for stepper in &them.steppers {
                checkers |= look(&stepper.hits, leader) & state.plane(stepper.plane) & enemy;
            }
            let way = first(everywhere(and(view, reach))) | checkers;
            allowed &= if checkers.is_power_of_two() { way } else { 0 };
            landing = all(allowed);
        }

        let mut movable = and(spread(state, known::<_, 2, USUAL>(&lanes.slides)), ours);
        // Own pieces that are pinned on the line of a lane may go along it.
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
        for (plane, leaps, along) in known::<_, 1, USUAL>(&lanes.leaps) {
            let mut movable = free;
            if along.is_there != 0 {
                let line = _mm512_maskz_permutexvar_epi64(along.is_there, load(&along.lane.0), line);
                movable = or_and(free, line, ours);
            }
            let ends = rotate(and(all(state.plane(*plane)), movable), load(&leaps.by.0));
            counts = count(counts, and_and(ends, load(&leaps.valid.0), landing));
        }
        let masks =
            Masks { own, enemy, occupied, leader, allowed, in_check: false, only_leader: false, pinned };
        for stepper in known::<_, 1, USUAL>(&side.steppers) {
            let pieces = state.plane(stepper.plane) & own;
            for step in &stepper.steps {
                let movable = pieces & (!pinned | lines[step.lane & (2 * LANES - 1)]);
                total += step.promotion.count(step.targets(state, movable, &masks));
            }
        }
        total += _mm512_reduce_add_epi64(counts) as u64;
        if state.planes[UNMOVED] & king != 0 || fast.castles_when_moved {
            total += count_castles(fast, state, leader, danger);
        }
        if state.mark != NO_MARK {
            total += count_passings(fast, state);
        }
        total
    }
}

// What is seldom asked stays out of the way: inlined, it would crowd out the vectors.

/// How many guarded moves can be made, given what is attacked.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn count_castles(fast: &Fast<u64>, state: &Narrow, leader: usize, danger: u64) -> u64 {
    let occupied = state.own() | state.enemy();
    let mut total = 0;
    for castle in &fast.side(state).castles[leader] {
        if castle.unmoved & !state.planes[UNMOVED] | castle.empty & occupied | castle.safe & danger == 0
            && castle.has_partners(state)
            && (!castle.needs_trial || fast.is_safe::<Pext<false>, LANES>(&castled(state, castle, leader)))
        {
            total += 1;
        }
    }
    total
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn count_passings(fast: &Fast<u64>, state: &Narrow) -> u64 {
    fast.count_passings::<Pext<false>, LANES>(state)
}

/// Goes on below every child.
struct Tree<'c, const USUAL: bool> {
    compass: &'c Compass,
    fast: &'c Fast<u64>,
    state: &'c Narrow,
    depth: u32,
    nodes: u64,
}

impl<const USUAL: bool> Tree<'_, USUAL> {
    #[inline(always)]
    fn go(&mut self, next: &Narrow) {
        // SAFETY: we come from `Compass::below`.
        self.nodes += unsafe {
            if self.depth == 2 {
                self.compass.count::<USUAL>(self.fast, next)
            } else {
                self.compass.below::<USUAL>(self.fast, next, self.depth - 1)
            }
        };
    }

    #[inline(always)]
    fn go_plainly(&mut self, from: usize, to: usize) {
        // SAFETY: as above.
        let planes = unsafe { words(carried(load(&self.state.planes), from, to)) };
        self.go(&Narrow { planes, mark: NO_MARK, flag: 0, side: self.state.side ^ 1 });
    }
}

impl<const USUAL: bool> Visitor<u64> for Tree<'_, USUAL> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: u64) {
        for to in squares(targets) {
            self.go_plainly(from, to);
        }
    }
    #[inline(always)]
    fn step(&mut self, _: &Stepper<u64>, step: &Step<u64>, targets: u64) {
        for to in squares(targets) {
            if step.flag.is_none() && 1 << to & step.promotion.zone == 0 {
                self.go_plainly(step.source(to), to);
            } else {
                step.promotion.each(step.made(self.state, to), to, |next| self.go(next));
            }
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
