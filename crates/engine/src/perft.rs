//! Counting positions: the test that every generator of moves must pass.

use crate::moves::Move;
use crate::path::Path;
use crate::position::Position;
use crate::rules::Rules;

/// What was found of positions that were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// How many.
    pub nodes: u64,
    /// In how many the player to move is in check.
    pub checks: u64,
    /// All their keys, exclusive-or.
    pub keys: u64,
}

impl Rules {
    /// How many ways lead to a position `depth` moves on. A finished game has no ways on. A die is left out of account, as
    /// if every piece could be moved.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        [Path::Batch, Path::Vector, Path::Scalar]
            .into_iter()
            .find_map(|path| self.perft_on(path, position, depth))
            .unwrap_or_else(|| self.general.perft(self, position, depth))
    }

    /// The same as one path counts it; `None` if the position does not take that path.
    pub fn perft_on(&self, path: Path, position: &Position, depth: u32) -> Option<u64> {
        match path {
            _ if depth == 0 => Some(1),
            Path::General => Some(self.general.perft(self, position, depth)),
            Path::Scalar => self.fast.as_ref()?.perft(self, position, depth),
            Path::Vector => self.fast.as_ref()?.perft_by_compass(self, position, depth),
            Path::Batch => self.fast.as_ref()?.perft_in_batches(self, position, depth),
        }
    }

    /// Makes every position so many moves on (at least one), with its key and whether the player to move is in check.
    /// The check of a game without a leader is never given.
    pub fn perft_made(&self, position: &Position, depth: u32) -> Made {
        let fast = self.fast.as_ref().and_then(|fast| fast.perft_made(self, position, depth.max(1)));
        fast.unwrap_or_else(|| self.general_made(position, depth.max(1)))
    }

    /// The same on the general path.
    pub fn general_made(&self, position: &Position, depth: u32) -> Made {
        let mut total = Made::default();
        self.general.each(self, position, |next| {
            let settled = self.is_unsettled(next).then(|| self.settled(next.clone()));
            let next = settled.as_ref().unwrap_or(next);
            let below = if depth > 1 {
                self.general_made(next, depth - 1)
            } else {
                Made { nodes: 1, checks: u64::from(self.in_check(next, self.mover(next))), keys: next.key() }
            };
            total.nodes += below.nodes;
            total.checks += below.checks;
            total.keys ^= below.keys;
        });
        total
    }

    /// The count below each legal move, whatever a die says.
    pub fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let below = depth.saturating_sub(1);
        let moves = match self.mechanics().chance {
            Some(_) => self.general.moves(self, position),
            None => self.legal_moves(position),
        };
        moves
            .into_iter()
            .map(|played| (played, self.perft(&self.play_unchecked(position, played), below)))
            .collect()
    }

    /// How many legal moves there are, whatever a die says.
    pub fn count_moves(&self, position: &Position) -> u64 {
        self.perft(position, 1)
    }
}
