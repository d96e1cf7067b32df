//! Perft: counting move paths, the standard test of a move generator.

use crate::movegen::Backend;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;

/// Totals over all positions at the end of the counted paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerftTotals {
    /// The number of positions.
    pub nodes: u64,
    /// The number of positions in which the player to move is in check.
    pub checks: u64,
    /// The exclusive or of all keys.
    pub keys: u64,
}

impl Rules {
    /// Counts legal move paths of length `depth`. A finished game has none. The die is ignored.
    ///
    /// # Examples
    ///
    /// ```
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    /// assert_eq!(rules.perft(&rules.start(), 3), 8902);
    /// ```
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        [Backend::Batch, Backend::Vector, Backend::Scalar]
            .into_iter()
            .find_map(|backend| self.perft_on(backend, position, depth))
            .or_else(|| self.perft_on(Backend::General, position, depth))
            .unwrap_or_default()
    }

    /// Like [`Rules::perft`] with one backend; `None` if it does not support the position.
    #[doc(hidden)]
    pub fn perft_on(&self, backend: Backend, position: &Position, depth: u32) -> Option<u64> {
        match backend {
            _ if depth == 0 => Some(1),
            Backend::General if self.has_parts => Some(self.perft_of_turns(position, depth)),
            Backend::General => Some(self.general.perft(self, position, depth)),
            Backend::Scalar => self.fast.as_ref()?.perft(self, position, depth),
            Backend::Vector => self.fast.as_ref()?.perft_by_direction(self, position, depth),
            Backend::Batch => self.fast.as_ref()?.perft_in_batches(self, position, depth),
        }
    }

    /// Makes every position at the end of the paths, with its key and check status. `depth` is at least 1. A game
    /// without a leader has no checks.
    #[doc(hidden)]
    pub fn perft_totals(&self, position: &Position, depth: u32) -> PerftTotals {
        let fast = self.fast.as_ref().and_then(|fast| fast.perft_totals(self, position, depth.max(1)));
        fast.unwrap_or_else(|| self.perft_totals_general(position, depth.max(1)))
    }

    /// Like [`Rules::perft_totals`] with the general generator.
    #[doc(hidden)]
    pub fn perft_totals_general(&self, position: &Position, depth: u32) -> PerftTotals {
        let mut total = PerftTotals::default();
        self.for_each_next(position, |next| {
            let settled = self.is_unsettled(next).then(|| self.settled(next.clone()));
            let next = settled.as_ref().unwrap_or(next);
            let below = if depth > 1 {
                self.perft_totals_general(next, depth - 1)
            } else {
                PerftTotals {
                    nodes: 1,
                    checks: u64::from(self.in_check(next, self.mover(next))),
                    keys: next.key(),
                }
            };
            total.nodes += below.nodes;
            total.checks += below.checks;
            total.keys ^= below.keys;
        });
        total
    }

    /// Calls `show` with every position after a legal move, before the next turn is settled.
    fn for_each_next(&self, position: &Position, mut show: impl FnMut(&Position)) {
        if self.has_parts {
            self.for_each_turn(position, |_, _, next| show(next));
        } else {
            self.general.for_each_next(self, position, show);
        }
    }

    /// Counts like [`Rules::perft`], given the number of quiet turns before the position. A game that stops after a number
    /// of quiet turns has no paths beyond.
    pub fn perft_with_quiet(&self, position: &Position, quiet: u32, depth: u32) -> u64 {
        if depth == 0 || !self.may_stop_within(quiet, depth - 1) {
            return self.perft(position, depth);
        }
        self.divide_with_quiet(position, quiet, depth).iter().map(|(_, nodes)| nodes).sum()
    }

    /// Counts like [`Rules::divide`], given the number of quiet turns before the position.
    pub fn divide_with_quiet(&self, position: &Position, quiet: u32, depth: u32) -> Vec<(Move, u64)> {
        if self.outcome_with_quiet(position, quiet).is_some() {
            return Vec::new();
        }
        let below = |played: Move| {
            let next = self.play_unchecked(position, played);
            let is_zeroing = self.is_zeroing(position, self.moving_kind(position, played), &next);
            let quiet = if is_zeroing { 0 } else { quiet.saturating_add(1) };
            self.perft_with_quiet(&next, quiet, depth.saturating_sub(1))
        };
        self.moves_without_die(position).into_iter().map(|played| (played, below(played))).collect()
    }

    fn moves_without_die(&self, position: &Position) -> Vec<Move> {
        match self.mechanics().chance {
            Some(_) => self.general.moves(self, position),
            None => self.legal_moves(position),
        }
    }

    /// Counts the paths below each legal move, ignoring the die.
    pub fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let below = depth.saturating_sub(1);
        self.moves_without_die(position)
            .into_iter()
            .map(|played| (played, self.perft(&self.play_unchecked(position, played), below)))
            .collect()
    }

    /// Returns the number of legal moves, ignoring the die.
    pub fn count_moves(&self, position: &Position) -> u64 {
        self.perft(position, 1)
    }
}
