//! Writes JSON as people format game files: a value stands on one line if it fits, otherwise each of its parts on its own.

use jsonc_parser::ast::Value as Json;

/// The longest line, unless a single value is longer.
const WIDTH: usize = 110;

/// The order of the keys of a game, a player, a piece and a move. Other keys follow in the order of the file.
const ORDER: [&str; 22] = [
    "$schema",
    "id",
    "code",
    "name",
    "about",
    "letter",
    "letters",
    "leader",
    "board",
    "direction",
    "starting_positions",
    "players",
    "turns",
    "step",
    "repeat",
    "conditions",
    "actions",
    "modifiers",
    "side_effects",
    "moves",
    "pieces",
    "endings",
];

/// Keys that only the objects with this order have.
const ORDERED: [&str; 4] = ["pieces", "moves", "step", "starting_positions"];

/// Writes a document, with a line break at its end.
pub(crate) fn write(json: &Json<'_>) -> String {
    let mut text = String::new();
    let mut json = json.clone();
    order(&mut json);
    block(&json, 0, 0, &mut text);
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

/// Writes a value that starts in a column of a line, with its parts indented further if it is too long.
fn block(json: &Json<'_>, indent: usize, column: usize, text: &mut String) {
    let inline = line(json);
    let is_root = indent == 0 && column == 0;
    if !is_root && column + inline.len() <= WIDTH {
        text.push_str(&inline);
        return;
    }
    let inner = indent + 2;
    match json {
        Json::Object(object) if !object.properties.is_empty() => {
            let parts =
                object.properties.iter().map(|property| (Some(property.name.as_str()), &property.value));
            parts_of(('{', '}'), parts, indent, inner, text);
        }
        Json::Array(array) if !array.elements.is_empty() => {
            parts_of(('[', ']'), array.elements.iter().map(|element| (None, element)), indent, inner, text);
        }
        _ => text.push_str(&inline),
    }
}

fn parts_of<'j, 'a: 'j>(
    (open, close): (char, char),
    parts: impl ExactSizeIterator<Item = (Option<&'j str>, &'j Json<'a>)>,
    indent: usize,
    inner: usize,
    text: &mut String,
) {
    let count = parts.len();
    text.push(open);
    for (index, (key, value)) in parts.enumerate() {
        text.push('\n');
        text.push_str(&" ".repeat(inner));
        let key = key.map_or_else(String::new, |key| format!("{}: ", quoted(key)));
        text.push_str(&key);
        // A comma may follow.
        block(value, inner, inner + key.len() + 1, text);
        if index + 1 < count {
            text.push(',');
        }
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
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
    serde_json::Value::from(text).to_string()
}
