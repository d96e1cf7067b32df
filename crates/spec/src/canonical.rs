//! The canonical form of a game, from which its hash is computed.
//!
//! Two files have the same canonical form if they say the same: short or long, keys, squares, pieces, moves and conditions
//! in any order, moves numbered in any way. What only describes a game (`about`, `$schema`) and what it offers but does not
//! use (other layouts and options) does not count.

use serde_json::{Map, Value, json};
use tabiya_engine::{Player, Symbol};

use crate::model::Direction;

/// Keys that do not change the game.
const IGNORED: [&str; 6] = ["$schema", "about", "options", "presets", "layouts", "occasions"];

/// Returns the canonical form of a game in the long form, given the symbols of its pieces.
pub(crate) fn canonical(mut game: Value, symbols: &[Symbol]) -> String {
    let Some(root) = game.as_object_mut() else { return game.to_string() };
    for key in IGNORED {
        root.shift_remove(key);
    }
    if let Some(leader) = root.get_mut("leader").filter(|leader| leader.is_string()) {
        *leader = json!({ "piece": leader.take() });
    }
    if let Some(Value::Object(turns)) = root.get_mut("turns")
        && turns.get("start_at") == Some(&json!(0))
    {
        turns.shift_remove("start_at");
    }
    if let Some(holes) = root.get_mut("board").and_then(|board| board.get_mut("disabled_positions")) {
        sort_set(holes);
    }
    objects(root.get_mut("players")).for_each(player);
    // Leaders return to the first free square of this list.
    let ordered = root.get("exchange").and_then(|it| it.get("to")).cloned();
    for condition in objects(root.get_mut("conditions")) {
        if condition.get("code") == ordered.as_ref() && ordered.is_some() {
            continue;
        }
        if let Some(Value::Object(lists)) = condition.get_mut("check") {
            lists.values_mut().for_each(sort_set);
        }
    }
    sort(root, "conditions");
    let players = root.get("players").and_then(Value::as_array).map_or(0, Vec::len);
    for (piece, symbol) in objects(root.get_mut("pieces")).zip(symbols) {
        let texts: Vec<String> = (0..players).map(|player| symbol.of(Player(player as u8))).collect();
        piece.shift_remove("letter");
        piece.insert("letters".into(), json!(texts));
        moves(piece);
    }
    sort(root, "pieces");
    sort_kinds(&mut game);
    game.sort_all_objects();
    game.to_string()
}

/// Writes the direction as a matrix, and one sorted list of squares for each kind and tag.
fn player(player: &mut Map<String, Value>) {
    let word = player.get("direction").and_then(Value::as_str);
    let known = word.and_then(|word| Direction::KEYWORDS.iter().find(|(name, _)| *name == word));
    if let Some((_, matrix)) = known {
        player.insert("direction".into(), json!(matrix));
    }
    let mut armies: Vec<(Value, Value, Vec<Value>)> = Vec::new();
    for start in objects(player.get_mut("starting_positions")) {
        let mut take = |key: &str| start.get_mut(key).map(Value::take).unwrap_or_default();
        let (piece, tag) = (take("piece"), take("tag"));
        let squares = match take("positions") {
            Value::Array(squares) => squares,
            other => vec![other],
        };
        match armies.iter_mut().find(|army| army.0 == piece && army.1 == tag) {
            Some(army) => army.2.extend(squares),
            None => armies.push((piece, tag, squares)),
        }
    }
    for army in &mut armies {
        army.2.sort_by_cached_key(Value::to_string);
    }
    let mut armies: Vec<Value> = armies.into_iter().map(|army| json!([army.0, army.1, army.2])).collect();
    armies.sort_by_cached_key(Value::to_string);
    player.insert("starting_positions".into(), armies.into());
}

/// Removes the numbers of moves, replaces references by what they refer to, and sorts what has no order.
fn moves(piece: &mut Map<String, Value>) {
    let referred: Vec<(Value, Value)> = objects(piece.get_mut("moves"))
        .map(|it| {
            (
                it.get("id").cloned().unwrap_or_default(),
                json!([it.get("step"), it.get("repeat"), it.get("actions")]),
            )
        })
        .collect();
    for it in objects(piece.get_mut("moves")) {
        it.shift_remove("id");
        conditions(it, &referred);
        for key in ["actions", "modifiers"] {
            objects(it.get_mut(key)).for_each(|part| conditions(part, &referred));
        }
        sort(it, "actions");
        if let Some(Value::Object(repeat)) = it.get_mut("repeat") {
            repeat.retain(|key, value| !(key == "until" && value == "NOT_EMPTY"));
            if let Some(Value::Object(over)) = repeat.get_mut("over") {
                over.retain(|key, value| !(key == "owner" && value == "ANY"));
                if over.is_empty() {
                    repeat.shift_remove("over");
                }
            }
        }
    }
    sort(piece, "moves");
    for castle in objects(piece.get_mut("castling")) {
        castle.shift_remove("id");
        castle.get_mut("with").into_iter().for_each(sort_set);
    }
    sort(piece, "castling");
    if piece.get("castling").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        piece.shift_remove("castling");
    }
}

fn conditions(part: &mut Map<String, Value>, referred: &[(Value, Value)]) {
    for condition in objects(part.get_mut("conditions")) {
        if let Some(id) = condition.get_mut("move_id") {
            let found = referred.iter().find(|(other, _)| other == id);
            *id = found.map_or(Value::Null, |(_, meant)| meant.clone());
        }
    }
    sort(part, "conditions");
    for key in ["conditions", "side_effects", "modifiers"] {
        if part.get(key).and_then(Value::as_array).is_some_and(Vec::is_empty) {
            part.shift_remove(key);
        }
    }
}

/// Sorts lists of kinds whose order means nothing.
fn sort_kinds(value: &mut Value) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object.iter_mut() {
                if ["piece", "not_piece", "reset_by"].contains(&key.as_str()) {
                    sort_set(inner);
                }
                sort_kinds(inner);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(sort_kinds),
        _ => {}
    }
}

fn objects(list: Option<&mut Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    list.and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Sorts the list under a key, with the keys of its entries sorted too.
fn sort(object: &mut Map<String, Value>, key: &str) {
    if let Some(Value::Array(entries)) = object.get_mut(key) {
        entries.iter_mut().for_each(Value::sort_all_objects);
        entries.sort_by_cached_key(Value::to_string);
    }
}

fn sort_set(list: &mut Value) {
    if let Value::Array(entries) = list {
        entries.sort_by_cached_key(Value::to_string);
        entries.dedup();
    }
}
