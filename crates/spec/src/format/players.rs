//! Players: the starting position as board text, players by name alone, and the turn order that follows.

use serde_json::{Value, json};
use tabiya_engine::{Player, Rules, Square};

use super::{Context, Edit, has_choices, objects};

/// The starting position as board text, unless layouts or options change it.
pub(super) fn setup(file: &Value, context: &Context<'_>) -> Vec<Vec<Edit>> {
    let players = objects(file, "/players");
    let is_given = |(_, player): &(String, &serde_json::Map<String, Value>)| {
        player
            .get("starting_positions")
            .is_some_and(|it| !has_choices(it) && !it.to_string().contains("\"tag\""))
    };
    let in_layouts = file.get("layouts").is_some();
    if players.is_empty() || in_layouts || file.get("setup").is_some() || !players.iter().all(is_given) {
        return Vec::new();
    }
    let Some(text) = board_text(&context.game.rules) else { return Vec::new() };
    let mut edits = vec![Edit::set("", "setup", json!(text))];
    edits.extend(players.into_iter().map(|(pointer, _)| Edit::remove(pointer, "starting_positions")));
    vec![edits]
}

/// Players by name alone; WHITE and BLACK are left out.
pub(super) fn names(file: &Value, _: &Context<'_>) -> Vec<Vec<Edit>> {
    let players = objects(file, "/players");
    let is_bare = |(_, player): &(String, &serde_json::Map<String, Value>)| {
        player.keys().all(|key| ["name", "direction"].contains(&key.as_str()))
    };
    if players.is_empty() || file.get("setup").is_none() || !players.iter().all(is_bare) {
        return Vec::new();
    }
    let names: Vec<&Value> = players.iter().filter_map(|(_, player)| player.get("name")).collect();
    let short = Edit::set("", "players", json!(names));
    let none = Edit::remove("", "players");
    vec![vec![none], vec![short]]
}

/// The turn order, if it is that of the players.
pub(super) fn turns(file: &Value, _: &Context<'_>) -> Vec<Vec<Edit>> {
    if file.get("turns").is_some_and(has_choices) {
        Vec::new()
    } else {
        vec![vec![Edit::remove("", "turns")]]
    }
}

/// Returns the starting position as board text; `None` if two pieces share a square.
fn board_text(rules: &Rules) -> Option<String> {
    let (files, ranks) = (i32::from(rules.board().files()), i32::from(rules.board().ranks()));
    let start = rules.blueprint().start();
    let symbol = |square: Square| {
        let placed = start.iter().find(|placed| placed.square == square)?;
        Some(rules.kind(placed.kind).symbol.of(Player(placed.player.0)))
    };
    let is_shared = |placed: &tabiya_engine::blueprint::Placement| {
        start.iter().filter(|other| other.square == placed.square).count() > 1
    };
    if start.iter().any(is_shared) {
        return None;
    }
    let row = |y: i32| {
        let (mut text, mut empty) = (String::new(), 0);
        for x in 0..files {
            let square = rules.board().square(x, y);
            let piece = square.map_or_else(|| Some("*".to_owned()), symbol);
            match piece {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &std::mem::take(&mut empty).to_string();
                    }
                    text += &piece;
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    Some((0..ranks).rev().map(row).collect::<Vec<_>>().join("/"))
}
