//! Tests of the checks of teams, armies, tags, dice and figures: changes to a game for four players, each with the
//! expected diagnostics.

mod support;

use serde_json::Value;
use support::damage::{Random, damage_tokens, tokens};
use tabiya_spec::{check_all, english, load};

/// A game of two against two with all mechanics beyond pieces that move and capture.
const FOUR: &str = include_str!("fixtures/four.json");

/// Asserts that the changed game has exactly these diagnostics, in text order: `code at pointer`.
fn expect(changes: &[(&str, &str)], diagnostics: &[&str]) {
    let mut game: Value = serde_json::from_str(FOUR).expect("the fixture is JSON");
    for (pointer, text) in changes {
        put(&mut game, pointer, text);
    }
    let checked = check_all(serde_json::to_string_pretty(&game).expect("JSON can be written").as_bytes());
    let found: Vec<String> = checked
        .diagnostics
        .iter()
        .map(|diagnostic| format!("{} at {}", diagnostic.code, diagnostic.pointer))
        .collect();
    assert_eq!(found, diagnostics, "after {changes:?}: {:?}", checked.diagnostics);
}

/// Sets the value at a pointer; an empty text removes it.
fn put(game: &mut Value, pointer: &str, text: &str) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer below the root");
    let parent = game.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {parent}"));
    let value = || serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    match parent {
        Value::Object(object) if text.is_empty() => {
            object.shift_remove(key);
        }
        Value::Object(object) => {
            object.insert(key.into(), value());
        }
        Value::Array(list) if key == "-" => list.push(value()),
        Value::Array(list) => list[key.parse::<usize>().expect("an index")] = value(),
        _ => panic!("{pointer} has no parts"),
    }
}

#[test]
fn the_test_game_has_no_diagnostics() {
    expect(&[], &[]);
}

