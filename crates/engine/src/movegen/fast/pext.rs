//! Slide lookups by PEXT, for machines with BMI2 and AVX2.
//!
//! # Safety
//!
//! [`Pext`] is used only if [`detected`] returns `true`: by the functions below, and by the AVX-512 backends, whose
//! own test includes this one.
#![allow(unsafe_code, reason = "only some machines have PEXT; they are tested first")]

use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::checks::Masks;
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::keyed_perft::{KeyedLookup, KeyedPerft};
use crate::movegen::fast::lame::LameTable;
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
pub(crate) struct Pext<const COMMON: bool, const USUAL: bool>;

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

/// Implements an entry point as a call of a method that is compiled for machines with these instructions, including
/// inlined lookups.
macro_rules! compiled {
    ($name:ident($tables:ident $(, $argument:ident: $ty:ty)*) -> $answer:ty, $method:ident) => {
        #[inline(always)]
        fn $name<const P: usize>($tables: &FastTables<B> $(, $argument: $ty)*) -> $answer {
            #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
            fn run<B: Bits, const COMMON: bool, const USUAL: bool, const P: usize>(
                $tables: &FastTables<B> $(, $argument: $ty)*
            ) -> $answer {
                $tables.$method::<Pext<COMMON, USUAL>, P>($($argument),*)
            }
            // SAFETY: the machine has been tested.
            unsafe { run::<B, COMMON, USUAL, P>($tables $(, $argument)*) }
        }
    };
}

impl<B: Bits, const COMMON: bool, const USUAL: bool> SlideLookup<B> for Pext<COMMON, USUAL> {
    const USUAL: bool = USUAL;

    #[inline(always)]
    fn slide(fast: &FastTables<B>, class: usize, square: usize, occupied: B) -> B {
        // SAFETY: the machine has been tested.
        unsafe { fast.classes[class].by_pext::<COMMON>(square, occupied) }
    }
    #[inline(always)]
    fn lame(table: &LameTable<B>, square: usize, occupied: B) -> B {
        // SAFETY: as above.
        unsafe { table.by_pext(square, occupied) }
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
    compiled!(masks(fast, state: &State<B, P>) -> Masks<B>, masks);
    compiled!(leader_targets(fast, state: &State<B, P>, masks: &Masks<B>) -> B, leader_targets);
    compiled!(is_safe(fast, state: &State<B, P>) -> bool, is_safe);
    compiled!(settle(fast, before: &State<B, P>, next: &mut State<B, P>) -> bool, settle);
    compiled!(has_move(fast, state: &State<B, P>) -> bool, has_move);
    compiled!(perft(fast, state: &State<B, P>, depth: u32) -> u64, count_tree);
    compiled!(list(fast, state: &State<B, P>, moves: &mut Vec<Move>) -> bool, list);
    compiled!(can_attack_leader(fast, state: &State<B, P>) -> bool, can_attack_leader);
}

impl<B: Bits, const COMMON: bool> KeyedLookup<B> for Pext<COMMON, true> {
    #[inline(always)]
    fn walk<const P: usize>(walk: &mut KeyedPerft<'_, B, P>, state: &State<B, P>, key: u64, depth: u32) {
        // SAFETY: the machine has been tested.
        unsafe { below::<B, COMMON, P>(walk, state, key, depth) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn below<B: Bits, const COMMON: bool, const P: usize>(
    walk: &mut KeyedPerft<'_, B, P>,
    state: &State<B, P>,
    key: u64,
    depth: u32,
) {
    walk.below::<Pext<COMMON, true>>(state, key, depth);
}
