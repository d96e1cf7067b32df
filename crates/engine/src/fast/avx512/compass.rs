//! One position at a time with all directions of its slides at once: one direction in each lane of a vector (AVX-512).
//!
//! Three fills (the enemy's slides, the view from the leader, the own slides) find attacks, checks, pins and the
//! targets of all sliders together; what leaps or steps goes the scalar way. How checks and pins come out of fills is
//! told in [`super::vector`].
//!
//! # Safety
//! As there: a [`Compass`] is only made after [`super::detected`] has answered yes, and the loads are of whole arrays.
#![allow(unsafe_code, reason = "vectors are loaded from arrays; the machine is asked before")]

use std::arch::x86_64::{
    __m512i, _mm512_andnot_si512, _mm512_or_si512, _mm512_permutexvar_epi64, _mm512_popcnt_epi64,
    _mm512_reduce_add_epi64, _mm512_reduce_or_epi64, _mm512_rolv_epi64, _mm512_setzero_si512,
};

use crate::fast::avx512::vector::{LANES, all, and, fill, load, or_and, vector};
use crate::fast::bits::{look, squares};
use crate::fast::generate::Masks;
use crate::fast::pext::Pext;
use crate::fast::plan::{CLASSES, Fast};
use crate::fast::state::{NO_MARK, State};
use crate::rules::Rules;
use crate::square::Offset;

/// The tables of a game for this module.
pub(crate) struct Compass {
    by: [u64; LANES],
    back: [u64; LANES],
    /// Squares on which a step may end, and on which the way back may.
    valid: [u64; LANES],
    valid_back: [u64; LANES],
    /// Which lane is the opposite direction.
    opposite: [u64; LANES],
    /// By player: the kinds that slide, each with all bits in the lanes of its directions.
    sliders: [Vec<(usize, [u64; LANES])>; 2],
    rounds: u32,
}

impl Compass {
    /// The tables, if the game is for this path: no more directions than lanes. The machine must be, too.
    pub(crate) fn new(rules: &Rules, fast: &Fast<u64>) -> Option<Self> {
        let directions = directions(rules, fast);
        if directions.len() > LANES {
            return None;
        }
        let board = rules.board();
        let ends = |step: Offset| {
            let ends = board.squares().filter_map(|square| board.step(square, step));
            ends.fold(0u64, |set, square| set | 1 << square.index())
        };
        let lane = |of: &dyn Fn(usize) -> u64| -> [u64; LANES] {
            std::array::from_fn(|lane| if lane < directions.len() { of(lane) } else { 0 })
        };
        let by = |step: Offset| i64::from(step.dy * i32::from(board.files()) + step.dx);
        let is_opposite = |one: usize, other: usize| directions[one].0 == directions[other].0.reversed();
        let longest = u32::from(board.files().max(board.ranks())).max(2) - 1;
        Some(Compass {
            by: lane(&|it| (by(directions[it].0) & 63) as u64),
            back: lane(&|it| (-by(directions[it].0) & 63) as u64),
            valid: lane(&|it| ends(directions[it].0)),
            valid_back: lane(&|it| ends(directions[it].0.reversed())),
            opposite: lane(&|it| {
                (0..directions.len()).find(|other| is_opposite(it, *other)).unwrap_or(it) as u64
            }),
            sliders: [0, 1].map(|player: usize| {
                let kinds = (0..rules.kinds().count())
                    .filter(|kind| directions.iter().any(|it| it.1[player].contains(kind)));
                kinds
                    .map(|kind| {
                        (
                            kind,
                            lane(&|it| if directions[it].1[player].contains(&kind) { u64::MAX } else { 0 }),
                        )
                    })
                    .collect()
            }),
            rounds: u32::BITS - (longest - 1).leading_zeros(),
        })
    }
}

/// Every direction of somebody's slide, turned, and by player the kinds that slide there.
fn directions(rules: &Rules, fast: &Fast<u64>) -> Vec<(Offset, [Vec<usize>; 2])> {
    let mut found: Vec<(Offset, [Vec<usize>; 2])> = Vec::new();
    for player in rules.players() {
        let orientation = rules.player(player).orientation;
        for officer in &fast.sides[player.index()].officers {
            for plan in
                rules.blueprint().kinds[officer.kind].moves.iter().filter(|it| it.repeat.max != Some(1))
            {
                let step = orientation.turn(plan.step);
                let index = found.iter().position(|(other, _)| *other == step).unwrap_or_else(|| {
                    found.push((step, [Vec::new(), Vec::new()]));
                    found.len() - 1
                });
                found[index].1[player.index()].push(officer.kind);
            }
        }
    }
    found
}

