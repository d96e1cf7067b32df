//! Counting eight positions at once, one in each lane of a vector (AVX-512).
//!
//! Every condition is a statement about sets, so all lanes do the same work whatever stands on their boards, and one
//! instruction serves eight positions.
//!
//! How checks and pins come out of fills, for a slide of the enemy in direction *d*: its fill covers the empty squares
//! that it reaches (the leader being transparent); the leader's own fill against *d* covers the way to the first
//! piece. Where the two meet, the way is open: those squares block the check. An own piece that both of them hit is
//! pinned on that line.
//!
//! # Safety
//! As in [`super::lanes`]; a [`Vector`] is only made after [`super::detected`] has answered yes.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_cmpeq_epi64_mask, _mm512_mask_add_epi64, _mm512_mask_mov_epi64,
    _mm512_mullo_epi64, _mm512_popcnt_epi64, _mm512_reduce_add_epi64, _mm512_set1_epi64,
    _mm512_setzero_si512, _mm512_sub_epi64, _mm512_test_epi64_mask, _mm512_testn_epi64_mask,
};

use crate::fast::avx512::batch::Batch;
use crate::fast::avx512::lanes::{
    LANES, Narrow, Turn, all, and, and_and, count, fill, is_short, or, or_and, rotate, transposed, vector,
    without,
};
use crate::fast::castle::{Castle, Partner};
use crate::fast::plan::Fast;
use crate::fast::state::{LEADER, UNMOVED};
use crate::rules::Rules;
use crate::square::Offset;

/// The most lines of slides; one more stands for none.
const LINES: usize = 8;

/// The tables of a game for this module.
pub(super) struct Vector {
    sides: [Side; 2],
    is_short: bool,
    leaders_meet: bool,
}

/// The tables of one player.
struct Side {
    slides: Vec<Slides>,
    /// Plain leaps of officers, and everything that captures by a single step.
    leaps: Vec<Leap>,
    captures: Vec<(usize, Vec<Turn>)>,
    leader_leaps: Vec<Turn>,
    steps: Vec<Step>,
    castles: Vec<Guarded>,
    /// Guarded moves that cannot arise, unless they could already: their partner does not stand there.
    left_out: LeftOut,
}

/// The leader's square and the partner.
type LeftOut = Vec<(u64, Partner)>;

/// The slides of an atom.
struct Slides {
    plane: usize,
    ways: Vec<Way>,
}

/// One direction.
struct Way {
    turn: Turn,
    /// The number of its line among the enemy's, for pieces that are pinned on it; and among its own.
    enemy_line: usize,
    own_line: usize,
}

struct Leap {
    plane: usize,
    turns: Vec<(Turn, usize)>,
}

struct Step {
    plane: usize,
    turn: Turn,
    times: u32,
    line: usize,
    on_empty: bool,
    on_enemy: bool,
    first_move: bool,
    zone: u64,
    /// Options of promotion beyond the first.
    further: i64,
}

struct Guarded {
    source: u64,
    unmoved: u64,
    empty: u64,
    safe: u64,
    partners: Vec<Partner>,
}

impl Vector {
    /// The tables, if the game is for this path. The machine must be, too.
    pub(super) fn new(rules: &Rules, fast: &Fast<u64>) -> Option<Self> {
        let lower = |player: usize| Lower { rules, fast, player }.side();
        Some(Vector {
            sides: [lower(0)?, lower(1)?],
            is_short: is_short(rules),
            leaders_meet: fast.leaders_meet,
        })
    }

    /// A leader that has never moved stands where it started: only from there are guarded moves looked at, and only
    /// with the partners that it may have there.
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

/// Makes the tables of one player.
struct Lower<'f> {
    rules: &'f Rules,
    fast: &'f Fast<u64>,
    player: usize,
}

