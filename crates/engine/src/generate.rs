//! All legal moves of a position, and the questions that follow from them.

use crate::moves::Move;
use crate::outcome::{Outcome, Termination};
use crate::path::Path;
use crate::piece::PlayerSet;
use crate::position::Position;
use crate::rules::Rules;

impl Rules {
    /// All legal moves, in order of source, then of the piece's list of moves, then of distance.
    pub fn legal_moves(&self, position: &Position) -> Vec<Move> {
        let fast = self.fast.as_ref().and_then(|fast| fast.legal_moves(self, position));
        fast.unwrap_or_else(|| self.legal_moves_on(Path::General, position).expect("every position takes it"))
    }

    /// All legal moves as one path finds them, in the same order; `None` if the position does not take that path.
    pub fn legal_moves_on(&self, path: Path, position: &Position) -> Option<Vec<Move>> {
        match path {
            Path::General => Some(self.general.moves(self, position)),
            Path::Scalar => self.fast.as_ref()?.legal_moves(self, position),
            Path::Vector | Path::Batch => None,
        }
    }

    /// Whether the player to move has a legal move.
    pub(crate) fn can_move(&self, position: &Position) -> bool {
        self.general.can_move(self, position)
    }

    /// How the game ended, if it has.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        let alive = self.alive(position);
        if let Some(reason) = position.ended() {
            return Some(Outcome { winners: alive, reason });
        }
        if self.can_move(position) {
            return None;
        }
        let player = self.mover(position);
        let reason = self.reason_for_no_move(position, player);
        let winners = match reason {
            Termination::Checkmate => alive.without([player].into_iter().collect()),
            _ => PlayerSet::EMPTY,
        };
        Some(Outcome { winners, reason })
    }
}
