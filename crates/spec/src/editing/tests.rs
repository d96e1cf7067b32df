//! Tests of completion, hover and definitions on whole files, and on files that are cut or damaged.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Completion, CompletionKind, complete, definition, hover, references};
use crate::{Loader, library};

/// Splits a text at the cursor, which is written as `|`.
fn cursor(marked: &str) -> (String, usize) {
    let offset = marked.find('|').expect("the text has a cursor");
    (marked.replacen('|', "", 1), offset)
}

fn completions(marked: &str) -> Vec<Completion> {
    let (text, offset) = cursor(marked);
    complete(&text, offset)
}

fn labels(marked: &str) -> Vec<String> {
    completions(marked).into_iter().map(|it| it.label).collect()
}

/// Returns the text after a completion was chosen.
fn apply(marked: &str, label: &str) -> String {
    let (mut text, offset) = cursor(marked);
    let found = complete(&text, offset).into_iter().find(|it| it.label == label).expect(label);
    text.replace_range(found.replaced, &found.insert);
    text
}

#[track_caller]
fn offers(marked: &str, expected: &[&str]) {
    let found = labels(marked);
    for word in expected {
        assert!(found.iter().any(|it| it == word), "{word} is not offered at {marked}: {found:?}");
    }
}

#[track_caller]
fn withholds(marked: &str, words: &[&str]) {
    let found = labels(marked);
    for word in words {
        assert!(!found.iter().any(|it| it == word), "{word} is offered at {marked}: {found:?}");
    }
}

#[test]
fn keys_are_completed_in_broken_text() {
    for text in [
        "{ \"lea|",
        "{ \"lea|\n",
        "{ lea|",
        "{ | ",
        "{ \"name\": \"x\" \"le|",
        "{ \"|\": 1 }",
        "{ \"name\": \"x\", |\n }",
    ] {
        offers(text, &["leader", "pieces", "extends", "setup"]);
    }
    assert_eq!(labels("{ |")[0], "name", "required keys come first");
    for text in ["{ \"leader\"|", "{ \"leader\": \"KING\"| }", "{ \"stuck\": \"ENDS\"| }"] {
        assert_eq!(labels(text), [] as [&str; 0], "{text}");
    }
    withholds("{ \"name\": \"x\", |", &["name"]);
    withholds("{ |, \"pieces\": [] }", &["pieces"]);
    withholds("{ \"pieces\": [{ | }] }", &["leader", "only_if", "remove", "entries"]);
    offers("{ \"extends\": \"chess\", \"pieces\": [{ | }] }", &["code", "betza", "remove"]);
    offers("{ \"options\": { \"X\": {} }, \"pieces\": [{ | }] }", &["code", "only_if", "entries"]);
}

#[test]
fn completions_replace_what_is_written() {
    assert_eq!(apply("{ \"lea|", "leader"), "{ \"leader\": ");
    assert_eq!(apply("{ lea|", "leader"), "{ \"leader\": ");
    assert_eq!(apply("{ \"lea|d\": 1 }", "leader"), "{ \"leader\": 1 }");
    assert_eq!(apply("{ \"stuck\": \"EN|\" }", "ENDS"), "{ \"stuck\": \"ENDS\" }");
    assert_eq!(apply("{ \"stuck\": |\n}", "ENDS"), "{ \"stuck\": \"ENDS\"\n}");
    assert_eq!(apply("{ \"stuck\": \"E|, \"name\": 1 }", "ENDS"), "{ \"stuck\": \"ENDS\", \"name\": 1 }");
    assert_eq!(apply("{ \"draw_offers\": tr| }", "true"), "{ \"draw_offers\": true }");
}

