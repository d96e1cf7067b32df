//! The hash of a game is that of its rules, however the file says them.

use serde_json::{Value, json};
use tabiya_spec::{Choices, ContentHash, expand, library, load, load_with};

const SHORT: &str = include_str!("fixtures/short.json");

fn hash(text: &str) -> ContentHash {
    let loaded = load(text.as_bytes());
    loaded.game.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics)).hash
}

/// Returns the hash of chess after a change of its JSON.
fn changed(change: impl Fn(&mut Value)) -> ContentHash {
    let long = expand(library::find("chess").unwrap().json.as_bytes(), &Choices::default()).unwrap();
    let mut value: Value = serde_json::from_str(&long).unwrap();
    change(&mut value);
    hash(&value.to_string())
}

#[test]
fn writing_a_game_out_does_not_change_its_hash() {
    let long = |text: &str| expand(text.as_bytes(), &Choices::default()).unwrap();
    assert_eq!(hash(SHORT), hash(&long(SHORT)));
    for entry in library::games() {
        assert_eq!(hash(entry.json), hash(&long(entry.json)), "{}", entry.name);
    }
}

#[test]
fn order_numbers_and_descriptions_do_not_count() {
    let chess = changed(|_| {});
    assert_eq!(chess, changed(|game| game["about"] = json!("words")));
    assert_eq!(chess, changed(|game| game["pieces"].as_array_mut().unwrap().reverse()));
    assert_eq!(chess, changed(|game| game["players"][0]["direction"] = json!("UP")));
    assert_eq!(
        chess,
        changed(|game| game["players"][0]["starting_positions"].as_array_mut().unwrap().reverse())
    );
    assert_eq!(chess, changed(|game| game["conditions"].as_array_mut().unwrap().reverse()));
    assert_eq!(chess, changed(|game| game["pieces"][5]["moves"].as_array_mut().unwrap().reverse()));
    assert_eq!(chess, changed(|game| game["pieces"][1]["moves"][0]["id"] = json!(99)));
    assert_eq!(chess, changed(|game| game["leader"] = json!({ "piece": "KING" })));
    assert_eq!(chess, changed(|game| game["turns"]["start_at"] = json!(0)));
    assert_eq!(
        chess,
        changed(|game| game["pieces"][0]["letter"] = json!("P")),
        "the letter that would be chosen"
    );
}

#[test]
fn defaults_of_hurdles_do_not_count() {
    let hop = |repeat: Value| changed(|game| game["pieces"][3]["moves"][0]["repeat"] = repeat.clone());
    let over = |over: Value| hop(json!({ "loop": true, "hurdles": 1, "over": over }));
    let any = hop(json!({ "loop": true, "hurdles": 1 }));
    assert_eq!(any, over(json!({})));
    assert_eq!(any, over(json!({ "owner": "ANY" })));
    assert_eq!(over(json!({ "piece": ["PAWN", "KING"] })), over(json!({ "piece": ["KING", "PAWN"] })));
    for other in [
        hop(json!({ "loop": true, "hurdles": 2 })),
        hop(json!({ "loop": true, "hurdles": 1, "beyond": 1 })),
        over(json!({ "owner": "OWN" })),
    ] {
        assert_ne!(any, other);
    }
}

#[test]
fn rules_count() {
    let chess = changed(|_| {});
    for other in [
        changed(|game| game["name"] = json!("Other")),
        changed(|game| game["draw_offers"] = json!(false)),
        changed(|game| game["turns"]["start_at"] = json!(1)),
        changed(|game| game["players"].as_array_mut().unwrap().reverse()),
        changed(|game| game["pieces"][1]["letter"] = json!("H")),
        changed(|game| game["pieces"][1]["moves"][0]["step"] = json!([1, 3])),
        changed(|game| game["endings"].as_array_mut().unwrap().reverse()),
    ] {
        assert_ne!(chess, other);
    }
}

#[test]
fn choices_count_if_they_change_the_rules() {
    let entry = library::find("enochian").unwrap();
    let with = |preset: Option<&str>| {
        let choices = Choices { preset: preset.map(str::to_owned), ..Choices::default() };
        load_with(entry.json.as_bytes(), &choices).game.unwrap()
    };
    let presets = with(None).choices.presets;
    let hashes: Vec<ContentHash> = presets.iter().map(|preset| with(Some(&preset.name)).hash).collect();
    assert!(hashes.len() > 1);
    assert_eq!(hashes[0], with(None).hash, "the first preset is the default");
    assert_ne!(hashes[0], hashes[1]);
}
