//! Counting eight positions at once, one in each lane of a vector (AVX-512).
//!
//! Nothing is looked up: steps are a rotation and a mask of valid targets, slides are Kogge–Stone fills, and every
//! condition is a statement about sets. So all lanes do the same work whatever stands on their boards, and one
//! instruction serves eight positions.
//!
//! How checks and pins come out of fills, for a slide of the enemy in direction *d*: its fill covers the empty squares
//! that it reaches (the leader being transparent); the leader's own fill against *d* covers the way to the first
//! piece. Where the two meet, the way is open: those squares block the check. An own piece that both of them hit is
//! pinned on that line.
//!
//! # Safety
//! Every function here is compiled for the instructions that [`super::detected`] asks for; [`Vector`] is only made, and so
//! they are only called, after it has answered yes. The loads are of whole arrays of eight words.
#![allow(unsafe_code, reason = "vectors are loaded from arrays; the machine is asked before")]

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512, _mm512_cmpeq_epi64_mask,
    _mm512_mask_add_epi64, _mm512_mask_mov_epi64, _mm512_mullo_epi64, _mm512_or_si512, _mm512_popcnt_epi64,
    _mm512_reduce_add_epi64, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setzero_si512,
    _mm512_shuffle_i64x2, _mm512_sub_epi64, _mm512_ternarylogic_epi64, _mm512_test_epi64_mask,
    _mm512_testn_epi64_mask, _mm512_unpackhi_epi64, _mm512_unpacklo_epi64,
};

use crate::fast::plan::{Fast, is_leap};
use crate::fast::state::{KINDS, NO_MARK, State};
use crate::rules::Rules;
use crate::square::Offset;

/// How many positions are counted at once.
pub(crate) const LANES: usize = 8;

/// The most directions of slides.
const DIRECTIONS: usize = 16;

/// The tables of a game for this module.
pub(crate) struct Vector {
    sides: [Side; 2],
    leader: usize,
    /// How often a fill doubles: enough for the longest line of the board.
    rounds: u32,
}

/// The tables of one player.
struct Side {
    slides: Vec<Slide>,
    /// Plain leaps of officers.
    leaps: Vec<Leap>,
    leader_leaps: Vec<Turn>,
    steps: Vec<Step>,
    /// Everything that captures by a single step and can give check.
    captures: Vec<(usize, Turn)>,
    castles: Vec<Castle>,
}

/// A step of whole boards.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    by: i64,
    back: i64,
    /// Squares on which the step may end, and on which the way back may.
    valid: u64,
    valid_back: u64,
}

/// A direction in which some kinds slide.
struct Slide {
    turn: Turn,
    kinds: Vec<usize>,
    /// The enemy's directions on the same line: pieces pinned by them may go this way.
    line: Vec<usize>,
}

struct Leap {
    kind: usize,
    turn: Turn,
    line: Vec<usize>,
}

struct Step {
    kind: usize,
    turn: Turn,
    times: u32,
    line: Vec<usize>,
    on_empty: bool,
    on_enemy: bool,
    first_move: bool,
    zone: u64,
    /// Options of promotion beyond the first.
    further: i64,
}

struct Castle {
    source: u64,
    unmoved: u64,
    empty: u64,
    safe: u64,
    partners: Vec<(usize, u64)>,
}

impl Vector {
    /// The tables, if the game is for this path. The machine must be, too.
    pub(crate) fn new(rules: &Rules, fast: &Fast<u64>) -> Option<Self> {
        let board = rules.board();
        let longest = u32::from(board.files().max(board.ranks())).max(2) - 1;
        let lower = |player: usize| Lower { rules, fast, player }.side();
        let sides = [lower(0)?, lower(1)?];
        Some(Vector { sides, leader: fast.leader, rounds: u32::BITS - (longest - 1).leading_zeros() })
    }

    /// A leader that has never moved stands where it started: only from there are guarded moves looked at.
    pub(crate) fn accepts(&self, state: &State<u64>) -> bool {
        self.sides.iter().enumerate().all(|(player, side)| {
            let leader = state.kinds[self.leader] & state.players[player];
            leader & state.unmoved == 0
                || side.castles.is_empty()
                || side.castles.iter().any(|castle| castle.source == leader)
        })
    }
}

/// Makes the tables of one player.
struct Lower<'f> {
    rules: &'f Rules,
    fast: &'f Fast<u64>,
    player: usize,
}

