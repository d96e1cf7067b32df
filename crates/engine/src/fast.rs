//! The fast path: positions as plain small values, legal moves as sets, for games whose rules allow it.
//!
//! A game gets here by properties that are proved when it is compiled (see [`plan`]); a position of it, by what stands
//! on the board. Everything else takes the general path, and the oracle judges both.
//!
//! The feature `portable` leaves out everything that needs `unsafe`: PEXT, vectors, look-ups without a bounds check. The
//! feature `no-avx512` leaves out the vectors alone.

#![allow(
    clippy::inline_always,
    reason = "run-time detection is free only if all is inlined under one target feature"
)]

#[cfg(all(target_arch = "x86_64", not(any(feature = "portable", feature = "no-avx512"))))]
mod avx512;
#[cfg(not(all(target_arch = "x86_64", not(any(feature = "portable", feature = "no-avx512")))))]
#[path = "fast/no_avx512.rs"]
mod avx512;
#[cfg_attr(feature = "portable", allow(dead_code, reason = "what only the left out paths use"))]
mod bits;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "as above"))]
mod generate;
mod made;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod pext;
mod plan;
#[cfg_attr(feature = "portable", allow(dead_code, reason = "as above"))]
mod slide;
mod state;

use avx512::Vectors;
use bits::Bits;
use generate::{Lister, Look};
use made::{Keys, Walk};
use plan::Fast;
use state::State;

use crate::moves::Move;
use crate::perft::Made;
use crate::position::Position;
use crate::rules::Rules;

/// The tables of a game on the fast path, as wide as its board needs.
pub(crate) enum FastPath {
    /// Up to 64 squares; with vectors, where machine and game are for them.
    Narrow(Box<(Fast<u64>, Vectors)>),
    /// Up to 128 squares.
    Wide(Box<Fast<u128>>),
}

impl FastPath {
    /// The tables, if the game is one for this path.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        if rules.board().len() <= 64 {
            let fast = Fast::new(rules)?;
            let vectors = Vectors::new(rules, &fast);
            Some(FastPath::Narrow(Box::new((fast, vectors))))
        } else {
            Fast::new(rules).map(Box::new).map(FastPath::Wide)
        }
    }

    /// Counts positions, if this one can be played here.
    pub(crate) fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        match self {
            FastPath::Narrow(tables) => tables.0.perft(rules, position, depth),
            FastPath::Wide(fast) => fast.perft(rules, position, depth),
        }
    }

    /// Makes every position, if this one can be played here.
    pub(crate) fn perft_made(&self, rules: &Rules, position: &Position, depth: u32) -> Option<Made> {
        match self {
            FastPath::Narrow(tables) => tables.0.perft_made(rules, position, depth),
            FastPath::Wide(fast) => fast.perft_made(rules, position, depth),
        }
    }

    /// Counts positions with all directions at once, if machine, game and position are for it.
    pub(crate) fn perft_by_compass(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let FastPath::Narrow(tables) = self else { return None };
        let (fast, vectors) = &**tables;
        vectors.perft_singly(fast, &fast.state(rules, position)?, depth)
    }

    /// Counts positions eight at a time, if machine, game and position are for it.
    pub(crate) fn perft_in_batches(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let FastPath::Narrow(tables) = self else { return None };
        let (fast, vectors) = &**tables;
        vectors.perft_in_batches(fast, &fast.state(rules, position)?, depth)
    }

    /// All legal moves in their order, if the position can be played here.
    pub(crate) fn legal_moves(&self, rules: &Rules, position: &Position) -> Option<Vec<Move>> {
        match self {
            FastPath::Narrow(tables) => tables.0.legal_moves(rules, position),
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
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        if pext::detected() {
            return Some(pext::Pext::perft(self, &state, depth));
        }
        Some(Rays::perft(self, &state, depth))
    }

    fn perft_made(&self, rules: &Rules, position: &Position, depth: u32) -> Option<Made> {
        let state = self.state(rules, position)?;
        let keys = Keys::new(rules);
        let mut walk = Walk { fast: self, keys: &keys, total: Made::default(), last: state };
        let key = position.key();
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        if pext::detected() {
            pext::Pext::walk(&mut walk, &state, key, depth);
            return Some(walk.total);
        }
        Rays::walk(&mut walk, &state, key, depth);
        Some(walk.total)
    }

    fn legal_moves(&self, rules: &Rules, position: &Position) -> Option<Vec<Move>> {
        let state = self.state(rules, position)?;
        let mut lister = Lister { fast: self, side: usize::from(state.side), moves: Vec::with_capacity(48) };
        self.visit::<Rays>(&state, &mut lister);
        lister.moves.sort_by_key(|it| (it.from, it.pattern, it.from.0.abs_diff(it.to.0)));
        Some(lister.moves)
    }
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
    fn walk(walk: &mut Walk<'_, B>, state: &State<B>, key: u64, depth: u32) {
        walk.below::<Self>(state, key, depth);
    }
}