#[test]
fn keywords_have_descriptions() {
    let found = completions("{ \"stuck\": \"|\" }");
    assert_eq!(found.len(), 5);
    assert!(found.iter().all(|it| it.kind == CompletionKind::Keyword && !it.description.is_empty()));
    offers("{ \"players\": [{ \"direction\": \"|\" }] }", &["UP", "LEFT"]);
    offers(
        "{ \"pieces\": [{ \"moves\": [{ \"repeat\": { \"until\": \"|\" } }] }] }",
        &["NOT_EMPTY", "ENEMY"],
    );
    offers("{ \"pieces\": [{ \"moves\": [{ \"actions\": \"|\" }] }] }", &["MOVE", "CAPTURE"]);
    offers("{ \"pieces\": [{ \"moves\": [{ \"actions\": [{ \"state\": \"|\" }] }] }] }", &["EMPTY", "ENEMY"]);
}

#[test]
fn keys_depend_on_the_kind_of_an_object() {
    let at = |inner: &str| format!("{{ \"pieces\": [{{ \"moves\": [{{ \"conditions\": [{inner}] }}] }}] }}");
    offers(&at("{ \"condition\": \"COUNT\", | }"), &["piece", "owner", "in", "min"]);
    withholds(&at("{ \"condition\": \"COUNT\", | }"), &["move_id", "region", "condition"]);
    withholds(&at("{ \"condition\": \"FIRST_MOVE\", | }"), &["piece"]);
    offers(&at("{ \"condition\": \"|\" }"), &["FIRST_MOVE", "COUNT"]);
    offers(&at("{ \"condition\": \"COUNT|\" }"), &["FIRST_MOVE", "COUNT"]);
    offers(&at("|"), &["FIRST_MOVE"]);
    assert!(apply(&at("|"), "FIRST_MOVE").contains("[{ \"condition\": \"FIRST_MOVE\" }]"));
    offers(
        "{ \"endings\": [{ \"when\": [{ \"condition\": \"ANY\", \"of\": [[{ \"condition\": \"|\" }]] }] }] }",
        &["STUCK"],
    );
}

