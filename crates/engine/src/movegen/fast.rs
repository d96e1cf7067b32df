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
mod checks;
mod drops;
mod extras;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "see above"))]
mod generate;
mod keyed_perft;
mod lame;
mod made;
#[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
mod pext;
mod rays;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "see above"))]
mod side;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "see above"))]
mod slide;
mod special_checks;
mod special_forms;
mod special_tables;
mod specials;
mod state;
#[cfg_attr(any(feature = "portable", feature = "no-avx512"), allow(dead_code, reason = "see above"))]
mod tables;
mod unmoved;
mod visitors;

use avx512::Vectors;
use bits::Bits;
use generate::SlideLookup;
use keyed_perft::{KeyedLookup, KeyedPerft, Keys};
use rays::Rays;
use state::State;
use tables::FastTables;

use crate::movegen::PerftTotals;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;

/// The tables of a game, as wide as its board needs.
pub(crate) enum FastPath {
    /// A usual game with up to 64 squares and eight planes, with AVX-512 where the machine and the game support it.
    Narrow(Box<(FastTables<u64>, Vectors)>),
    /// A usual game with up to 128 squares and eight planes.
    Wide(Box<FastTables<u128>>),
    /// Up to 64 squares and sixteen planes.
    Deep(Box<FastTables<u64>>),
    /// Up to 128 squares and sixteen planes.
    WideAndDeep(Box<FastTables<u128>>),
    /// Up to 128 squares and 32 planes.
    WideAndDeepest(Box<FastTables<u128>>),
}

/// Calls a method of the tables of a usual game, with the best slide lookup for the machine and the game.
macro_rules! usual {
    ($fast:expr, $planes:literal, $method:ident($($argument:expr),*)) => {{
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        let found = match (pext::detected(), pext::is_common($fast)) {
            (true, true) => $fast.$method::<pext::Pext<true, true>, $planes>($($argument),*),
            (true, false) => $fast.$method::<pext::Pext<false, true>, $planes>($($argument),*),
            (false, _) => $fast.$method::<Rays<true>, $planes>($($argument),*),
        };
        #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"))))]
        let found = $fast.$method::<Rays<true>, $planes>($($argument),*);
        found
    }};
}

/// Calls a method of the tables of any game, with the best slide lookup for the machine.
macro_rules! any {
    ($fast:expr, $planes:literal, $method:ident($($argument:expr),*)) => {{
        #[cfg(all(target_arch = "x86_64", not(feature = "portable")))]
        let found = if pext::detected() {
            $fast.$method::<pext::Pext<false, false>, $planes>($($argument),*)
        } else {
            $fast.$method::<Rays<false>, $planes>($($argument),*)
        };
        #[cfg(not(all(target_arch = "x86_64", not(feature = "portable"))))]
        let found = $fast.$method::<Rays<false>, $planes>($($argument),*);
        found
    }};
}

/// Calls a method of the tables of any width.
macro_rules! dispatch {
    ($path:expr, $method:ident($($argument:expr),*)) => {
        match $path {
            FastPath::Narrow(tables) => usual!(&tables.0, 8, $method($($argument),*)),
            FastPath::Wide(fast) => usual!(&**fast, 8, $method($($argument),*)),
            FastPath::Deep(fast) => any!(&**fast, 16, $method($($argument),*)),
            FastPath::WideAndDeep(fast) => any!(&**fast, 16, $method($($argument),*)),
            FastPath::WideAndDeepest(fast) => any!(&**fast, 32, $method($($argument),*)),
        }
    };
}

