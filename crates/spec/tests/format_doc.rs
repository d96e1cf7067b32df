//! `docs/game-format.md` is true: its games load without a fault, its fragments fit into the first of them, and no key
//! or word of the format is missing from it.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tabiya_spec::diagnostic::Severity;
use tabiya_spec::model::{Clause, Condition, Effect};
use tabiya_spec::{check_all, schema};

const DOCUMENT: &str = include_str!("../../../docs/game-format.md");

/// Every fenced block: what stands after the fence, and what it holds.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let parts: Vec<&str> = DOCUMENT.split("\n```").collect();
    assert!(parts.len() % 2 == 1, "a fence is not closed");
    parts.chunks_exact(2).map(|pair| pair[1].split_once('\n').expect("a fence ends its line")).collect()
}

fn bodies(info: &str) -> Vec<&'static str> {
    blocks().into_iter().filter(|(found, _)| *found == info).map(|(_, body)| body).collect()
}

/// The game into which fragments are put: the first of the document.
fn base() -> Value {
    serde_json::from_str(bodies("json game").first().expect("a game")).expect("it is JSON")
}

/// The faults of a file, warnings only if they are asked for.
fn faults(text: &str, least: Severity) -> Vec<String> {
    let found = check_all(text.as_bytes()).diagnostics;
    let wanted = found.iter().filter(|fault| fault.severity() <= least);
    wanted.map(|fault| format!("{} at `{}`: {}", fault.code, fault.pointer, fault.message)).collect()
}

/// Puts each fragment of a kind to the end of the list at the pointer, created if need be, and loads the game.
fn check_fragments(info: &str, parent: &str, key: &str) {
    let fragments = bodies(info);
    assert!(!fragments.is_empty(), "no block is a `{info}`");
    for fragment in fragments {
        let value: Value =
            serde_json::from_str(fragment).unwrap_or_else(|error| panic!("{error}: {fragment}"));
        let mut game = base();
        let object = game.pointer_mut(parent).and_then(Value::as_object_mut).expect("the base game has it");
        let list = object.entry(key).or_insert_with(|| Value::Array(Vec::new()));
        list.as_array_mut().expect("a list").push(value);
        assert_eq!(faults(&game.to_string(), Severity::Error), [""; 0], "{fragment}");
    }
}

#[test]
fn every_block_is_of_a_known_kind() {
    let known = [
        "json game",
        "json keys",
        "json move",
        "json condition",
        "json effect",
        "json ending",
        "json clause",
        "sh",
    ];
    for (info, body) in blocks() {
        assert!(known.contains(&info), "a block is headed `{info}`:{body}");
    }
}

#[test]
fn games_have_no_faults() {
    assert!(bodies("json game").len() >= 2);
    for game in bodies("json game") {
        assert_eq!(faults(game, Severity::Warning), [""; 0], "{game}");
    }
}

/// Keys of a game stand in the place of those of the game for four, and leave it without a fault.
#[test]
fn keys_fit() {
    let games =
        bodies("json game").into_iter().map(|game| serde_json::from_str::<Value>(game).expect("JSON"));
    let quarters = games.into_iter().find(|game| game["name"] == "Quarters").expect("a game for four");
    let fragments = bodies("json keys");
    assert!(fragments.len() >= 10);
    for fragment in fragments {
        let keys: Value =
            serde_json::from_str(fragment).unwrap_or_else(|error| panic!("{error}: {fragment}"));
        let mut game = quarters.clone();
        for (key, value) in keys.as_object().expect("an object") {
            game[key] = value.clone();
        }
        assert_eq!(faults(&game.to_string(), Severity::Warning), [""; 0], "{fragment}");
    }
}

#[test]
fn moves_fit() {
    check_fragments("json move", "/pieces/2", "moves");
}

#[test]
fn conditions_fit() {
    check_fragments("json condition", "/pieces/2/moves/2", "conditions");
}

#[test]
fn effects_fit() {
    check_fragments("json effect", "/pieces/2/moves/2", "side_effects");
}

#[test]
fn endings_fit() {
    check_fragments("json ending", "", "endings");
}

#[test]
fn conditions_of_endings_fit() {
    for clause in bodies("json clause") {
        let mut game = base();
        let clause: Value = serde_json::from_str(clause).unwrap_or_else(|error| panic!("{error}: {clause}"));
        game["endings"] = json!([{ "code": "EXAMPLE", "when": [clause] }]);
        // What is asked while the turn passes is asked nowhere else.
        if clause["condition"] == "STUCK" {
            game["stuck"] = json!("PASSES");
            game["endings"][0]["stops"] = json!(true);
        }
        assert_eq!(faults(&game.to_string(), Severity::Error), [""; 0], "{clause}");
    }
}

#[test]
fn every_condition_and_effect_has_an_example() {
    let shown = |info: &str, tag: &str| -> BTreeSet<String> {
        let values = bodies(info).into_iter().map(|body| serde_json::from_str::<Value>(body).expect("JSON"));
        values.filter_map(|value| Some(value.get(tag)?.as_str()?.to_owned())).collect()
    };
    let conditions = shown("json condition", "condition");
    assert!(Condition::WORDS.iter().all(|word| conditions.contains(*word)), "{conditions:?}");
    assert!(conditions.iter().any(|word| !Condition::WORDS.contains(&word.as_str())), "none by its code");
    let effects = shown("json effect", "action");
    assert!(Effect::WORDS.iter().all(|word| effects.contains(*word)), "{effects:?}");
    let clauses = shown("json clause", "condition");
    assert!(Clause::WORDS.iter().all(|word| clauses.contains(*word)), "{clauses:?}");
}

#[test]
fn every_key_and_word_of_the_schema_is_told() {
    let (mut keys, mut words) = (BTreeSet::new(), BTreeSet::new());
    collect(&schema(), &mut keys, &mut words);
    assert!(keys.contains("disabled_positions") && words.contains("NOT_EMPTY"), "the schema is walked");
    for key in keys {
        assert!(DOCUMENT.contains(&format!("`{key}`")), "the key `{key}` is not told");
    }
    for word in words {
        let told = [format!("`{word}`"), format!("`\"{word}\"`")];
        assert!(told.iter().any(|text| DOCUMENT.contains(text)), "the word `{word}` is not told");
    }
}

/// Keys of objects, and words that a value may be, wherever they stand in a schema.
fn collect(value: &Value, keys: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                match (key.as_str(), inner) {
                    ("properties", Value::Object(properties)) => keys.extend(properties.keys().cloned()),
                    ("enum", Value::Array(list)) => {
                        words.extend(list.iter().filter_map(Value::as_str).map(Into::into));
                    }
                    ("const", Value::String(word)) => {
                        words.insert(word.clone());
                    }
                    _ => {}
                }
                collect(inner, keys, words);
            }
        }
        Value::Array(list) => list.iter().for_each(|inner| collect(inner, keys, words)),
        _ => {}
    }
}
