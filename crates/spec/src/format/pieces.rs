//! Pieces: Betza notation, the promotion of all moves at once, and moves without defaults.

use serde_json::{Map, Value, json};

use super::betza_words::{cover, without_id};
use super::{Context, Edit, has_choices, objects};

/// The moves of every piece.
pub(super) fn moves(file: &Value, context: &Context<'_>) -> Vec<Vec<Edit>> {
    let slots = context.game.rules.order().len();
    let mut groups = Vec::new();
    for (pointer, piece) in objects(file, "/pieces") {
        // The words of a piece take time to find.
        if !(context.may_continue)() {
            break;
        }
        let Some(listed) = piece.get("moves") else { continue };
        if has_choices(listed) || listed.to_string().contains("\"move_id\"") {
            groups.extend(plain_moves(&pointer, listed));
            continue;
        }
        let long = long_moves(piece, context);
        let Some(mut long) = long.filter(|_| piece.get("like").is_none() && piece.get("promotion").is_none())
        else {
            continue;
        };
        long.iter_mut().for_each(without_id);
        let mut edits = Vec::new();
        if let Some(promotion) = shared_promotion(&mut long) {
            edits.push(Edit::set(&pointer, "promotion", promotion));
        }
        let entries = entries(&long, slots);
        edits.push(Edit::remove(&pointer, "moves"));
        edits.push(Edit::remove(&pointer, "betza"));
        match entries.as_slice() {
            [Value::Object(only)] if only.len() == 1 && only.contains_key("betza") => {
                edits.push(Edit::set(&pointer, "betza", only["betza"].clone()));
            }
            _ => edits.push(Edit::set(&pointer, "moves", json!(entries))),
        }
        groups.push(edits);
    }
    groups
}

/// Returns the moves of a piece in the long form.
fn long_moves(piece: &Map<String, Value>, context: &Context<'_>) -> Option<Vec<Value>> {
    let pieces = objects(&context.long, "/pieces").into_iter().map(|(_, piece)| piece);
    let mut same = pieces.filter(|it| it.get("code") == piece.get("code"));
    same.next()?.get("moves")?.as_array().cloned()
}

/// Takes the modifiers out of the moves, if all have the same promotion and it can be said once.
fn shared_promotion(moves: &mut [Value]) -> Option<Value> {
    let modifiers = moves.first()?.get("modifiers")?.clone();
    let [modifier] = modifiers.as_array()?.as_slice() else { return None };
    let is_plain =
        modifier.as_object()?.keys().all(|key| ["action", "conditions", "options"].contains(&key.as_str()));
    if !is_plain || !moves.iter().all(|it| it.get("modifiers") == Some(&modifiers)) {
        return None;
    }
    let conditions = modifier.get("conditions").and_then(Value::as_array).cloned().unwrap_or_default();
    let to = match modifier["options"].as_array()?.as_slice() {
        [only] => only.clone(),
        _ => modifier["options"].clone(),
    };
    let promotion = match conditions.as_slice() {
        [] => json!({ "to": to }),
        [Value::Object(only)] if only.len() == 1 => json!({ "in": only.get("condition")?, "to": to }),
        _ => return None,
    };
    for entry in moves {
        entry.as_object_mut()?.shift_remove("modifiers");
    }
    Some(promotion)
}

/// Returns the shortest entries: one word for the moves with the same modifiers, and the other moves without defaults.
fn entries(moves: &[Value], slots: usize) -> Vec<Value> {
    let mut modifiers: Vec<Option<&Value>> = Vec::new();
    for entry in moves {
        if !modifiers.contains(&entry.get("modifiers")) {
            modifiers.push(entry.get("modifiers"));
        }
    }
    let mut entries = Vec::new();
    for modifier in modifiers {
        let mut group: Vec<Value> =
            moves.iter().filter(|it| it.get("modifiers") == modifier).cloned().collect();
        for entry in &mut group {
            entry.as_object_mut().map(|entry| entry.shift_remove("modifiers"));
        }
        let cover = cover(&group, slots);
        let with_modifier = |mut entry: Value| {
            if let Some(modifier) = modifier {
                entry["modifiers"] = modifier.clone();
            }
            entry
        };
        if !cover.word.is_empty() {
            entries.push(with_modifier(json!({ "betza": cover.word })));
        }
        entries.extend(cover.rest.into_iter().map(without_defaults).map(with_modifier));
    }
    entries
}

/// Shortens the actions and repetition of moves with choices, entry by entry.
fn plain_moves(pointer: &str, listed: &Value) -> Option<Vec<Edit>> {
    let shortened: Vec<Value> = listed.as_array()?.iter().cloned().map(without_defaults).collect();
    Some(vec![Edit::set(pointer, "moves", json!(shortened))])
}

/// Leaves out the actions that every move has by default.
fn without_defaults(mut entry: Value) -> Value {
    let Some(object) = entry.as_object_mut() else { return entry };
    let action = |state: &str, action: &str| json!({ "state": state, "action": action });
    let (go, take) = (action("EMPTY", "MOVE"), action("ENEMY", "CAPTURE"));
    match object.get("actions").and_then(Value::as_array).map(Vec::as_slice) {
        Some([one, two]) if (one, two) == (&go, &take) || (one, two) == (&take, &go) => {
            object.shift_remove("actions");
        }
        Some([only]) if *only == go => object["actions"] = json!("MOVE"),
        Some([only]) if *only == take => object["actions"] = json!("CAPTURE"),
        _ => {}
    }
    entry
}
