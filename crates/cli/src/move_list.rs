//! Lists of legal moves: one line per piece as text, one object per move as JSON.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};
use tabiya_engine::{Die, Move, Position, Rules, Square};
use tabiya_notation::{State, legal_moves_uci, uci};
use tabiya_referee::End;

use crate::position_summary::{game_over_sentence, player_name};
use crate::styles::STRONG;
use crate::text::{display_width, pluralize, sanitize};

/// What is listed about the moves of a position.
struct Listing<'a> {
    rules: &'a Rules,
    position: &'a Position,
    /// In a game whose turns have several parts: all moves at once, because finding a single one means listing the others.
    turns: HashMap<Move, Turn>,
}

/// A move whose turn may have several parts.
#[derive(Default)]
struct Turn {
    text: String,
    /// The targets of the parts after the first one.
    then: Vec<Square>,
    captures: bool,
}

impl<'a> Listing<'a> {
    fn new(rules: &'a Rules, position: &'a Position) -> Self {
        let mut turns = HashMap::new();
        if rules.has_parts() {
            let texts = legal_moves_uci(rules, position).into_iter();
            turns.extend(texts.map(|(played, text)| (played, Turn { text, ..Turn::default() })));
            rules.for_each_turn(position, |played, rest, after| {
                let turn = turns.entry(played).or_default();
                turn.then = rest.iter().map(|part| part.to).collect();
                turn.captures = after.piece_count() < position.piece_count();
            });
        }
        Listing { rules, position, turns }
    }

    fn text(&self, played: Move) -> String {
        match self.turns.get(&played) {
            Some(turn) => turn.text.clone(),
            None => uci(self.rules, self.position, played),
        }
    }

    fn captures(&self, played: Move) -> bool {
        self.turns.get(&played).map_or_else(
            || self.rules.play_unchecked(self.position, played).piece_count() < self.position.piece_count(),
            |turn| turn.captures,
        )
    }

    fn json(&self, played: Move) -> Value {
        let Listing { rules, position, .. } = *self;
        let coords = |square: Square| json!(rules.board().written(square));
        let mut object = json!({
            "from": if played.dropped().is_some() { Value::Null } else { coords(played.from) },
            "to": coords(played.to),
            "id": rules.move_id(position, played),
            "promotion": played.promotion.map(|kind| rules.kind(kind).code.as_str()),
            "text": self.text(played),
        });
        if let Some(kind) = played.dropped() {
            object["drop"] = json!(rules.kind(kind).code);
        } else if position.guest(played.from).is_some() {
            object["piece"] = json!(rules.kind(rules.moving_kind(position, played)).code);
        }
        if rules.has_parts() {
            let then = self.turns.get(&played).into_iter().flat_map(|turn| &turn.then);
            object["then"] = then.map(|square| coords(*square)).collect();
        }
        object
    }

    /// Writes a move without its piece and starting square, and with `x` in front if it captures. A drop is written in full.
    fn target(&self, played: Move, from: &str) -> String {
        let text = self.text(played);
        let rest = text.find(from).map_or(text.as_str(), |at| &text[at + from.len()..]);
        format!("{}{rest}", if self.captures(played) { "x" } else { "" })
    }
}

/// Returns legal moves as JSON.
pub(crate) fn to_json(rules: &Rules, position: &Position, moves: &[Move]) -> Vec<Value> {
    let listing = Listing::new(rules, position);
    moves.iter().map(|played| listing.json(*played)).collect()
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
    let (board, listing) = (rules.board(), Listing::new(rules, position));
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
            let _ = write!(text, " {}", listing.target(*played, &from));
        }
        text.push('\n');
    }
    text
}
