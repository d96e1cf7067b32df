//! Slide lookups by rays, for every machine.

use crate::movegen::fast::bits::Bits;
use crate::movegen::fast::checks::Masks;
use crate::movegen::fast::generate::SlideLookup;
use crate::movegen::fast::keyed_perft::{KeyedLookup, KeyedPerft};
use crate::movegen::fast::lame::LameTable;
use crate::movegen::fast::side::{Leaps, Side, Stepper};
use crate::movegen::fast::state::State;
use crate::movegen::fast::tables::FastTables;
use crate::moves::Move;

/// Slide lookups by rays.
pub(crate) struct Rays<const USUAL: bool>;

impl<B: Bits, const USUAL: bool> SlideLookup<B> for Rays<USUAL> {
    const USUAL: bool = USUAL;

    #[inline(always)]
    fn slide(fast: &FastTables<B>, class: usize, square: usize, occupied: B) -> B {
        fast.classes[class].by_rays(square, occupied)
    }
    #[inline(always)]
    fn lame(table: &LameTable<B>, square: usize, occupied: B) -> B {
        table.one_by_one(square, occupied)
    }
    fn slides(side: &Side<B>) -> &[(usize, usize)] {
        &side.slides
    }
    fn leaps(side: &Side<B>) -> &[Leaps<B>] {
        &side.leaps
    }
    fn steppers(side: &Side<B>) -> &[Stepper<B>] {
        &side.steppers
    }
    fn masks<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> Masks<B> {
        fast.masks::<Self, P>(state)
    }
    fn leader_targets<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, masks: &Masks<B>) -> B {
        fast.leader_targets::<Self, P>(state, masks)
    }
    fn is_safe<const P: usize>(fast: &FastTables<B>, next: &State<B, P>) -> bool {
        fast.is_safe::<Self, P>(next)
    }
    fn settle<const P: usize>(fast: &FastTables<B>, before: &State<B, P>, next: &mut State<B, P>) -> bool {
        fast.settle::<Self, P>(before, next)
    }
    fn has_move<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> bool {
        fast.has_move::<Self, P>(state)
    }
    fn perft<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, depth: u32) -> u64 {
        fast.count_tree::<Self, P>(state, depth)
    }
    fn list<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, moves: &mut Vec<Move>) -> bool {
        fast.list::<Self, P>(state, moves)
    }
    fn can_attack_leader<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> bool {
        fast.can_attack_leader::<Self, P>(state)
    }
}

impl<B: Bits> KeyedLookup<B> for Rays<true> {
    fn walk<const P: usize>(walk: &mut KeyedPerft<'_, B, P>, state: &State<B, P>, key: u64, depth: u32) {
        walk.below::<Self>(state, key, depth);
    }
}
