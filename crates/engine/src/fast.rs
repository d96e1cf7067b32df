//! The fast path: positions as plain small values, legal moves as sets, for games whose rules allow it.
//!
//! A game gets here by properties that are proved when it is compiled (see [`plan`]); a position of it, by what stands
//! on the board. Everything else takes the general path, and the oracle judges both.

#![allow(
    clippy::inline_always,
    reason = "run-time detection is free only if all is inlined under one target feature"
)]

#[cfg(target_arch = "x86_64")]
mod batch;
mod bits;
#[cfg(target_arch = "x86_64")]
mod compass;
mod generate;
mod plan;
mod slide;
mod state;
#[cfg(target_arch = "x86_64")]
mod vector;

use bits::Bits;
use generate::{Lister, Look};
use plan::Fast;
use state::State;

#[cfg(target_arch = "x86_64")]
use {compass::Compass, vector::Vector};

/// Other machines have no such vectors.
#[cfg(not(target_arch = "x86_64"))]
mod absent {
    use crate::fast::plan::Fast;
    use crate::rules::Rules;

    pub(crate) enum Absent {}

    impl Absent {
        pub(crate) fn new(_: &Rules, _: &Fast<u64>) -> Option<Self> {
            None
        }
    }
}
#[cfg(not(target_arch = "x86_64"))]
use absent::{Absent as Compass, Absent as Vector};

use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;

/// The tables of a game on the fast path, as wide as its board needs.
pub(crate) enum FastPath {
    /// Up to 64 squares; with vectors of directions and of positions, where machine and game are for it.
    Narrow(Fast<u64>, Option<Compass>, Option<Vector>),
    /// Up to 128 squares.
    Wide(Fast<u128>),
}

impl FastPath {
    /// The tables, if the game is one for this path.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        if rules.board().len() <= 64 {
            let fast = Fast::new(rules)?;
            let (compass, vector) = (Compass::new(rules, &fast), Vector::new(rules, &fast));
            Some(FastPath::Narrow(fast, compass, vector))
        } else {
            Fast::new(rules).map(FastPath::Wide)
        }
    }

    /// Counts positions, if this one can be played here.
    pub(crate) fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        match self {
            FastPath::Narrow(fast, ..) => fast.perft(rules, position, depth),
            FastPath::Wide(fast) => fast.perft(rules, position, depth),
        }
    }

    /// Counts positions with all directions at once, if machine, game and position are for it.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn perft_by_compass(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let FastPath::Narrow(fast, Some(compass), _) = self else { return None };
        let state = fast.state(rules, position)?;
        Some(batch::perft_singly(fast, compass, &state, depth))
    }

    /// Counts positions eight at a time, if machine, game and position are for it.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn perft_in_batches(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let FastPath::Narrow(fast, _, Some(vector)) = self else { return None };
        let state = fast.state(rules, position).filter(|state| vector.accepts(state))?;
        Some(batch::perft(fast, vector, &state, depth))
    }

    /// Other machines have no such vectors.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn perft_by_compass(&self, _: &Rules, _: &Position, _: u32) -> Option<u64> {
        None
    }

    /// Other machines have no such vectors.
    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn perft_in_batches(&self, _: &Rules, _: &Position, _: u32) -> Option<u64> {
        None
    }

    /// All legal moves in their order, if the position can be played here.
    pub(crate) fn legal_moves(&self, rules: &Rules, position: &Position) -> Option<Vec<Move>> {
        match self {
            FastPath::Narrow(fast, ..) => fast.legal_moves(rules, position),
            FastPath::Wide(fast) => fast.legal_moves(rules, position),
        }
    }
}

impl<B: Bits> Fast<B> {
    fn state(&self, rules: &Rules, position: &Position) -> Option<State<B>> {
        State::of(position, rules.mover(position).0).filter(|state| self.accepts::<Rays>(state))
    }

    fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let state = self.state(rules, position)?;
        Some(if has_bmi2() { Pext::perft(self, &state, depth) } else { Rays::perft(self, &state, depth) })
    }

    fn legal_moves(&self, rules: &Rules, position: &Position) -> Option<Vec<Move>> {
        let state = self.state(rules, position)?;
        let mut lister = Lister { fast: self, side: usize::from(state.side), moves: Vec::with_capacity(48) };
        self.visit::<Rays>(&state, &mut lister);
        lister.moves.sort_by_key(|it| (it.from, it.pattern, it.from.0.abs_diff(it.to.0)));
        Some(lister.moves)
    }
}

#[cfg(target_arch = "x86_64")]
fn has_bmi2() -> bool {
    is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_bmi2() -> bool {
    false
}

/// Slides by rays: for every machine.
struct Rays;

impl<B: Bits> Look<B> for Rays {
    #[inline(always)]
    fn slide(fast: &Fast<B>, class: usize, square: usize, occupied: B) -> B {
        fast.classes[class].by_rays(square, occupied)
    }
    fn perft(fast: &Fast<B>, state: &State<B>, depth: u32) -> u64 {
        fast.count_tree::<Self>(state, depth)
    }
}

/// Slides by PEXT. Only used after the machine has been asked for it.
struct Pext;

impl<B: Bits> Look<B> for Pext {
    #[inline(always)]
    #[allow(unsafe_code, reason = "the machine has been asked")]
    fn slide(fast: &Fast<B>, class: usize, square: usize, occupied: B) -> B {
        // SAFETY: `Pext` is chosen only where the machine has BMI2.
        unsafe { fast.classes[class].by_pext(square, occupied) }
    }
    #[inline(always)]
    #[allow(unsafe_code, reason = "the machine has been asked")]
    fn perft(fast: &Fast<B>, state: &State<B>, depth: u32) -> u64 {
        // SAFETY: as above.
        unsafe { perft_bmi2(fast, state, depth) }
    }
}

/// Everything below is compiled for machines with these instructions, look-ups included.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
fn perft_bmi2<B: Bits>(fast: &Fast<B>, state: &State<B>, depth: u32) -> u64 {
    fast.count_tree::<Pext>(state, depth)
}

#[cfg(not(target_arch = "x86_64"))]
#[allow(unsafe_code, reason = "the same signature everywhere")]
unsafe fn perft_bmi2<B: Bits>(fast: &Fast<B>, state: &State<B>, depth: u32) -> u64 {
    fast.count_tree::<Rays>(state, depth)
}
