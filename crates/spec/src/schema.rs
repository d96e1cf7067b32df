//! The format as a JSON Schema, for editors: they complete keys and mark mistakes while a game is being written.
//!
//! It is made out of the types that read the file, so it cannot say anything else. It tells structure only; whether
//! the parts fit together, [`crate::check_all`] tells. What depends on options is resolved before the types read it, so
//! that is added to what they say.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::model::GameSpec;

/// The JSON Schema (draft 2020-12) of a game. `games/schema.json` holds a copy.
///
/// ```
/// let schema = tabiya_spec::schema();
/// assert_eq!(schema["properties"]["turns"]["$ref"], "#/$defs/TurnsSpec");
/// ```
pub fn schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<GameSpec>();
    schema.insert("title".into(), "A game of the chess family".into());
    let mut schema = schema.to_value();
    leave_open(&mut schema);
    schema
}

/// What a file says about its choices does not depend on them.
const FIXED: [&str; 3] = ["OptionSpec", "OccasionSpec", "Setting"];

/// Adds that an object may be there only if options have certain values, that an option may stand for a value or name a
/// square, and that a list may hold groups of entries.
fn leave_open(schema: &mut Value) {
    let plain = plain_definitions(schema);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let open = properties
            .iter_mut()
            .filter(|(key, _)| !["options", "presets", "occasions"].contains(&key.as_str()));
        open.for_each(|(_, property)| value(property, &plain));
    }
    let Some(Value::Object(definitions)) = schema.get_mut("$defs") else { return };
    for (_, definition) in definitions.iter_mut().filter(|(name, _)| !FIXED.contains(&name.as_str())) {
        inside(definition, &plain);
    }
    definitions.insert(
        "OnlyIf".into(),
        json!({
            "description": "By name, options with the values that they must have: one, or one of a list.",
            "type": "object",
            "additionalProperties": { "anyOf": [
                { "$ref": "#/$defs/Setting" },
                { "type": "array", "items": { "$ref": "#/$defs/Setting" } },
            ] },
        }),
    );
    definitions.insert(
        "OptionValue".into(),
        json!({
            "description": "The value of an option of this file.",
            "type": "object",
            "properties": { "option": { "description": "Name of the option.", "type": "string" } },
            "required": ["option"],
            "additionalProperties": false,
        }),
    );
    definitions.insert("SquareValue".into(), square_value());
    definitions.insert("Entries".into(), group());
}

/// An object in whose place a square stands.
fn square_value() -> Value {
    json!({
        "description": "The square that the value of an option of this file names.",
        "type": "object",
        "properties": { "square": { "description": "Name of the option.", "type": "string" } },
        "required": ["square"],
        "additionalProperties": false,
    })
}

/// An object in whose place its entries stand; which ones fit, the list says.
fn group() -> Value {
    json!({
        "description": "Entries of the list around it, if `only_if` holds.",
        "type": "object",
        "properties": {
            "only_if": { "$ref": "#/$defs/OnlyIf" },
            "entries": { "description": "The entries.", "type": "array" },
        },
        "required": ["entries"],
        "additionalProperties": false,
    })
}

/// The definitions that allow a text, a number, or true or false: these an option can stand for.
fn plain_definitions(schema: &Value) -> Vec<String> {
    let definitions = schema.get("$defs").and_then(Value::as_object);
    let plain = definitions.into_iter().flatten().filter(|(_, definition)| is_plain(definition));
    plain.map(|(name, _)| format!("#/$defs/{name}")).collect()
}

fn is_plain(schema: &Value) -> bool {
    let is_word = |value: &Value| matches!(value.as_str(), Some("string" | "integer" | "boolean"));
    let choices = schema.get("anyOf").and_then(Value::as_array);
    schema.get("type").is_some_and(is_word)
        || schema.get("enum").is_some()
        || choices.is_some_and(|choices| choices.iter().any(is_plain))
}

/// A value of the format: what lies within it is open, and it is itself if it is plain.
fn value(schema: &mut Value, plain: &[String]) {
    inside(schema, plain);
    let refers = schema.get("$ref").and_then(Value::as_str).is_some_and(|to| plain.iter().any(|it| it == to));
    if schema.get("const").is_some() || !(refers || is_plain(schema)) {
        return;
    }
    let mut inner = std::mem::take(schema);
    let description = inner.as_object_mut().and_then(|fields| fields.shift_remove("description"));
    let mut outer = Map::new();
    outer.extend(description.map(|text| ("description".into(), text)));
    outer.insert("anyOf".into(), json!([inner, { "$ref": "#/$defs/OptionValue" }]));
    *schema = Value::Object(outer);
}

/// What lies within a value: the properties of an object, the entries of a list, the forms that it may have.
fn inside(schema: &mut Value, plain: &[String]) {
    let Some(fields) = schema.as_object_mut() else { return };
    if let Some(Value::Object(properties)) = fields.get_mut("properties") {
        properties.iter_mut().for_each(|(_, property)| value(property, plain));
        properties.insert("only_if".into(), json!({ "$ref": "#/$defs/OnlyIf" }));
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = fields.get_mut(key).filter(|inner| inner.is_object()) {
            value(inner, plain);
        }
    }
    if let Some(items) = fields.get_mut("items").filter(|items| items.is_object()) {
        let entry = std::mem::take(items);
        let square = (entry.get("$ref") == Some(&json!("#/$defs/Coord"))).then_some("SquareValue");
        let others = square.into_iter().chain(["Entries"]);
        let others = others.map(|name| json!({ "$ref": format!("#/$defs/{name}") }));
        let forms: Vec<Value> = [entry].into_iter().chain(others).collect();
        *items = json!({ "anyOf": forms });
    }
    if let Some(Value::Array(forms)) = fields.get_mut("anyOf") {
        for form in forms {
            inside(form, plain);
        }
    }
}