#[test]
fn codes_of_the_file_are_completed() {
    let file = |inner: &str| {
        format!(
            r#"{{ "players": ["RED", {{ "name": "BLUE" }}], "conditions": [{{ "code": "HOME", "type": "POSITION" }}],
              "options": {{ "DIE": {{ "values": [true, "SIX"] }} }}, "tag": {{ "values": {{ "SUN": [] }} }},
              "pieces": [{{ "code": "KING" }}, {{ "code": "ROOK", "moves": [{{ "side_effects": [
              {{ "action": "SET_STATE", "state": "FRESH" }}] }}] }}], {inner} }}"#
        )
    };
    offers(&file(r#""leader": "|""#), &["KING", "ROOK"]);
    offers(&file(r#""leader": { "piece": | }"#), &["KING", "ROOK"]);
    offers(&file(r#""turns": { "order": ["|"] }"#), &["RED", "BLUE"]);
    withholds(&file(r#""turns": { "order": ["RED", "|"] }"#), &["RED", "KING"]);
    offers(&file(r#""sharing": { "in": "|" }"#), &["HOME"]);
    offers(&file(r#""endings": [{ "only_if": { "|" } }]"#), &["DIE"]);
    offers(&file(r#""endings": [{ "only_if": { "DIE": | } }]"#), &["true", "SIX"]);
    offers(&file(r#""endings": [{ "only_if": { "DIE": ["|"] } }]"#), &["SIX"]);
    offers(&file(r#""presets": { "usual": { | } }"#), &["DIE"]);
    offers(&file(r#""quiet": { "reset_by": [|"#), &["CAPTURE", "KING"]);
    offers(
        &file(r#""layouts": { "A": { "players": { "RED": { "starting_positions": { "|" } } } } }"#),
        &["KING"],
    );
    offers(&file(r#""layouts": { "A": { "players": { "|" } } }"#), &["RED", "BLUE"]);
    offers(&file(r#""reactions": [{ "captured": ["KING", |], "to": "ROOK" }]"#), &["ROOK"]);
    let state = r#"{ "pieces": [{ "code": "P", "moves": [{ "side_effects": [{ "action": "SET_STATE", "state": "FRESH" }],
        "conditions": [{ "condition": "CHECK_STATE", "state": "|" }] }] }] }"#;
    assert_eq!(labels(state), ["FRESH"]);
    offers(r#"{ "setup": "k/K", "turns": { "order": [| ] } }"#, &["WHITE", "BLACK"]);
}

#[test]
fn inherited_codes_are_completed() {
    offers(r#"{ "extends": "|" }"#, &["chess", "capablanca"]);
    withholds(r#"{ "extends": "|" }"#, &["schema"]);
    offers(r#"{ "extends": "almost", "leader": "|" }"#, &["KING", "CHANCELLOR"]);
    withholds(
        r#"{ "extends": "chess", "leader": "|", "pieces": [{ "code": "QUEEN", "remove": true }] }"#,
        &["QUEEN"],
    );
    offers(r#"{ "extends": "chess", "pieces": [{ "code": "KING" }, { "code": "|" }] }"#, &["QUEEN"]);
    withholds(r#"{ "extends": "chess", "pieces": [{ "code": "KING" }, { "code": "|" }] }"#, &["KING"]);
    offers(r#"{ "extends": "chess", "pieces": [{ "promotion": { "in": "|" } }] }"#, &["LAST_RANK"]);
    let files = |path: &str, _: Option<&str>| match path {
        "base.json" => Ok(("base.json".into(), r#"{ "pieces": [{ "code": "DUKE" }] }"#.into())),
        _ => Err("there is no such file".to_owned()),
    };
    let (text, offset) = cursor(r#"{ "extends": "base.json", "leader": "|" }"#);
    let loader = Loader::with_files(&files);
    assert_eq!(loader.complete(&text, offset)[0].label, "DUKE");
    assert_eq!(
        loader.definition(&text, text.find("base").unwrap()).unwrap().game.as_deref(),
        Some("base.json")
    );
}

#[test]
fn letters_are_completed_inside_a_word() {
    offers(r#"{ "pieces": [{ "betza": "fm|" }] }"#, &["W", "N", "f"]);
    offers(r#"{ "pieces": [{ "betza": "|"#, &["W"]);
    assert!(labels(r#"{ "pieces": [{ "betza": "N"| }] }"#).is_empty());
    assert_eq!(apply(r#"{ "pieces": [{ "betza": "f|W" }] }"#, "m"), r#"{ "pieces": [{ "betza": "fmW" }] }"#);
    for (letter, about) in crate::betza::letters() {
        let words = [
            letter.to_string(),
            format!("{letter}W"),
            format!("{letter}F"),
            format!("W{letter}"),
            format!("f{letter}N"),
        ];
        assert!(words.iter().any(|word| crate::betza::parse(word).is_ok()), "{letter}");
        assert!(about.ends_with('.'), "{letter}");
    }
}

#[test]
fn hover_explains_keys_keywords_and_codes() {
    let at = |marked: &str| {
        let (text, offset) = cursor(marked);
        hover(&text, offset).map(|it| (it.to_string(), text[it.span].to_owned()))
    };
    let (text, span) = at(r#"{ "st|uck": "ENDS" }"#).unwrap();
    assert!(
        text.starts_with("key `stuck`\n\nWhat happens to a player without a legal move; `ENDS` by default."),
        "{text}"
    );
    assert!(text.contains("- `PASSES`: The turn passes"), "{text}");
    assert_eq!(span, "\"stuck\"");
    let (text, _) = at(r#"{ "stuck": "PAS|SES" }"#).unwrap();
    assert_eq!(text, "keyword `PASSES`\n\nThe turn passes to the next player.");
    let (text, _) = at(r#"{ "endings": [{ "when": [{ "condition": "QU|IET" }] }] }"#).unwrap();
    assert_eq!(text, "keyword `QUIET`\n\nA number of consecutive quiet turns.");
    let (text, _) = at(r#"{ "extends": "al|most" }"#).unwrap();
    assert!(text.starts_with("this file extends `almost` (through `chess`)\n\nAlmost chess: "), "{text}");
    let (text, _) = at(r#"{ "extends": "chess", "quiet": { "reset_by": ["KNI|GHT"] } }"#).unwrap();
    assert!(text.contains("file has errors") && text.contains(". . . o . o . . ."), "{text}");
    let (text, _) =
        at(r#"{ "name": "N", "extends": "chess", "quiet": { "reset_by": ["KNI|GHT"] } }"#).unwrap();
    assert!(text.contains("KNIGHT (letter N)\n- Moves"), "{text}");
    let (text, _) = at(r#"{ "leader": "UNK|NOWN" }"#).unwrap();
    assert_eq!(text, "piece `UNKNOWN`\n\nThe file defines no such piece.");
    assert_eq!(at("{ \"unknown|\": 1 }"), None);
    assert_eq!(at("|"), None);
}

#[test]
fn hover_draws_pieces() {
    let chess = library::find("chess").unwrap().json;
    let at = |part: &str, skip: usize| hover(chess, chess.find(part).unwrap() + skip).unwrap();
    let pawn = at("\"PAWN\", \"name\"", 2);
    assert!(
        pawn.block
            .starts_with(". . . . . . . . .\n. . . . . . . . .\n. . . . i . . . .\n. . . x m x . . .\n"),
        "{}",
        pawn.block
    );
    assert!(pawn.block.contains("\no moves or captures"), "{}", pawn.block);
    assert!(pawn.block.contains("PAWN (letter P)\n- Move"), "{}", pawn.block);
    assert_eq!(at("\"name\": \"pawn\"", 10).block, pawn.block, "anywhere in the piece");
    assert_eq!(at("\"leader\": \"KING\"", 12).title, "piece `KING`");
    let word = at("\"fmWifmnDfceF\"", 3);
    assert_eq!(word.title, "Betza notation `fmWifmnDfceF`");
    assert!(word.block.contains(". . . x m x . . ."), "{}", word.block);
    let region = at("\"in\": \"LAST_RANK\"", 9);
    assert_eq!(region.title, "condition `LAST_RANK`");
    assert!(region.block.starts_with("for WHITE "), "{}", region.block);
}

#[test]
fn definitions_are_found() {
    let enochian = library::find("enochian").unwrap().json;
    let target = |text: &str, part: &str, skip: usize| {
        let found = definition(text, text.find(part).unwrap() + skip)?;
        assert_eq!(found.game, None);
        Some((found.span.start, text[found.span].to_owned()))
    };
    let place = |part: &str| enochian.find(part).unwrap();
    for (from, skip, to, inner) in [
        ("\"piece\": \"KING\"", 10, "\"code\": \"KING\"", 8),
        ("\"KING\": \"e1\"", 3, "\"code\": \"KING\"", 8),
        ("\"order\": [\"BLUE\"", 12, "\"name\": \"BLUE\"", 8),
        ("{ \"BLUE\": \"d1 e1\"", 4, "\"name\": \"BLUE\"", 8),
        ("\"condition\": \"LAST_LINE\"", 15, "\"code\": \"LAST_LINE\"", 8),
        ("\"region\": \"THRONE_OF_QUEEN\"", 12, "\"code\": \"THRONE_OF_QUEEN\"", 8),
        ("\"STALEMATE_DRAWS\": true", 3, "\"STALEMATE_DRAWS\": {", 0),
        ("\"option\": \"KING_ENTERS_CHECK\"", 12, "\"KING_ENTERS_CHECK\": {", 0),
    ] {
        let (start, _) = target(enochian, from, skip).unwrap_or_else(|| panic!("{from}"));
        assert_eq!(start, place(to) + inner, "{from}");
    }
    assert_eq!(target(enochian, "\"stuck\": \"PASSES\"", 12), None, "a keyword has no definition");
    let almost = library::find("almost").unwrap().json;
    let inherited = definition(almost, almost.find("\"ROOK\"").unwrap() + 1).unwrap();
    assert_eq!(inherited.game.as_deref(), Some("chess"));
    assert_eq!(&inherited.text.unwrap()[inherited.span], "\"ROOK\"");
    let parent = definition(almost, almost.find("\"chess\"").unwrap() + 1).unwrap();
    assert_eq!((parent.game.as_deref(), parent.span), (Some("chess"), 0..0));
}

/// Strings of the schema that name nothing: titles, squares, letters, files.
const FREE: &[&str] = &[
    "/$schema",
    "/about",
    "/name",
    "/players",
    "/setup",
    "BoardSpec/disabled_positions",
    "BoardSpec/files",
    "CastleSpec/to",
    "CastleSpec/to/*",
    "CastleSpec/with_to",
    "CastleSpec/with_to/*",
    "GlobalCondition/check",
    "GlobalCondition/check/*",
    "HoldSpec/code",
    "LayoutPlayer/starting_positions/*",
    "LayoutSpec/about",
    "LinkSpec/from",
    "LinkSpec/to",
    "OptionSpec/about",
    "OptionSpec/default",
    "OptionSpec/values",
    "PieceSpec/castling/files/*",
    "PieceSpec/letter",
    "PieceSpec/letters/*",
    "PieceSpec/name",
    "PieceSpec/promotion/in/*",
    "PlayerSpec/starting_positions/*",
    "Region/adjacent_to",
    "Region/files",
    "Region/levels",
    "Region/own_ranks",
    "PartSpec/code",
    "Region/ranks",
    "Region/squares",
    "Region/union",
    "Region/without",
    "StartSpec/positions",
    "TagSpec/code",
    "TeamSpec/name",
];

#[test]
fn every_string_of_the_schema_is_classified() {
    let schema: Value = serde_json::from_str(library::schema()).unwrap();
    let mut places = BTreeSet::new();
    collect(&schema, &schema, "", "", &mut places);
    for (name, definition) in schema["$defs"].as_object().unwrap() {
        collect(&schema, definition, name, name, &mut places);
    }
    // The definitions themselves have no place.
    places.retain(|place| place.contains('/') && !place.ends_with("/$comment"));
    let free = || FREE.iter().copied();
    let is_free = |place: &str| free().any(|it| it == place);
    let unclear = |place: &&String| references::of_value(place).is_some() == is_free(place);
    let unclear: Vec<&String> = places.iter().filter(unclear).collect();
    assert!(unclear.is_empty(), "classify as references or as free text: {unclear:?}");
    for place in free() {
        assert!(places.contains(place), "{place} does not exist");
    }
    for place in references::places() {
        assert!(places.contains(place), "{place} does not exist");
    }
}

/// Collects the places of all strings without keywords.
fn collect(all: &Value, schema: &Value, place: &str, base: &str, places: &mut BTreeSet<String>) {
    let is_string = schema["type"] == "string"
        || schema["type"].as_array().is_some_and(|it| it.contains(&"string".into()));
    if is_string && schema.get("enum").is_none() && schema.get("const").is_none() {
        places.insert(place.to_owned());
    }
    if let Some(name) = schema["$ref"].as_str().and_then(|it| it.strip_prefix("#/$defs/")) {
        // A definition that is itself a string stands at the place where it is used.
        let mut inner = BTreeSet::new();
        let target = &all["$defs"][name];
        let is_shallow = target.get("properties").is_none();
        if is_shallow && place != name {
            for form in [target].into_iter().chain(target["anyOf"].as_array().into_iter().flatten()) {
                if form["type"] == "string" || form["type"].is_array() {
                    collect(all, form, place, name, &mut inner);
                }
            }
        }
        places.extend(inner.into_iter().filter(|it| it == place));
    }
    for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{base}/{key}");
        collect(all, inner, &place, &place, places);
    }
    if schema["additionalProperties"].is_object() {
        let place = format!("{base}/*");
        collect(all, &schema["additionalProperties"], &place, &place, places);
    }
    if schema["items"].is_object() {
        collect(all, &schema["items"], place, base, places);
    }
    for form in schema["anyOf"].as_array().into_iter().flatten() {
        collect(all, form, place, base, places);
    }
}

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Asks everything at an offset. Hover is left out where it would load a whole game for every prefix.
fn ask(text: &str, offset: usize, hovers: bool) {
    for completion in complete(text, offset) {
        assert!(text.get(completion.replaced.clone()).is_some(), "{completion:?}");
        assert!(
            completion.replaced.start <= offset && offset <= completion.replaced.end + 4,
            "{completion:?}"
        );
    }
    if let Some(found) = definition(text, offset) {
        assert!(found.text.as_deref().unwrap_or(text).get(found.span.clone()).is_some(), "{found:?}");
    }
    if hovers && let Some(found) = hover(text, offset) {
        assert!(text.get(found.span.clone()).is_some(), "{found:?}");
    }
}

#[test]
fn no_prefix_of_a_game_panics() {
    for name in ["chess", "almost", "fourplayer-teams", "shatranj"] {
        let text = library::find(name).unwrap().json;
        for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
            ask(&text[..end], end, end % 50 == 0);
            ask(text, end, end % 50 == 0);
        }
    }
    let enochian = library::find("enochian").unwrap().json;
    for end in (0..enochian.len()).step_by(499) {
        ask(&enochian[..end], end, false);
        ask(enochian, end, false);
    }
}

#[test]
fn no_damaged_game_panics() {
    let mut random = Random(7);
    let pieces = [
        "\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\n",
        "\\",
        "é",
        "😀",
        "null",
        "\"entries\": [",
        "\"extends\": \"chess\",",
    ];
    for round in 0..2000 {
        let games = ["chess", "almost", "berolina", "trefoil"];
        let mut text = library::find(games[round % 4]).unwrap().json.to_owned();
        for _ in 0..=random.below(4) {
            let mut at = random.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match random.below(3) {
                0 => text.truncate(at),
                1 => text.insert_str(at, pieces[random.below(pieces.len())]),
                _ => text.retain({
                    let mut index = 0;
                    move |_| {
                        index += 1;
                        index != at
                    }
                }),
            }
        }
        for _ in 0..4 {
            ask(&text, random.below(text.len() + 2), round % 10 == 0);
        }
    }
}

#[test]
fn hostile_texts_take_bounded_time() {
    let size = 2 << 20;
    let start = Instant::now();
    for text in [
        "[".repeat(size),
        "{\"a\":".repeat(size / 5),
        "{\"pieces\":[".to_owned() + &"{\"code\":\"A\"},".repeat(size / 13),
        "{\"pieces\":[".to_owned() + &"{\"entries\":[".repeat(size / 12),
        "{\"options\":{".to_owned() + &"\"A\":{\"values\":[1]},".repeat(size / 20),
        "{\"extends\":\"chess\",\"pieces\":[{".to_owned() + &"\"betza\":\"W\",".repeat(size / 12),
        "{\"endings\":[{\"when\":[{".to_owned() + &"\"condition\":\"A\",".repeat(size / 16),
        "\"".repeat(size),
        "\\".repeat(size),
        "{".to_owned() + &"\"a\" ".repeat(size / 4),
        "{".to_owned() + &"\"a\":[1,\"b\":".repeat(size / 11),
        "😀".repeat(size / 4),
    ] {
        for offset in [0, text.len() / 2, text.len(), usize::MAX] {
            let _ = (complete(&text, offset), definition(&text, offset), hover(&text, offset));
        }
    }
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    assert!(complete(&" ".repeat(crate::MAX_BYTES + 1), 0).is_empty());
}
