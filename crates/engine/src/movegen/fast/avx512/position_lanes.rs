//! Counting eight positions at once, one in each lane of a vector (AVX-512).
//!
//! Every condition is a statement about sets, so all lanes do the same work and one instruction serves eight
//! positions.
//!
//! Checks and pins follow from fills. For an enemy slide in direction *d*, its fill covers the empty squares that it
//! reaches; the leader is transparent. The leader's own fill against *d* covers the squares up to the first piece.
//! Squares in both fills block the check. An own piece that both fills hit is pinned on that line.
//!
//! # Safety
//!
//! As in [`super::lanes`]. A [`PositionLanes`] is created only if [`super::detected`] returns `true`.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_cmpeq_epi64_mask, _mm512_mask_add_epi64, _mm512_mask_mov_epi64,
    _mm512_mullo_epi64, _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_sub_epi64, _mm512_test_epi64_mask, _mm512_testn_epi64_mask,
};

use crate::movegen::fast::avx512::batch::Batch;
use crate::movegen::fast::avx512::lanes::{
    LANES, Narrow, Rotation, all, and, and_and, count, fill, is_short, or, or_and, rotate, transposed,
    vector, without,
};
use crate::movegen::fast::castle::{Castle, Partner};
use crate::movegen::fast::state::{LEADER, UNMOVED};
use crate::movegen::fast::tables::FastTables;
use crate::rules::Rules;
use crate::square::Offset;

/// The maximum number of lines of slides. This number itself stands for no line.
const LINES: usize = 8;

/// The tables of a game.
pub(super) struct PositionLanes {
    sides: [Side; 2],
    is_short: bool,
    leaders_meet: bool,
}

/// The tables of one player.
struct Side {
    slides: Vec<Slides>,
    /// Plain leaps, and all captures by a single step.
    leaps: Vec<Leap>,
    captures: Vec<(usize, Vec<Rotation>)>,
    leader_leaps: Vec<Rotation>,
    steps: Vec<SingleStep>,
    castles: Vec<CastleMasks>,
    /// Castling moves that are not counted, because their partner never stands in place.
    left_out: LeftOut,
}

/// The leader's square and the partner.
type LeftOut = Vec<(u64, Partner)>;

/// The slides of an atom.
struct Slides {
    plane: usize,
    directions: Vec<Direction>,
}

/// One direction.
struct Direction {
    rotation: Rotation,
    /// The number of its line among the enemy's, for pinned pieces, and among the player's own.
    enemy_line: usize,
    own_line: usize,
}

struct Leap {
    plane: usize,
    rotations: Vec<(Rotation, usize)>,
}

struct SingleStep {
    plane: usize,
    rotation: Rotation,
    times: u32,
    line: usize,
    on_empty: bool,
    on_enemy: bool,
    first_move: bool,
    zone: u64,
    /// Promotion options beyond the first.
    further: i64,
}

struct CastleMasks {
    source: u64,
    unmoved: u64,
    empty: u64,
    safe: u64,
    partners: Vec<Partner>,
}

impl PositionLanes {
    /// Returns the tables, if the game is supported. The machine must have been tested.
    pub(super) fn new(rules: &Rules, fast: &FastTables<u64>) -> Option<Self> {
        let lower = |player: usize| SideCompiler { rules, fast, player }.side();
        Some(PositionLanes {
            sides: [lower(0)?, lower(1)?],
            is_short: is_short(rules),
            leaders_meet: fast.leaders_meet,
        })
    }

    /// Returns whether the position is supported: an unmoved leader stands on its initial square, and the partners of
    /// castling moves that are not counted are absent.
    pub(super) fn accepts(&self, state: &Narrow) -> bool {
        self.sides.iter().enumerate().all(|(player, side)| {
            let own = state.planes[player];
            let leader = state.planes[LEADER] & own;
            let known = side.castles.iter().map(|castle| castle.source);
            let known = known.chain(side.left_out.iter().map(|(source, _)| *source));
            let is_home = side.castles.is_empty() && side.left_out.is_empty()
                || known.into_iter().any(|source| source == leader);
            let stays_out =
                |(_, partner): &(u64, Partner)| !partner.stands(state, own & state.planes[UNMOVED]);
            leader & state.planes[UNMOVED] == 0 || is_home && side.left_out.iter().all(stays_out)
        })
    }
}

