//! The JSON Schema of the format, for completion and validation in editors.
//!
//! The schema is generated from the types that read the file, so the two cannot disagree. It covers structure only;
//! [`crate::check_all`] checks whether the parts fit together. Short forms are rewritten and choices resolved before the
//! types read a file, so their syntax is added here.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::model::GameSpec;

/// Returns the JSON Schema (draft 2020-12) of a game file. `games/schema.json` holds a copy.
///
/// ```
/// let schema = tabiya_spec::schema();
/// assert_eq!(schema["properties"]["turns"]["$ref"], "#/$defs/TurnsSpec");
/// ```
pub fn schema() -> Value {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<GameSpec>();
    schema.insert("title".into(), "A game of the chess family".into());
    let mut schema = schema.to_value();
    allow_short_forms(&mut schema);
    allow_choices(&mut schema);
    allow_comments(&mut schema);
    schema
}

/// Adds the key `$comment` to every object with fixed keys.
fn allow_comments(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(allow_comments);
            if object.get("additionalProperties") == Some(&Value::Bool(false))
                && let Some(Value::Object(properties)) = object.get_mut("properties")
            {
                properties.insert("$comment".into(), json!({ "$ref": "#/$defs/Comment" }));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(allow_comments),
        _ => {}
    }
    if schema.get("$defs").is_some() {
        schema["$defs"]["Comment"] = json!({
            "description": "Text for readers of the file. It means nothing.",
            "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
        });
    }
}

