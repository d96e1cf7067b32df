//! Boards beyond rectangles: random specs get wraps, links, hexagons or levels.

use serde_json::{Map, Value, json};
use tabiya_engine::{Lattice, Orientation};
use tabiya_players::SplitMix;

/// Steps that links turn into each other.
const STEPS: [[i32; 2]; 12] =
    [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, -1], [1, -1], [-1, 1], [2, 1], [-1, 2], [0, 2], [1, 0]];

/// Changes the board of a random spec in about half of the cases.
pub(super) fn reshape(game: &mut Value, seed: u64) {
    let mut dice = SplitMix::new(seed ^ 0x00b0_a2d5);
    match dice.below(10) {
        0 | 1 => wrap(game, &mut dice),
        2 | 3 => {
            link(game, &mut dice);
            if dice.below(3) == 0 {
                wrap(game, &mut dice);
            }
        }
        4 | 5 => {
            hexagons(game, &mut dice);
            if dice.below(4) == 0 {
                wrap(game, &mut dice);
            }
        }
        6 | 7 => levels(game, &mut dice),
        _ => {}
    }
}

fn wrap(game: &mut Value, dice: &mut SplitMix) {
    let wraps = [json!(["X"]), json!(["Y"]), json!(["X", "Y"])];
    game["board"]["wrap"] = wraps[dice.below(3)].clone();
    replace_area(game, "BETWEEN", "ADJACENT");
}

/// Adds links. Those that would give a step two are left out.
fn link(game: &mut Value, dice: &mut SplitMix) {
    let size = &game["board"]["dimensions"];
    let (files, ranks) = (size[0].as_u64().unwrap_or(1) as usize, size[1].as_u64().unwrap_or(1) as usize);
    let mut taken: Vec<([i32; 2], [i32; 2])> = Vec::new();
    let mut links = Vec::new();
    for _ in 0..=dice.below(8) {
        let mut square = || [dice.below(files) as i32, dice.below(ranks) as i32];
        let (from, to) = (square(), square());
        let step = STEPS[dice.below(STEPS.len())];
        let onward = if dice.below(2) == 0 { step } else { STEPS[dice.below(STEPS.len())] };
        let sides = [(from, step), (to, onward.map(|by| -by))];
        // A wrapped board may give two steps the same meaning.
        let is_alike = |one: &([i32; 2], [i32; 2]), other: &([i32; 2], [i32; 2])| {
            let by = |axis: usize, size: usize| (one.1[axis] - other.1[axis]) % size as i32 == 0;
            one.0 == other.0 && by(0, files) && by(1, ranks)
        };
        let is_zero = |step: [i32; 2]| step[0] % files as i32 == 0 && step[1] % ranks as i32 == 0;
        let is_free = !sides.iter().any(|side| taken.iter().any(|other| is_alike(side, other)));
        let is_long = step.iter().chain(&onward).any(|by| by.unsigned_abs() as usize > files.min(ranks));
        if is_free && !is_alike(&sides[0], &sides[1]) && !is_zero(step) && !is_zero(onward) && !is_long {
            taken.extend(sides);
            links.push(json!({ "from": [from], "step": step, "to": [to], "onward": onward }));
        }
    }
    if !links.is_empty() {
        game["board"]["links"] = json!(links);
        replace_area(game, "BETWEEN", "ADJACENT");
    }
}

fn hexagons(game: &mut Value, dice: &mut SplitMix) {
    game["board"]["lattice"] = json!("HEX");
    let symmetries: Vec<Orientation> = Orientation::all(Lattice::Hex).collect();
    for player in game["players"].as_array_mut().into_iter().flatten() {
        let symmetry = symmetries[dice.below(symmetries.len())];
        let image = |x: i32, y: i32| symmetry.turn(tabiya_engine::Offset::new(x, y));
        let (right, ahead) = (image(1, 0), image(0, 1));
        player["direction"] = json!([[right.dx, right.dy], [ahead.dx, ahead.dy]]);
    }
    replace_area(game, "RANK", "FILE");
}

/// Spreads the pieces over two or three levels.
fn levels(game: &mut Value, dice: &mut SplitMix) {
    let size = game["board"]["dimensions"].clone();
    let count = 2 + dice.below(2) as i32;
    game["board"]["dimensions"] = json!([size[0], size[1], count]);
    if dice.below(3) == 0 {
        game["board"]["wrap"] = json!(["Z"]);
        replace_area(game, "BETWEEN", "ADJACENT");
    }
    let symmetries: Vec<Orientation> = Orientation::all(Lattice::Square).collect();
    for player in game["players"].as_array_mut().into_iter().flatten() {
        let symmetry = symmetries[dice.below(symmetries.len())];
        let image = |x: i32, y: i32, z: i32| {
            let step = symmetry.turn(tabiya_engine::Offset::on_levels(x, y, z));
            [step.dx, step.dy, step.dz]
        };
        player["direction"] = json!([image(1, 0, 0), image(0, 1, 0), image(0, 0, 1)]);
    }
    raise(game, "", count, dice);
}

/// Adds the level to squares and offsets.
fn raise(value: &mut Value, key: &str, levels: i32, dice: &mut SplitMix) {
    let is_pair = |value: &Value| {
        value.as_array().is_some_and(|list| list.len() == 2 && list.iter().all(Value::is_i64))
    };
    match value {
        Value::Array(list) if list.len() == 2 && list.iter().all(Value::is_i64) => match key {
            "step" | "position" | "target" | "from" | "to" => {
                list.push(json!([-1, 0, 0, 1][dice.below(4)]));
            }
            "positions" | "disabled_positions" | "check" | "values" | "at" => {
                // Squares that differ still differ, and a square has one level wherever it is listed.
                let level = list.iter().filter_map(Value::as_i64).fold(0, |sum, part| 2 * sum + part);
                list.push(json!(level % i64::from(levels)));
            }
            _ => {}
        },
        Value::Array(list) => list.iter_mut().for_each(|entry| raise(entry, key, levels, dice)),
        Value::Object(object) => raise_object(object, key, levels, dice, is_pair),
        _ => {}
    }
}

fn raise_object(
    object: &mut Map<String, Value>,
    key: &str,
    levels: i32,
    dice: &mut SplitMix,
    is_pair: impl Fn(&Value) -> bool,
) {
    for (name, entry) in object.iter_mut() {
        // The squares of a player or of a tag value stand under the key of the whole.
        let is_step = ["step", "position", "target", "from", "to"].contains(&name.as_str()) && is_pair(entry);
        let inner = if ["check", "values"].contains(&key) && !is_step { key } else { name.as_str() };
        let inner = inner.to_owned();
        raise(entry, &inner, levels, dice);
    }
}

fn replace_area(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|entry| replace_area(entry, from, to)),
        Value::Object(object) => {
            if let Some(area) = object.get_mut("area").filter(|area| **area == from) {
                *area = json!(to);
            }
            object.values_mut().for_each(|entry| replace_area(entry, from, to));
        }
        _ => {}
    }
}
