//! Players by name alone. The first moves up. The second of two moves down, mirrored, so that left stays left; on a board
//! with levels, it also moves down the levels.
//! Without `players` they are WHITE and BLACK; without `turns` they move in this order. Neutral players have no
//! direction and no pieces by default.

use jsonc_parser::ast::{Object, Value as Json};
use tabiya_engine::{Board, Lattice};

use super::json;
use crate::model::{Coord, Direction};
use crate::read::Read;

/// A player whose name and direction can be read.
pub(super) struct Army {
    pub(super) name: String,
    /// The step forwards.
    pub(super) forward: Coord,
}

/// Writes out players and turns.
pub(super) fn expand<'a>(root: &mut Object<'a>, board: Option<&Board>) {
    let whole = json::span(&*root);
    let at = whole.start..whole.start + 1;
    if json::get(root, "players").is_none() && json::get(root, "setup").is_some() {
        let names = ["WHITE", "BLACK"].map(|name| json::string(name, &at));
        json::put(root, "players", json::list(names.into(), &at));
    }
    let has_setup = json::get(root, "setup").is_some();
    let Some(Json::Array(players)) = json::get_mut(root, "players") else { return };
    let is_pair = players.elements.iter().filter(|player| !is_neutral(player)).count() == 2;
    for (index, player) in players.elements.iter_mut().enumerate() {
        if is_neutral(player)
            && let Json::Object(player) = player
        {
            let at = json::span(&*player);
            for (key, value) in
                [("direction", json::string("UP", &at)), ("starting_positions", json::list(Vec::new(), &at))]
            {
                // The setup places the pieces of all players.
                if json::get(player, key).is_none() && !(key == "starting_positions" && has_setup) {
                    json::put(player, key, value);
                }
            }
        }
        let Json::StringLit(name) = player else { continue };
        let at = json::span(&*name);
        let name = json::string(name.value.clone(), &at);
        let row = |x, y| json::coordinates((x, y), &at);
        let direction = match index {
            0 => json::string("UP", &at),
            1 if is_pair => match board {
                // Right and down on the board of hexagons, so that files stay where they are.
                Some(board) if board.lattice() == Lattice::Hex => {
                    json::list(vec![row(1, 1), row(0, -1)], &at)
                }
                Some(board) if board.levels() > 1 => {
                    let down = json::coord(Coord { x: 0, y: 0, z: -1 }, &at);
                    let flat = |x, y| json::list([x, y, 0].map(|it| json::number(it, &at)).into(), &at);
                    json::list(vec![flat(1, 0), flat(0, -1), down], &at)
                }
                _ => json::list(vec![row(1, 0), row(0, -1)], &at),
            },
            // Which way it faces is for the file to say; the missing key is reported.
            _ => {
                *player = json::object([("name", name)], &at);
                continue;
            }
        };
        *player = json::object([("name", name), ("direction", direction)], &at);
    }
    let names: Vec<Json<'a>> = players
        .elements
        .iter()
        .filter(|player| !is_neutral(player))
        .filter_map(|player| json::get(player.as_object()?, "name").cloned())
        .collect();
    if names.is_empty() {
        return;
    }
    let order = json::list(names, &at);
    match json::get_mut(root, "turns") {
        Some(Json::Object(turns)) if json::get(turns, "order").is_none() => json::put(turns, "order", order),
        Some(_) => {}
        None => json::put(root, "turns", json::object([("order", order)], &at)),
    }
}

fn is_neutral(player: &Json<'_>) -> bool {
    let value = player.as_object().and_then(|player| json::get(player, "neutral"));
    matches!(value, Some(Json::BooleanLit(value)) if value.value)
}

/// Returns the players in order. A direction that cannot be read counts as up; it is reported elsewhere.
pub(super) fn armies(root: &Object<'_>) -> Vec<Army> {
    let Some(Json::Array(players)) = json::get(root, "players") else { return Vec::new() };
    let army = |player: &Json<'_>| {
        let player = player.as_object()?;
        let name = json::text(json::get(player, "name")?)?.to_owned();
        let direction = json::get(player, "direction").map_or_else(Direction::default, direction);
        Some(Army { name, forward: direction.turn(Coord::flat(0, 1)) })
    };
    players.elements.iter().filter_map(army).collect()
}

fn direction(json: &Json<'_>) -> Direction {
    let mut unheard = crate::diagnostic::Diagnostics::new("");
    Direction::read(json, crate::place::Place::ROOT, &mut unheard).0
}