impl FastPath {
    /// Returns the tables, if the game is supported.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        if !rules.board().is_flat() || rules.board().levels() > 1 {
            return None;
        }
        if rules.board().len() <= 64 {
            let fast = FastTables::new(rules)?;
            if fast.planes > 8 || !fast.is_usual {
                return (fast.planes <= 16).then(|| FastPath::Deep(Box::new(fast)));
            }
            let vectors = Vectors::new(rules, &fast);
            return Some(FastPath::Narrow(Box::new((fast, vectors))));
        }
        let fast = Box::new(FastTables::new(rules)?);
        Some(match fast.planes {
            ..=8 if fast.is_usual => FastPath::Wide(fast),
            ..=16 => FastPath::WideAndDeep(fast),
            _ => FastPath::WideAndDeepest(fast),
        })
    }

    /// Counts move paths, if the position is supported.
    pub(crate) fn perft(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        dispatch!(self, perft(rules, position, depth))
    }

    /// Counts move paths with keys and checks, if the position is supported and the game is usual.
    pub(crate) fn perft_totals(&self, rules: &Rules, position: &Position, depth: u32) -> Option<PerftTotals> {
        match self {
            FastPath::Narrow(tables) => usual!(&tables.0, 8, perft_totals(rules, position, depth)),
            FastPath::Wide(fast) => usual!(&**fast, 8, perft_totals(rules, position, depth)),
            FastPath::Deep(_) | FastPath::WideAndDeep(_) | FastPath::WideAndDeepest(_) => None,
        }
    }

    /// Appends all legal moves in an unspecified order. Returns whether the position is supported.
    pub(crate) fn list(&self, rules: &Rules, position: &Position, moves: &mut Vec<Move>) -> bool {
        dispatch!(self, list_from(rules, position, moves))
    }

    /// Returns whether no player is in check and a piece soon attacks a leader; see
    /// [`FastTables::can_attack_leader`].
    pub(crate) fn can_attack_leader(&self, rules: &Rules, position: &Position) -> bool {
        dispatch!(self, can_attack_leader_from(rules, position))
    }

    /// Returns whether the only flag on the board changes the legal moves, if the position is supported.
    pub(crate) fn uses_mark(&self, rules: &Rules, position: &Position) -> Option<bool> {
        match self {
            FastPath::Narrow(tables) => tables.0.uses_mark::<Rays<true>, 8>(rules, position),
            FastPath::Wide(fast) => fast.uses_mark::<Rays<true>, 8>(rules, position),
            FastPath::Deep(fast) => fast.uses_mark::<Rays<false>, 16>(rules, position),
            FastPath::WideAndDeep(fast) => fast.uses_mark::<Rays<false>, 16>(rules, position),
            FastPath::WideAndDeepest(fast) => fast.uses_mark::<Rays<false>, 32>(rules, position),
        }
    }

    /// Counts move paths with all directions of a position at once, if the machine, the game and the position are
    /// supported.
    pub(crate) fn perft_by_direction(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let FastPath::Narrow(tables) = self else { return None };
        let (fast, vectors) = &**tables;
        vectors.perft_by_direction(fast, &fast.state::<Rays<true>, 8>(rules, position)?, depth)
    }

    /// Counts move paths eight positions at a time, if the machine, the game and the position are supported.
    pub(crate) fn perft_in_batches(&self, rules: &Rules, position: &Position, depth: u32) -> Option<u64> {
        let FastPath::Narrow(tables) = self else { return None };
        let (fast, vectors) = &**tables;
        vectors.perft_in_batches(fast, &fast.state::<Rays<true>, 8>(rules, position)?, depth)
    }
}

impl<B: Bits> FastTables<B> {
    fn state<L: SlideLookup<B>, const P: usize>(
        &self,
        rules: &Rules,
        position: &Position,
    ) -> Option<State<B, P>> {
        let state = State::of(self, position, rules.mover(position).0)?;
        (self.has_all_leaders(&state) && L::is_safe(self, &state)).then_some(state)
    }

    fn perft<L: SlideLookup<B>, const P: usize>(
        &self,
        rules: &Rules,
        position: &Position,
        depth: u32,
    ) -> Option<u64> {
        Some(L::perft(self, &self.state::<L, P>(rules, position)?, depth))
    }

    fn perft_totals<L: KeyedLookup<B>, const P: usize>(
        &self,
        rules: &Rules,
        position: &Position,
        depth: u32,
    ) -> Option<PerftTotals> {
        let state = self.state::<L, P>(rules, position)?;
        let keys = Keys::new(rules, self);
        let mut walk = KeyedPerft { fast: self, keys: &keys, total: PerftTotals::default(), last: state };
        L::walk(&mut walk, &state, position.key(), depth);
        Some(walk.total)
    }

    /// Flags serve only for captures of the flagged piece.
    fn uses_mark<L: SlideLookup<B>, const P: usize>(
        &self,
        rules: &Rules,
        position: &Position,
    ) -> Option<bool> {
        Some(self.count_flag_captures::<L, P>(&self.state::<L, P>(rules, position)?) > 0)
    }

    fn list_from<L: SlideLookup<B>, const P: usize>(
        &self,
        rules: &Rules,
        position: &Position,
        moves: &mut Vec<Move>,
    ) -> bool {
        let state = State::<B, P>::of(self, position, rules.mover(position).0);
        state.is_some_and(|state| L::list(self, &state, moves))
    }

    fn can_attack_leader_from<L: SlideLookup<B>, const P: usize>(
        &self,
        rules: &Rules,
        position: &Position,
    ) -> bool {
        let state = State::<B, P>::of(self, position, rules.mover(position).0);
        state.is_some_and(|state| L::can_attack_leader(self, &state))
    }
}
