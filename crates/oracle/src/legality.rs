//! Legality: which possible moves the safety of leaders forbids.
//!
//! The spec decides whether a leader may be attacked after a move, whether an attacked leader must move, and whether a
//! player with only unsafe moves must move. A die may waive these rules.

use tabiya_spec::model::{Attacked, Exposure, LeaderSpec, Stalemate};

use crate::after_move::FinishedMove;
use crate::{Oracle, Piece, Ply, State};

type Moves = Vec<(Ply, FinishedMove)>;

impl Oracle<'_> {
    /// Filters the legal moves from the possible ones.
    pub(crate) fn allowed(&self, state: &State, possible: Moves) -> Moves {
        let player = self.to_move(state);
        let Some(leader) = &self.spec.leader else { return possible };
        let in_check = self.in_check(state, player);
        let mut moves = possible;
        moves.retain(|(ply, finished)| {
            !finished.lost_own && !self.exposes(leader, state, in_check, ply, finished)
        });
        if self.waives_check() {
            return moves;
        }
        let must_move = leader.attacked.as_ref().is_some_and(|word| **word == Attacked::MustMove);
        if must_move && in_check && moves.iter().any(|(ply, _)| self.moves_leader(state, ply)) {
            moves.retain(|(ply, _)| self.moves_leader(state, ply));
        }
        let needs_safety = leader.stalemate.as_ref().is_some_and(|word| **word == Stalemate::NoSafeMove);
        let is_own_leader = |piece: &Piece| piece.player == player && self.is_leader(&piece.kind);
        let is_safe = |(_, finished): &(Ply, FinishedMove)| !self.in_check(&finished.state, player);
        if needs_safety && !in_check && state.pieces.values().any(is_own_leader) && !moves.iter().any(is_safe)
        {
            moves.clear();
        }
        moves
    }

    /// Returns whether the move illegally leaves a leader attacked.
    fn exposes(
        &self,
        leader: &LeaderSpec,
        before: &State,
        in_check: bool,
        ply: &Ply,
        after: &FinishedMove,
    ) -> bool {
        if self.waives_check() {
            return false;
        }
        let asked = match leader.exposure.as_ref().map_or(Exposure::Illegal, |word| **word) {
            Exposure::Illegal => true,
            Exposure::Allowed => false,
            Exposure::AllowedInCheck => !in_check && self.moves_leader(before, ply),
        };
        // A drop at the same time does not help.
        let mut without = after.state.clone();
        for (_, square) in &after.events.entered {
            without.pieces.remove(square);
        }
        let player = self.to_move(before);
        asked && (self.in_check(&after.state, player) || self.in_check(&without, player))
    }

    fn moves_leader(&self, state: &State, ply: &Ply) -> bool {
        ply.drop.is_none() && state.at(ply.spot()).is_some_and(|piece| self.is_leader(&piece.kind))
    }
}
