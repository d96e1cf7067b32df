//! Counting positions: the test that every generator of moves must pass.

use std::ops::ControlFlow;

use crate::moves::Move;
use crate::position::Position;
use crate::rules::Rules;

impl Rules {
    /// How many ways lead to a position `depth` moves on. A finished game has no ways on.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(position),
            _ => {
                let mut nodes = 0;
                let _ = self.visit_legal(position, &mut |_, next| {
                    let mut next = next.clone();
                    self.settle(&mut next);
                    nodes += self.perft(&next, depth - 1);
                    ControlFlow::Continue(())
                });
                nodes
            }
        }
    }

    /// The count below each legal move.
    pub fn divide(&self, position: &Position, depth: u32) -> Vec<(Move, u64)> {
        let below = depth.saturating_sub(1);
        self.legal_moves(position)
            .into_iter()
            .map(|played| (played, self.perft(&self.play_unchecked(position, played), below)))
            .collect()
    }

    /// How many legal moves there are.
    pub fn count_moves(&self, position: &Position) -> u64 {
        let mut moves = 0;
        let _ = self.visit_legal(position, &mut |_, _| {
            moves += 1;
            ControlFlow::Continue(())
        });
        moves
    }
}
