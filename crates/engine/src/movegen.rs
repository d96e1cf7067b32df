//! Move generation.
//!
//! - [`general`] supports every game. [`fast`] supports two-player games with moves of known forms.
//! - [`castling`] moves two pieces at once.
//! - [`walker`] computes the landings of one piece, and [`attacks`] the attacks on a square.
//! - [`hurdles`] slides over pieces, [`composite`] has moves with legs and captures on the way.
//! - [`turns`] completes turns of several parts.
//! - [`illegal_move`] explains why a move is not legal.
//! - [`perft`] counts move paths.

mod attacks;
mod backend;
pub(crate) mod castling;
mod composite;
pub(crate) mod fast;
pub(crate) mod general;
pub(crate) mod hurdles;
mod illegal_move;
mod perft;
mod turns;
pub(crate) mod walker;

pub use backend::Backend;
pub use castling::{Castling, CastlingFault};
pub use illegal_move::IllegalMove;
pub use perft::PerftTotals;

use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;

/// Capacity for the moves of a typical position.
const TYPICAL_MOVES: usize = 48;

impl Rules {
    /// Returns all legal moves, sorted by source, then by pattern, then by distance.
    ///
    /// # Examples
    ///
    /// ```
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    /// assert_eq!(rules.legal_moves(&rules.start()).len(), 20);
    /// ```
    pub fn legal_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = self.unsorted_moves(position);
        if self.has_parts {
            moves.sort_by_key(|played| (played.sort_key(), played.promotion, played.then));
        }
        moves.sort_by_key(|played| played.sort_key());
        moves
    }

    /// Returns all legal moves in an unspecified order, which may differ between machines.
    pub fn unsorted_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(TYPICAL_MOVES);
        self.moves_into(position, &mut moves);
        moves
    }

    /// Replaces the contents of `moves` with all legal moves, in an unspecified order. Reuses the allocation.
    ///
    /// # Examples
    ///
    /// ```
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    /// let (mut position, mut moves) = (rules.start(), Vec::new());
    /// for _ in 0..20 {
    ///     rules.moves_into(&position, &mut moves);
    ///     assert_eq!(moves, rules.unsorted_moves(&position));
    ///     position = rules.play_unchecked(&position, moves[0]);
    /// }
    /// ```
    pub fn moves_into(&self, position: &Position, moves: &mut Vec<Move>) {
        moves.clear();
        if self.has_parts {
            return self.list_turns(position, moves);
        }
        let is_done = self.fast.as_ref().is_some_and(|fast| fast.list(self, position, moves));
        if !is_done {
            self.general.list(self, position, moves);
            self.retain_allowed_by_die(position, moves);
        }
    }

    /// Returns all legal moves found by one backend, sorted, ignoring the die; `None` if the backend does not support
    /// the position.
    #[doc(hidden)]
    pub fn legal_moves_on(&self, backend: Backend, position: &Position) -> Option<Vec<Move>> {
        match backend {
            Backend::General if self.has_parts => Some(self.legal_moves(position)),
            Backend::General => Some(self.general.moves(self, position)),
            Backend::Scalar => {
                let mut moves = Vec::new();
                self.fast.as_ref().filter(|fast| fast.list(self, position, &mut moves))?;
                moves.sort_by_key(|played| played.sort_key());
                Some(moves)
            }
            Backend::Vector | Backend::Batch => None,
        }
    }

    /// Returns whether the player to move has a legal move.
    pub(crate) fn can_move(&self, position: &Position) -> bool {
        if self.has_parts {
            return self.has_turn(position);
        }
        self.general.can_move(self, position)
    }

    /// Returns whether the player to move has a legal move, if conditions that look ahead count as met.
    pub(crate) fn can_move_disregarding_results(&self, position: &Position) -> bool {
        self.general.can_move_disregarding_results(self, position)
    }
}
