//! Every word of the format is used by at least two games of the library, or `docs/game-format.md` says why not.
#![allow(clippy::print_stdout, reason = "prints the table of words")]

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use tabiya_spec::library::{self, Entry};
use tabiya_spec::{Choices, english, expand, load, schema};

const DOCUMENT: &str = include_str!("../../../docs/game-format.md");
const HEADING: &str = "\n## Words that few games use\n";

/// The fewest games that use a word.
const ENOUGH: usize = 2;

/// Keys that describe a file and are no words of the language.
const OF_FILES: [&str; 6] = ["$schema", "$comment", "name", "about", "extends", "only_if"];

/// Returns the words of the language, from the schema: keys of a game, conditions, effects of moves and of triggers, events, areas.
fn words() -> BTreeSet<String> {
    let schema = schema();
    let mut words = BTreeSet::new();
    let keys = schema["properties"].as_object().expect("keys").keys().map(String::as_str);
    words.extend(keys.filter(|key| !OF_FILES.contains(key)).map(|key| format!("key `{key}`")));
    let tags = [
        ("Condition", "condition", "condition"),
        ("Clause", "condition", "condition"),
        ("Effect", "action", "side effect"),
        ("TriggerEffect", "action", "effect of a trigger"),
    ];
    for (name, tag, kind) in tags {
        let choices = schema["$defs"][name]["anyOf"].as_array().expect("choices");
        let consts = choices.iter().filter_map(|choice| choice["properties"][tag]["const"].as_str());
        words.extend(consts.map(|word| format!("{kind} `{word}`")));
    }
    for (name, kind) in [("Event", "event"), ("Area", "area")] {
        let list = schema["$defs"][name]["enum"].as_array().expect("words");
        words.extend(list.iter().filter_map(Value::as_str).map(|word| format!("{kind} `{word}`")));
    }
    words
}

/// Gathers the words of a value; `list` is the key of the list that contains it.
fn gather(value: &Value, list: &str, used: &mut BTreeSet<String>) {
    match value {
        Value::Array(entries) => entries.iter().for_each(|entry| gather(entry, list, used)),
        Value::Object(object) => {
            for (key, inner) in object {
                let kind = match (key.as_str(), list) {
                    ("condition", _) => Some("condition"),
                    ("action", "effects") => Some("effect of a trigger"),
                    ("action", "side_effects") => Some("side effect"),
                    ("event" | "on", _) => Some("event"),
                    ("area", _) => Some("area"),
                    _ => None,
                };
                if let Some((kind, word)) = kind.zip(inner.as_str()) {
                    used.insert(format!("{kind} `{word}`"));
                }
                gather(inner, if inner.is_array() { key } else { "" }, used);
            }
        }
        _ => {}
    }
}

/// Returns the words of a game: those of its file and those of its long form.
fn words_of(entry: &Entry) -> BTreeSet<String> {
    let long = expand(entry.json.as_bytes(), &Choices::default()).expect("a valid game");
    let mut used = BTreeSet::new();
    for text in [entry.json, long.as_str()] {
        let game: Value = serde_json::from_str(text).expect("JSON");
        used.extend(game.as_object().expect("an object").keys().map(|key| format!("key `{key}`")));
        gather(&game, "", &mut used);
    }
    used
}

/// Returns the games that use each word.
fn games_by_word() -> BTreeMap<String, Vec<&'static str>> {
    let mut games: BTreeMap<String, Vec<&str>> = words().into_iter().map(|word| (word, Vec::new())).collect();
    for entry in library::games() {
        for word in words_of(&entry) {
            if let Some(games) = games.get_mut(&word) {
                games.push(entry.name);
            }
        }
    }
    games
}

/// Returns the words that the document lists, each with its games and the reason.
fn exceptions() -> BTreeMap<&'static str, (&'static str, &'static str)> {
    let (_, section) = DOCUMENT.split_once(HEADING).expect("the section exists");
    let rows =
        section.lines().take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| "));
    let cells = |row: &'static str| row.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>();
    let rows = rows.skip(1).map(|row| match cells(row)[..] {
        [word, games, reason] => (word, (games, reason)),
        _ => panic!("not a row: {row}"),
    });
    rows.collect()
}