impl Lower<'_> {
    fn side(&self) -> Option<Side> {
        let fast = &self.fast.sides[self.player];
        let (own, enemy) = (self.directions(self.player), self.directions(self.player ^ 1));
        if own.len() > DIRECTIONS || enemy.len() > DIRECTIONS {
            return None;
        }
        let line = |step: Offset| -> Vec<usize> {
            let unit = step.unit().0;
            (0..enemy.len())
                .filter(|index| enemy[*index].0 == unit || enemy[*index].0 == unit.reversed())
                .collect()
        };
        let slides = own
            .iter()
            .map(|(step, kinds)| Slide { turn: self.turn(*step), kinds: kinds.clone(), line: line(*step) })
            .collect();
        let plans = |kind: usize| &self.rules.blueprint().kinds[kind].moves;
        let orientation = self.rules.blueprint().players[self.player].orientation;
        let is_slide =
            |step: Offset, kind: usize| own.iter().any(|(it, kinds)| *it == step && kinds.contains(&kind));
        let mut leaps = Vec::new();
        let mut captures = Vec::new();
        for officer in &fast.officers {
            for plan in plans(officer.kind) {
                let step = orientation.turn(plan.step);
                if plan.repeat.max == Some(1) || !is_slide(step, officer.kind) {
                    leaps.push(Leap { kind: officer.kind, turn: self.turn(step), line: line(step) });
                    captures.push((officer.kind, self.turn(step)));
                }
            }
        }
        let mut steps = Vec::new();
        for stepper in &fast.steppers {
            for step in &stepper.steps {
                let whole = orientation.turn(plans(stepper.kind)[usize::from(step.pattern)].step);
                let single = if step.times > 1 { whole.unit().0 } else { whole };
                if step.on_enemy {
                    captures.push((stepper.kind, self.turn(single)));
                }
                steps.push(Step {
                    kind: stepper.kind,
                    turn: self.turn(single),
                    times: step.times,
                    line: line(whole),
                    on_empty: step.on_empty,
                    on_enemy: step.on_enemy,
                    first_move: step.first_move,
                    zone: step.promotion.zone,
                    further: step.promotion.options.len().max(1) as i64 - 1,
                });
            }
        }
        let leaps_of = |player: usize| -> Vec<Offset> {
            let orientation = self.rules.blueprint().players[player].orientation;
            let leader = plans(self.fast.leader).iter().filter(|plan| is_leap(plan));
            leader.map(|plan| orientation.turn(plan.step)).collect()
        };
        let own_leaps = leaps_of(self.player);
        // A leader gives check where the other could not strike back; with the usual leaders it never does.
        let other_leaps = leaps_of(self.player ^ 1);
        for step in own_leaps.iter().filter(|step| !other_leaps.contains(&step.reversed())) {
            captures.push((self.fast.leader, self.turn(*step)));
        }
        let leader_leaps = own_leaps.iter().map(|step| self.turn(*step)).collect();
        Some(Side { slides, leaps, leader_leaps, steps, captures, castles: self.castles()? })
    }

    /// The directions of a player's slides, turned, with the kinds that slide there.
    fn directions(&self, player: usize) -> Vec<(Offset, Vec<usize>)> {
        let mut found: Vec<(Offset, Vec<usize>)> = Vec::new();
        let orientation = self.rules.blueprint().players[player].orientation;
        for officer in &self.fast.sides[player].officers {
            for plan in &self.rules.blueprint().kinds[officer.kind].moves {
                if plan.repeat.max == Some(1) {
                    continue;
                }
                let step = orientation.turn(plan.step);
                match found.iter_mut().find(|(other, _)| *other == step) {
                    Some((_, kinds)) => kinds.push(officer.kind),
                    None => found.push((step, vec![officer.kind])),
                }
            }
        }
        found
    }

    fn turn(&self, step: Offset) -> Turn {
        let board = self.rules.board();
        let ends = |step: Offset| {
            let starts = board.squares().filter_map(|square| board.step(square, step));
            starts.fold(0u64, |set, square| set | 1 << square.index())
        };
        let by = i64::from(step.dy * i32::from(board.files()) + step.dx);
        Turn { by: by & 63, back: -by & 63, valid: ends(step), valid_back: ends(step.reversed()) }
    }

    /// The guarded moves from where the leaders start; `None` if one can be made from elsewhere or needs a trial.
    fn castles(&self) -> Option<Vec<Castle>> {
        let starts: Vec<usize> = self
            .rules
            .blueprint()
            .start
            .iter()
            .filter(|placed| placed.kind.index() == self.fast.leader && placed.player.index() == self.player)
            .map(|placed| placed.square.index())
            .collect();
        let mut castles = Vec::new();
        for (source, list) in self.fast.sides[self.player].castles.iter().enumerate() {
            for castle in list {
                let starts_here = starts.contains(&source);
                if castle.unmoved & 1 << source == 0 || starts_here && castle.needs_trial {
                    return None;
                }
                if starts_here {
                    castles.push(Castle {
                        source: 1 << source,
                        unmoved: castle.unmoved,
                        empty: castle.empty,
                        safe: castle.safe,
                        partners: castle.partners.clone(),
                    });
                }
            }
        }
        Some(castles)
    }
}

