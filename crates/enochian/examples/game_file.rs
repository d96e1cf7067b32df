//! Keeps `games/enochian.json` in step with `docs/enochian-rules.yaml`, the source of every array.
//!
//! The starting position (`players`, `turns`, `conditions`) and the `layouts` of the game file are generated from the
//! arrays; the rest of the file is written by hand. Without arguments the program fails if the file is out of date;
//! `--write` regenerates it.
#![allow(clippy::print_stderr, reason = "a command-line program")]

use std::process::ExitCode;
use std::{env, fs};

use serde_json::{Map, Value};
use tabiya_enochian::{TABLET_OF_FIRE_PROTOTYPE, available_arrays, layout_json};
use tabiya_spec::lay_out;

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/enochian.json");
const COMMAND: &str = "cargo run -p tabiya-enochian --example game_file -- --write";

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
    lay_out(&file.to_string()).ok_or("the game file is not JSON".into())
}

/// Returns a layout for each array.
fn layouts() -> Value {
    let arrays = available_arrays().iter();
    let layouts: Map<String, Value> = arrays.map(|array| (array.name.clone(), layout_json(array))).collect();
    Value::Object(layouts)
}
