//! Gates of a piece: `{ "piece": ["HAWK"], "conditions": [{ "condition": "FIRST_MOVE" }] }` gives every move a copy that drops
//! a piece from the hand on the square that the piece leaves, and every castling move one for the square of each of the two.

use jsonc_parser::ast::{Object, Value as Json};

use super::{Short, json};
use crate::code::Code;

/// Writes out the moves with drops of all pieces. Betza notation is not written out yet.
pub(super) fn expand(root: &mut Object<'_>, short: &mut Short<'_, '_>) {
    let Some(Json::Array(pieces)) = json::get_mut(root, "pieces") else { return };
    for piece in &mut pieces.elements {
        let Json::Object(piece) = piece else { continue };
        let Some(gates) = json::take(piece, "gates") else { continue };
        match &gates {
            Json::Object(gates) => expand_piece(piece, gates, short),
            other => {
                let help = "write \"gates\": { \"piece\": [\"ROOK\"] }";
                let message = "`gates` is an object with the keys `piece` and `conditions`.";
                short.report(Code::Mistyped, json::span(other), message, help);
            }
        }
    }
}

fn expand_piece<'a>(piece: &mut Object<'a>, gates: &Object<'a>, short: &mut Short<'_, '_>) {
    let known = ["piece", "conditions"];
    if let Some(other) = gates.properties.iter().find(|it| !known.contains(&it.name.as_str())) {
        let message = format!("`gates` has no key `{}`.", crate::read::shorten(other.name.as_str()));
        short.report(
            Code::UnknownKey,
            json::span(&other.value),
            message,
            "its keys are `piece` and `conditions`",
        );
    }
    let Some(codes) = json::get(gates, "piece").and_then(Json::as_array).map(|list| &list.elements) else {
        let message = "`gates` lacks the list `piece`.";
        short.report(Code::MissingKey, json::span(gates), message, "list the codes of pieces in hand");
        return;
    };
    let conditions = json::get(gates, "conditions").and_then(Json::as_array).map(|list| &list.elements[..]);
    let mut moves = Vec::new();
    if let Some(word) = json::take(piece, "betza") {
        let at = json::span(&word);
        moves.push(json::object([("betza", word)], &at));
    }
    match json::take(piece, "moves") {
        Some(Json::Array(listed)) => moves.extend(listed.elements),
        Some(other) => json::put(piece, "moves", other),
        None => {}
    }
    let plain = moves.clone();
    for code in codes {
        moves.extend(plain.iter().map(|entry| with_drop(entry, code, conditions.unwrap_or(&[]))));
    }
    if !moves.is_empty() {
        let at = json::span(&moves[0]);
        json::put(piece, "moves", json::list(moves, &at));
    }
    if let Some(Json::Array(castling)) = json::get_mut(piece, "castling") {
        let plain = castling.elements.clone();
        for code in codes {
            let copies = plain
                .iter()
                .flat_map(|castle| ["SOURCE", "PARTNER"].map(|at| castle_with_drop(castle, code, at)));
            castling.elements.extend(copies);
        }
    }
}

/// Returns a copy of a move that drops a piece.
fn with_drop<'a>(entry: &Json<'a>, code: &Json<'a>, conditions: &[Json<'a>]) -> Json<'a> {
    let mut entry = entry.clone();
    let at = json::span(code);
    if let Json::Object(entry) = &mut entry {
        json::take(entry, "id");
        append(entry, "conditions", conditions.to_vec());
        let action = ("action", json::string("DROP", &at));
        append(entry, "side_effects", vec![json::object([action, ("piece", code.clone())], &at)]);
    }
    entry
}

fn castle_with_drop<'a>(castle: &Json<'a>, code: &Json<'a>, of: &'static str) -> Json<'a> {
    let mut castle = castle.clone();
    let at = json::span(code);
    if let Json::Object(castle) = &mut castle {
        json::take(castle, "id");
        let fields = [("piece", code.clone()), ("at", json::string(of, &at))];
        json::put(castle, "drop", json::object(fields, &at));
    }
    castle
}

/// Adds to a list of an object.
fn append<'a>(object: &mut Object<'a>, key: &'static str, more: Vec<Json<'a>>) {
    match (json::get_mut(object, key), more.first().map(json::span)) {
        (Some(Json::Array(list)), _) => list.elements.extend(more),
        (None, Some(at)) => json::put(object, key, json::list(more, &at)),
        _ => {}
    }
}
