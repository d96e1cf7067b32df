//! Drops together with a move: pieces from the hand that enter on squares of the move, also when castling.

use smallvec::SmallVec;

use crate::compile::pattern::Change;
use crate::movegen::walker::Walker;
use crate::moves::Move;
use crate::piece::Kind;
use crate::play::Trial;
use crate::play::results::Making;
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

impl Rules {
    /// Returns whether a move of a piece may drop another one at the same time.
    pub fn drops_with_moves(&self) -> bool {
        self.drops_with_moves
    }

    /// Returns the pieces that a legal move of another piece drops from the hand, with their squares.
    pub fn dropped_with(&self, position: &Position, played: Move) -> SmallVec<[(Kind, Square); 1]> {
        if !self.drops_with_moves || played.dropped().is_some() {
            return SmallVec::new();
        }
        let kind = position.kind_at(played.spot());
        if let Some(plan) = self.castle_plan(kind, played) {
            let castling = self.castling(position, played);
            let dropped = plan.drop.zip(castling).map(|(drop, castling)| (drop.kind, castling.left(drop)));
            return dropped.into_iter().collect();
        }
        let walker = Walker::for_landing(self, position, self.mover(position), kind, played.from);
        let pattern = &walker.patterns()[usize::from(played.pattern)];
        let changes = walker.action_for(pattern, played.to).map_or(&[][..], |action| &action.changes);
        let dropped = changes.iter().filter_map(|change| match change {
            Change::Drop { kind, at, .. } => Some((*kind, self.jumps.to(*at, played.from)?)),
            _ => None,
        });
        dropped.collect()
    }
}

impl Walker<'_> {
    /// Returns whether only the pieces that a move drops at the same time keep the leader from being attacked. A move must be
    /// safe without them.
    pub(crate) fn needs_its_drops(&self, trial: &Trial, making: Making<'_>) -> bool {
        let squares: SmallVec<[Square; 1]> = match making {
            Making::Pattern { action, .. } => {
                let squares = action.changes.iter().filter_map(|change| match change {
                    Change::Drop { at, .. } => self.rules.jumps.to(*at, self.source),
                    _ => None,
                });
                squares.collect()
            }
            Making::Castling { drop, .. } => drop.into_iter().map(|(_, square)| square).collect(),
            Making::Drop { .. } => return false,
        };
        if squares.is_empty() {
            return false;
        }
        let mut without = trial.position.clone();
        for square in squares {
            if without.occupied(square) {
                without.remove(square);
            }
        }
        self.rules.in_check(&without, self.player)
    }
}
