//! How a game stands: the state that the agent protocol sends, and around it what a player at a board would see.

use anstream::adapter::strip_str;
use serde_json::{Value, json};
use tabiya_engine::{PlayerSet, Rules, Trigger};
use tabiya_notation::fen;
use tabiya_referee::End;

use super::Terms;
use super::answer::Answer;
use super::table::{MOST_TURNS, Table};
use crate::board_drawing::{BoardDrawing, legend};
use crate::position_summary::{self, player_name, player_names};
use crate::text::{join_and, pluralize, sanitize};

/// Everything about a game.
pub(super) fn state(id: &str, table: &mut Table, terms: Terms) -> Answer {
    let state = table.state();
    let (game, rules) = (&table.game, table.rules());
    let (tally, claims) = (game.tally(), claims(rules));
    let mut data = brief(id, table, terms);
    data["game"] = json!(table.source.label);
    data["state"] = state;
    data["board"] = json!(board(table));
    data["tally"] = json!({ "repetitions": tally.repetitions, "quiet": tally.quiet });
    data["claims"] = json!(claims);
    let made = pluralize(table.turns.len(), "move");
    let mut words = format!("Game {id}: {}, {made} made.\n\n{}", table.source.label, standing(table));
    if game.end().is_none() {
        let (times, quiet) = (pluralize(tally.repetitions as usize, "time"), tally.quiet);
        let tally =
            format!("The position has been there {times}, now included. Quiet turns in a row: {quiet}.");
        words.push_str(&format!("\n{tally}"));
    }
    words.push_str(&format!("\nOn the board: {}.", legend(rules)));
    if !claims.is_empty() {
        words.push_str(&format!("\nWhat can be claimed when it holds: {}.", claims.join(", ")));
    }
    Answer { words, data }
}

/// What has changed, after something has happened.
pub(super) fn brief(id: &str, table: &Table, terms: Terms) -> Value {
    let (game, rules) = (&table.game, table.rules());
    let state = game.state();
    let player = |player| rules.player(player).name.as_str();
    json!({
        "id": id,
        "turn": player(game.mover()),
        "moves_made": table.turns.len(),
        "last_move": table.turns.last().map(|turn| &turn.text),
        "check": player_names(rules, checked(table)),
        "draw_offer": game.draw_offer().map(player),
        "retries_left": terms.retries - table.forgiven.min(terms.retries),
        "end": game.end().map(|end| end_json(rules, end)),
        "text": fen(rules, state),
    })
}

/// The board and how it stands, in words.
pub(super) fn standing(table: &Table) -> String {
    let (game, rules) = (&table.game, table.rules());
    let mut lines = vec![board(table)];
    match game.end() {
        Some(end) => lines.push(end_text(rules, end)),
        None => lines.extend(
            position_summary::summary_lines(rules, &game.state().position)
                .iter()
                .map(|line| strip_str(line).to_string()),
        ),
    }
    if game.end().is_none() && table.is_too_long() {
        lines.push(format!("It is broken off: no game is longer than {MOST_TURNS} moves here."));
    }
    if let Some(player) = game.draw_offer().filter(|_| game.end().is_none()) {
        let name = player_name(rules, player);
        let how = "submit accept_draw or decline_draw, or make a move, which declines it";
        lines.push(format!("{name} offers a draw: {how}."));
    }
    lines.push(format!("As text: {}", sanitize(&fen(rules, game.state()))));
    lines.join("\n")
}

/// Who won and why, for programs.
pub(super) fn end_json(rules: &Rules, end: &End) -> Value {
    json!({ "winners": player_names(rules, end.winners), "reason": end.reason })
}

/// The same for people.
pub(super) fn end_text(rules: &Rules, end: &End) -> String {
    let result = match end.winners.len() {
        0 => "it is a draw".to_owned(),
        1 => format!("{} wins", join_and(&player_names(rules, end.winners))),
        _ => format!("{} win", join_and(&player_names(rules, end.winners))),
    };
    format!("The game is over ({}): {result}.", sanitize(&end.reason.replace('_', " ")))
}

/// What can be claimed in this game, when it holds.
pub(super) fn claims(rules: &Rules) -> Vec<String> {
    let endings = rules.endings().iter();
    let mut codes: Vec<String> =
        endings.filter(|plan| plan.by == Trigger::Claim).map(|plan| plan.code.to_lowercase()).collect();
    codes.dedup();
    codes
}

fn checked(table: &Table) -> PlayerSet {
    let (rules, position) = (table.rules(), &table.game.state().position);
    rules.alive(position).iter().filter(|player| rules.in_check(position, *player)).collect()
}

fn board(table: &Table) -> String {
    let drawn = BoardDrawing::without_colour(table.rules(), &table.game.state().position).board();
    strip_str(&drawn).to_string()
}
