//! The fast move generator: positions are small values and legal moves are sets, for games whose rules allow it.
//!
//! Whether a game is supported is decided at compile time ([`tables`]); whether a position is, by the pieces on the
//! board. Everything else uses the general generator. The oracle tests both.
//!
//! The feature `portable` removes all code that needs `unsafe`: PEXT, AVX-512, and lookups without a bounds check.
//! The feature `no-avx512` removes only AVX-512.

#![allow(
    clippy::inline_always,
    reason = "run-time detection costs nothing only if everything is inlined under one target feature"
)]

mod atoms;
#[cfg(all(target_arch = "x86_64", not(any(feature = "portable", feature = "no-avx512"))))]
mod avx512;
#[cfg(not(all(target_arch = "x86_64", not(any(feature = "portable", feature = "no-avx512")))))]
#[path = "fast/avx512_stub.rs"]
mod avx512;
#[cfg_attr(feature = "portable", allow(dead_code, reason = "used only by code that is not compiled"))]
mod bits;
mod castle;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "see above"))]
mod generate;
mod keyed_perft;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod pext;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "see above"))]
mod side;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "see above"))]
mod slide;
mod state;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "see above"))]
mod tables;
mod unmoved;

use avx512::Vectors;
use bits::Bits;
use generate::SlideLookup;
use keyed_perft::{KeyedPerft, Keys};
use side::{Leaps, Side, Stepper};
use state::State;
use tables::FastTables;

use crate::movegen::PerftTotals;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;

/// The tables of a game, as wide as its board needs.
pub(crate) enum FastPath {
    /// Up to 64 squares and eight planes, with AVX-512 where the machine and the game support it.
    Narrow(Box<(FastTables<u64>, Vectors)>),
    /// Up to 64 squares and sixteen planes.
    Deep(Box<FastTables<u64>>),
    /// Up to 128 squares and eight planes.
    Wide(Box<FastTables<u128>>),
    /// Up to 128 squares and sixteen planes.
    WideAndDeep(Box<FastTables<u128>>),
}

/// Calls a method of the tables of any width.
macro_rules! dispatch {
    ($path:expr, $method:ident($($argument:expr),*)) => {
        match $path {
            FastPath::Narrow(tables) => tables.0.$method::<8>($($argument),*),
            FastPath::Deep(fast) => fast.$method::<16>($($argument),*),
            FastPath::Wide(fast) => fast.$method::<8>($($argument),*),
            FastPath::WideAndDeep(fast) => fast.$method::<16>($($argument),*),
        }
    };
}

/// Calls a function of the best slide lookup for the machine and the game.
macro_rules! best_lookup {
    ($tables:expr, $function:ident($($argument:expr),*)) => {{
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        let found = match (pext::detected(), pext::is_common($tables)) {
            (true, true) => pext::Pext::<true>::$function($($argument),*),
            (true, false) => pext::Pext::<false>::$function($($argument),*),
            (false, _) => Rays::$function($($argument),*),
        };
        #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"))))]
        let found = Rays::$function($($argument),*);
        found
    }};
}

