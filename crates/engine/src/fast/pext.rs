//! Slides by PEXT, for machines that have it (and AVX2, as all of those do: boards are copied with it).
//!
//! # Safety
//! [`Pext`] is used only after [`detected`] has answered yes: by the functions below, and by the vector paths, whose
//! own question includes this one.
#![allow(unsafe_code, reason = "PEXT is an instruction of some machines only; they are asked before")]

use crate::fast::bits::Bits;
use crate::fast::generate::Look;
use crate::fast::made::Walk;
use crate::fast::plan::Fast;
use crate::fast::side::{Leaps, Side, Stepper};
use crate::fast::state::State;
use crate::moves::Move;

/// Whether the machine has what this module is compiled for.
pub(crate) fn detected() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

/// Slides by PEXT; for games of the usual shape, with loops that are unrolled.
pub(crate) struct Pext<const USUAL: bool>;

/// Whether a game has the usual shape: two sets of slides, one set of leaps, one kind that steps, and slides that are
/// looked up at once. So it is with rooks, bishops, knights and pawns, and all that is made of them.
pub(crate) fn is_usual<B: Bits>(fast: &Fast<B>) -> bool {
    let usual = |side: &Side<B>| (side.slides.len(), side.leaps.len(), side.steppers.len()) == (2, 1, 1);
    fast.sides.iter().all(usual) && fast.classes.iter().all(|class| class.further.is_empty())
}

/// A list, whose length is known when this is compiled if it is as usual.
#[inline(always)]
pub(crate) fn known<T, const N: usize, const USUAL: bool>(list: &[T]) -> &[T] {
    if USUAL { list.first_chunk::<N>().expect("as usual: see `is_usual`") } else { list }
}

impl<B: Bits, const USUAL: bool> Look<B> for Pext<USUAL> {
    #[inline(always)]
    fn slide(fast: &Fast<B>, class: usize, square: usize, occupied: B) -> B {
        // SAFETY: the machine has been asked.
        unsafe { fast.classes[class].by_pext::<USUAL>(square, occupied) }
    }
    #[inline(always)]
    fn slides(side: &Side<B>) -> &[(usize, usize)] {
        known::<_, 2, USUAL>(&side.slides)
    }
    #[inline(always)]
    fn leaps(side: &Side<B>) -> &[Leaps<B>] {
        known::<_, 1, USUAL>(&side.leaps)
    }
    #[inline(always)]
    fn steppers(side: &Side<B>) -> &[Stepper<B>] {
        known::<_, 1, USUAL>(&side.steppers)
    }
    #[inline(always)]
    fn perft<const P: usize>(fast: &Fast<B>, state: &State<B, P>, depth: u32) -> u64 {
        // SAFETY: as above.
        unsafe { perft::<B, USUAL, P>(fast, state, depth) }
    }
    #[inline(always)]
    fn list<const P: usize>(fast: &Fast<B>, state: &State<B, P>, moves: &mut Vec<Move>) -> bool {
        // SAFETY: as above.
        unsafe { list::<B, USUAL, P>(fast, state, moves) }
    }
    #[inline(always)]
    fn sees_attack<const P: usize>(fast: &Fast<B>, state: &State<B, P>) -> bool {
        // SAFETY: as above.
        unsafe { sees_attack::<B, USUAL, P>(fast, state) }
    }
    #[inline(always)]
    fn walk<const P: usize>(walk: &mut Walk<'_, B, P>, state: &State<B, P>, key: u64, depth: u32) {
        // SAFETY: as above.
        unsafe { below::<B, USUAL, P>(walk, state, key, depth) }
    }
}

/// Everything below is compiled for machines with these instructions, look-ups included.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn perft<B: Bits, const USUAL: bool, const P: usize>(fast: &Fast<B>, state: &State<B, P>, depth: u32) -> u64 {
    fast.count_tree::<Pext<USUAL>, P>(state, depth)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn list<B: Bits, const USUAL: bool, const P: usize>(
    fast: &Fast<B>,
    state: &State<B, P>,
    moves: &mut Vec<Move>,
) -> bool {
    fast.list::<Pext<USUAL>, P>(state, moves)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn sees_attack<B: Bits, const USUAL: bool, const P: usize>(fast: &Fast<B>, state: &State<B, P>) -> bool {
    fast.sees_attack::<Pext<USUAL>, P>(state)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn below<B: Bits, const USUAL: bool, const P: usize>(
    walk: &mut Walk<'_, B, P>,
    state: &State<B, P>,
    key: u64,
    depth: u32,
) {
    walk.below::<Pext<USUAL>>(state, key, depth);
}
