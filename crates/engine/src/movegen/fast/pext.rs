//! Slide lookups by PEXT, for machines with BMI2 and AVX2.
//!
//! # Safety
//!
//! [`Pext`] is used only if [`detected`] returns `true`: by the functions below, and by the AVX-512 backends, whose
//! own test includes this one.
#![allow(unsafe_code, reason = "only some machines have PEXT; they are tested first")]

use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::keyed_perft::KeyedPerft;
use crate::movegen::fast::side::{Leaps, Side, Stepper};
use crate::movegen::fast::state::State;
use crate::movegen::fast::tables::FastTables;
use crate::moves::Move;

/// Returns whether the machine has the instructions that this module is compiled for.
pub(crate) fn detected() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

/// Slide lookups by PEXT. For games of the common shape, loops are unrolled.
pub(crate) struct Pext<const COMMON: bool>;

/// Returns whether a game has the common shape: two sets of slides, one set of leaps, one stepping kind, and slides
/// with a single table each. Chess and most of its relatives have it.
pub(crate) fn is_common<B: Bits>(fast: &FastTables<B>) -> bool {
    let common = |side: &Side<B>| (side.slides.len(), side.leaps.len(), side.steppers.len()) == (2, 1, 1);
    fast.sides.iter().all(common) && fast.classes.iter().all(|class| class.further.is_empty())
}

/// Returns a list, with a length known at compile time if the game has the common shape.
#[inline(always)]
pub(crate) fn known<T, const N: usize, const COMMON: bool>(list: &[T]) -> &[T] {
    if COMMON { list.first_chunk::<N>().expect("the lengths that `is_common` tests") } else { list }
}

impl<B: Bits, const COMMON: bool> SlideLookup<B> for Pext<COMMON> {
    #[inline(always)]
    fn slide(fast: &FastTables<B>, class: usize, square: usize, occupied: B) -> B {
        // SAFETY: the machine has been tested.
        unsafe { fast.classes[class].by_pext::<COMMON>(square, occupied) }
    }
    #[inline(always)]
    fn slides(side: &Side<B>) -> &[(usize, usize)] {
        known::<_, 2, COMMON>(&side.slides)
    }
    #[inline(always)]
    fn leaps(side: &Side<B>) -> &[Leaps<B>] {
        known::<_, 1, COMMON>(&side.leaps)
    }
    #[inline(always)]
    fn steppers(side: &Side<B>) -> &[Stepper<B>] {
        known::<_, 1, COMMON>(&side.steppers)
    }
    #[inline(always)]
    fn perft<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, depth: u32) -> u64 {
        // SAFETY: as above.
        unsafe { perft::<B, COMMON, P>(fast, state, depth) }
    }
    #[inline(always)]
    fn list<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, moves: &mut Vec<Move>) -> bool {
        // SAFETY: as above.
        unsafe { list::<B, COMMON, P>(fast, state, moves) }
    }
    #[inline(always)]
    fn can_attack_leader<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> bool {
        // SAFETY: as above.
        unsafe { can_attack_leader::<B, COMMON, P>(fast, state) }
    }
    #[inline(always)]
    fn walk<const P: usize>(walk: &mut KeyedPerft<'_, B, P>, state: &State<B, P>, key: u64, depth: u32) {
        // SAFETY: as above.
        unsafe { below::<B, COMMON, P>(walk, state, key, depth) }
    }
}

/// Everything below is compiled for machines with these instructions, including inlined lookups.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn perft<B: Bits, const COMMON: bool, const P: usize>(
    fast: &FastTables<B>,
    state: &State<B, P>,
    depth: u32,
) -> u64 {
    fast.count_tree::<Pext<COMMON>, P>(state, depth)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn list<B: Bits, const COMMON: bool, const P: usize>(
    fast: &FastTables<B>,
    state: &State<B, P>,
    moves: &mut Vec<Move>,
) -> bool {
    fast.list::<Pext<COMMON>, P>(state, moves)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn can_attack_leader<B: Bits, const COMMON: bool, const P: usize>(
    fast: &FastTables<B>,
    state: &State<B, P>,
) -> bool {
    fast.can_attack_leader::<Pext<COMMON>, P>(state)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn below<B: Bits, const COMMON: bool, const P: usize>(
    walk: &mut KeyedPerft<'_, B, P>,
    state: &State<B, P>,
    key: u64,
    depth: u32,
) {
    walk.below::<Pext<COMMON>>(state, key, depth);
}
