//! No file makes the reader panic, hang or exhaust memory.

mod support;

use std::fmt::Write;

use support::damage::{Random, damage_bytes, damage_tokens, tokens};
use support::{base, changed};
use tabiya_spec::{Loaded, load};

/// Loads a file and asserts what holds for every result.
fn answer(bytes: &[u8]) -> Loaded {
    let loaded = load(bytes);
    assert!(loaded.game.is_some() || !loaded.diagnostics.is_empty(), "neither a game nor a reason");
    assert!(loaded.diagnostics.is_sorted_by_key(|diagnostic| diagnostic.span.start));
    for diagnostic in &loaded.diagnostics {
        assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end <= bytes.len().max(1));
        assert!(diagnostic.line >= 1 && diagnostic.column >= 1);
        assert!(diagnostic.message.chars().count() < 1000, "{}", diagnostic.message);
        assert!(!diagnostic.message.contains(char::is_control), "{:?}", diagnostic.message);
    }
    loaded
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    let mut codes: Vec<&str> = loaded.diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect();
    codes.dedup();
    codes
}

#[test]
fn truncated_files() {
    let text = base();
    for end in 0..text.trim_end().len() {
        let loaded = answer(&text.as_bytes()[..end]);
        assert_eq!(codes(&loaded), ["syntax"], "cut off after {end} bytes");
    }
}

#[test]
fn a_very_long_string() {
    let long = format!("\"{}\"", "x".repeat(10 << 20));
    for pointer in
        ["/name", "/leader", "/pieces/1/code", "/pieces/1/letter", "/turns/order/0", "/conditions/0/code"]
    {
        assert!(answer(changed([(pointer, long.as_str())]).as_bytes()).game.is_none(), "{pointer}");
    }
    let key = format!("{{ {long}: 1 }}");
    assert_eq!(
        codes(&answer(changed([("/board", key.as_str())]).as_bytes())),
        ["missing-key", "unknown-key"]
    );
}

