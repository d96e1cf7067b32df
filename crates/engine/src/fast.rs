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

mod atoms;
#[cfg(all(target_arch = "x86_64", not(any(feature = "portable", feature = "no-avx512"))))]
mod avx512;
#[cfg(not(all(target_arch = "x86_64", not(any(feature = "portable", feature = "no-avx512")))))]
#[path = "fast/no_avx512.rs"]
mod avx512;
#[cfg_attr(feature = "portable", allow(dead_code, reason = "what only the left out paths use"))]
mod bits;
mod castle;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "as above"))]
mod generate;
mod made;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod pext;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "as above"))]
mod plan;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "as above"))]
mod side;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "as above"))]
mod slide;
mod state;

use avx512::Vectors;
use bits::Bits;
use generate::Look;
use made::{Keys, Walk};
use plan::Fast;
use side::{Leaps, Side, Stepper};
use state::State;

use crate::moves::Move;
use crate::perft::Made;
use crate::position::Position;
use crate::rules::Rules;

/// The tables of a game on the fast path, as wide as its board needs.
pub(crate) enum FastPath {
    /// Up to 64 squares and eight planes; with vectors, where machine and game are for them.
    Narrow(Box<(Fast<u64>, Vectors)>),
    /// Up to 64 squares and sixteen planes.
    Deep(Box<Fast<u64>>),
    /// Up to 128 squares and eight planes.
    Wide(Box<Fast<u128>>),
    /// Up to 128 squares and sixteen planes.
    WideAndDeep(Box<Fast<u128>>),
}

/// Asks the tables, whichever they are.
macro_rules! ask {
    ($path:expr, $method:ident($($argument:expr),*)) => {
        match $path {
            FastPath::Narrow(tables) => tables.0.$method::<8>($($argument),*),
            FastPath::Deep(fast) => fast.$method::<16>($($argument),*),
            FastPath::Wide(fast) => fast.$method::<8>($($argument),*),
            FastPath::WideAndDeep(fast) => fast.$method::<16>($($argument),*),
        }
    };
}

impl FastPath {
    /// The tables, if the game is one for this path.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        if rules.board().len() <= 64 {
            let fast = Fast::new(rules)?;
            if fast.planes > 8 {
                return Some(FastPath::Deep(Box::new(fast)));
            }
            let vectors = Vectors::new(rules, &fast);
            return Some(FastPath::Narrow(Box::new((fast, vectors))));
        }
        let fast = Box::new(Fast::new(rules)?);
        Some(if fast.planes > 8 { FastPath::WideAndDeep(fast) } else { FastPath::Wide(fast) })
    }

    /// Counts positions, if this one can be played here.
    pub(crate) fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        ask!(self, perft(rules, position, depth))
    }

    /// Makes every position, if this one can be played here.
    pub(crate) fn perft_made(&self, rules: &Rules, position: &Position, depth: u32) -> Option<Made> {
        ask!(self, perft_made(rules, position, depth))
    }

    /// Adds all legal moves to a list, in any order; whether the position can be played here.
    pub(crate) fn list(&self, rules: &Rules, position: &Position, moves: &mut Vec<Move>) -> bool {
        ask!(self, list_best(rules, position, moves))
    }

    /// Whether an officer obviously comes to attack a leader, and nobody is in check; see [`Fast::sees_attack`].
    pub(crate) fn sees_attack(&self, rules: &Rules, position: &Position) -> bool {
        ask!(self, sees_attack_best(rules, position))
    }

    /// Whether the one flag on the board makes a difference to the legal moves, if the position can be played here.
    pub(crate) fn uses_mark(&self, rules: &Rules, position: &Position) -> Option<bool> {
        ask!(self, uses_mark(rules, position))
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
}

impl<B: Bits> Fast<B> {
    fn state<const P: usize>(&self, rules: &Rules, position: &Position) -> Option<State<B, P>> {
        State::of(self, position, rules.mover(position).0).filter(|state| self.accepts::<Rays, P>(state))
    }

    fn perft<const P: usize>(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let state = self.state::<P>(rules, position)?;
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        if pext::detected() {
            let usual = pext::is_usual(self);
            let perft = if usual { pext::Pext::<true>::perft } else { pext::Pext::<false>::perft };
            return Some(perft(self, &state, depth));
        }
        Some(Rays::perft(self, &state, depth))
    }

    fn perft_made<const P: usize>(&self, rules: &Rules, position: &Position, depth: u32) -> Option<Made> {
        let state = self.state::<P>(rules, position)?;
        let keys = Keys::new(rules, self);
        let mut walk = Walk { fast: self, keys: &keys, total: Made::default(), last: state };
        let key = position.key();
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        if pext::detected() {
            let usual = pext::is_usual(self);
            let go = if usual { pext::Pext::<true>::walk } else { pext::Pext::<false>::walk };
            go(&mut walk, &state, key, depth);
            return Some(walk.total);
        }
        Rays::walk(&mut walk, &state, key, depth);
        Some(walk.total)
    }

    /// A flag is for captures of its piece and for nothing else.
    fn uses_mark<const P: usize>(&self, rules: &Rules, position: &Position) -> Option<bool> {
        Some(self.count_passings::<Rays, P>(&self.state(rules, position)?) > 0)
    }

    fn list_best<const P: usize>(&self, rules: &Rules, position: &Position, moves: &mut Vec<Move>) -> bool {
        let Some(state) = State::<B, P>::of(self, position, rules.mover(position).0) else { return false };
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        if pext::detected() {
            let usual = pext::is_usual(self);
            let list = if usual { pext::Pext::<true>::list } else { pext::Pext::<false>::list };
            return list(self, &state, moves);
        }
        Rays::list(self, &state, moves)
    }
}

impl<B: Bits> Fast<B> {
    fn sees_attack_best<const P: usize>(&self, rules: &Rules, position: &Position) -> bool {
        let Some(state) = State::<B, P>::of(self, position, rules.mover(position).0) else { return false };
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        if pext::detected() {
            let usual = pext::is_usual(self);
            let sees = if usual { pext::Pext::<true>::sees_attack } else { pext::Pext::<false>::sees_attack };
            return sees(self, &state);
        }
        Rays::sees_attack(self, &state)
    }
}

/// Slides by rays: for every machine.
struct Rays;

impl<B: Bits> Look<B> for Rays {
    #[inline(always)]
    fn slide(fast: &Fast<B>, class: usize, square: usize, occupied: B) -> B {
        fast.classes[class].by_rays(square, occupied)
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
    fn perft<const P: usize>(fast: &Fast<B>, state: &State<B, P>, depth: u32) -> u64 {
        fast.count_tree::<Self, P>(state, depth)
    }
    fn list<const P: usize>(fast: &Fast<B>, state: &State<B, P>, moves: &mut Vec<Move>) -> bool {
        fast.list::<Self, P>(state, moves)
    }
    fn sees_attack<const P: usize>(fast: &Fast<B>, state: &State<B, P>) -> bool {
        fast.sees_attack::<Self, P>(state)
    }
    fn walk<const P: usize>(walk: &mut Walk<'_, B, P>, state: &State<B, P>, key: u64, depth: u32) {
        walk.below::<Self>(state, key, depth);
    }
}
