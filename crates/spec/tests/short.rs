//! Short forms mean the same as the long form that they stand for, and problems are reported where they were written.

use tabiya_spec::{Choices, expand, library, load};

/// Chess in short forms, with another ending.
const CHESS: &str = include_str!("fixtures/short.json");

fn long(text: &str) -> String {
    expand(text.as_bytes(), &Choices::default()).unwrap_or_else(|loaded| panic!("{:#?}", loaded.diagnostics))
}

/// Returns the errors of a file: code, pointer, and the text that they point at.
fn errors(text: &str) -> Vec<String> {
    let found = load(text.as_bytes()).diagnostics;
    let line = |it: &tabiya_spec::diagnostic::Diagnostic| {
        format!("{} at {}: {}", it.code, it.pointer, &text[it.span.clone()])
    };
    let is_error =
        |it: &&tabiya_spec::diagnostic::Diagnostic| it.severity() == tabiya_spec::diagnostic::Severity::Error;
    found.iter().filter(is_error).map(line).collect()
}

/// Puts a piece into a small game.
fn with_piece(piece: &str) -> String {
    format!(
        r#"{{ "name": "Small", "leader": "KING", "board": {{ "dimensions": [5, 5] }}, "setup": "2k2/5/5/5/2K2",
        "pieces": [{{ "code": "KING", "betza": "K" }}, {piece}] }}"#
    )
}

/// Puts a condition into a small game.
fn with_squares(check: &str) -> String {
    format!(
        r#"{{ "name": "Small", "leader": "KING", "board": {{ "dimensions": [5, 5] }}, "setup": "2k2/5/5/5/2K2",
        "conditions": [{{ "code": "ZONE", "type": "POSITION", "check": {check} }}],
        "pieces": [{{ "code": "KING", "betza": "K" }}, {{ "code": "GUARD", "moves": [
            {{ "betza": "W", "conditions": [{{ "condition": "ZONE" }}] }}] }}] }}"#
    )
}

/// Returns the squares of the condition for both players, as numbers.
fn squares(check: &str) -> [String; 2] {
    let text = long(&with_squares(check));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    ["WHITE", "BLACK"].map(|player| value["conditions"][0]["check"][player].to_string())
}

