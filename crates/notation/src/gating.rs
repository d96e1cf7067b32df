//! Moves that drop a piece at the same time, as Fairy-Stockfish writes them: the letter of the piece follows the squares,
//! `b1c3h`. If the partner leaves the square of the drop when castling, its square comes first: `h1e1h`.

use tabiya_engine::{Kind, Move, Position, Rules, Square};

use crate::symbols;

/// Returns the letters of the pieces that a move drops.
pub(crate) fn letters(rules: &Rules, position: &Position, played: Move) -> String {
    let player = rules.mover(position);
    let dropped = rules.dropped_with(position, played);
    dropped.iter().map(|(kind, _)| rules.kind(*kind).symbol.in_moves(player).to_lowercase()).collect()
}

/// Returns the squares of castling, if the partner leaves the square of a drop: that of the partner and that of the piece.
pub(crate) fn partner_first(rules: &Rules, position: &Position, played: Move) -> Option<(Square, Square)> {
    let castling = rules.castling(position, played).filter(|_| rules.drops_with_moves())?;
    let dropped = rules.dropped_with(position, played);
    dropped.iter().any(|(_, square)| *square == castling.partner).then_some((castling.partner, castling.from))
}

/// Returns the moves that have these squares and drop this piece.
pub(crate) fn with_drop(
    rules: &Rules,
    position: &Position,
    moves: &[Move],
    kind: Kind,
    (from, to): (Square, Square),
) -> Vec<Move> {
    let mover = rules.mover(position);
    let fits = |played: &&Move| {
        let dropped = rules.dropped_with(position, **played);
        let drops_it = dropped.len() == 1 && symbols::are_alike(rules, mover, dropped[0].0, kind);
        drops_it && partner_first(rules, position, **played).unwrap_or((played.from, played.to)) == (from, to)
    };
    moves.iter().filter(fits).copied().collect()
}

/// Returns the moves without those that drop a piece, unless there are no others.
pub(crate) fn without_drops(rules: &Rules, position: &Position, moves: Vec<Move>) -> Vec<Move> {
    let (plain, dropping): (Vec<Move>, Vec<Move>) =
        moves.into_iter().partition(|played| rules.dropped_with(position, *played).is_empty());
    if plain.is_empty() { dropping } else { plain }
}
