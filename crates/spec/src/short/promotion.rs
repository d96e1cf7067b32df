//! The promotion of a piece: `{ "in": { "own_ranks": -1 }, "to": ["QUEEN"] }` applies to every move without `modifiers`.
//! `in` is the code of a `POSITION` condition, or a list of squares or a region that becomes one.

use jsonc_parser::ast::{Object, Value as Json};

use super::{Short, json};
use crate::code::Code;

/// Gives the moves of all pieces their promotions. The moves are not written out yet.
pub(super) fn expand(root: &mut Object<'_>, short: &mut Short<'_, '_>) {
    let mut regions = Vec::new();
    if let Some(Json::Array(pieces)) = json::get_mut(root, "pieces") {
        for piece in &mut pieces.elements {
            let Json::Object(piece) = piece else { continue };
            let Some(promotion) = json::take(piece, "promotion") else { continue };
            let at = json::span(&promotion);
            let Json::Object(promotion) = promotion else {
                let help = "write \"promotion\": { \"in\": { \"own_ranks\": -1 }, \"to\": [\"QUEEN\"] }";
                short.report(
                    Code::Mistyped,
                    at,
                    "`promotion` is an object with the keys `in` and `to`.",
                    help,
                );
                continue;
            };
            if let Some(modifier) = modifier(&promotion, piece, &mut regions, short) {
                add(piece, &modifier);
            }
        }
    }
    if regions.is_empty() {
        return;
    }
    if json::get(root, "conditions").is_none() {
        let at = json::span(&regions[0]);
        json::put(root, "conditions", json::list(Vec::new(), &at));
    }
    if let Some(Json::Array(conditions)) = json::get_mut(root, "conditions") {
        conditions.elements.append(&mut regions);
    }
}

/// Returns the modifier. A region is added to the conditions of the game.
fn modifier<'a>(
    promotion: &Object<'a>,
    piece: &Object<'a>,
    regions: &mut Vec<Json<'a>>,
    short: &mut Short<'_, '_>,
) -> Option<Json<'a>> {
    let at = json::span(promotion);
    let known = ["in", "to"];
    if let Some(other) = promotion.properties.iter().find(|it| !known.contains(&it.name.as_str())) {
        let message = format!("`promotion` has no key `{}`.", crate::read::shorten(other.name.as_str()));
        short.report(Code::UnknownKey, json::span(&other.value), message, "its keys are `in` and `to`");
    }
    let Some(to) = json::get(promotion, "to") else {
        short.report(Code::MissingKey, at, "`promotion` lacks the key `to`.", "list the codes of pieces");
        return None;
    };
    let action = ("action", json::string("TRANSFORM", &at));
    let options = match to {
        Json::StringLit(_) => json::list(vec![to.clone()], &json::span(to)),
        other => other.clone(),
    };
    let options = ("options", options);
    let code = match json::get(promotion, "in") {
        None => return Some(json::object([action, options], &at)),
        Some(Json::StringLit(code)) if !is_squares(&code.value) => Json::StringLit(code.clone()),
        Some(region) => {
            let owner = json::get(piece, "code").and_then(json::text).unwrap_or("PIECE");
            let code = json::string(format!("{owner}_PROMOTION"), &json::span(region));
            let kind = ("type", json::string("POSITION", &at));
            let condition = [("code", code.clone()), kind, ("check", region.clone())];
            regions.push(json::object(condition, &json::span(region)));
            code
        }
    };
    let condition = json::object([("condition", code)], &at);
    let conditions = ("conditions", json::list(vec![condition], &at));
    Some(json::object([action, conditions, options], &at))
}

/// Adds the modifier to every move that has none. A word of Betza notation becomes a move.
fn add<'a>(piece: &mut Object<'a>, modifier: &Json<'a>) {
    let at = json::span(modifier);
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
    for entry in &mut moves {
        if let Json::Object(entry) = entry
            && json::get(entry, "modifiers").is_none()
        {
            json::put(entry, "modifiers", json::list(vec![modifier.clone()], &at));
        }
    }
    if !moves.is_empty() {
        let at = json::span(&moves[0]);
        json::put(piece, "moves", json::list(moves, &at));
    }
}

/// Returns whether a text lists squares by name, such as `a8-h8`. Codes are usually in upper case.
fn is_squares(text: &str) -> bool {
    let is_square = |word: &str| {
        let file = word.trim_end_matches(|it: char| it.is_ascii_digit());
        file.len() < word.len() && !file.is_empty() && file.bytes().all(|it| it.is_ascii_lowercase())
    };
    let mut words = text.split_ascii_whitespace().flat_map(|word| word.split('-')).peekable();
    words.peek().is_some() && words.all(is_square)
}