impl Lower<'_> {
    fn side(&self) -> Option<Side> {
        let fast = &self.fast.sides[self.player];
        let (own, enemy) = (self.lines(self.player), self.lines(self.player ^ 1));
        if own.len() > LINES || enemy.len() > LINES {
            return None;
        }
        let slides = fast.slides.iter().map(|(plane, class)| {
            let ways = self.fast.classes[*class].directions.iter().map(|step| Way {
                turn: self.turn(*step),
                enemy_line: line(&enemy, *step),
                own_line: line(&own, *step),
            });
            Slides { plane: *plane, ways: ways.collect() }
        });
        let turns = |steps: &[Offset]| steps.iter().map(|step| self.turn(*step)).collect::<Vec<Turn>>();
        let mut captures: Vec<(usize, Vec<Turn>)> =
            fast.leaps.iter().map(|leaps| (leaps.plane, turns(&leaps.steps))).collect();
        let leaps = fast.leaps.iter().map(|leaps| Leap {
            plane: leaps.plane,
            turns: leaps.steps.iter().map(|step| (self.turn(*step), line(&enemy, *step))).collect(),
        });
        let mut steps = Vec::new();
        for stepper in &fast.steppers {
            let hitting: Vec<Offset> =
                stepper.steps.iter().filter(|step| step.on_enemy).map(|step| step.unit).collect();
            captures.push((stepper.plane, turns(&hitting)));
            steps.extend(stepper.steps.iter().map(|step| Step {
                plane: stepper.plane,
                turn: self.turn(step.unit),
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
            leader_leaps: turns(&fast.leader.steps),
            steps,
            castles,
            left_out,
        })
    }

    fn turn(&self, step: Offset) -> Turn {
        Turn::new(self.rules, step)
    }

    /// The lines of a player's slides, each by one of its two directions.
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

    /// The guarded moves from where the leader starts; `None` if one can be made from elsewhere or needs a trial.
    fn castles(&self) -> Option<(Vec<Guarded>, LeftOut)> {
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
                    castles.push(Guarded {
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

    /// A partner who can never stand unmoved where it should: the game does not start with it, and none is promoted
    /// there.
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
                let passings = stepper.passings.iter().map(|it| &it.promotion);
                stepper.steps.iter().map(|it| &it.promotion).chain(passings)
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

/// The number of a direction's line.
fn line(lines: &[Offset], step: Offset) -> usize {
    let unit = step.unit().0;
    lines.iter().position(|line| *line == unit || *line == unit.reversed()).unwrap_or(LINES)
}

vector! {
    fn forward(turn: &Turn, set: __m512i) -> __m512i {
        and(rotate(set, _mm512_set1_epi64(turn.by)), all(turn.valid))
    }
    /// Adds where the step leads.
    fn with_forward(sum: __m512i, turn: &Turn, set: __m512i) -> __m512i {
        or_and(sum, rotate(set, _mm512_set1_epi64(turn.by)), all(turn.valid))
    }
    /// Adds from where the step comes.
    fn with_backward(sum: __m512i, turn: &Turn, set: __m512i) -> __m512i {
        or_and(sum, rotate(set, _mm512_set1_epi64(turn.back)), all(turn.valid_back))
    }
}

impl Vector {
    /// The legal moves of all eight positions together, captures of flagged pieces left out.
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
        let king = and(planes[LEADER], own);
        let seen_through = or(empty, king);

        // The enemy's attacks, the checks and the pins.
        let (mut danger, mut checkers, mut blocks, mut pinned) = (zero, zero, zero, zero);
        let mut pins = [zero; LINES + 1];
        for slides in &them.slides {
            let sliders = and(plane(slides.plane), enemy);
            for way in &slides.ways {
                let turn = &way.turn;
                let (by, valid) = (_mm512_set1_epi64(turn.by), all(turn.valid));
                let reach = fill::<ROUNDS>(sliders, and(seen_through, valid), by);
                let attack = and(rotate(reach, by), valid);
                danger = or(danger, attack);
                let (back, valid) = (_mm512_set1_epi64(turn.back), all(turn.valid_back));
                let view = and(rotate(fill::<ROUNDS>(king, and(empty, valid), back), back), valid);
                checkers = or_and(checkers, view, sliders);
                blocks = or_and(blocks, view, reach);
                let pin = and_and(view, attack, own);
                pinned = or(pinned, pin);
                let line = &mut pins[way.own_line.min(LINES)];
                *line = or(*line, pin);
            }
        }
        for (index, turns) in &them.captures {
            let pieces = and(plane(*index), enemy);
            let mut from = zero;
            for turn in turns {
                danger = with_forward(danger, turn, pieces);
                from = with_backward(from, turn, king);
            }
            checkers = or_and(checkers, from, pieces);
        }
        let other_king = and(planes[LEADER], enemy);
        for turn in &them.leader_leaps {
            danger = with_forward(danger, turn, other_king);
        }
        if self.leaders_meet {
            for turn in &them.leader_leaps {
                checkers = or_and(checkers, with_backward(zero, turn, king), other_king);
            }
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
            targets = with_forward(targets, turn, king);
        }
        let mut total = _mm512_popcnt_epi64(without(or(own, danger), targets));
        for castle in &side.castles {
            total =
                _mm512_mask_add_epi64(total, castle.can(&planes, king, own, occupied, danger), total, all(1));
        }
        let free = without(pinned, own);
        for slides in &side.slides {
            let sliders = and(plane(slides.plane), own);
            let unpinned = and(sliders, free);
            for way in &slides.ways {
                let (by, valid) = (_mm512_set1_epi64(way.turn.by), all(way.turn.valid));
                let movable = or_and(unpinned, sliders, pins[way.enemy_line.min(LINES)]);
                let reach = fill::<ROUNDS>(movable, and(empty, valid), by);
                total = count(total, and_and(rotate(reach, by), valid, landing));
            }
        }
        for leap in &side.leaps {
            let pieces = and(plane(leap.plane), own);
            let unpinned = and(pieces, free);
            for (turn, line) in &leap.turns {
                let movable = or_and(unpinned, pieces, pins[(*line).min(LINES)]);
                let ends = rotate(movable, _mm512_set1_epi64(turn.by));
                total = count(total, and_and(ends, all(turn.valid), landing));
            }
        }
        for step in &side.steps {
            let pieces = and(plane(step.plane), own);
            let mut set = or_and(and(pieces, free), pieces, pins[step.line.min(LINES)]);
            if step.first_move {
                set = and(set, planes[UNMOVED]);
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

impl Guarded {
    /// In which positions it can be made.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn can(
        &self,
        planes: &[__m512i; LANES],
        king: __m512i,
        own: __m512i,
        occupied: __m512i,
        danger: __m512i,
    ) -> u8 {
        let needs = all(self.unmoved);
        let mut can = _mm512_cmpeq_epi64_mask(and(planes[UNMOVED], needs), needs);
        can &= _mm512_cmpeq_epi64_mask(king, all(self.source));
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
