//! The description of a game for a model: the state of the agent protocol, the board, and the situation in words.

use anstream::adapter::strip_str;
use serde_json::{Value, json};
use tabiya_engine::{PlayerSet, Rules};
use tabiya_notation::fen;
use tabiya_referee::End;

use super::answer::Answer;
use super::game::ModelGame;
use crate::board_drawing::{BoardDrawing, legend, legend_lines};
use crate::position_summary::{player_name, player_names, summary_lines};
use crate::text::{join_and, pluralize, sanitize};

/// Describes a game completely.
pub(super) fn state(id: &str, game: &mut ModelGame) -> Answer {
    let state = game.state();
    let (label, claims, tally) = (&game.source.label, claims(game), game.session.game().tally());
    let mut data = brief(id, game);
    data["game"] = json!(label);
    data["state"] = state;
    data["board"] = json!(board(game));
    data["tally"] = json!({ "repetitions": tally.repetitions, "quiet": tally.quiet });
    data["claims"] = json!(claims);
    let made = pluralize(game.turns.len(), "move");
    let mut words = format!("Game {id}: {label}, {made} made.\n\n{}", standing(game));
    if game.session.end().is_none() {
        let (times, quiet) = (pluralize(tally.repetitions as usize, "time"), tally.quiet);
        words.push_str(&format!("\nThe position has occurred {times}. Quiet turns in a row: {quiet}."));
    }
    words.push_str(&format!("\nOn the board: {}.", legend(game.session.rules())));
    if !claims.is_empty() {
        words.push_str(&format!("\nClaims of this game, if valid: {}.", claims.join(", ")));
    }
    Answer { words, data }
}

/// Describes what can change with an action.
pub(super) fn brief(id: &str, game: &ModelGame) -> Value {
    let (session, rules) = (&game.session, game.session.rules());
    let player = |player| rules.player(player).name.as_str();
    json!({
        "id": id,
        "turn": player(session.game().mover()),
        "moves_made": game.turns.len(),
        "last_move": game.turns.last().map(|turn| &turn.text),
        "check": player_names(rules, checked(game)),
        "draw_offer": session.game().draw_offer().map(player),
        "retries_left": session.retries_left(),
        "end": session.end().map(|end| end_json(rules, end)),
        "text": fen(rules, session.state()),
    })
}

/// The board and the situation, in words.
pub(super) fn standing(game: &ModelGame) -> String {
    let (session, rules) = (&game.session, game.session.rules());
    let mut lines = vec![board(game)];
    if let Some(end) = session.end() {
        lines.push(end_text(rules, end));
    } else {
        let legend = legend_lines(rules, session.position(), false);
        let described = summary_lines(rules, session.state(), None).into_iter().chain(legend);
        lines.extend(described.map(|line| strip_str(&line).to_string()));
    }
    if let Some(player) = session.game().draw_offer().filter(|_| session.end().is_none()) {
        let name = player_name(rules, player);
        let how = "submit accept_draw or decline_draw, or make a move, which declines it";
        lines.push(format!("{name} offers a draw: {how}."));
    }
    lines.push(format!("As text: {}", sanitize(&fen(rules, session.state()))));
    lines.join("\n")
}

/// The winners and the reason, for programs.
pub(super) fn end_json(rules: &Rules, end: &End) -> Value {
    json!({ "winners": player_names(rules, end.winners), "reason": end.reason })
}

/// The winners and the reason, in words.
pub(super) fn end_text(rules: &Rules, end: &End) -> String {
    let result = match end.winners.len() {
        0 => "it is a draw".to_owned(),
        1 => format!("{} wins", join_and(&player_names(rules, end.winners))),
        _ => format!("{} win", join_and(&player_names(rules, end.winners))),
    };
    format!("The game is over ({}): {result}.", sanitize(&end.reason.replace('_', " ")))
}

/// The claims of this game, each once.
pub(super) fn claims(game: &ModelGame) -> Vec<String> {
    let mut codes: Vec<String> = game.session.game().claims().map(str::to_lowercase).collect();
    codes.dedup();
    codes
}

fn checked(game: &ModelGame) -> PlayerSet {
    let (rules, position) = (game.session.rules(), game.session.position());
    rules.alive(position).iter().filter(|player| rules.in_check(position, *player)).collect()
}

fn board(game: &ModelGame) -> String {
    let drawn = BoardDrawing::without_colour(game.session.rules(), game.session.position()).board();
    strip_str(&drawn).to_string()
}