/// Eight positions with the same player to move. The planes of the kinds lie position by position, as they are made;
/// they are turned into vectors when they are counted.
#[repr(align(64))]
pub(crate) struct Batch {
    kinds: [[u64; KINDS]; LANES],
    players: [[u64; LANES]; 2],
    unmoved: [u64; LANES],
    marks: [u8; LANES],
    flags: [u8; LANES],
    side: u8,
    len: usize,
}

impl Batch {
    pub(crate) fn new() -> Self {
        Batch {
            kinds: [[0; KINDS]; LANES],
            players: [[0; LANES]; 2],
            unmoved: [0; LANES],
            marks: [NO_MARK; LANES],
            flags: [0; LANES],
            side: 0,
            len: 0,
        }
    }

    /// Adds a position; true if there is no room for another.
    #[inline(always)]
    pub(crate) fn push(&mut self, state: &State<u64>) -> bool {
        let lane = self.next_lane(state.side);
        self.kinds[lane] = state.kinds;
        self.players[0][lane] = state.players[0];
        self.players[1][lane] = state.players[1];
        self.unmoved[lane] = state.unmoved;
        self.marks[lane] = state.mark;
        self.flags[lane] = state.flag;
        self.len == LANES
    }

    /// Adds the position after a plain move, made right where it is counted; true if there is no room for another.
    #[inline(always)]
    pub(crate) fn push_after(&mut self, state: &State<u64>, from: usize, to: usize, kind: usize) -> bool {
        let lane = self.next_lane(state.side ^ 1);
        let side = usize::from(state.side & 1);
        let to = 1u64 << to;
        let keep = !(to | 1 << from);
        for (index, plane) in self.kinds[lane].iter_mut().enumerate() {
            let put = if index == kind { to } else { 0 };
            *plane = (state.kinds[index] & keep) | put;
        }
        self.players[side][lane] = (state.players[side] & keep) | to;
        self.players[side ^ 1][lane] = state.players[side ^ 1] & keep;
        self.unmoved[lane] = state.unmoved & keep;
        self.marks[lane] = NO_MARK;
        self.len == LANES
    }

    #[inline(always)]
    fn next_lane(&mut self, side: u8) -> usize {
        let lane = self.len & (LANES - 1);
        self.side = side;
        self.len = lane + 1;
        lane
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// The positions that are in it.
    pub(crate) fn states(&self) -> impl Iterator<Item = State<u64>> + '_ {
        (0..self.len).map(|lane| self.state(lane))
    }

    /// Those among them that carry a flag.
    pub(crate) fn marked(&self) -> impl Iterator<Item = State<u64>> + '_ {
        (0..self.len).filter(|lane| self.marks[*lane] != NO_MARK).map(|lane| self.state(lane))
    }

    fn state(&self, lane: usize) -> State<u64> {
        State {
            kinds: self.kinds[lane],
            players: [self.players[0][lane], self.players[1][lane]],
            unmoved: self.unmoved[lane],
            mark: self.marks[lane],
            flag: self.flags[lane],
            side: self.side,
        }
    }
}

macro_rules! vector {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $ty:ty),*) -> $result:ty $body:block)*) => {
        $($(#[$meta])* #[inline] #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
        pub(super) fn $name($($argument: $ty),*) -> $result $body)*
    };
}

pub(super) use vector;

