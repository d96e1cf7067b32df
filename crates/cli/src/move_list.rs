//! Lists of legal moves: one line per piece as text, one object per move as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tabiya_engine::{Die, Move, Position, Rules, Square};
use tabiya_notation::{State, uci};
use tabiya_referee::End;

use crate::position_summary::{game_over_sentence, player_name};
use crate::styles::STRONG;
use crate::text::{display_width, pluralize, sanitize};

/// Returns a move as JSON.
pub(crate) fn to_json(rules: &Rules, position: &Position, played: Move) -> Value {
    let coords = |square: Square| json!(rules.board().written(square));
    let mut object = json!({
        "from": if played.dropped().is_some() { Value::Null } else { coords(played.from) },
        "to": coords(played.to),
        "id": rules.move_id(position, played),
        "promotion": played.promotion.map(|kind| rules.kind(kind).code.as_str()),
        "text": uci(rules, position, played),
    });
    if let Some(kind) = played.dropped() {
        object["drop"] = json!(rules.kind(kind).code);
    } else if position.guest(played.from).is_some() {
        object["piece"] = json!(rules.kind(rules.moving_kind(position, played)).code);
    }
    if rules.has_parts() {
        let parts = rules.parts(position, played);
        object["then"] = parts.iter().skip(1).map(|(_, part)| coords(part.to)).collect();
    }
    object
}

/// Lists moves as text: their number, then a line for each piece that can move; or why there are none.
pub(crate) fn to_text(rules: &Rules, state: &State, moves: &[Move]) -> String {
    let position = &state.position;
    if let Some(outcome) = rules.outcome_with_quiet(position, state.quiet) {
        let end = End { winners: outcome.winners, reason: rules.reason(outcome.reason) };
        return format!("{}\n", game_over_sentence(rules, &end));
    }
    let player = player_name(rules, rules.mover(position));
    if matches!(rules.die(position), Some(Die::Awaited(_))) {
        return format!("{player} has no legal move before the die is thrown.\n");
    }
    if moves.is_empty() {
        return format!("{player} has no legal move.\n");
    }
    let board = rules.board();
    // Two pieces that share a square have a line each, and so has each kind in hand.
    let pieces: Vec<&[Move]> = moves.chunk_by(|a, b| a.spot() == b.spot()).collect();
    let code = |played: Move| sanitize(&rules.kind(rules.moving_kind(position, played)).code).into_owned();
    let codes: Vec<String> = pieces.iter().map(|moves| code(moves[0])).collect();
    let width = codes.iter().map(|code| display_width(code)).max().unwrap_or(0);
    let source = |played: Move| match played.dropped() {
        Some(_) => "hand".to_owned(),
        None => board.name(played.from),
    };
    let squares = pieces.iter().map(|moves| source(moves[0]).len()).max().unwrap_or(0);

    let mut text = format!("{player} has {}.\n", pluralize(moves.len(), "legal move"));
    for (moves, code) in pieces.iter().zip(&codes) {
        let (from, pad) = (source(moves[0]), width - display_width(code));
        let _ = write!(text, "  {code}{:pad$}  {STRONG}{from:squares$}{STRONG:#} ", "");
        for played in *moves {
            let _ = write!(text, " {}", target(rules, position, *played, &from));
        }
        text.push('\n');
    }
    text
}

/// Writes a move without its piece and starting square, and with `x` in front if it captures. A drop is written in full.
fn target(rules: &Rules, position: &Position, played: Move, from: &str) -> String {
    let text = uci(rules, position, played);
    let rest = text.find(from).map_or(text.as_str(), |at| &text[at + from.len()..]);
    let after = rules.play_unchecked(position, played);
    let captures = after.piece_count() < position.piece_count();
    format!("{}{rest}", if captures { "x" } else { "" })
}
