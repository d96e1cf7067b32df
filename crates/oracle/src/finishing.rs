//! From a board on which a move has been made to the position that is judged: the promotion stands, the owners of
//! captured leaders are out, and the flags have counted the turn. Only then is it asked whether the move was legal.

use std::collections::BTreeMap;

use crate::making::Made;
use crate::{Mark, Oracle, Piece, Square, State};

impl Oracle<'_> {
    /// The position after the move, with the turn still at the slot that moved; nothing if the move was not legal.
    pub(crate) fn finished(&self, before: &State, made: Made, promotion: Option<&str>) -> Option<State> {
        let player = self.to_move(before);
        let is_own_leader = |piece: &Piece| piece.player == player && self.is_leader(&piece.kind);
        let own_leader_lost = made.captured.iter().any(is_own_leader);
        let after = self.end_of_turn(before, made, promotion, player);
        (!own_leader_lost && !self.in_check(&after, player)).then_some(after)
    }

    fn end_of_turn(&self, before: &State, made: Made, promotion: Option<&str>, player: &str) -> State {
        let mut after = State { pieces: made.pieces, ..before.clone() };
        if let (Some(square), Some(kind)) = (made.mover, promotion) {
            after.pieces.insert(square, Piece::fresh(kind, player));
        }
        let beaten = made.captured.into_iter().filter(|piece| self.is_leader(&piece.kind));
        after.eliminated.extend(beaten.map(|leader| leader.player).filter(|owner| owner != player));
        count_down(&mut after.pieces, before.slot);
        after
    }
}

/// One turn of a slot is over: the flags that other slots have set come nearer to their end.
fn count_down(pieces: &mut BTreeMap<Square, Piece>, moved: usize) {
    for piece in pieces.values_mut() {
        let flags = std::mem::take(&mut piece.flags).into_iter();
        piece.flags = flags.filter_map(|(name, mark)| Some((name, after_turn(mark, moved)?))).collect();
    }
}

/// The mark after a turn of a slot, if it is still there.
fn after_turn(mark: Mark, moved: usize) -> Option<Mark> {
    match mark.remaining {
        Some(remaining) if mark.slot != Some(moved) => {
            let left = remaining.saturating_sub(1);
            (left > 0).then_some(Mark { remaining: Some(left), ..mark })
        }
        _ => Some(mark),
    }
}
