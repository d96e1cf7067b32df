//! Moves with equal squares and promotion, and how text distinguishes them.
//!
//! If several legal moves of a piece lead to the same square with the same promotion, they lead to different positions. Each
//! is a *way*, numbered from 1 in the order of the resulting positions as text. The numbers do not depend on the order and
//! the ids of moves in the file, so that records survive rewriting it.

use tabiya_engine::{Move, Position, Rules, Square};

use crate::{State, fen, parts};

/// Returns the square that the text of a move names as its target. For castling it is the target of the piece if that is at
/// least two squares away and no other move leads there; otherwise it is the square of the partner.
pub fn text_target(rules: &Rules, position: &Position, played: Move) -> Square {
    match rules.castling(position, played) {
        Some(_) => target_among(rules, position, played, &rules.legal_moves(position)),
        None => played.to,
    }
}

/// Like [`text_target`], given the legal moves.
pub(crate) fn target_among(rules: &Rules, position: &Position, played: Move, moves: &[Move]) -> Square {
    let Some(castling) = rules.castling(position, played) else { return played.to };
    // Castling together with a drop leads to the same squares.
    let is_same = |other: Move| rules.castling(position, other) == Some(castling);
    let is_other =
        |other: &&Move| (other.spot(), other.to) == (played.spot(), played.to) && !is_same(**other);
    let is_far = rules.board().distance(played.from, played.to) >= 2;
    if is_far && !moves.iter().any(|other| is_other(&other)) { played.to } else { castling.partner }
}

/// Returns those of the legal moves whose text names these squares. Castling may also be written by its other target: that
/// of the piece, or the square of the partner.
pub(crate) fn between(
    rules: &Rules,
    position: &Position,
    moves: &[Move],
    (from, to): (Square, Square),
) -> Vec<Move> {
    let from_here = || moves.iter().copied().filter(|played| played.from == from);
    let is_written = |played: &Move| target_among(rules, position, *played, moves) == to;
    let written: Vec<Move> = from_here().filter(is_written).collect();
    if !written.is_empty() {
        return written;
    }
    let castles_to =
        |played: &Move| rules.castling(position, *played).is_some_and(|it| [it.to, it.partner].contains(&to));
    from_here().filter(castles_to).collect()
}

/// Returns the number of a move among the ways to the same square; `None` if there is only one.
pub fn way(rules: &Rules, position: &Position, played: Move) -> Option<u32> {
    if rules.has_parts() {
        return parts::way(rules, position, played);
    }
    // Most moves are unambiguous without generating the others.
    let kind = rules.moving_kind(position, played);
    let may_coincide =
        rules.may_coincide(kind) || rules.kind(kind).castles.iter().any(|it| it.drop.is_some());
    way_among(rules, position, played, &if may_coincide { rules.legal_moves(position) } else { Vec::new() })
}

/// Like [`way`], given the legal moves.
pub(crate) fn way_among(rules: &Rules, position: &Position, played: Move, moves: &[Move]) -> Option<u32> {
    way_if(rules, position, played, moves, |_| true)
}

/// Like [`way_among`], among the moves with a property of this one.
pub(crate) fn way_if(
    rules: &Rules,
    position: &Position,
    played: Move,
    moves: &[Move],
    is_alike: impl Fn(Move) -> bool,
) -> Option<u32> {
    let castling = |it: Move| rules.castling(position, it);
    let own = castling(played);
    let is_way = |other: &&Move| {
        Move { pattern: played.pattern, ..**other } == played && castling(**other) == own && is_alike(**other)
    };
    if moves.iter().filter(is_way).count() < 2 {
        return None;
    }
    // Positions that differ only in what makes no difference have the same text.
    let order =
        |played: Move| (fen(rules, &State::new(rules.play_unchecked(position, played))), played.pattern);
    let own = order(played);
    let before = moves.iter().filter(is_way).filter(|other| order(**other) < own).count();
    Some(before as u32 + 1)
}
