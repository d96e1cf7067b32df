//! The examples of `docs/game-format.md` are valid: its games load without diagnostics, its fragments fit into the
//! first game, and it mentions every key and keyword of the format. The games of `docs/for-designers.md` load, too.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tabiya_spec::diagnostic::Severity;
use tabiya_spec::model::{Clause, Condition, Effect};
use tabiya_spec::{Choices, check_all, english, expand, load, schema};

const DOCUMENT: &str = include_str!("../../../docs/game-format.md");
const FOR_DESIGNERS: &str = include_str!("../../../docs/for-designers.md");

/// Returns every fenced block of a document: its label and its contents.
fn blocks(document: &'static str) -> Vec<(&'static str, &'static str)> {
    let parts: Vec<&str> = document.split("\n```").collect();
    assert!(parts.len() % 2 == 1, "a fence is not closed");
    parts.chunks_exact(2).map(|pair| pair[1].split_once('\n').expect("a fence ends its line")).collect()
}

fn bodies(info: &str) -> Vec<&'static str> {
    bodies_in(DOCUMENT, info)
}

fn bodies_in(document: &'static str, info: &str) -> Vec<&'static str> {
    blocks(document).into_iter().filter(|(found, _)| *found == info).map(|(_, body)| body).collect()
}

/// Returns the game into which fragments are put: the first of the document, in its long form.
fn base() -> Value {
    let game = *bodies("json game").first().expect("a game");
    let long = expand(game.as_bytes(), &Choices::default()).expect("it has no errors");
    serde_json::from_str(&long).expect("it is JSON")
}

/// Returns the diagnostics of a file down to the given severity.
fn problems(text: &str, least: Severity) -> Vec<String> {
    let found = check_all(text.as_bytes()).diagnostics;
    let wanted = found.iter().filter(|diagnostic| diagnostic.severity() <= least);
    wanted
        .map(|diagnostic| format!("{} at `{}`: {}", diagnostic.code, diagnostic.pointer, diagnostic.message))
        .collect()
}

/// Returns the base game with a fragment at the end of the list at the pointer. A fragment with the code of an entry replaces it.
fn with_fragment(fragment: &str, parent: &str, key: &str) -> Value {
    let value: Value = serde_json::from_str(fragment).unwrap_or_else(|error| panic!("{error}: {fragment}"));
    let mut game = base();
    let object = game.pointer_mut(parent).and_then(Value::as_object_mut).expect("the base game has it");
    let list = object.entry(key).or_insert_with(|| Value::Array(Vec::new()));
    let list = list.as_array_mut().expect("a list");
    match list.iter_mut().find(|entry| value.get("code").is_some() && entry.get("code") == value.get("code"))
    {
        Some(entry) => *entry = value,
        None => list.push(value),
    }
    // Drops need a hand.
    if fragment.contains("DROP") {
        game["hands"] = json!({});
    }
    game
}

/// Loads the base game with each fragment of a kind. Each is explained in its own words.
fn check_fragments(info: &str, parent: &str, key: &str) {
    let fragments: BTreeSet<&str> = bodies(info).into_iter().collect();
    assert!(!fragments.is_empty(), "no block is a `{info}`");
    let games = fragments.into_iter().map(|fragment| (fragment, with_fragment(fragment, parent, key)));
    check_explained(games.collect());
}

/// Loads games that differ, and requires that their rules in English differ from each other and from those of the base game.
fn check_explained(games: Vec<(&str, Value)>) {
    let mut seen = BTreeSet::from([explained("the base game", &base())]);
    for (fragment, game) in games {
        assert!(seen.insert(explained(fragment, &game)), "not explained: {fragment}");
    }
}

/// Returns the rules of a game in English.
fn explained(fragment: &str, game: &Value) -> String {
    assert_eq!(problems(&game.to_string(), Severity::Error), [""; 0], "{fragment}");
    english(&load(game.to_string().as_bytes()).game.expect("a game"))
}

#[test]
fn every_block_has_a_known_label() {
    let known = [
        "json game",
        "json keys",
        "json piece",
        "json long",
        "json move",
        "json condition",
        "json effect",
        "json ending",
        "json clause",
        "sh",
    ];
    for (info, body) in blocks(DOCUMENT) {
        assert!(known.contains(&info), "a block is headed `{info}`:{body}");
    }
    for (info, body) in blocks(FOR_DESIGNERS) {
        assert!(["json game", "ini", "sh"].contains(&info), "a block is headed `{info}`:{body}");
    }
}

#[test]
fn games_have_no_diagnostics() {
    let games = [DOCUMENT, FOR_DESIGNERS].map(|document| bodies_in(document, "json game"));
    assert!(games.iter().all(|games| !games.is_empty()));
    for game in games.concat() {
        assert_eq!(problems(game, Severity::Warning), [""; 0], "{game}");
    }
}

/// Keys replace those of the game for four players, which stays free of diagnostics.
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
        assert_eq!(problems(&game.to_string(), Severity::Warning), [""; 0], "{fragment}");
    }
}

#[test]
fn pieces_fit() {
    check_fragments("json piece", "", "pieces");
}

/// The long form of a piece is what `expand` prints.
#[test]
fn long_forms_are_those_of_the_game() {
    let base = base();
    let pieces = base["pieces"].as_array().expect("a list");
    for long in bodies("json long") {
        let long: Value = serde_json::from_str(long).unwrap_or_else(|error| panic!("{error}: {long}"));
        assert!(pieces.contains(&long), "{long}");
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
    let mut games = Vec::new();
    for text in bodies("json clause") {
        let mut game = base();
        let clause: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        game["endings"] = json!([{ "code": "EXAMPLE", "when": [clause] }]);
        // `STUCK` is only allowed in endings that stop the game.
        if clause["condition"] == "STUCK" {
            game["stuck"] = json!("PASSES");
            game["endings"][0]["stops"] = json!(true);
        }
        games.push((text, game));
    }
    check_explained(games);
}

#[test]
fn every_condition_and_effect_has_an_example() {
    let shown = |info: &str, tag: &str| -> BTreeSet<String> {
        let values = bodies(info).into_iter().map(|body| serde_json::from_str::<Value>(body).expect("JSON"));
        values.filter_map(|value| Some(value.get(tag)?.as_str()?.to_owned())).collect()
    };
    let conditions = shown("json condition", "condition");
    assert!(Condition::KEYWORDS.iter().all(|word| conditions.contains(*word)), "{conditions:?}");
    assert!(conditions.iter().any(|word| !Condition::KEYWORDS.contains(&word.as_str())), "none by its code");
    let effects = shown("json effect", "action");
    assert!(Effect::KEYWORDS.iter().all(|word| effects.contains(*word)), "{effects:?}");
    let clauses = shown("json clause", "condition");
    assert!(Clause::KEYWORDS.iter().all(|word| clauses.contains(*word)), "{clauses:?}");
}

#[test]
fn every_key_and_keyword_of_the_schema_is_mentioned() {
    let (mut keys, mut words) = (BTreeSet::new(), BTreeSet::new());
    collect(&schema(), &mut keys, &mut words);
    assert!(keys.contains("disabled_positions") && words.contains("NOT_EMPTY"), "the schema is walked");
    for key in keys {
        assert!(DOCUMENT.contains(&format!("`{key}`")), "the key `{key}` is not mentioned");
    }
    for word in words {
        let forms = [format!("`{word}`"), format!("`\"{word}\"`")];
        assert!(forms.iter().any(|text| DOCUMENT.contains(text)), "the word `{word}` is not mentioned");
    }
}

/// Collects the keys of objects and the keywords of values in a schema.
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