/// Adds the keys of short forms, and allows what they leave out.
fn allow_short_forms(schema: &mut Value) {
    schema["properties"]["extends"] = json!({
        "description": "The game that this file changes: its name in the library, or the path of a file below this folder.",
        "type": "string",
    });
    schema["properties"]["setup"] = json!({
        "description": "The starting position as board text, instead of `starting_positions`.",
        "type": "string",
    });
    let player = schema["properties"]["players"]["items"].take();
    let name = json!({ "description": "Name of the player. The first moves up, the second of two down.", "type": "string" });
    schema["properties"]["players"]["items"] = json!({ "anyOf": [player, name] });
    optional(schema, &["board", "pieces", "players", "turns"]);
    let definitions = &mut schema["$defs"];
    definitions["Squares"] = squares();
    definitions["Region"] = region();
    let squares = json!({ "$ref": "#/$defs/Squares" });
    let lists = [
        "/BoardSpec/properties/disabled_positions",
        "/StartSpec/properties/positions",
        "/LinkSpec/properties/from",
        "/LinkSpec/properties/to",
    ];
    for pointer in lists {
        if let Some(list) = definitions.pointer_mut(pointer) {
            list["anyOf"] = json!([{ "type": list["type"].take(), "items": list["items"].take() }, squares]);
            list.as_object_mut().map(|list| (list.shift_remove("type"), list.shift_remove("items")));
        }
    }
    definitions["BoardSpec"]["properties"]["side"] = json!({
        "description": "A hexagon of hexagons with that many on each side, instead of `dimensions` and `disabled_positions`.",
        "type": "integer",
        "minimum": 1,
        "maximum": 16,
    });
    optional(&mut definitions["BoardSpec"], &["dimensions"]);
    optional(&mut definitions["PlayerSpec"], &["starting_positions"]);
    for owner in ["PlayerSpec", "LayoutPlayer"] {
        let long = definitions[owner]["properties"]["starting_positions"].take();
        definitions[owner]["properties"]["starting_positions"] = json!({
            "description": long["description"],
            "anyOf": [
                { "type": "array", "items": long["items"] },
                { "type": "object", "additionalProperties": { "$ref": "#/$defs/Squares" } },
            ],
        });
    }
    if let Some(Value::Array(kinds)) = definitions.pointer_mut("/GlobalCondition/anyOf") {
        for check in kinds.iter_mut().filter_map(|kind| kind.pointer_mut("/properties/check")) {
            if let Some(lists) = check.get_mut("additionalProperties").map(Value::take) {
                let description = check["description"].take();
                let by_player =
                    json!({ "type": "object", "additionalProperties": { "anyOf": [lists, squares] } });
                *check = json!({ "description": description, "anyOf": [squares, by_player] });
            }
        }
    }
    for list in ["Clause", "Condition"] {
        let kinds = definitions.get_mut(list).and_then(|it| it["anyOf"].as_array_mut()).into_iter().flatten();
        for kind in kinds.filter(|kind| kind["properties"]["condition"]["const"] == "COUNT") {
            kind["properties"]["not_piece"] = json!({
                "description": "Counts all kinds except these and the leader.",
                "type": "array",
                "items": { "type": "string" },
            });
        }
    }
    for entry in ["PieceSpec", "PlayerSpec", "EndingSpec"] {
        definitions[entry]["properties"]["remove"] = json!({
            "description": "With `extends`: whether the inherited entry is removed.",
            "type": "boolean",
        });
    }
    definitions["EndingSpec"]["properties"]["id"] = json!({
        "description": "A name by which a file that `extends` this one changes the ending.",
        "type": "string",
    });
    optional(&mut definitions["EndingSpec"], &["code", "when"]);
    optional(&mut definitions["PlayerSpec"], &["direction"]);
    let word = json!({ "description": "Moves in Betza notation, such as `fmWfcF`.", "type": "string" });
    let piece = &mut definitions["PieceSpec"];
    optional(piece, &["moves"]);
    piece["properties"]["betza"] = word.clone();
    piece["properties"]["like"] = json!({
        "description": "Codes of pieces whose moves the piece has too.",
        "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
    });
    piece["properties"]["promotion"] = json!({
        "description": "The promotion of every move without `modifiers`.",
        "type": "object",
        "properties": {
            "in": {
                "description": "Where the piece is promoted: the code of a `POSITION` condition, or squares.",
                "anyOf": [
                    { "type": "string" },
                    { "$ref": "#/$defs/Squares" },
                    { "type": "object", "additionalProperties": { "$ref": "#/$defs/Squares" } },
                ],
            },
            "to": {
                "description": "Codes of the pieces that the player can choose.",
                "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
            },
        },
        "required": ["to"],
        "additionalProperties": false,
    });
    piece["properties"]["gates"] = json!({
        "description": "Every move may drop one of these pieces from the hand on the square that the piece leaves.",
        "type": "object",
        "properties": {
            "piece": {
                "description": "Codes of pieces in hand.",
                "type": "array",
                "items": { "type": "string" },
            },
            "conditions": {
                "description": "Further conditions of the moves that drop a piece, except castling.",
                "type": "array",
                "items": { "$ref": "#/$defs/Condition" },
            },
        },
        "required": ["piece"],
        "additionalProperties": false,
    });
    let castling = piece["properties"]["castling"].take();
    piece["properties"]["castling"] = json!({
        "description": castling["description"],
        "anyOf": [castling_by_files(), { "type": "array", "items": castling["items"] }],
    });
    let castle = &mut definitions["CastleSpec"];
    optional(castle, &["id"]);
    for key in ["to", "with_to"] {
        let long = castle["properties"][key].take();
        castle["properties"][key] = json!({
            "description": long["description"],
            "anyOf": [
                { "$ref": "#/$defs/Squares" },
                { "type": "object", "additionalProperties": { "$ref": "#/$defs/Squares" } },
            ],
        });
    }
    let played = &mut definitions["MoveSpec"];
    optional(played, &["id", "step", "actions"]);
    played["properties"]["betza"] = word;
    played["properties"]["turned"] = json!({
        "description": "Further directions of the step.",
        "enum": ["ALL", "ROTATED", "MIRRORED", "FORWARD"],
        "enumDescriptions": [
            "All rotations and reflections of the step.",
            "The step in all four rotations.",
            "The step and its mirror image to the other side.",
            "The directions of `ALL` that lead forward.",
        ],
    });
    let actions = played["properties"]["actions"].take();
    played["properties"]["actions"] = json!({
        "description": actions["description"],
        "anyOf": [
            { "enum": ["MOVE", "CAPTURE"], "enumDescriptions": ["Only moves to empty squares.", "Only captures."] },
            { "type": "array", "items": actions["items"] },
        ],
    });
}

