//! The general dialect of states: the output of `tabiya show --format json`, the earlier positions and the draw offer.

use serde_json::json;
use tabiya_engine::{Identity, Player, Rules, Square};
use tabiya_notation::{STATE_KEYS, State, fen, parse_state_strict, state_json};

use super::object::Object;
use crate::Game;

/// Parses a state and adds its errors to `reasons`.
pub(super) fn read(rules: &Rules, fields: Object<'_>, reasons: &mut Vec<String>) -> Option<State> {
    // Unknown keys are ignored.
    let known = fields.into_pairs().into_iter().filter(|(key, _)| STATE_KEYS.contains(&key.as_str()));
    let pairs: Vec<String> = known.map(|(key, raw)| format!("\"{key}\":{}", raw.get())).collect();
    match parse_state_strict(rules, &format!("{{{}}}", pairs.join(","))) {
        Ok(state) => Some(state),
        Err(error) => {
            reasons.extend(error.reasons);
            None
        }
    }
}

/// Writes a state without its closing brace. `history` is the content of `position_history`.
pub(super) fn write(game: &Game, history: &str) -> String {
    let mut text = state_json(game.rules(), game.state()).to_string();
    text.pop();
    text.push_str(",\"position_history\":[");
    text.push_str(history);
    text.push(']');
    text
}

/// Writes who acts, if it is not the player to move, and the actions beside moves, in games that have them.
pub(super) fn occasions(game: &Game) -> String {
    let name = |player: Player| game.rules().player(player).name.as_str();
    let mut text = String::new();
    if game.actor() != game.mover() {
        text.push_str(&format!(",\"asked\":{}", json!(name(game.actor()))));
    }
    let partners: Vec<&str> = game.resigning_partners().iter().map(name).collect();
    if !partners.is_empty() {
        text.push_str(&format!(",\"resigning\":{}", json!(partners)));
    }
    if let Some(exchange) =
        game.proposal().or_else(|| game.possible_exchange().filter(|_| !game.must_answer()))
    {
        let leader = |(player, square): (Player, Square)| json!({ "player": name(player), "to": game.rules().board().written(square) });
        let value = json!({
            "proposed": game.proposal().is_some(),
            "by": name(exchange.proposer),
            "answered_by": name(exchange.answerer),
            "asked": leader(exchange.asked),
            "given": leader(exchange.given),
        });
        text.push_str(&format!(",\"exchange\":{value}"));
    }
    let heirs: Vec<&str> = game.withdrawal_targets().iter().map(name).collect();
    if !heirs.is_empty() {
        text.push_str(&format!(",\"withdraw_to\":{}", json!(heirs)));
    }
    text
}

/// An earlier position as board text without counters. Positions that are the same for repetition have the same text.
pub(super) fn earlier_text(rules: &Rules, identity: &Identity) -> String {
    let text = fen(rules, &State::new(identity.position().clone()));
    let words = text.split(' ').enumerate().filter(|(index, _)| !(4..6).contains(index));
    words.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}
