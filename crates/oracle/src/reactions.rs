//! Pieces that become others when a piece of their army is captured.

use crate::making::Made;
use crate::{Oracle, Piece, Spot};

impl Oracle<'_> {
    /// Every reaction that a capture sets off, in the order of the file.
    pub(crate) fn react(&self, made: &mut Made) {
        for reaction in self.spec.reactions.iter() {
            let sets_off = |piece: &Piece| reaction.captured.iter().any(|kind| **kind == piece.kind);
            let bereft = |owner: &str| {
                made.captured.iter().any(|piece| piece.player == owner && sets_off(piece))
                    && !made.state.frozen.contains(owner)
            };
            let owners: Vec<String> = self.everybody().into_iter().filter(|owner| bereft(owner)).collect();
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
