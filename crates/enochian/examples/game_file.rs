//! Keeps `games/enochian.json` in step with `docs/enochian-rules.yaml`, the source of every array.
//!
//! The starting position (`players`, `turns`, `conditions`) and the `layouts` of the game file are generated from the
//! arrays; the rest of the file is written by hand. Without arguments the program fails if the file is out of date;
//! `--write` regenerates it.
#![allow(clippy::print_stderr, reason = "a command-line program")]

use std::process::ExitCode;
use std::{env, fs};

use serde_json::{Map, Value, json};
use tabiya_enochian::{TABLET_OF_FIRE_PROTOTYPE, available_arrays, layout_json};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/enochian.json");
const COMMAND: &str = "cargo run -p tabiya-enochian --example game_file -- --write";

/// The longest line of the generated parts.
const COLUMNS: usize = 126;

fn main() -> ExitCode {
    match run(env::args().any(|argument| argument == "--write")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

fn run(write: bool) -> Result<(), String> {
    let current = fs::read_to_string(PATH).map_err(|error| format!("{PATH}: {error}"))?;
    let generated = regenerate(&current)?;
    if current == generated {
        Ok(())
    } else if write {
        fs::write(PATH, generated).map_err(|error| format!("{PATH}: {error}"))
    } else {
        Err(format!(
            "games/enochian.json differs from docs/enochian-rules.yaml; regenerate it with `{COMMAND}`"
        ))
    }
}

/// Returns the text of the game file with its generated parts replaced.
fn regenerate(current: &str) -> Result<String, String> {
    let mut file: Value = serde_json::from_str(current).map_err(|error| error.to_string())?;
    let start = layout_json(&TABLET_OF_FIRE_PROTOTYPE);
    for player in file["players"].as_array_mut().into_iter().flatten() {
        let army = player["name"].as_str().unwrap_or_default().to_owned();
        for key in ["direction", "starting_positions"] {
            player[key] = start["players"][&army][key].clone();
        }
    }
    for condition in file["conditions"].as_array_mut().into_iter().flatten() {
        if let Some(check) = condition["code"].as_str().and_then(|code| start["conditions"].get(code)) {
            condition["check"] = check.clone();
        }
    }
    file["turns"] = start["turns"].clone();
    file["layouts"] = layouts();
    let mut text = current.to_owned();
    for key in ["players", "turns", "conditions", "layouts"] {
        let begin = format!("\n  \"{key}\": ");
        let from = text.find(&begin).ok_or(format!("there is no `{key}`"))? + begin.len();
        let length = text[from..].find(",\n  \"").or_else(|| text[from..].find("\n}"));
        let to = from + length.ok_or(format!("`{key}` has no end"))?;
        text.replace_range(from..to, &pretty(&file[key], 2, begin.len() - 1));
    }
    Ok(text)
}

/// Returns a layout for each array.
fn layouts() -> Value {
    let arrays = available_arrays().iter();
    let layouts: Map<String, Value> = arrays.map(|array| (array.name.clone(), layout_json(array))).collect();
    Value::Object(layouts)
}

/// Formats a value: on one line if it fits behind `column`, else one entry per line.
fn pretty(value: &Value, indent: usize, column: usize) -> String {
    let flat = flat(value);
    if column + flat.len() <= COLUMNS {
        return flat;
    }
    let pad = " ".repeat(indent + 2);
    let (open, entries, close) = match value {
        Value::Object(map) => {
            let entry = |(key, value): (&String, &Value)| {
                let key = format!("{}: ", json!(key));
                format!("{key}{}", pretty(value, indent + 2, indent + 2 + key.len()))
            };
            ('{', map.iter().map(entry).collect::<Vec<_>>(), '}')
        }
        Value::Array(list) => {
            ('[', list.iter().map(|it| pretty(it, indent + 2, indent + 2)).collect::<Vec<_>>(), ']')
        }
        _ => return flat,
    };
    format!("{open}\n{pad}{}\n{}{close}", entries.join(&format!(",\n{pad}")), &pad[2..])
}

fn flat(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{}: {}", json!(key), flat(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(flat).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