vector! {
    fn any(set: __m512i) -> u64 { _mm512_reduce_or_epi64(set) as u64 }
    /// A player's sliders, each in the lanes of its directions.
    fn spread(state: &State<u64>, army: u64, sliders: &[(usize, [u64; LANES])]) -> __m512i {
        let mut set = _mm512_setzero_si512();
        for (kind, lanes) in sliders {
            set = or_and(set, all(state.kinds[*kind] & army), load(lanes));
        }
        set
    }
}

impl Compass {
    /// How many legal moves there are.
    #[target_feature(enable = "avx512f,avx512dq,avx512vpopcntdq,avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(crate) fn count(&self, fast: &Fast<u64>, state: &State<u64>) -> u64 {
        let (own, enemy) = (state.own(), state.enemy());
        let us = usize::from(state.side & 1);
        let (side, them) = (&fast.sides[us], &fast.sides[us ^ 1]);
        let occupied = own | enemy;
        let king = state.kinds[fast.leader] & own;
        let leader = king.trailing_zeros() as usize;

        let (by, valid) = (load(&self.by), load(&self.valid));
        let snipers = spread(state, enemy, &self.sliders[us ^ 1]);
        let reach = fill(snipers, and(all(!occupied | king), valid), by, self.rounds);
        let attack = and(_mm512_rolv_epi64(reach, by), valid);
        let (back, valid_back) = (load(&self.back), load(&self.valid_back));
        let way = fill(all(king), and(all(!occupied), valid_back), back, self.rounds);
        let view = and(_mm512_rolv_epi64(way, back), valid_back);
        let pins = and(and(view, attack), all(own));
        let pinned = any(pins);
        let mut checkers = any(and(view, snipers));
        let blocks = any(and(view, reach));

        let mut danger = any(attack)
            | look(&them.leader_leaps, (state.kinds[fast.leader] & enemy).trailing_zeros() as usize);
        for officer in &them.officers {
            if let Some(leaps) = &officer.leaps {
                for square in squares(state.kinds[officer.kind] & enemy) {
                    danger |= look(leaps, square);
                }
            }
        }
        for stepper in &them.steppers {
            for capture in &stepper.captures {
                danger |= capture.of(state.kinds[stepper.kind] & enemy);
            }
        }
        let mut total = u64::from((look(&side.leader_leaps, leader) & !own & !danger).count_ones());
        let mut allowed = !own;
        if danger & king != 0 {
            for (kind, from) in &them.hits {
                checkers |= look(from, leader) & state.kinds[*kind] & enemy;
            }
            allowed &= if checkers.is_power_of_two() { blocks | checkers } else { 0 };
        }
        let masks = Masks {
            own,
            enemy,
            occupied,
            leader,
            snipers: [0; CLASSES],
            allowed,
            only_leader: false,
            pinned,
        };
        for castle in &side.castles[leader] {
            let mut can = castle.unmoved & !state.unmoved == 0
                && castle.empty & occupied == 0
                && castle.safe & danger == 0;
            for (kind, square) in &castle.partners {
                can &= state.kinds[*kind] & own & square != 0;
            }
            let can =
                can && (!castle.needs_trial || fast.is_safe::<Pext>(&fast.castled(state, castle, leader)));
            total += u64::from(can);
        }

        let army = spread(state, own, &self.sliders[us]);
        let line = _mm512_or_si512(pins, _mm512_permutexvar_epi64(load(&self.opposite), pins));
        let free = or_and(_mm512_andnot_si512(all(pinned), army), army, line);
        let reach = fill(free, and(all(!occupied), valid), by, self.rounds);
        let targets = and(and(_mm512_rolv_epi64(reach, by), valid), all(allowed));
        total += _mm512_reduce_add_epi64(_mm512_popcnt_epi64(targets)) as u64;

        for officer in &side.officers {
            let Some(leaps) = &officer.leaps else { continue };
            for from in squares(state.kinds[officer.kind] & own) {
                let mut targets = look(leaps, from) & allowed;
                if pinned >> from & 1 == 1 {
                    targets &= look(&fast.line, leader * fast.squares + from);
                }
                total += u64::from(targets.count_ones());
            }
        }
        for stepper in &side.steppers {
            let pieces = state.kinds[stepper.kind] & own;
            for step in &stepper.steps {
                total += step.promotion.count(step.targets(state, pieces & !pinned, &masks));
            }
            for piece in squares(pieces & pinned) {
                let line = look(&fast.line, leader * fast.squares + piece);
                for step in &stepper.steps {
                    total += step.promotion.count(step.targets(state, 1 << piece, &masks) & line);
                }
            }
        }
        if state.mark != NO_MARK {
            total += fast.count_passings::<Pext>(state);
        }
        total
    }
}