fn castling_by_files() -> Value {
    json!({
        "description": "Castling on the first rank of each player.",
        "type": "object",
        "properties": {
            "with": { "description": "Codes of the partners.", "type": "array", "items": { "type": "string" } },
            "files": {
                "description": "For each file to which the piece goes: the file of its partner, such as `{ \"g\": \"f\", \"c\": \"d\" }`.",
                "type": "object",
                "additionalProperties": { "type": "string" },
            },
        },
        "required": ["with", "files"],
        "additionalProperties": false,
    })
}

/// Makes keys of an object optional.
fn optional(schema: &mut Value, keys: &[&str]) {
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|key| !keys.iter().any(|it| key == it));
    }
}

fn squares() -> Value {
    json!({
        "description": "Squares by name (`e4`), ranges (`a2-h2`) and regions.",
        "anyOf": [
            { "type": "string" },
            { "$ref": "#/$defs/Region" },
            { "type": "array", "items": { "anyOf": [
                { "$ref": "#/$defs/Coord" }, { "type": "string" }, { "$ref": "#/$defs/Region" },
            ] } },
        ],
    })
}

fn region() -> Value {
    let squares = json!({ "$ref": "#/$defs/Squares" });
    let lines = |description: &str| {
        json!({
            "description": description,
            "anyOf": [
                { "type": "integer" },
                { "type": "string" },
                { "type": "array", "items": { "type": ["integer", "string"] } },
            ],
        })
    };
    let set = |description: &str| json!({ "description": description, "anyOf": [squares] });
    json!({
        "description": "The squares on which all keys agree.",
        "type": "object",
        "properties": {
            "ranks": lines("On these ranks: `8`, `[1, 2]`, `1-3`."),
            "files": lines("On these files: `a`, `d-f`."),
            "levels": lines("On these levels: `A`, `B-C`, `2`."),
            "own_ranks": lines("On these ranks as counted from the player's side."),
            "colour": { "description": "Of this colour; a1 is dark.", "enum": ["DARK", "LIGHT"] },
            "squares": set("These squares."),
            "adjacent_to": set("Beside one of these squares."),
            "union": set("In one of these squares or regions."),
            "without": set("In none of these squares or regions."),
        },
        "minProperties": 1,
        "additionalProperties": false,
    })
}

/// Definitions that do not depend on options.
const FIXED: [&str; 3] = ["OptionSpec", "OccasionSpec", "Setting"];

/// Allows `only_if` in every object, options in place of values and squares, and groups of entries in lists.
fn allow_choices(schema: &mut Value) {
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
            "description": "Required values of options, by name: a value, or a list of alternatives.",
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

/// Returns the schema of a placeholder for a square.
fn square_value() -> Value {
    json!({
        "description": "The square that an option of this file names.",
        "type": "object",
        "properties": { "square": { "description": "Name of the option.", "type": "string" } },
        "required": ["square"],
        "additionalProperties": false,
    })
}

/// Returns the schema of a group of list entries.
fn group() -> Value {
    json!({
        "description": "Entries that join the surrounding list if `only_if` holds.",
        "type": "object",
        "properties": {
            "only_if": { "$ref": "#/$defs/OnlyIf" },
            "entries": { "description": "The entries.", "type": "array" },
        },
        "required": ["entries"],
        "additionalProperties": false,
    })
}

/// Returns the definitions that allow a string, a number or a Boolean. An option can replace these.
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

/// Allows choices within a value, and an option in its place if it is plain.
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

/// Allows choices within the properties of an object, the items of a list and the alternatives of a value.
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
