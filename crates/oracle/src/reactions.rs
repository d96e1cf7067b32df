//! Reactions: pieces that change when a piece of their army is captured.

use crate::make_move::MadeMove;
use crate::{Oracle, Piece, Spot};

impl Oracle<'_> {
    /// Applies every reaction that a capture triggers, in the order of the spec.
    pub(crate) fn react(&self, made: &mut MadeMove) {
        for reaction in self.spec.reactions.iter() {
            let triggers = |piece: &Piece| reaction.captured.iter().any(|kind| **kind == piece.kind);
            let is_affected = |owner: &str| {
                made.captured.iter().any(|piece| piece.player == owner && triggers(piece))
                    && !made.state.frozen.contains(owner)
            };
            let owners: Vec<String> = self.players().into_iter().filter(|owner| is_affected(owner)).collect();
            let reacts = |spot: Spot, piece: &Piece| {
                owners.contains(&piece.player)
                    && piece.kind == **reaction.piece
                    && reaction
                        .region
                        .as_ref()
                        .is_none_or(|code| self.lists(code, &piece.player, spot.square))
                    && reaction.in_any.as_ref().is_none_or(|code| self.lists_for_any(code, spot.square))
                    && !reaction.not_in_any.as_ref().is_some_and(|code| self.lists_for_any(code, spot.square))
            };
            self.transform(&mut made.state, &reaction.to, reacts);
        }
    }
}