vector! {
    fn load(words: &[u64; LANES]) -> __m512i {
        // SAFETY: both are 64 bytes without padding, and every bit pattern is a vector.
        unsafe { std::mem::transmute_copy(words) }
    }
    /// Eight rows of eight words as eight columns.
    fn transposed(rows: &[[u64; KINDS]; LANES]) -> [__m512i; KINDS] {
        let row = |index: usize| load(&rows[index]);
        let low = |index| _mm512_unpacklo_epi64(row(index), row(index + 1));
        let high = |index| _mm512_unpackhi_epi64(row(index), row(index + 1));
        let [k0, k2, k4, k6] = quarters([low(0), low(2), low(4), low(6)]);
        let [k1, k3, k5, k7] = quarters([high(0), high(2), high(4), high(6)]);
        [k0, k1, k2, k3, k4, k5, k6, k7]
    }
    /// Four vectors of four quarters, transposed.
    fn quarters(t: [__m512i; 4]) -> [__m512i; 4] {
        let (even, odd) = (_mm512_shuffle_i64x2::<0x88>(t[0], t[1]), _mm512_shuffle_i64x2::<0xDD>(t[0], t[1]));
        let (even_2, odd_2) = (_mm512_shuffle_i64x2::<0x88>(t[2], t[3]), _mm512_shuffle_i64x2::<0xDD>(t[2], t[3]));
        [
            _mm512_shuffle_i64x2::<0x88>(even, even_2),
            _mm512_shuffle_i64x2::<0x88>(odd, odd_2),
            _mm512_shuffle_i64x2::<0xDD>(even, even_2),
            _mm512_shuffle_i64x2::<0xDD>(odd, odd_2),
        ]
    }
    fn all(word: u64) -> __m512i { _mm512_set1_epi64(word as i64) }
    fn and(a: __m512i, b: __m512i) -> __m512i { _mm512_and_si512(a, b) }
    fn or(a: __m512i, b: __m512i) -> __m512i { _mm512_or_si512(a, b) }
    /// The second without the first.
    fn without(a: __m512i, b: __m512i) -> __m512i { _mm512_andnot_si512(a, b) }
    /// `a | (b & c)`
    fn or_and(a: __m512i, b: __m512i, c: __m512i) -> __m512i { _mm512_ternarylogic_epi64::<0xF8>(a, b, c) }
    fn forward(turn: &Turn, set: __m512i) -> __m512i {
        and(_mm512_rolv_epi64(set, _mm512_set1_epi64(turn.by)), all(turn.valid))
    }
    fn backward(turn: &Turn, set: __m512i) -> __m512i {
        and(_mm512_rolv_epi64(set, _mm512_set1_epi64(turn.back)), all(turn.valid_back))
    }
    /// The set and all that it reaches over `through`, each lane by its own rotation.
    fn fill(set: __m512i, through: __m512i, by: __m512i, rounds: u32) -> __m512i {
        let (mut set, mut through, mut by) = (set, through, by);
        for round in 0..rounds {
            set = or_and(set, through, _mm512_rolv_epi64(set, by));
            if round + 1 < rounds {
                through = and(through, _mm512_rolv_epi64(through, by));
                by = _mm512_add_epi64(by, by);
            }
        }
        set
    }
    fn count(total: __m512i, set: __m512i) -> __m512i { _mm512_add_epi64(total, _mm512_popcnt_epi64(set)) }
    fn union(planes: &[__m512i; KINDS], kinds: &[usize]) -> __m512i {
        let mut set = _mm512_setzero_si512();
        for kind in kinds {
            set = or(set, planes[*kind]);
        }
        set
    }
    /// Pieces that may move along a line: those that are not pinned, and those that are pinned on it.
    fn movable(pieces: __m512i, pinned: __m512i, pins: &[__m512i; DIRECTIONS], line: &[usize]) -> __m512i {
        let mut free = without(pinned, pieces);
        for direction in line {
            free = or_and(free, pieces, pins[*direction]);
        }
        free
    }
}

