//! Value files: the evaluation values of a game as JSON that people can read and edit.
//!
//! `pieces` has an object for each kind by its code; `position` has the values that do not depend on a kind. Missing
//! values are derived from the rules.

use serde_json::{Map, Value, json};
use tabiya_engine::Rules;
use tabiya_players::{Values, Weight};

/// Returns the values as a JSON object.
pub fn values_json(rules: &Rules, values: &Values) -> Value {
    let (mut pieces, mut position) = (Map::new(), Map::new());
    for Weight { kind, name, value } in values.weights() {
        let Some(kind) = kind else {
            position.insert(name, json!(value));
            continue;
        };
        let piece = pieces.entry(rules.kind(kind).code.clone()).or_insert_with(|| json!({}));
        piece[&name] = json!(value);
    }
    json!({ "pieces": pieces, "position": position })
}

/// Parses a value file.
///
/// # Errors
///
/// Returns every problem of the file as a sentence.
pub fn read_values(rules: &Rules, text: &str) -> Result<Values, Vec<String>> {
    let file: Value =
        serde_json::from_str(text).map_err(|error| vec![format!("this is not JSON: {error}")])?;
    let derived = Values::of(rules);
    let mut numbers = derived.weights();
    let mut faults = Vec::new();
    let Some(parts) = file.as_object() else { return Err(vec!["this is not an object".to_owned()]) };
    for (part, content) in parts {
        let Some(content) = content.as_object() else {
            faults.push(format!("`{part}` is not an object"));
            continue;
        };
        match part.as_str() {
            "position" => {
                set_all(&mut numbers, "position", content, &mut faults, |number| number.kind.is_none());
            }
            "pieces" => {
                for (code, content) in content {
                    let Some(kind) = rules.kinds().find(|kind| rules.kind(*kind).code == *code) else {
                        faults.push(format!("pieces: the game has no piece `{code}`"));
                        continue;
                    };
                    let place = format!("pieces.{code}");
                    match content.as_object() {
                        Some(content) => {
                            set_all(&mut numbers, &place, content, &mut faults, |it| it.kind == Some(kind));
                        }
                        None => faults.push(format!("{place} is not an object")),
                    }
                }
            }
            _ => faults.push(format!("unknown part `{part}`; expected pieces or position")),
        }
    }
    let numbers: Vec<i32> = numbers.iter().map(|number| number.value).collect();
    if faults.is_empty() { Ok(derived.with_weights(rules, &numbers)) } else { Err(faults) }
}

fn set_all(
    numbers: &mut [Weight],
    place: &str,
    content: &Map<String, Value>,
    faults: &mut Vec<String>,
    is_selected: impl Fn(&Weight) -> bool,
) {
    for (name, value) in content {
        let number = numbers.iter_mut().find(|number| is_selected(number) && number.name == *name);
        let value = value.as_i64().and_then(|it| i32::try_from(it).ok()).filter(|it| it.abs() <= Values::MAX);
        match (number, value) {
            (Some(number), Some(value)) => number.value = value,
            (None, _) => faults.push(format!("{place}: unknown value `{name}`")),
            (_, None) => faults.push(format!(
                "{place}.{name} is not a whole number from -{most} to {most}",
                most = Values::MAX
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess() -> tabiya_spec::Game {
        tabiya_spec::library::load("chess").expect("a library game")
    }

    #[test]
    fn values_round_trip() {
        let rules = &chess().rules;
        let mut file = values_json(rules, &Values::of(rules));
        file["pieces"]["QUEEN"]["value"] = json!(1234);
        let values = read_values(rules, &file.to_string()).expect("a valid file");
        assert_eq!(values_json(rules, &values), file);
        let some = r#"{"position":{"shelter":77}}"#;
        let values = read_values(rules, some).expect("a valid file with defaults");
        assert_eq!(values_json(rules, &values)["position"]["shelter"], json!(77));
    }

    #[test]
    fn every_problem_is_reported() {
        let rules = &chess().rules;
        let bad = r#"{"pieces":{"QUEN":{},"ROOK":{"value":"much","speed":3},"KING":7},"position":{"shelter":1e9},"x":{}}"#;
        let faults = read_values(rules, bad).expect_err("nothing of a valid file").join("\n");
        for part in ["QUEN", "pieces.ROOK.value", "`speed`", "pieces.KING", "position.shelter", "`x`"] {
            assert!(faults.contains(part), "{part} in {faults}");
        }
        assert!(read_values(rules, "[").expect_err("not JSON")[0].contains("not JSON"));
    }
}