#[test]
fn misspelt_keys_of_short_forms_are_recognized() {
    let help = |key: &str, rest: &str| {
        let text = format!(
            r#"{{ "name": "X", "leader": "KING", "board": {{ "dimensions": [4, 4] }}, {rest},
              "pieces": [{{ "code": "KING", "{key}": "K" }}] }}"#
        );
        let loaded = tabiya_spec::load(text.as_bytes());
        let found =
            loaded.diagnostics.iter().find(|it| it.code.as_str() == "unknown-key").expect("an unknown key");
        found.help.clone().unwrap_or_default()
    };
    assert_eq!(help("betsa", r#""setup": "k3/4/4/K3""#), "did you mean `betza`?");
    assert_eq!(help("betza", r#""setpu": "k3/4/4/K3""#), "did you mean `setup`?");
    let all = help("zzz", r#""setup": "k3/4/4/K3""#);
    assert!(all.contains("`moves`") && all.contains("`betza`"), "{all}");
}

#[test]
fn short_chess_is_chess() {
    let chess = library::load("chess").unwrap().rules;
    let short = load(CHESS.as_bytes());
    let rules = short.game.unwrap_or_else(|| panic!("{:#?}", short.diagnostics)).rules;
    assert_eq!(rules.perft(&rules.start(), 4), chess.perft(&chess.start(), 4));
    assert_eq!(rules.perft(&rules.start(), 5), 4_865_609, "with captures en passant");
}

#[test]
fn the_long_form_is_its_own_long_form() {
    let once = long(CHESS);
    assert_eq!(long(&once), once);
    for entry in library::games() {
        let once = long(entry.json);
        assert_eq!(long(&once), once, "{}", entry.name);
        let (short, long) = (entry.load().rules, load(once.as_bytes()).game.expect("it loads").rules);
        assert_eq!(short.perft(&short.start(), 3), long.perft(&long.start(), 3), "{}", entry.name);
    }
}

#[test]
fn squares_have_names_ranges_and_regions() {
    let both = |text: &str| [text.to_owned(), text.to_owned()];
    assert_eq!(squares(r#""e4""#), both("[[4,3]]"));
    assert_eq!(squares(r#""a2 b2-c3""#), both("[[0,1],[1,1],[2,1],[1,2],[2,2]]"));
    assert_eq!(
        squares(r#"["a1", [1, 1], { "ranks": 5, "files": "d-e" }]"#),
        both("[[0,0],[1,1],[3,4],[4,4]]")
    );
    assert_eq!(squares(r#"{ "files": "a c", "ranks": "1-2" }"#), both("[[0,0],[2,0],[0,1],[2,1]]"));
    assert_eq!(squares(r#"{ "own_ranks": [5], "files": "a" }"#), ["[[0,4]]", "[[0,0]]"].map(String::from));
    assert_eq!(squares(r#"{ "colour": "DARK", "ranks": 1 }"#), both("[[0,0],[2,0],[4,0]]"));
    assert_eq!(squares(r#"{ "adjacent_to": "a1" }"#), both("[[1,0],[0,1],[1,1]]"));
    assert_eq!(squares(r#"{ "adjacent_to": "a1", "without": "b2" }"#), both("[[1,0],[0,1]]"));
    assert_eq!(squares(r#"{ "union": ["a1", { "ranks": 5, "files": "e" }] }"#), both("[[0,0],[4,4]]"));
    assert_eq!(
        squares(r#"{ "WHITE": "a1", "BLACK": { "own_ranks": 1, "files": "b" } }"#),
        ["[[0,0]]", "[[1,4]]"].map(String::from)
    );
}

#[test]
fn moves_of_other_kinds_get_new_numbers() {
    let text = long(&with_piece(
        r#"{ "code": "A", "moves": [{ "id": 0, "step": [0, 1] },
             { "id": 1, "step": [0, 2], "conditions": [{ "condition": "DEPENDS_ON", "move_id": 0 }] }] },
           { "code": "B", "like": ["A", "KING"], "moves": [{ "id": 0, "step": [2, 2] }] }"#,
    ));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let moves = value["pieces"][2]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 11);
    assert_eq!(moves[1]["conditions"][0]["move_id"], moves[0]["id"]);
    let mut ids: Vec<i64> = moves.iter().map(|it| it["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 11, "numbers are unique");
}

#[test]
fn turned_moves_turn_all_their_offsets() {
    let text = long(&with_piece(
        r#"{ "code": "HORSE", "moves": [{ "step": [1, 2], "turned": "ALL", "conditions": [
             { "condition": "SQUARE", "position": [0, 1], "state": "EMPTY" }] }] }"#,
    ));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let moves = value["pieces"][1]["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 8);
    for it in moves {
        let number = |pointer: &str| it.pointer(pointer).unwrap().as_i64().unwrap();
        let (step, leg) = (
            [number("/step/0"), number("/step/1")],
            ["0", "1"].map(|i| number(&format!("/conditions/0/position/{i}"))),
        );
        assert_eq!(step.map(|it| it / 2), leg, "the leg lies along the longer side of {step:?}");
    }
    let count = |turned: &str, step: &str| {
        let text = long(&with_piece(&format!(
            r#"{{ "code": "X", "moves": [{{ "step": {step}, "turned": "{turned}" }}] }}"#
        )));
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        value["pieces"][1]["moves"].as_array().unwrap().len()
    };
    assert_eq!([count("ALL", "[0, 1]"), count("ROTATED", "[1, 2]"), count("MIRRORED", "[1, 2]")], [4, 4, 2]);
    assert_eq!([count("FORWARD", "[1, 2]"), count("FORWARD", "[0, 1]")], [4, 1]);
    // Images with the same step and other offsets are others.
    let legs = r#"[0, 1], "legs": [{ "step": [1, 1] }]"#;
    assert_eq!([count("ALL", legs), count("ROTATED", legs), count("MIRRORED", legs)], [8, 4, 2]);
    let beside = r#"[0, 2], "conditions": [{ "condition": "SQUARE", "position": [1, 0], "state": "EMPTY" }]"#;
    assert_eq!([count("ALL", beside), count("MIRRORED", beside)], [8, 2]);
}

#[test]
fn errors_point_at_their_letters() {
    for (piece, expected) in [
        (r#"{ "code": "X", "betza": "WxF" }"#, "bad-betza at /pieces/1/betza: x"),
        (r#"{ "code": "X", "betza": "mRcaR" }"#, "bad-betza at /pieces/1/betza: a"),
        (r#"{ "code": "X", "betza": "mRcgR3" }"#, "bad-betza at /pieces/1/betza: cgR3"),
        (r#"{ "code": "X", "betza": 4 }"#, "bad-betza at /pieces/1/betza: 4"),
        (
            r#"{ "code": "X", "moves": [{ "betza": "W", "step": [0, 1] }] }"#,
            "bad-betza at /pieces/1/moves/0/step: [0, 1]",
        ),
        (r#"{ "code": "X", "like": ["KNIG"] }"#, r#"unknown-piece at /pieces/1/like/0: "KNIG""#),
        (r#"{ "code": "X", "like": "X" }"#, r#"like-cycle at /pieces/1/like: "X""#),
        (
            r#"{ "code": "X", "moves": [{ "step": [0, 1], "turned": "ROUND" }] }"#,
            r#"unknown-word at /pieces/1/moves/0/turned: "ROUND""#,
        ),
    ] {
        let found = errors(&with_piece(piece));
        assert!(found.iter().any(|it| it == expected), "{piece}: {found:#?}");
    }
    for (check, expected) in [
        (r#""a1 z9x""#, "bad-squares at /conditions/0/check: z9x"),
        (r#""a1-e9""#, "bad-squares at /conditions/0/check: a1-e9"),
        (r#"{ "rank": 1 }"#, "unknown-player at /conditions/0/check/rank"),
        (r#"{ "ranks": 9 }"#, "bad-squares at /conditions/0/check/ranks: 9"),
        (r#"{ "ranks": "1-2", "colour": "RED" }"#, r#"bad-squares at /conditions/0/check/colour: "RED""#),
        (r#"{ "ranks": 1, "near": 2 }"#, r#"bad-squares at /conditions/0/check/near: "near""#),
    ] {
        let found = errors(&with_squares(check));
        assert!(found.iter().any(|it| it.starts_with(expected)), "{check}: {found:#?}");
    }
    for (setup, expected) in [
        ("2k2/5/5/2K2", "bad-setup at /setup: \"2k2/5/5/2K2\""),
        ("2k2/5/5/5/2K3", "bad-setup at /setup: 2K3"),
        ("2k2/5/2x2/5/2K2", "bad-setup at /setup: x"),
    ] {
        let text = with_squares(r#""a1""#).replace("2k2/5/5/5/2K2", setup);
        let found = errors(&text);
        assert!(found.iter().any(|it| it.starts_with(expected)), "{setup}: {found:#?}");
    }
}

#[test]
fn short_forms_cannot_grow_without_bound() {
    let region = r#"{ "ranks": "1-32" }"#;
    let regions = vec![region; 2000].join(",");
    let text = with_squares(&format!(r#"{{ "union": [{regions}] }}"#)).replace("[5, 5]", "[32, 32]");
    assert!(errors(&text).iter().any(|it| it.starts_with("too-many")), "{:?}", errors(&text));
    let kinds: Vec<String> = (0..60)
        .map(|index| format!(r#"{{ "code": "K{index}", "like": ["K{}", "L{}"] }}, {{ "code": "L{index}", "like": ["K{}"] }}"#, index + 1, index + 1, index + 1))
        .collect();
    let text = with_piece(&format!(
        r#"{}, {{ "code": "K60", "betza": "Q" }}, {{ "code": "L60", "betza": "N" }}"#,
        kinds.join(",")
    ));
    assert!(errors(&text).iter().any(|it| it.starts_with("too-many")));
    let many = |entry: &str, count: usize| vec![entry; count].join(",");
    let entries = many(r#"{ "betza": "K" }"#, 20_000);
    let text = with_piece(&format!(r#"{{ "code": "X", "moves": [{entries}] }}"#));
    assert!(errors(&text).iter().any(|it| it.starts_with("too-many")));
    let text = with_piece(&format!(r#"{{ "code": "X", "betza": "{}" }}"#, "W".repeat(100_000)));
    assert!(errors(&text).iter().any(|it| it.starts_with("bad-betza")));
    let pieces: Vec<String> =
        (0..5000).map(|it| format!(r#"{{ "code": "P{it}", "like": "KING" }}"#)).collect();
    assert!(errors(&with_piece(&pieces.join(","))).iter().any(|it| it.starts_with("too-many")));
    let players: Vec<String> = (0..5000).map(|it| format!(r#""P{it}""#)).collect();
    let text = with_squares(&format!("[{}]", many("[0, 0]", 5000)));
    let text = text.replace(r#""setup""#, &format!(r#""players": [{}], "setup""#, players.join(",")));
    assert!(errors(&text).iter().any(|it| it.starts_with("too-many")));
}