/// Compiles the tables of one player.
struct SideCompiler<'f> {
    rules: &'f Rules,
    fast: &'f FastTables<u64>,
    player: usize,
}

impl SideCompiler<'_> {
    fn side(&self) -> Option<Side> {
        let fast = &self.fast.sides[self.player];
        let (own, enemy) = (self.lines(self.player), self.lines(self.player ^ 1));
        if own.len() > LINES || enemy.len() > LINES {
            return None;
        }
        let slides = fast.slides.iter().map(|(plane, class)| {
            let directions = self.fast.classes[*class].directions.iter().map(|step| Direction {
                rotation: self.rotation(*step),
                enemy_line: line(&enemy, *step),
                own_line: line(&own, *step),
            });
            Slides { plane: *plane, directions: directions.collect() }
        });
        let rotations =
            |steps: &[Offset]| steps.iter().map(|step| self.rotation(*step)).collect::<Vec<Rotation>>();
        let mut captures: Vec<(usize, Vec<Rotation>)> =
            fast.leaps.iter().map(|leaps| (leaps.plane, rotations(&leaps.steps))).collect();
        let leaps = fast.leaps.iter().map(|leaps| Leap {
            plane: leaps.plane,
            rotations: leaps.steps.iter().map(|step| (self.rotation(*step), line(&enemy, *step))).collect(),
        });
        let mut steps = Vec::new();
        for stepper in &fast.steppers {
            let hitting: Vec<Offset> =
                stepper.steps.iter().filter(|step| step.on_enemy).map(|step| step.unit).collect();
            captures.push((stepper.plane, rotations(&hitting)));
            steps.extend(stepper.steps.iter().map(|step| SingleStep {
                plane: stepper.plane,
                rotation: self.rotation(step.unit),
                times: step.times,
                line: line(&enemy, step.unit),
                on_empty: step.on_empty,
                on_enemy: step.on_enemy,
                first_move: step.first_move,
                zone: step.promotion.zone,
                further: step.promotion.options.len().max(1) as i64 - 1,
            }));
        }
        let (castles, left_out) = self.castles()?;
        Some(Side {
            slides: slides.collect(),
            leaps: leaps.collect(),
            captures,
            leader_leaps: rotations(&fast.leader.steps),
            steps,
            castles,
            left_out,
        })
    }

    fn rotation(&self, step: Offset) -> Rotation {
        Rotation::new(self.rules, step)
    }

    /// Returns the lines of a player's slides, each as one of its two directions.
    fn lines(&self, player: usize) -> Vec<Offset> {
        let mut lines = Vec::new();
        for (_, class) in &self.fast.sides[player].slides {
            for step in &self.fast.classes[*class].directions {
                if line(&lines, *step) == LINES {
                    lines.push(*step);
                }
            }
        }
        lines
    }

    /// Returns the castling moves from the leader's initial square, or `None` if one is possible from elsewhere or
    /// needs a trial.
    fn castles(&self) -> Option<(Vec<CastleMasks>, LeftOut)> {
        let leader = self.rules.leader()?;
        let home = self
            .rules
            .blueprint()
            .start
            .iter()
            .find(|placed| placed.kind == leader && placed.player.index() == self.player);
        let (mut castles, mut left_out) = (Vec::new(), Vec::new());
        for (source, list) in self.fast.sides[self.player].castles.iter().enumerate() {
            if list.iter().any(|castle| castle.unmoved & 1 << source == 0) {
                return None;
            }
            if home.is_none_or(|home| home.square.index() != source) {
                continue;
            }
            for castle in list {
                let source = 1 << source;
                if castle.needs_trial {
                    left_out.push((source, self.missing(castle)?));
                } else {
                    castles.push(CastleMasks {
                        source,
                        unmoved: castle.unmoved,
                        empty: castle.empty,
                        safe: castle.safe,
                        partners: castle.partners.clone(),
                    });
                }
            }
        }
        Some((castles, left_out))
    }

    /// Returns a partner that can never stand unmoved in its place: the game does not start with it, and none is
    /// promoted there.
    fn missing(&self, castle: &Castle<u64>) -> Option<Partner> {
        let starts = |partner: &Partner| {
            self.rules.blueprint().start.iter().any(|placed| {
                placed.player.index() == self.player
                    && placed.kind.index() == partner.kind
                    && placed.square.index() == partner.square
            })
        };
        let promotes = |partner: &Partner| {
            let steppers = &self.fast.sides[self.player].steppers;
            let steps = steppers.iter().flat_map(|stepper| {
                let flag_captures = stepper.flag_captures.iter().map(|it| &it.promotion);
                stepper.steps.iter().map(|it| &it.promotion).chain(flag_captures)
            });
            let mut here = steps.filter(|it| it.zone >> partner.square & 1 == 1);
            here.any(|it| it.options.iter().any(|(kind, _)| usize::from(*kind) == partner.kind))
        };
        let never = |partner: &&Partner| {
            castle.unmoved >> partner.square & 1 == 1 && !starts(partner) && !promotes(partner)
        };
        castle.partners.iter().find(never).cloned()
    }
}