impl Vector {
    /// The legal moves of all eight positions together, captures of flagged pieces left out.
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(crate) fn count(&self, batch: &Batch) -> u64 {
        let us = usize::from(batch.side);
        let (side, them) = (&self.sides[us], &self.sides[us ^ 1]);
        let (own, enemy) = (load(&batch.players[us]), load(&batch.players[us ^ 1]));
        let zero = _mm512_setzero_si512();
        let kinds = transposed(&batch.kinds);
        let (mut own_kinds, mut enemy_kinds) = ([zero; KINDS], [zero; KINDS]);
        for kind in 0..KINDS {
            own_kinds[kind] = and(kinds[kind], own);
            enemy_kinds[kind] = and(kinds[kind], enemy);
        }
        let occupied = or(own, enemy);
        let empty = without(occupied, all(u64::MAX));
        let king = own_kinds[self.leader];
        let seen_through = or(empty, king);

        // The enemy's attacks, the checks and the pins.
        let mut danger = zero;
        let mut checkers = zero;
        let mut blocks = zero;
        let mut pinned = zero;
        let mut pins = [zero; DIRECTIONS];
        for (slide, pin) in them.slides.iter().zip(&mut pins) {
            let turn = &slide.turn;
            let sliders = union(&enemy_kinds, &slide.kinds);
            let reach =
                fill(sliders, and(seen_through, all(turn.valid)), _mm512_set1_epi64(turn.by), self.rounds);
            let attack = forward(turn, reach);
            danger = or(danger, attack);
            let way = fill(king, and(empty, all(turn.valid_back)), _mm512_set1_epi64(turn.back), self.rounds);
            let view = backward(turn, way);
            checkers = or_and(checkers, view, sliders);
            blocks = or_and(blocks, view, reach);
            *pin = and(and(view, attack), own);
            pinned = or(pinned, *pin);
        }
        for (kind, turn) in &them.captures {
            danger = or(danger, forward(turn, enemy_kinds[*kind]));
            checkers = or_and(checkers, backward(turn, king), enemy_kinds[*kind]);
        }
        for turn in &them.leader_leaps {
            danger = or(danger, forward(turn, enemy_kinds[self.leader]));
        }

        // Where others than the leader may land: anywhere; on the way of a check; nowhere, if there are two.
        let none = _mm512_testn_epi64_mask(checkers, checkers);
        let fewer = and(checkers, _mm512_sub_epi64(checkers, all(1)));
        let several = _mm512_test_epi64_mask(fewer, fewer);
        let mut allowed = or(blocks, checkers);
        allowed = _mm512_mask_mov_epi64(allowed, none, all(u64::MAX));
        allowed = _mm512_mask_mov_epi64(allowed, several, zero);
        let landing = without(own, allowed);

        let mut targets = zero;
        for turn in &side.leader_leaps {
            targets = or(targets, forward(turn, king));
        }
        let mut total = _mm512_popcnt_epi64(without(or(own, danger), targets));
        for castle in &side.castles {
            let mut can = _mm512_cmpeq_epi64_mask(king, all(castle.source));
            let needs = all(castle.unmoved);
            can &= _mm512_cmpeq_epi64_mask(and(load(&batch.unmoved), needs), needs);
            can &= _mm512_testn_epi64_mask(occupied, all(castle.empty));
            can &= _mm512_testn_epi64_mask(danger, all(castle.safe));
            for (kind, square) in &castle.partners {
                can &= _mm512_test_epi64_mask(own_kinds[*kind], all(*square));
            }
            total = _mm512_mask_add_epi64(total, can, total, all(1));
        }
        for slide in &side.slides {
            let turn = &slide.turn;
            let sliders = movable(union(&own_kinds, &slide.kinds), pinned, &pins, &slide.line);
            let reach = fill(sliders, and(empty, all(turn.valid)), _mm512_set1_epi64(turn.by), self.rounds);
            total = count(total, and(forward(turn, reach), landing));
        }
        for leap in &side.leaps {
            let pieces = movable(own_kinds[leap.kind], pinned, &pins, &leap.line);
            total = count(total, and(forward(&leap.turn, pieces), landing));
        }
        for step in &side.steps {
            let mut set = movable(own_kinds[step.kind], pinned, &pins, &step.line);
            if step.first_move {
                set = and(set, load(&batch.unmoved));
            }
            for _ in 1..step.times {
                set = and(forward(&step.turn, set), empty);
            }
            set = and(forward(&step.turn, set), allowed);
            set = match (step.on_empty, step.on_enemy) {
                (true, true) => without(own, set),
                (true, false) => and(set, empty),
                (false, true) => and(set, enemy),
                (false, false) => zero,
            };
            total = count(total, set);
            if step.further > 0 {
                let promoting = _mm512_popcnt_epi64(and(set, all(step.zone)));
                total =
                    _mm512_add_epi64(total, _mm512_mullo_epi64(promoting, _mm512_set1_epi64(step.further)));
            }
        }
        _mm512_reduce_add_epi64(total) as u64
    }
}
