//! Writes JSON as people format game files: a value stands on one line if it fits, otherwise each of its parts on its own.

use jsonc_parser::ast::{ObjectProp, Value as Json};
use serde_json::Value;

/// The longest line, unless a single value is longer.
const WIDTH: usize = 120;

/// The depth from which on objects and lists are filled instead of written one part a line: 0 is the game, 1 its keys, 2 the
/// entries of a list. Deeper values make the file long without making it clear.
const FILLED: usize = 2;

/// The order of the keys of a game, a player, a piece and a move. Other keys follow in the order of the file.
const ORDER: [&str; 35] = [
    "$schema",
    "$comment",
    "id",
    "code",
    "name",
    "about",
    "extends",
    "remove",
    "letter",
    "letters",
    "leader",
    "stuck",
    "board",
    "setup",
    "direction",
    "starting_positions",
    "players",
    "turns",
    "step",
    "turned",
    "repeat",
    "like",
    "betza",
    "conditions",
    "actions",
    "modifiers",
    "side_effects",
    "moves",
    "promotion",
    "castling",
    "endings",
    "quiet",
    "pieces",
    "options",
    "presets",
];

/// Keys that only the objects with this order have.
const ORDERED: [&str; 7] = ["pieces", "moves", "betza", "step", "starting_positions", "extends", "code"];

/// Returns the value without byte ranges.
pub(crate) fn value(json: &Json<'_>) -> Value {
    match json {
        Json::StringLit(string) => Value::String(string.value.clone().into_owned()),
        Json::NumberLit(number) => number.value.parse().map_or(Value::Null, Value::Number),
        Json::BooleanLit(boolean) => Value::Bool(boolean.value),
        Json::NullKeyword(_) => Value::Null,
        Json::Array(array) => Value::Array(array.elements.iter().map(value).collect()),
        Json::Object(object) => {
            let entry = |it: &ObjectProp<'_>| (it.name.as_str().to_owned(), value(&it.value));
            Value::Object(object.properties.iter().map(entry).collect())
        }
    }
}

/// Writes a document, with a line break at its end.
pub(crate) fn write(json: &Json<'_>) -> String {
    let mut text = String::new();
    let mut json = json.clone();
    order(&mut json);
    block(&json, Place { depth: 0, indent: 0, column: 0 }, &mut text);
    text.push('\n');
    text
}

/// Puts the keys of objects in order.
fn order(json: &mut Json<'_>) {
    match json {
        Json::Object(object) => {
            if object.properties.iter().any(|it| ORDERED.contains(&it.name.as_str())) {
                let rank = |key: &str| ORDER.iter().position(|it| *it == key).unwrap_or(ORDER.len());
                object.properties.sort_by_key(|it| rank(it.name.as_str()));
            }
            object.properties.iter_mut().for_each(|it| order(&mut it.value));
        }
        Json::Array(array) => array.elements.iter_mut().for_each(order),
        _ => {}
    }
}

/// Where a value is written.
#[derive(Clone, Copy)]
struct Place {
    depth: usize,
    indent: usize,
    /// The column of its first character.
    column: usize,
}

/// Writes a value. If it is too long for its line, its parts stand on their own lines, or fill lines if it is deep.
fn block(json: &Json<'_>, at: Place, text: &mut String) {
    let inline = line(json);
    if at.depth > 0 && at.column + inline.chars().count() <= WIDTH {
        text.push_str(&inline);
        return;
    }
    let brackets = if matches!(json, Json::Object(_)) { ('{', '}') } else { ('[', ']') };
    let parts: Vec<(String, &Json<'_>)> = match json {
        Json::Object(object) => object
            .properties
            .iter()
            .map(|it| (format!("{}: ", quoted(it.name.as_str())), &it.value))
            .collect(),
        Json::Array(array) => array.elements.iter().map(|element| (String::new(), element)).collect(),
        _ => Vec::new(),
    };
    let is_list_of_values = parts.iter().all(|(key, value)| key.is_empty() && is_small(value));
    if parts.is_empty() {
        text.push_str(&inline);
    } else if is_list_of_values || at.depth >= FILLED {
        fill(brackets, &parts, at, text);
    } else {
        stack(brackets, &parts, at, text);
    }
}

/// Returns whether a value is a number, a text or a square.
fn is_small(json: &Json<'_>) -> bool {
    match json {
        Json::Array(array) => array.elements.iter().all(|element| matches!(element, Json::NumberLit(_))),
        Json::Object(_) => false,
        _ => true,
    }
}

/// Writes each part on its own line.
fn stack((open, close): (char, char), parts: &[(String, &Json<'_>)], at: Place, text: &mut String) {
    let inner = at.indent + 2;
    text.push(open);
    for (index, (key, value)) in parts.iter().enumerate() {
        text.push('\n');
        text.push_str(&" ".repeat(inner));
        text.push_str(key);
        // A comma may follow.
        let column = inner + key.chars().count() + 1;
        block(value, Place { depth: at.depth + 1, indent: inner, column }, text);
        if index + 1 < parts.len() {
            text.push(',');
        }
    }
    text.push('\n');
    text.push_str(&" ".repeat(at.indent));
    text.push(close);
}

/// Writes as many parts on a line as fit.
fn fill((open, close): (char, char), parts: &[(String, &Json<'_>)], at: Place, text: &mut String) {
    let inner = at.indent + 2;
    let space = if open == '{' { " " } else { "" };
    text.push(open);
    text.push_str(space);
    let mut column = at.column + 1 + space.len();
    for (index, (key, value)) in parts.iter().enumerate() {
        let inline = line(value);
        let length = key.chars().count() + inline.chars().count() + 1 + space.len();
        let is_long = inner + length > WIDTH;
        let needs_line = column + 1 + length > WIDTH && !is_long || is_long && column > inner + 60;
        if needs_line && column > inner + 2 {
            text.push('\n');
            text.push_str(&" ".repeat(inner));
            column = inner;
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(key);
        let start = text.len();
        let place = Place {
            depth: at.depth + 1,
            indent: inner,
            column: column + key.chars().count() + 1 + space.len(),
        };
        block(value, place, text);
        column = match text[start..].rfind('\n') {
            Some(last) => text[start + last + 1..].chars().count(),
            None => column + key.chars().count() + text[start..].chars().count(),
        };
        if index + 1 < parts.len() {
            text.push(',');
            column += 1;
        }
    }
    text.push_str(space);
    text.push(close);
}

/// Writes a value on one line.
fn line(json: &Json<'_>) -> String {
    match json {
        Json::StringLit(string) => quoted(&string.value),
        Json::NumberLit(number) => number.value.to_owned(),
        Json::BooleanLit(boolean) => boolean.value.to_string(),
        Json::NullKeyword(_) => "null".to_owned(),
        Json::Array(array) => {
            let is_pair = array.elements.iter().all(|element| matches!(element, Json::NumberLit(_)));
            let separator = if is_pair { "," } else { ", " };
            let parts: Vec<String> = array.elements.iter().map(line).collect();
            format!("[{}]", parts.join(separator))
        }
        Json::Object(object) if object.properties.is_empty() => "{}".to_owned(),
        Json::Object(object) => {
            let part = |(key, value)| format!("{}: {}", quoted(key), line(value));
            let parts: Vec<String> =
                object.properties.iter().map(|it| (it.name.as_str(), &it.value)).map(part).collect();
            format!("{{ {} }}", parts.join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