/// Returns the number of a direction's line.
fn line(lines: &[Offset], step: Offset) -> usize {
    let unit = step.unit().0;
    lines.iter().position(|line| *line == unit || *line == unit.reversed()).unwrap_or(LINES)
}

vector! {
    fn forward(rotation: &Rotation, set: __m512i) -> __m512i {
        and(rotate(set, _mm512_set1_epi64(rotation.by)), all(rotation.valid))
    }
    /// Adds the targets of a step.
    fn with_forward(sum: __m512i, rotation: &Rotation, set: __m512i) -> __m512i {
        or_and(sum, rotate(set, _mm512_set1_epi64(rotation.by)), all(rotation.valid))
    }
    /// Adds the sources of a step.
    fn with_backward(sum: __m512i, rotation: &Rotation, set: __m512i) -> __m512i {
        or_and(sum, rotate(set, _mm512_set1_epi64(rotation.back)), all(rotation.valid_back))
    }
}

impl PositionLanes {
    /// Returns the number of legal moves of all eight positions, without captures of flagged pieces.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) fn count(&self, batch: &Batch) -> u64 {
        if self.is_short { self.count_with::<3>(batch) } else { self.count_with::<6>(batch) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn count_with<const ROUNDS: u32>(&self, batch: &Batch) -> u64 {
        let us = usize::from(batch.side & 1);
        let (side, them) = (&self.sides[us], &self.sides[us ^ 1]);
        let zero = _mm512_setzero_si512();
        let planes = transposed(&batch.rows);
        let (own, enemy) = if us == 0 { (planes[0], planes[1]) } else { (planes[1], planes[0]) };
        let plane = |index: usize| planes[index & (LANES - 1)];
        let occupied = or(own, enemy);
        let empty = without(occupied, all(u64::MAX));
        let leader = and(planes[LEADER], own);
        let seen_through = or(empty, leader);

        // The enemy's attacks, checks and pins.
        let (mut danger, mut checkers, mut blocks, mut pinned) = (zero, zero, zero, zero);
        let mut pins = [zero; LINES + 1];
        for slides in &them.slides {
            let sliders = and(plane(slides.plane), enemy);
            for direction in &slides.directions {
                let rotation = &direction.rotation;
                let (by, valid) = (_mm512_set1_epi64(rotation.by), all(rotation.valid));
                let reach = fill::<ROUNDS>(sliders, and(seen_through, valid), by);
                let attack = and(rotate(reach, by), valid);
                danger = or(danger, attack);
                let (back, valid) = (_mm512_set1_epi64(rotation.back), all(rotation.valid_back));
                let view = and(rotate(fill::<ROUNDS>(leader, and(empty, valid), back), back), valid);
                checkers = or_and(checkers, view, sliders);
                blocks = or_and(blocks, view, reach);
                let pin = and_and(view, attack, own);
                pinned = or(pinned, pin);
                let line = &mut pins[direction.own_line.min(LINES)];
                *line = or(*line, pin);
            }
        }
        for (index, rotations) in &them.captures {
            let pieces = and(plane(*index), enemy);
            let mut from = zero;
            for rotation in rotations {
                danger = with_forward(danger, rotation, pieces);
                from = with_backward(from, rotation, leader);
            }
            checkers = or_and(checkers, from, pieces);
        }
        let other_leader = and(planes[LEADER], enemy);
        for rotation in &them.leader_leaps {
            danger = with_forward(danger, rotation, other_leader);
        }
        if self.leaders_meet {
            for rotation in &them.leader_leaps {
                checkers = or_and(checkers, with_backward(zero, rotation, leader), other_leader);
            }
        }

        // Squares on which pieces other than the leader may land: all; the line of a check; none in double check.
        let none = _mm512_testn_epi64_mask(checkers, checkers);
        let fewer = and(checkers, _mm512_sub_epi64(checkers, all(1)));
        let several = _mm512_test_epi64_mask(fewer, fewer);
        let mut allowed = or(blocks, checkers);
        allowed = _mm512_mask_mov_epi64(allowed, none, all(u64::MAX));
        allowed = _mm512_mask_mov_epi64(allowed, several, zero);
        let landing = without(own, allowed);

        let mut targets = zero;
        for rotation in &side.leader_leaps {
            targets = with_forward(targets, rotation, leader);
        }
        let mut total = _mm512_popcnt_epi64(without(or(own, danger), targets));
        for castle in &side.castles {
            total = _mm512_mask_add_epi64(
                total,
                castle.can(&planes, leader, own, occupied, danger),
                total,
                all(1),
            );
        }
        let free = without(pinned, own);
        for slides in &side.slides {
            let sliders = and(plane(slides.plane), own);
            let unpinned = and(sliders, free);
            for direction in &slides.directions {
                let (by, valid) = (_mm512_set1_epi64(direction.rotation.by), all(direction.rotation.valid));
                let movable = or_and(unpinned, sliders, pins[direction.enemy_line.min(LINES)]);
                let reach = fill::<ROUNDS>(movable, and(empty, valid), by);
                total = count(total, and_and(rotate(reach, by), valid, landing));
            }
        }
        for leap in &side.leaps {
            let pieces = and(plane(leap.plane), own);
            let unpinned = and(pieces, free);
            for (rotation, line) in &leap.rotations {
                let movable = or_and(unpinned, pieces, pins[(*line).min(LINES)]);
                let ends = rotate(movable, _mm512_set1_epi64(rotation.by));
                total = count(total, and_and(ends, all(rotation.valid), landing));
            }
        }
        for step in &side.steps {
            let pieces = and(plane(step.plane), own);
            let mut set = or_and(and(pieces, free), pieces, pins[step.line.min(LINES)]);
            if step.first_move {
                set = and(set, planes[UNMOVED]);
            }
            for _ in 1..step.times {
                set = and(forward(&step.rotation, set), empty);
            }
            set = and(forward(&step.rotation, set), allowed);
            set = match (step.on_empty, step.on_enemy) {
                (true, true) => without(own, set),
                (true, false) => and(set, empty),
                (false, true) => and(set, enemy),
                (false, false) => zero,
            };
            total = count(total, set);
            if step.further > 0 {
                let promoting = and(set, all(step.zone));
                if _mm512_test_epi64_mask(promoting, promoting) != 0 {
                    let further = _mm512_set1_epi64(step.further);
                    total =
                        _mm512_add_epi64(total, _mm512_mullo_epi64(_mm512_popcnt_epi64(promoting), further));
                }
            }
        }
        _mm512_reduce_add_epi64(total) as u64
    }
}

impl CastleMasks {
    /// Returns the lanes in which the move is possible.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn can(
        &self,
        planes: &[__m512i; LANES],
        leader: __m512i,
        own: __m512i,
        occupied: __m512i,
        danger: __m512i,
    ) -> u8 {
        let needs = all(self.unmoved);
        let mut can = _mm512_cmpeq_epi64_mask(and(planes[UNMOVED], needs), needs);
        can &= _mm512_cmpeq_epi64_mask(leader, all(self.source));
        can &= _mm512_testn_epi64_mask(occupied, all(self.empty));
        can &= _mm512_testn_epi64_mask(danger, all(self.safe));
        if can != 0 {
            for partner in &self.partners {
                let mut there = and(own, all(1 << partner.square));
                for (index, plane) in planes.iter().enumerate().skip(LEADER) {
                    let is_part = partner.column >> index & 1 == 1;
                    there = if is_part { and(there, *plane) } else { without(*plane, there) };
                }
                can &= _mm512_test_epi64_mask(there, there);
            }
        }
        can
    }
}