#[test]
fn teams() {
    expect(&[("/teams/0/players/1", "\"GREY\"")], &["unknown-player at /teams/0/players/1"]);
    expect(&[("/teams/0/players/1", "\"RED\"")], &["duplicate-team at /teams/1/players/0"]);
    expect(&[("/teams/1/name", "\"AIR\"")], &["duplicate-team at /teams/1/name"]);
    expect(&[("/teams/1/name", "\" \"")], &["empty-name at /teams/1/name"]);
    expect(&[("/teams/1/players", "[]")], &["empty-list at /teams/1/players"]);
    expect(
        &[("/teams", r#"[{ "name": "ALL", "players": ["BLUE", "BLACK", "RED", "YELLOW"] }]"#)],
        &["too-few-teams at /teams"],
    );
    expect(&[("/teams", "5")], &["mistyped at /teams"]);
    // A player without a team plays alone.
    expect(&[("/teams/1", r#"{ "name": "EARTH", "players": ["RED"] }"#)], &[]);
}

#[test]
fn references_to_partners() {
    let alone = ("/teams", "");
    let apart = ("/players/1/starting_positions/1/positions", "[[6, 7]]");
    expect(
        &[alone, apart],
        &[
            "never-happens at /control",
            "never-happens at /exchange",
            "never-happens at /withdrawal",
            "never-happens at /endings/0/when/1/of/1/owner",
            "never-happens at /pieces/1/moves/0/conditions/1/of",
            "never-happens at /pieces/1/moves/1/repeat/until",
            "never-happens at /pieces/1/moves/1/actions/1/state",
        ],
    );
}

#[test]
fn leaders() {
    for key in ["piece", "exposure", "attacked", "captured", "stalemate"] {
        let place = format!("/leader/{key}");
        let expected = if key == "piece" { "unknown-piece" } else { "unknown-word" };
        expect(&[(&place, "\"NEVER_HEARD\"")], &[&format!("{expected} at {place}")]);
    }
    expect(&[("/leader/capture", "1")], &["unknown-key at /leader/capture"]);
    expect(&[("/leader", "7")], &["mistyped at /leader"]);
    let needs = [
        "needs-leader at /sharing",
        "needs-leader at /control",
        "needs-leader at /exchange",
        "needs-leader at /hold",
    ];
    expect(
        &[("/leader", ""), ("/players/1/starting_positions/1/positions", "[[6, 7]]"), ("/endings", "[]")],
        &needs,
    );
    expect(
        &[("/leader", "\"KING\"")],
        &["never-happens at /exchange", "ending-never-holds at /endings/0/when/0"],
    );
}

#[test]
fn shared_squares() {
    let second = "/players/1/starting_positions/1/positions";
    let taken = ["square-taken at /players/1/starting_positions/1/positions/0"];
    // Not a shared square, different teams, two leaders, no leader, three pieces.
    let third = "square-taken at /players/1/starting_positions/2/positions/0";
    expect(&[(second, "[[7, 6]]")], &[third]);
    expect(&[("/players/1/starting_positions/2/positions", "[[7, 7]]")], &[third]);
    expect(&[(second, "[[0, 0]]")], &[]);
    expect(&[(second, "[[0, 7]]")], &["square-taken at /players/2/starting_positions/0/positions/0"]);
    expect(&[("/sharing", "")], &["square-taken at /players/1/starting_positions/1/positions/0"]);
    expect(&[("/players/1/starting_positions/1/piece", "\"KING\"")], &taken);
    expect(&[("/sharing/in", "\"THRON\"")], &["unknown-condition at /sharing/in"]);
    expect(&[("/sharing/join", "\"MAYBE\"")], &["unknown-word at /sharing/join"]);
}

#[test]
fn tags() {
    expect(&[("/tag/pieces/0", "\"KING\"")], &["bad-tag at /tag/pieces/0"]);
    expect(&[("/tag/pieces/0", "\"QUEEEN\"")], &["unknown-piece at /tag/pieces/0"]);
    expect(&[("/tag/pieces", "[]")], &["empty-list at /tag/pieces"]);
    expect(&[("/tag/values/WHITE/-", "[1, 1]")], &["bad-tag at /tag/values/WHITE/1"]);
    expect(&[("/tag/values/WHITE/-", "[8, 1]")], &["square-off-board at /tag/values/WHITE/1"]);
    expect(
        &[("/tag/values", "{}"), ("/players/0/starting_positions/1/tag", "")],
        &["empty-list at /tag/values"],
    );
    let values = (0..9).map(|value| format!("\"V{value}\": []")).collect::<Vec<_>>().join(", ");
    expect(&[("/tag/values", &format!("{{ \"WHITE\": [], {values} }}"))], &["too-many at /tag/values"]);
    expect(
        &[("/players/0/starting_positions/1/tag", "\"GREEN\"")],
        &["unknown-tag at /players/0/starting_positions/1/tag"],
    );
    expect(
        &[("/players/0/starting_positions/0/tag", "\"WHITE\"")],
        &["unknown-tag at /players/0/starting_positions/0/tag"],
    );
    expect(
        &[("/tag", "")],
        &[
            "unknown-tag at /players/0/starting_positions/1/tag",
            "unknown-tag at /pieces/1/moves/0/actions/1/same_tag",
        ],
    );
}

#[test]
fn capture_filters() {
    let action = "/pieces/1/moves/0/actions/1";
    let at = |key: &str| format!("{action}/{key}");
    expect(&[(&at("piece"), "[]")], &["empty-list at /pieces/1/moves/0/actions/1/piece"]);
    expect(&[(&at("piece/0"), "\"ROKO\"")], &["unknown-piece at /pieces/1/moves/0/actions/1/piece/0"]);
    expect(
        &[(&at("not_piece"), r#"["QUEEN", "PAWN"]"#)],
        &["no-victim at /pieces/1/moves/0/actions/1/not_piece"],
    );
    expect(
        &[(&at("piece"), ""), (&at("not_piece"), r#"["KING", "QUEEN", "PAWN"]"#)],
        &["no-victim at /pieces/1/moves/0/actions/1/not_piece"],
    );
    expect(
        &[(&at("not_piece"), r#"["PAWN", "PAWN"]"#)],
        &["repeated-piece at /pieces/1/moves/0/actions/1/not_piece/1"],
    );
    let idle = "/pieces/1/moves/0/actions/0";
    for (key, value) in [("piece", r#"["PAWN"]"#), ("not_piece", r#"["PAWN"]"#), ("same_tag", "true")] {
        let place = format!("{idle}/{key}");
        expect(&[(&place, value)], &[&format!("impossible-action at {place}")]);
    }
    expect(
        &[("/pieces/1/moves/1/actions/1/action", "\"MOVE\"")],
        &["impossible-action at /pieces/1/moves/1/actions/1/action"],
    );
}

#[test]
fn conditions_of_moves() {
    let region = "/pieces/1/moves/0/conditions/1";
    expect(
        &[(&format!("{region}/region"), "\"THRON\"")],
        &["unknown-condition at /pieces/1/moves/0/conditions/1/region"],
    );
    expect(&[(&format!("{region}/of"), "\"MINE\"")], &["unknown-word at /pieces/1/moves/0/conditions/1/of"]);
    let count = "/pieces/1/moves/0/conditions/0";
    let lost = format!("{count}/lost");
    expect(&[(&lost, "0")], &["number-out-of-range at /pieces/1/moves/0/conditions/0/lost"]);
    expect(&[(&lost, "")], &["unbounded-count at /pieces/1/moves/0/conditions/0"]);
    expect(
        &[(count, r#"{ "condition": "COUNT", "min": 3, "max": 2 }"#)],
        &["min-above-max at /pieces/1/moves/0/conditions/0/min"],
    );
    expect(
        &[(count, r#"{ "condition": "COUNT", "in": "NOWHERE", "max": 2 }"#)],
        &["unknown-condition at /pieces/1/moves/0/conditions/0/in"],
    );
    expect(
        &[(count, r#"{ "condition": "COUNT", "piece": ["X"], "max": 2 }"#)],
        &["unknown-piece at /pieces/1/moves/0/conditions/0/piece/0"],
    );
    let twice = r#"{ "condition": "COUNT", "piece": ["PAWN"], "lost": 1 }"#;
    expect(
        &[("/pieces/1/moves/0/conditions/-", twice)],
        &["repeated-condition at /pieces/1/moves/0/conditions/2"],
    );
}

#[test]
fn promotions_and_reactions() {
    let replaces = "/pieces/2/moves/0/modifiers/0/replaces";
    expect(
        &[(replaces, r#"{ "KING": "PAWN" }"#)],
        &["not-an-option at /pieces/2/moves/0/modifiers/0/replaces/KING"],
    );
    expect(
        &[(replaces, r#"{ "QUEEN": "PWAN" }"#)],
        &["unknown-piece at /pieces/2/moves/0/modifiers/0/replaces/QUEEN"],
    );
    for key in ["captured/0", "piece", "to"] {
        let place = format!("/reactions/0/{key}");
        expect(&[(&place, "\"PRINCE\"")], &[&format!("unknown-piece at {place}")]);
    }
    for key in ["in", "in_any", "not_in_any"] {
        let place = format!("/reactions/0/{key}");
        expect(&[(&place, "\"NOWHERE\"")], &[&format!("unknown-condition at {place}")]);
    }
    expect(&[("/reactions/0/captured", "[]")], &["empty-list at /reactions/0/captured"]);
    expect(&[("/reactions/0/to", "\"PAWN\"")], &["never-happens at /reactions/0/to"]);
}

#[test]
fn figures() {
    let shape = "/figures/0/shape";
    expect(&[(shape, "[]")], &["empty-list at /figures/0/shape"]);
    expect(&[(shape, "[[0, 0], [1, 0], [0, 0]]")], &["impossible-figure at /figures/0/shape/2"]);
    expect(
        &[(shape, "[[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]")],
        &["impossible-figure at /figures/0/shape"],
    );
    expect(&[(shape, "[[0, 0], [9, 0]]")], &["never-happens at /figures/0/shape"]);
    expect(&[("/figures/0/piece", "\"BISHOP\"")], &["unknown-piece at /figures/0/piece"]);
    expect(&[("/figures/0/at/0", "[9, 9]")], &["square-off-board at /figures/0/at/0"]);
    expect(&[("/figures/0/at", "[[3, 3], [3, 3]]")], &["duplicate-square at /figures/0/at/1"]);
    expect(&[("/figures/0/at", "[]")], &["empty-list at /figures/0/at"]);
}

#[test]
fn dice() {
    expect(&[("/chance/die", "0")], &["number-out-of-range at /chance/die"]);
    expect(&[("/chance/die", "256")], &["number-out-of-range at /chance/die"]);
    expect(&[("/chance/throws", "0")], &["number-out-of-range at /chance/throws"]);
    expect(&[("/chance/throws", "256")], &["number-out-of-range at /chance/throws"]);
    expect(&[("/chance/die", "3")], &["missing-key at /chance/allow"]);
    expect(&[("/chance/allow/3", r#"[{ "pieces": ["PAWN"] }]"#)], &["unknown-key at /chance/allow/3"]);
    expect(&[("/chance/allow/01", r#"[{ "pieces": ["PAWN"] }]"#)], &["unknown-key at /chance/allow/01"]);
    expect(&[("/chance/allow/1", "[]")], &["empty-list at /chance/allow/1"]);
    expect(&[("/chance/allow/1", r#"[{ "pieces": [] }]"#)], &["empty-list at /chance/allow/1/0/pieces"]);
    expect(
        &[("/chance/allow/1", r#"[{ "pieces": ["X"] }]"#)],
        &["unknown-piece at /chance/allow/1/0/pieces/0"],
    );
    expect(
        &[("/chance/allow/1", r#"[{ "pieces": ["PAWN", "PAWN"] }]"#)],
        &["repeated-piece at /chance/allow/1/0/pieces/1"],
    );
    expect(&[("/chance/check", "\"OFF\"")], &["unknown-word at /chance/check"]);
}

#[test]
fn stopping_endings() {
    let first = "/endings/0";
    for by in ["\"CLAIM\"", "\"FLAG\""] {
        expect(
            &[("/endings/0/by", by), ("/endings/0/result", "\"DRAW\"")],
            &["cannot-stop at /endings/0/by"],
        );
    }
    for clause in [
        r#"{ "condition": "REPETITION", "times": 3 }"#,
        r#"{ "condition": "NOT", "of": [{ "condition": "REPETITION", "times": 3 }] }"#,
    ] {
        let ending = format!(r#"{{ "code": "END", "stops": true, "when": [{clause}] }}"#);
        let inner = if clause.contains("NOT") { "/of/0" } else { "" };
        let expected = format!("cannot-stop at /endings/0/when/0{inner}");
        expect(&[(first, &ending)], &[&expected]);
    }
    let quiet = r#"{ "condition": "QUIET", "turns": 9 }"#;
    let ending = |when: &str| format!(r#"{{ "code": "END", "stops": true, "when": [{when}] }}"#);
    expect(&[(first, &ending(quiet))], &[]);
    let both = ending(&format!(r#"{{ "condition": "STUCK" }}, {quiet}"#));
    expect(&[(first, &both)], &["cannot-stop at /endings/0/when/1"]);
    let stuck = |stops: &str| {
        format!(r#"{{ "code": "MATE", {stops} "result": "LOSS", "when": [{{ "condition": "STUCK" }}] }}"#)
    };
    expect(&[(first, &stuck("\"stops\": true,"))], &[]);
    expect(&[(first, &stuck(""))], &["stuck-out-of-place at /endings/0/when/0"]);
    expect(
        &[(first, &stuck("\"stops\": true,")), ("/stuck", "\"ENDS\"")],
        &["stuck-out-of-place at /endings/0/when/0", "stuck-out-of-place at /endings/1/when/0"],
    );
    expect(&[("/endings/1/who", "\"ALL\"")], &["unknown-word at /endings/1/who"]);
    let controlled = r#"{ "code": "END", "when": [{ "condition": "CONTROLLED", "owner": "PARTNER" }] }"#;
    expect(&[(first, controlled)], &[]);
    expect(
        &[(first, controlled), ("/control", ""), ("/withdrawal", "")],
        &["ending-never-holds at /endings/0/when/0"],
    );
}

#[test]
fn control_and_exchange() {
    expect(&[("/control/in", "\"NOWHERE\"")], &["unknown-condition at /control/in"]);
    expect(&[("/exchange/to", "\"NOWHERE\"")], &["unknown-condition at /exchange/to"]);
    expect(&[("/exchange/by", "\"PARTNERS\"")], &["unknown-word at /exchange/by"]);
    expect(&[("/hold/in", "\"NOWHERE\"")], &["unknown-condition at /hold/in"]);
    expect(&[("/hold/code", "\"\"")], &["empty-name at /hold/code"]);
    expect(&[("/hold/code", "\"STALEMATE\"")], &["shadowed-word at /hold/code"]);
    expect(&[("/withdrawal", "\"yes\"")], &["mistyped at /withdrawal"]);
}

/// Random damage never causes a panic, and playable games can be described.
#[test]
fn random_damage() {
    let tokens = tokens(FOUR);
    let mut random = Random(0x7ab1_4a05);
    for _ in 0..20_000 {
        let loaded = load(&damage_tokens(&tokens, &mut random));
        assert!(loaded.game.is_some() || !loaded.diagnostics.is_empty());
        if let Some(game) = loaded.game {
            english(&game);
        }
    }
}
