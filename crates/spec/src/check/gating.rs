//! Drops together with a move: effects of moves, and of castling.

use super::prelude::*;

pub(super) fn check(view: &View<'_>, diags: &mut Diagnostics<'_>) {
    for castle in view.spec.pieces.iter().flat_map(|piece| piece.castling.iter()) {
        if let Some(drop) = castle.drop.as_ref().and_then(At::known) {
            check_drop(&drop.piece, view, diags);
        }
    }
}

/// Checks the piece of a drop.
pub(super) fn check_drop(piece: &At<String>, view: &View<'_>, diags: &mut Diagnostics<'_>) {
    view.pieces.resolve(piece, NameKind::Piece, diags);
    if view.spec.hands.is_none() {
        let message = "`DROP` is about hands, and this game has none.";
        diags.report_with_help(Code::NoHands, piece.place(), message, "add `hands`");
    }
}
