//! Drops as text, as Fairy-Stockfish writes them: `P@e5`, and `+P@e5` for a piece that is dropped promoted.
//!
//! Any other promotion follows the square, as in other moves: `P@e5q`, in SAN `P@e5=Q`. The parser also accepts small
//! letters, the full code of the piece, `@e5` for a pawn, `drop P e5`, and the letter of the promoted piece before the `@`
//! if only one piece in hand can become it.

use tabiya_engine::{Kind, Move, Position, Rules, Square};

use crate::illegal_move::explain_illegal_move;
use crate::san::pawn;
use crate::symbols;
use crate::uci::{MoveError, only, square};

/// A drop as written: the name of the piece, and what follows it.
pub(crate) struct DropText<'t> {
    text: &'t str,
    piece: &'t str,
    target: &'t str,
}

/// Splits the text of a drop; `None` if the text is not a drop.
pub(crate) fn split(text: &str) -> Option<DropText<'_>> {
    const MAX_LENGTH: usize = 400;
    let text = text.trim();
    if text.len() > MAX_LENGTH {
        return None;
    }
    let (piece, target) = match text.strip_prefix("drop ") {
        Some(rest) => rest.trim_start().split_once([' ', '@'])?,
        None => text.rsplit_once('@')?,
    };
    Some(DropText { text, piece: piece.trim(), target })
}

/// Parses a legal drop of the position. `write` writes a move for the error if several match.
pub(crate) fn parse(
    rules: &Rules,
    position: &Position,
    drop: &DropText<'_>,
    write: impl Fn(Move) -> String,
) -> Result<Move, MoveError> {
    let unreadable = || MoveError::Unreadable(drop.text.to_owned());
    let named =
        |name: &str| symbols::kind(rules, name).ok_or_else(|| MoveError::NoSuchPiece(name.to_owned()));
    let kind = match drop.piece {
        "" => pawn(rules).ok_or_else(unreadable)?,
        name => named(name)?,
    };
    let (to, rest) = square(rules, drop.target).ok_or_else(unreadable)?;
    let to = to?;
    let promotion = match rest.trim_start().trim_start_matches('=').trim() {
        "" => None,
        name => Some(named(name)?),
    };
    let mut fitting = rules.legal_moves(position);
    fitting.retain(|played| played.dropped().is_some() && played.to == to);
    if promotion.is_none() && position.in_hand(rules.mover(position), kind) == 0 {
        let mut becoming: Vec<Move> =
            fitting.iter().copied().filter(|it| it.promotion == Some(kind)).collect();
        if becoming.len() > 1 {
            becoming.retain(|it| it.dropped().is_some_and(|from| is_plus(rules, from, kind)));
        }
        if let [played] = becoming.as_slice() {
            return Ok(*played);
        }
    }
    fitting.retain(|played| played.dropped() == Some(kind));
    if fitting.is_empty() {
        return Err(illegal(rules, position, kind, to));
    }
    only(rules, position, &fitting, promotion, write)
}

/// Returns the kind that a text names to ask for its drops: `P@` or `drop P`.
pub fn named_in_hand(rules: &Rules, text: &str) -> Option<Kind> {
    let text = text.trim();
    let name = text.strip_suffix('@').or_else(|| text.strip_prefix("drop "))?;
    symbols::kind(rules, name.trim())
}

/// Explains why a drop is illegal.
pub(crate) fn illegal(rules: &Rules, position: &Position, kind: Kind, to: Square) -> MoveError {
    let reason = rules.why_no_drop(position, kind, to);
    let spot = Move::drop(kind, to, 0).spot();
    let message = explain_illegal_move(rules, position, spot, to, &reason);
    MoveError::Illegal { reason, message }
}

/// Writes a legal drop, given the sign before a promotion.
pub(crate) fn write(rules: &Rules, position: &Position, (kind, played): (Kind, Move), sign: &str) -> String {
    let player = rules.mover(position);
    let target = rules.board().name(played.to);
    let letter = |kind: Kind| rules.kind(kind).symbol.written(player);
    match played.promotion {
        None => format!("{}@{target}", letter(kind)),
        Some(option) if is_plus(rules, kind, option) && position.in_hand(player, option) == 0 => {
            format!("{}@{target}", letter(option))
        }
        Some(option) => {
            let option = symbols::promotion_text(rules, player, option);
            let option = if sign.is_empty() { option.to_lowercase() } else { option.to_owned() };
            format!("{}@{target}{sign}{option}", letter(kind))
        }
    }
}

/// Returns whether the second kind is written as the first with a plus sign before it.
fn is_plus(rules: &Rules, kind: Kind, promoted: Kind) -> bool {
    let (plain, promoted) = (rules.kind(kind).symbol.texts(), rules.kind(promoted).symbol.texts());
    plain.len() == promoted.len()
        && plain.iter().zip(promoted).all(|(plain, text)| text.strip_prefix('+') == Some(plain.as_str()))
}
