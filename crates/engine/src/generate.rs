//! All legal moves of a position, and the questions that follow from them.

use crate::moves::Move;
use crate::outcome::{Outcome, Termination};
use crate::path::Path;
use crate::piece::PlayerSet;
use crate::position::Position;
use crate::rules::Rules;

/// Room for the moves of a usual position.
const USUAL_MOVES: usize = 48;

impl Rules {
    /// All legal moves, in order of source, then of the piece's list of moves, then of distance.
    pub fn legal_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = self.unsorted_moves(position);
        moves.sort_by_key(|played| played.place());
        moves
    }

    /// All legal moves in any order, which may differ from machine to machine: for whoever has an order of its own.
    pub fn unsorted_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(USUAL_MOVES);
        self.moves_into(position, &mut moves);
        moves
    }

    /// The same, written over a list whose memory is used again.
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
        let is_done = self.fast.as_ref().is_some_and(|fast| fast.list(self, position, moves));
        if !is_done {
            self.general.list(self, position, moves);
            self.heed_die(position, moves);
        }
    }

    /// All legal moves as one path finds them, in the same order, whatever a die says; `None` if the position does not take that path.
    pub fn legal_moves_on(&self, path: Path, position: &Position) -> Option<Vec<Move>> {
        match path {
            Path::General => Some(self.general.moves(self, position)),
            Path::Scalar => {
                let mut moves = Vec::new();
                self.fast.as_ref().filter(|fast| fast.list(self, position, &mut moves))?;
                moves.sort_by_key(|played| played.place());
                Some(moves)
            }
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
