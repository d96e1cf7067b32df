//! Prints events as JSON: one object per line, with its name in `event`.

use std::io;

use serde_json::{Map, Value, json};
use tabiya_engine::Move;
use tabiya_notation::fen;
use tabiya_referee::{Action, ActionKind};

use crate::move_list;
use crate::output::Output;
use crate::position_summary::{player_names, state_with_end};

use super::command::HELP;
use super::event::Event;
use super::game::{CameTo, TerminalGame};
use super::seats::Seats;

/// Prints an event.
pub(super) fn emit(
    out: &mut Output,
    game: &TerminalGame,
    seats: &Seats,
    event: &Event<'_>,
) -> io::Result<()> {
    let Some((word, mut line)) = describe(game, seats, event) else { return Ok(()) };
    let mut object = Map::from_iter([("event".to_owned(), Value::from(word))]);
    if let Some(keys) = line.as_object_mut() {
        object.append(keys);
    }
    out.json(&Value::Object(object))
}

/// Returns the name of an event and its keys, or `None` for an event that is only shown to people.
fn describe(game: &TerminalGame, seats: &Seats, event: &Event<'_>) -> Option<(&'static str, Value)> {
    let rules = game.session.rules();
    let called = |player| rules.player(player).name.as_str();
    let moves =
        |moves: &[Move]| -> Value { move_list::to_json(rules, game.session.position(), moves).into() };
    let described = match event {
        // The next event has the player to move.
        Event::PassedOver(_) => return None,
        Event::Start => ("start", start(game, seats)),
        Event::Ask => (
            "ask",
            json!({ "player": called(game.session.actor()), "state": state(game), "occasions": occasions(game) }),
        ),
        Event::Moved { player, played, text, .. } => {
            let kind = played.promotion.map(|kind| rules.kind(kind).code.as_str());
            let coords = |square| rules.board().written(square);
            let dropped = played.dropped().map(|kind| rules.kind(kind).code.as_str());
            let from = dropped.is_none().then(|| coords(played.from));
            let to = coords(played.to);
            let turn = game.session.log().len();
            let player = called(*player);
            let mut keys = json!({ "turn": turn, "player": player, "from": from, "to": to, "promotion": kind, "text": text });
            if let Some(code) = dropped {
                keys["drop"] = json!(code);
            }
            ("move", keys)
        }
        Event::Resigned(player) => ("resign", json!({ "player": called(*player) })),
        Event::Acted { player, act } => {
            let heir = match act {
                Action::Withdraw(heir) => Some(called(*heir)),
                _ => None,
            };
            let code = match act {
                Action::Claim { code, .. } => Some(code.to_lowercase()),
                _ => None,
            };
            let word = act.kind().typed();
            (
                "act",
                json!({ "player": called(*player), "act": word, "to": heir, "claim": code, "state": state(game) }),
            )
        }
        Event::Thrown(throw) => {
            let came_to = match throw.came_to {
                CameTo::Move => "move",
                CameTo::Again => "again",
                CameTo::Pass => "pass",
            };
            ("throw", json!({ "player": called(throw.player), "face": throw.face, "came_to": came_to }))
        }
        Event::Out(players) => ("out", json!({ "players": player_names(rules, *players) })),
        Event::End(ending) => {
            let winners = player_names(rules, ending.winners);
            ("end", json!({ "winners": winners, "reason": ending.reason, "state": state(game) }))
        }
        Event::Stopped(turns) => ("stopped", json!({ "turns": turns, "state": state(game) })),
        Event::Refused { input, why } => {
            let start: String = input.chars().take(200).collect();
            ("refused", json!({ "input": start, "why": why }))
        }
        Event::Promotion(options) => {
            let codes: Vec<&str> = options.iter().map(|kind| rules.kind(*kind).code.as_str()).collect();
            ("promotion", json!({ "options": codes }))
        }
        Event::Dropped(asked) => ("dropped", json!({ "move": asked })),
        Event::Targets { square, moves: list } => {
            let written = rules.board().written(*square);
            ("targets", json!({ "square": written, "moves": moves(list) }))
        }
        Event::HandTargets { kind, moves: list } => {
            ("targets", json!({ "drop": rules.kind(*kind).code, "moves": moves(list) }))
        }
        Event::Moves(list) => ("moves", json!({ "moves": moves(list) })),
        Event::Undone(turns) => ("undo", json!({ "turns": turns, "state": state(game) })),
        Event::Saved(file) => ("saved", json!({ "file": file.display().to_string() })),
        Event::Loaded(file) => {
            ("loaded", json!({ "file": file.display().to_string(), "state": state(game) }))
        }
        Event::Board | Event::State => {
            ("state", json!({ "text": fen(rules, game.session.state()), "state": state(game) }))
        }
        Event::Rules(text) => ("rules", json!({ "text": text })),
        Event::Help => ("help", json!({ "text": HELP })),
        Event::Quit => ("quit", json!({})),
    };
    Some(described)
}

/// Returns the commands available besides moves.
fn occasions(game: &TerminalGame) -> Vec<&'static str> {
    let choices = game.session.game().choices();
    let mut kinds = Vec::new();
    if choices.answer {
        kinds.extend([ActionKind::Accept, ActionKind::Decline]);
    }
    if choices.exchange.is_some() {
        kinds.push(ActionKind::Exchange);
    }
    if choices.throw {
        kinds.push(ActionKind::Throw);
    }
    if !choices.withdraw.is_empty() {
        kinds.push(ActionKind::Withdraw);
    }
    kinds.into_iter().map(ActionKind::typed).collect()
}

fn start(game: &TerminalGame, seats: &Seats) -> Value {
    let rules = game.session.rules();
    let sitting: Map<String, Value> = rules
        .players()
        .map(|player| (rules.player(player).name.clone(), seats.name(player).into()))
        .collect();
    json!({
        "game": game.loaded.label,
        "spec": game.loaded.game.hash.to_string(),
        "seats": sitting,
        "state": state(game),
    })
}

/// Returns the state. Once the game is over, it has the outcome of the game, also after a resignation or an agreed draw.
fn state(game: &TerminalGame) -> Value {
    state_with_end(game.session.rules(), game.session.state(), game.session.end())
}
