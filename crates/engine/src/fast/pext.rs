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
use crate::fast::state::State;

/// Whether the machine has what this module is compiled for.
pub(crate) fn detected() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

/// Slides by PEXT.
pub(crate) struct Pext;

impl<B: Bits> Look<B> for Pext {
    #[inline(always)]
    fn slide(fast: &Fast<B>, class: usize, square: usize, occupied: B) -> B {
        // SAFETY: the machine has been asked.
        unsafe { fast.classes[class].by_pext(square, occupied) }
    }
    #[inline(always)]
    fn perft(fast: &Fast<B>, state: &State<B>, depth: u32) -> u64 {
        // SAFETY: as above.
        unsafe { perft(fast, state, depth) }
    }
    #[inline(always)]
    fn walk(walk: &mut Walk<'_, B>, state: &State<B>, key: u64, depth: u32) {
        // SAFETY: as above.
        unsafe { below(walk, state, key, depth) }
    }
}

/// Everything below is compiled for machines with these instructions, look-ups included.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn perft<B: Bits>(fast: &Fast<B>, state: &State<B>, depth: u32) -> u64 {
    fast.count_tree::<Pext>(state, depth)
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn below<B: Bits>(walk: &mut Walk<'_, B>, state: &State<B>, key: u64, depth: u32) {
    walk.below::<Pext>(state, key, depth);
}