#[test]
fn very_deep_nesting() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let text = format!("{}{}", open.repeat(100_000), close.repeat(100_000));
        assert_eq!(codes(&answer(text.as_bytes())), ["too-deep"]);
        assert_eq!(codes(&answer(changed([("/turns", text.as_str())]).as_bytes())), ["too-deep"]);
    }
    // Just within the limit of the parser.
    let text = format!("{}{}", "[".repeat(500), "]".repeat(500));
    assert_eq!(codes(&answer(changed([("/turns", text.as_str())]).as_bytes())), ["mistyped"]);
    // Nested conditions have a separate limit.
    for (open, close) in [(r#"{"condition":"NOT","of":["#, "]}"), (r#"{"condition":"ANY","of":[["#, "]]}")] {
        let clause = format!("{}{}", open.repeat(90), close.repeat(90));
        let endings = format!(r#"[{{"code":"E","when":[{clause}]}}]"#);
        assert_eq!(codes(&answer(changed([("/endings", endings.as_str())]).as_bytes())), ["too-deep"]);
    }
}

#[test]
fn huge_numbers() {
    for number in ["1e999999", "9223372036854775808", "-2147483648", "1000001", "1.5", &"9".repeat(100_000)] {
        for pointer in
            ["/turns/start_at", "/pieces/0/moves/0/id", "/pieces/2/moves/1/side_effects/0/duration"]
        {
            assert!(answer(changed([(pointer, number)]).as_bytes()).game.is_none(), "{number} at {pointer}");
        }
        let pair = format!("[{number}, {number}]");
        for pointer in ["/board/dimensions", "/pieces/0/moves/0/step", "/conditions/0/check/WHITE/0"] {
            assert!(
                answer(changed([(pointer, pair.as_str())]).as_bytes()).game.is_none(),
                "{pair} at {pointer}"
            );
        }
    }
    for pointer in ["/pieces/0/moves/0/step", "/pieces/2/moves/2/actions/1/side_effects/0/target"] {
        answer(changed([(pointer, "[-1000000, 1000000]")]).as_bytes());
    }
}

#[test]
fn small_and_large_boards() {
    let everything = [("/players/0/starting_positions", "[]"), ("/players/1/starting_positions", "[]")];
    let conditions = ("/conditions/0/check", r#"{ "WHITE": [], "BLACK": [] }"#);
    for (size, playable) in [("[1, 1]", true), ("[32, 32]", true), ("[33, 32]", false), ("[1024, 1]", true)] {
        let changes = everything.into_iter().chain([conditions, ("/board/dimensions", size)]);
        assert_eq!(answer(changed(changes).as_bytes()).game.is_some(), playable, "{size}");
    }
    assert_eq!(codes(&answer(changed([("/board/dimensions", "[1, 0]")]).as_bytes())), ["board-size"]);
}

#[test]
fn a_million_starting_positions() {
    let mut squares = String::from("[[0, 1]");
    for index in 0..1_000_000 {
        write!(squares, ",[{},{}]", index % 5, index % 6).unwrap();
    }
    squares.push(']');
    let text = changed([("/players/0/starting_positions/2/positions", squares.as_str())]);
    let loaded = answer(text.as_bytes());
    assert!(loaded.game.is_none());
    assert!(loaded.left_out > 900_000);
}

/// Each of these would take hours if a check were quadratic.
#[test]
fn overlong_lists() {
    let many = |count: usize, entry: &dyn Fn(usize) -> String| -> String {
        format!("[{}]", (0..count).map(entry).collect::<Vec<_>>().join(","))
    };
    let object = |count: usize, value: &str| -> String {
        let keys: Vec<String> = (0..count).map(|key| format!("\"k{key}\":{value}")).collect();
        format!("{{{},\"k0\":{value}}}", keys.join(","))
    };
    let pieces = many(20_000, &|index| format!(r#"{{"code":"P{index}","moves":[]}}"#));
    let uses = many(20_000, &|index| format!("\"Q{index}\""));
    let starts = many(20_000, &|index| format!(r#"{{"piece":"Q{index}","positions":[]}}"#));
    let players = many(20_000, &|index| format!(r#"{{"name":"P{index}"}}"#));
    let conditions =
        many(20_000, &|index| format!(r#"{{"code":"C{index}","type":"POSITION","check":{{}}}}"#));
    let named = many(20_000, &|index| format!(r#"{{"condition":"D{index}"}}"#));
    let flags = many(20_000, &|index| format!(r#"{{"action":"SET_STATE","state":"F{index}"}}"#));
    let tests = many(20_000, &|index| {
        format!(r#"{{"condition":"CHECK_STATE","state":"G{index}","position":[0,1]}}"#)
    });
    let chain = many(20_000, &|index| {
        format!(
            r#"{{"id":{index},"step":[0,1],"actions":[],"conditions":[{{"condition":"DEPENDS_ON","move_id":{}}}]}}"#,
            index + 1
        )
    });
    let back = many(20_000, &|_| r#"{"condition":"DEPENDS_ON","move_id":0}"#.into());
    let circle = many(1000, &|index| {
        let next = format!(r#"[{{"condition":"DEPENDS_ON","move_id":{}}}]"#, index + 1);
        let conditions = if index == 999 { &back } else { &next };
        format!(r#"{{"id":{index},"step":[0,1],"actions":[],"conditions":{conditions}}}"#)
    });
    let steps = many(20_000, &|index| {
        format!(r#"{{"id":{index},"step":[{},{}],"actions":[]}}"#, index % 64, index / 64)
    });
    let endings = many(20_000, &|index| {
        format!(
            r#"{{"code":"E{index}","by":"FLAG","result":"LOSS","when":[{{"condition":"COUNT","in":"C{index}"}}]}}"#
        )
    });
    let clauses = many(50_000, &|index| format!(r#"[{{"condition":"QUIET","turns":{index}}}]"#));
    let clauses = format!(r#"[{{"code":"E","when":[{{"condition":"ANY","of":{clauses}}}]}}]"#);
    let quiet = format!(r#"{{"reset_by":{uses}}}"#);
    let keys = object(200_000, "[]");
    let options = "/pieces/2/moves/0/modifiers/0/options";
    let files: &[&[(&str, &str)]] = &[
        &[("/pieces", &pieces), ("/players/0/starting_positions", &starts)],
        &[(options, &uses)],
        &[("/players", &players), ("/conditions", &conditions), ("/turns/order", &uses)],
        &[("/conditions", &conditions), ("/pieces/0/moves/0/conditions", &named)],
        &[("/pieces/0/moves/0/side_effects", &flags), ("/pieces/0/moves/0/conditions", &tests)],
        &[("/pieces/0/moves", &chain)],
        &[("/pieces/0/moves", &circle)],
        &[
            ("/pieces/0/moves", &steps),
            ("/board/dimensions", "[32, 32]"),
            ("/board/disabled_positions", "[[5, 5]]"),
        ],
        &[("/endings", &endings), ("/quiet", &quiet)],
        &[("/endings", &clauses)],
        &[("/conditions/0/check", &keys)],
        &[("/board", &keys)],
    ];
    for changes in files {
        assert!(answer(changed(changes.iter().copied()).as_bytes()).game.is_none());
    }
}

#[test]
fn extensions_of_json_are_rejected() {
    for text in
        ["", " ", "\u{feff}", "null", "[]", "{}", "{\"name\":\"a\nb\"}", "{\u{a0}}", "{} {}", "// no\n{}"]
    {
        let loaded = answer(text.as_bytes());
        assert!(loaded.game.is_none(), "{text:?}");
        let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
        assert_eq!(is_json, !codes(&loaded).contains(&"syntax"), "{text:?}");
    }
}

/// Random damage to bytes and tokens never causes a panic, and never loads a file that other JSON parsers reject.
#[test]
fn random_damage() {
    let long = base();
    damage(&long, 10_000);
    damage(include_str!("fixtures/short.json"), 10_000);
    let patch = r#"{ "name": "P", "extends": "gardner", "setup": "rnbqk/ppppp/5/PPPPP/RNBQK", "endings": null,
        "pieces": [{ "code": "QUEEN", "like": ["ROOK"], "betza": "fN", "moves": [{ "step": [2, 2], "turned": "ALL" }] }] }"#;
    damage(patch, 5_000);
}

fn damage(text: &str, rounds: usize) {
    let tokens = tokens(text);
    let mut random = Random(0x7ab1_4a00);
    for round in 0..rounds {
        let damaged = if round % 2 == 0 {
            damage_bytes(text, &mut random)
        } else {
            damage_tokens(&tokens, &mut random)
        };
        let loaded = answer(&damaged);
        let is_json = serde_json::from_slice::<serde_json::Value>(&damaged).is_ok();
        let is_read = !matches!(codes(&loaded).as_slice(), ["syntax" | "too-deep" | "not-utf8"]);
        assert_eq!(is_json, is_read, "round {round}: {}", String::from_utf8_lossy(&damaged));
    }
}
