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
        let fast = self.fast.as_ref().and_then(|fast| fast.legal_moves(self, position, true));
        fast.unwrap_or_else(|| self.heed_die(position, self.general.moves(self, position)))
    }

    /// All legal moves in any order, which may differ from machine to machine: for whoever has an order of its own.
    pub fn unsorted_moves(&self, position: &Position) -> Vec<Move> {
        let fast = self.fast.as_ref().and_then(|fast| fast.legal_moves(self, position, false));
        fast.unwrap_or_else(|| self.heed_die(position, self.general.unsorted_moves(self, position)))
    }

    /// All legal moves as one path finds them, in the same order, whatever a die says; `None` if the position does not take that path.
    pub fn legal_moves_on(&self, path: Path, position: &Position) -> Option<Vec<Move>> {
        match path {
            Path::General => Some(self.general.moves(self, position)),
            Path::Scalar => self.fast.as_ref()?.legal_moves(self, position, true),
            Path::Vector | Path::Batch => None,
        }
    }

    /// Whether the player to move has a legal move.
    pub(crate) fn can_move(&self, position: &Position) -> bool {
        self.general.can_move(self, position)
    }

    /// How the game ended, if it has.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        if let Some(reason) = position.ended() {
            let winners = match reason {
                Termination::NobodyCanMove => PlayerSet::EMPTY,
                Termination::Listed(index) => self.winners_of(position, index),
                Termination::Held => self.seated_of(self.team(self.mover(position))),
                _ => self.last_team(position).unwrap_or_default(),
            };
            return Some(Outcome { winners, reason });
        }
        // Whoever cannot move where that is passed over is never asked.
        if self.mechanics().stuck_passes || self.can_move(position) {
            return None;
        }
        let player = self.mover(position);
        let reason = self.reason_for_no_move(position, player);
        let winners = match reason {
            Termination::Checkmate => self.teams_of(self.alive(position).without(self.team(player))),
            _ => PlayerSet::EMPTY,
        };
        Some(Outcome { winners, reason })
    }
}