#[test]
fn every_word_is_used_by_two_games_or_listed_with_a_reason() {
    let games = games_by_word();
    for (word, games) in &games {
        println!("{word}: {} games: {}", games.len(), games.join(" "));
    }
    let exceptions = exceptions();
    let listed: BTreeMap<&str, String> =
        exceptions.iter().map(|(word, (games, _))| (*word, (*games).to_owned())).collect();
    let few = games.iter().filter(|(_, games)| games.len() < ENOUGH);
    let few: BTreeMap<&str, String> = few.map(|(word, games)| (word.as_str(), games.join(" "))).collect();
    assert_eq!(listed, few, "`docs/game-format.md` lists exactly the words that few games use");
    let is_reason = |reason: &&str| reason.len() > 20 && reason.ends_with('.');
    assert!(exceptions.values().all(|(_, reason)| is_reason(reason)), "{exceptions:?}");
}

/// Returns the rules in English of a game with this trigger.
fn explained(trigger: &Value) -> String {
    let game = json!({
        "name": "Words",
        "leader": "KING",
        "board": { "dimensions": [4, 4] },
        "players": [
            { "name": "A", "direction": "UP", "starting_positions": [{ "piece": "KING", "positions": "a1" }, { "piece": "ROOK", "positions": "b1" }] },
            { "name": "B", "direction": "DOWN", "starting_positions": [{ "piece": "KING", "positions": "d4" }] },
            { "name": "WALLS", "neutral": true }
        ],
        "pieces": [{ "code": "KING", "betza": "K" }, { "code": "ROOK", "betza": "R" }, { "code": "WALL", "moves": [] }],
        "counters": { "POINTS": { "max": 9 } },
        "hands": {},
        "triggers": [trigger],
    });
    let loaded = load(game.to_string().as_bytes());
    let game = loaded.game.unwrap_or_else(|| panic!("{trigger}: {:#?}", loaded.diagnostics));
    english(&game)
}

/// Every event, and every effect and area of a trigger, is explained in its own words.
#[test]
fn triggers_are_explained() {
    let add = json!({ "action": "ADD", "counter": "POINTS" });
    let on = |event: &str, effect: &Value| json!({ "on": event, "effects": [effect] });
    let remove = |area: &str| json!({ "action": "REMOVE", "area": area, "piece": ["ROOK"] });
    let effects = [
        json!({ "action": "SET", "counter": "POINTS", "to": 2 }),
        json!({ "action": "COUNT", "counter": "POINTS", "piece": ["ROOK"] }),
        json!({ "action": "PLACE", "piece": "WALL", "owner": "NEUTRAL", "anchor": "SOURCE" }),
        json!({ "action": "GIVE", "piece": "ROOK", "owner": "ENEMY" }),
        json!({ "action": "EXTRA_TURN" }),
        json!({ "action": "END_TURN" }),
        json!({ "action": "REMOVE", "piece": ["ROOK"] }),
        json!({ "action": "CAPTURE", "piece": ["ROOK"] }),
        json!({ "action": "TRANSFORM", "to": "WALL", "piece": ["ROOK"], "area": "SQUARE" }),
        json!({ "action": "SET_OWNER", "to": "ENEMY", "piece": ["ROOK"] }),
        json!({ "action": "MOVE", "to": "SOURCE", "piece": ["ROOK"], "area": "BEHIND" }),
    ];
    let schema = schema();
    let words = |name: &str| -> Vec<String> {
        let list = schema["$defs"][name]["enum"].as_array().expect("words");
        list.iter().filter_map(|word| Some(word.as_str()?.to_owned())).collect()
    };
    let known = schema["$defs"]["TriggerEffect"]["anyOf"].as_array().expect("effects").len();
    assert_eq!(effects.len() + 1, known, "one of each, and `ADD`");
    let mut triggers: Vec<Value> = words("Event").iter().map(|event| on(event, &add)).collect();
    triggers.extend(effects.iter().map(|effect| on("MOVED", effect)));
    // Effects are about the board, a condition may be about hands and the path of the move.
    let of_conditions = ["HAND", "BETWEEN"];
    let areas = words("Area");
    let of_effects = areas.iter().filter(|area| !of_conditions.contains(&area.as_str()));
    triggers.extend(of_effects.map(|area| on("MOVED", &remove(area))));
    let counted = of_conditions.map(|area| json!({ "condition": "COUNT", "area": area, "min": 1 }));
    triggers.extend(counted.map(|count| json!({ "on": "MOVED", "when": [count], "effects": [add] })));
    let texts: BTreeSet<String> = triggers.iter().map(explained).collect();
    assert_eq!(texts.len(), triggers.len(), "two triggers have the same explanation");
}