impl FastPath {
    /// Returns the tables, if the game is supported.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        if !rules.board().is_flat() || rules.board().levels() > 1 {
            return None;
        }
        if rules.board().len() <= 64 {
            let fast = FastTables::new(rules)?;
            if fast.planes > 8 {
                return Some(FastPath::Deep(Box::new(fast)));
            }
            let vectors = Vectors::new(rules, &fast);
            return Some(FastPath::Narrow(Box::new((fast, vectors))));
        }
        let fast = Box::new(FastTables::new(rules)?);
        Some(if fast.planes > 8 { FastPath::WideAndDeep(fast) } else { FastPath::Wide(fast) })
    }

    /// Counts move paths, if the position is supported.
    pub(crate) fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        dispatch!(self, perft(rules, position, depth))
    }

    /// Counts move paths with keys and checks, if the position is supported.
    pub(crate) fn perft_totals(&self, rules: &Rules, position: &Position, depth: u32) -> Option<PerftTotals> {
        dispatch!(self, perft_totals(rules, position, depth))
    }

    /// Appends all legal moves in an unspecified order. Returns whether the position is supported.
    pub(crate) fn list(&self, rules: &Rules, position: &Position, moves: &mut Vec<Move>) -> bool {
        dispatch!(self, list_best(rules, position, moves))
    }

    /// Returns whether no player is in check and a piece soon attacks a leader; see
    /// [`FastTables::can_attack_leader`].
    pub(crate) fn can_attack_leader(&self, rules: &Rules, position: &Position) -> bool {
        dispatch!(self, can_attack_leader_best(rules, position))
    }

    /// Returns whether the only flag on the board changes the legal moves, if the position is supported.
    pub(crate) fn uses_mark(&self, rules: &Rules, position: &Position) -> Option<bool> {
        dispatch!(self, uses_mark(rules, position))
    }

    /// Counts move paths with all directions of a position at once, if the machine, the game and the position are
    /// supported.
    pub(crate) fn perft_by_direction(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let FastPath::Narrow(tables) = self else { return None };
        let (fast, vectors) = &**tables;
        vectors.perft_by_direction(fast, &fast.state(rules, position)?, depth)
    }

    /// Counts move paths eight positions at a time, if the machine, the game and the position are supported.
    pub(crate) fn perft_in_batches(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let FastPath::Narrow(tables) = self else { return None };
        let (fast, vectors) = &**tables;
        vectors.perft_in_batches(fast, &fast.state(rules, position)?, depth)
    }
}

impl<B: Bits> FastTables<B> {
    fn state<const P: usize>(&self, rules: &Rules, position: &Position) -> Option<State<B, P>> {
        State::of(self, position, rules.mover(position).0).filter(|state| self.accepts::<Rays, P>(state))
    }

    fn perft<const P: usize>(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let state = self.state::<P>(rules, position)?;
        Some(best_lookup!(self, perft(self, &state, depth)))
    }

    fn perft_totals<const P: usize>(
        &self,
        rules: &Rules,
        position: &Position,
        depth: u32,
    ) -> Option<PerftTotals> {
        let state = self.state::<P>(rules, position)?;
        let keys = Keys::new(rules, self);
        let mut walk = KeyedPerft { fast: self, keys: &keys, total: PerftTotals::default(), last: state };
        best_lookup!(self, walk(&mut walk, &state, position.key(), depth));
        Some(walk.total)
    }

    /// Flags serve only for captures of the flagged piece.
    fn uses_mark<const P: usize>(&self, rules: &Rules, position: &Position) -> Option<bool> {
        Some(self.count_flag_captures::<Rays, P>(&self.state(rules, position)?) > 0)
    }

    fn list_best<const P: usize>(&self, rules: &Rules, position: &Position, moves: &mut Vec<Move>) -> bool {
        let Some(state) = State::<B, P>::of(self, position, rules.mover(position).0) else { return false };
        best_lookup!(self, list(self, &state, moves))
    }

    fn can_attack_leader_best<const P: usize>(&self, rules: &Rules, position: &Position) -> bool {
        let Some(state) = State::<B, P>::of(self, position, rules.mover(position).0) else { return false };
        best_lookup!(self, can_attack_leader(self, &state))
    }
}

/// Slide lookups by rays, for every machine.
struct Rays;

impl<B: Bits> SlideLookup<B> for Rays {
    #[inline(always)]
    fn slide(fast: &FastTables<B>, class: usize, square: usize, occupied: B) -> B {
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
    fn perft<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, depth: u32) -> u64 {
        fast.count_tree::<Self, P>(state, depth)
    }
    fn list<const P: usize>(fast: &FastTables<B>, state: &State<B, P>, moves: &mut Vec<Move>) -> bool {
        fast.list::<Self, P>(state, moves)
    }
    fn can_attack_leader<const P: usize>(fast: &FastTables<B>, state: &State<B, P>) -> bool {
        fast.can_attack_leader::<Self, P>(state)
    }
    fn walk<const P: usize>(walk: &mut KeyedPerft<'_, B, P>, state: &State<B, P>, key: u64, depth: u32) {
        walk.below::<Self>(state, key, depth);
    }
}
