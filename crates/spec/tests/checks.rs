//! Tests of the checks: small changes to the base game of `docs/diagnostics.md`, each with the expected diagnostics.

mod support;

use support::{base, changed};
use tabiya_spec::load;

/// Asserts that the changed game has exactly these diagnostics, in text order: `code at pointer`.
fn expect(changes: &[(&str, &str)], diagnostics: &[&str]) {
    let text = changed(changes.iter().copied());
    let checked = load(text.as_bytes());
    let found: Vec<String> = checked
        .diagnostics
        .iter()
        .map(|diagnostic| format!("{} at {}", diagnostic.code, diagnostic.pointer))
        .collect();
    assert_eq!(found, diagnostics, "after {changes:?}");
}

/// Returns the help of the only diagnostic.
fn help(changes: &[(&str, &str)]) -> String {
    let checked = load(changed(changes.iter().copied()).as_bytes());
    let [diagnostic] = checked.diagnostics.as_slice() else { panic!("{:?}", checked.diagnostics) };
    diagnostic.help.clone().unwrap_or_default()
}

const STEP: &str = r#"[{ "id": 0, "step": [1, 1], "actions": [{ "state": "EMPTY", "action": "MOVE" }] }]"#;

#[test]
fn an_unreadable_value_is_reported_once() {
    expect(&[("/pieces/1", "5")], &["mistyped at /pieces/1"]);
    expect(&[("/pieces/1/code", "5")], &["mistyped at /pieces/1/code"]);
    expect(&[("/pieces/1/code", "\"\"")], &["empty-name at /pieces/1/code"]);
    expect(&[("/players/1", "null")], &["mistyped at /players/1"]);
    expect(&[("/players/1/name", "7")], &["mistyped at /players/1/name"]);
    expect(&[("/players/1/starting_positions", "7")], &["mistyped at /players/1/starting_positions"]);
    expect(
        &[("/players/1/direction", "[1, 0]")],
        &["mistyped at /players/1/direction/0", "mistyped at /players/1/direction/1"],
    );
    expect(&[("/leader", "true")], &["mistyped at /leader"]);
    expect(&[("/turns", "[]")], &["mistyped at /turns"]);
    expect(&[("/turns/order/1", "3")], &["mistyped at /turns/order/1"]);
    expect(&[("/conditions/0/type", "\"PLACE\"")], &["unknown-word at /conditions/0/type"]);
    expect(&[("/conditions/0/check/WHITE", "0")], &["mistyped at /conditions/0/check/WHITE"]);
    expect(&[("/board", "8")], &["mistyped at /board"]);
    expect(
        &[("/pieces/2/moves/1/side_effects/0", "{}")],
        &["missing-key at /pieces/2/moves/1/side_effects/0"],
    );
    expect(
        &[("/pieces/2/moves/0/repeat", r#"{ "min": 2, "times": "2" }"#)],
        &["mistyped at /pieces/2/moves/0/repeat/times"],
    );
}

#[test]
fn an_unreadable_square_test_is_not_reported_as_empty() {
    let list = "/pieces/2/moves/1/conditions/-";
    let at = |key: &str| format!("/pieces/2/moves/1/conditions/2/{key}");
    expect(
        &[(list, r#"{ "condition": "SQUARE", "position": [0, 1], "piece": ["ROOK", 5] }"#)],
        &[&format!("mistyped at {}/1", at("piece"))],
    );
    expect(
        &[(list, r#"{ "condition": "SQUARE", "position": [0, 1], "state": "FULL" }"#)],
        &[&format!("unknown-word at {}", at("state"))],
    );
    expect(
        &[(list, r#"{ "condition": "SQUARE", "position": [0, 1], "piece": [] }"#)],
        &[&format!("empty-list at {}", at("piece"))],
    );
}

#[test]
fn a_misspelt_use_does_not_make_a_definition_unused() {
    expect(
        &[("/players/1/starting_positions/0/piece", "\"KNIG\"")],
        &["unknown-piece at /players/1/starting_positions/0/piece"],
    );
    expect(&[("/turns/order/0", "\"WHYTE\"")], &["unknown-player at /turns/order/0"]);
    expect(
        &[("/pieces/2/moves/1/side_effects/0/state", "\"EN_PASANT\"")],
        &[
            "flag-never-set at /pieces/2/moves/2/actions/1/conditions/0/state",
            "flag-never-set at /pieces/2/moves/3/actions/1/conditions/0/state",
        ],
    );
    let check = r#"{ "WHITE": [[0, 5]], "BLAKC": [[0, 0]] }"#;
    expect(&[("/conditions/0/check", check)], &["unknown-player at /conditions/0/check/BLAKC"]);
}

#[test]
fn similar_names_are_suggested() {
    assert_eq!(help(&[("/leader", "\"KIGN\"")]), "did you mean `KING`?");
    assert_eq!(help(&[("/leader", "\"EMPEROR\"")]), "the pieces are `KING`, `ROOK` and `PAWN`");
    assert_eq!(help(&[("/turns/order/0", "\"white\"")]), "did you mean `WHITE`?");
    let condition = "/pieces/2/moves/1/conditions/0/condition";
    assert_eq!(help(&[(condition, "\"FRIST_MOVE\"")]), "did you mean `FIRST_MOVE`?");
    assert_eq!(help(&[(condition, "\"LAST_RNAK\"")]), "did you mean `LAST_RANK`?");
    let until = r#"{ "loop": true, "until": "ENEMYS" }"#;
    assert_eq!(help(&[("/pieces/1/moves/0/repeat", until)]), "did you mean `ENEMY`?");
}

#[test]
fn letters() {
    let knight = format!(r#"{{ "code": "KNIGHT", "moves": {STEP} }}"#);
    let piece = "/pieces/-";
    let option = ("/pieces/2/moves/0/modifiers/0/options", r#"["ROOK", "KNIGHT"]"#);
    expect(&[(piece, &knight), option], &["chosen-letter at /pieces/3/code"]);
    assert_eq!(
        help(&[(piece, &knight), option]),
        "add \"letter\": \"N\" to keep it, or choose another letter"
    );
    let digit = knight.replace("KNIGHT", "2KNIGHT");
    let two = (option.0, r#"["ROOK", "2KNIGHT"]"#);
    expect(&[(piece, &digit), two], &["chosen-letter at /pieces/3/code"]);
    let given = knight.replace("\"moves\"", "\"letter\": \"k\", \"moves\"");
    expect(&[(piece, &given), option], &["chosen-letter at /pieces/0/code"]);
    expect(&[(piece, &given), option, ("/pieces/0/letter", "\"K\"")], &["letter-clash at /pieces/3/letter"]);
    for bad in ["\"\"", "\"7\"", "\"ß\"", "\"字\"", "\"KK\"", "\"\u{212a}\""] {
        expect(&[("/pieces/0/letter", bad)], &["bad-letter at /pieces/0/letter"]);
    }
    for good in ["\"q\"", "\"Ф\"", "\"Ä\"", "\"+R\"", "\"++k\""] {
        expect(&[("/pieces/0/letter", good)], &[]);
    }
}

#[test]
fn letters_by_player() {
    let king = "/pieces/0/letters";
    expect(&[(king, r#"{ "WHITE": "帥", "BLACK": "將" }"#)], &[]);
    expect(&[(king, r#"{ "WHITE": "♔", "BLACK": "+♚" }"#)], &[]);
    expect(&[(king, r#"{ "WHITE": "帥" }"#)], &["player-left-out at /pieces/0/letters"]);
    expect(&[(king, r#"{ "WHITE": "帥", "BLAKC": "將" }"#)], &["unknown-player at /pieces/0/letters/BLAKC"]);
    for bad in ["K", "帥帥", "", "1", "/"] {
        let letters = format!(r#"{{ "WHITE": "帥", "BLACK": "{bad}" }}"#);
        expect(&[(king, &letters)], &["bad-letter at /pieces/0/letters/BLACK"]);
    }
    expect(&[(king, r#"{ "WHITE": "王", "BLACK": "王" }"#)], &["letter-clash at /pieces/0/letters/WHITE"]);
    let both = [(king, r#"{ "WHITE": "帥", "BLACK": "將" }"#), ("/pieces/0/letter", "\"K\"")];
    expect(&both, &["bad-letter at /pieces/0/letters"]);
}

/// Returns the letter of each piece of the example game with these codes, none of which has a `letter`.
fn chosen(codes: &[&str], leader: Option<&str>) -> Vec<String> {
    let piece = |code: &&str| format!(r#"{{ "code": "{code}", "moves": {STEP} }}"#);
    let pieces = format!("[{}]", codes.iter().map(piece).collect::<Vec<_>>().join(", "));
    let army = format!(r#"[{{ "piece": "{}", "positions": [] }}]"#, codes[0]);
    let mut game: serde_json::Value = serde_json::from_str(&support::base()).expect("JSON");
    for player in 0..2 {
        game["players"][player]["starting_positions"] = serde_json::from_str(&army).expect("JSON");
    }
    game["pieces"] = serde_json::from_str(&pieces).expect("JSON");
    game["leader"] = leader.into();
    if leader.is_none() {
        game.as_object_mut().expect("an object").remove("leader");
    }
    let rules = tabiya_spec::load(game.to_string().as_bytes()).game.expect("it can be played").rules;
    rules.kinds().map(|kind| rules.kind(kind).symbol.of(tabiya_engine::Player(0))).collect()
}

#[test]
fn missing_letters_are_chosen() {
    assert_eq!(chosen(&["KNIGHT", "KING"], Some("KING")), ["N", "K"], "the leader comes first");
    assert_eq!(chosen(&["KNIGHT", "KING"], None), ["K", "I"], "then the order of the list");
    assert_eq!(chosen(&["A", "AA", "AAA"], None), ["A", "B", "C"], "any free letter");
    assert_eq!(chosen(&["卒", "2x", "ß"], None), ["A", "X", "B"], "letters have two cases");
    let many: Vec<String> = (0..255).map(|number| format!("A{number}")).collect();
    let letters = chosen(&many.iter().map(String::as_str).collect::<Vec<_>>(), None);
    assert_eq!(letters[..28], "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁ".chars().map(String::from).collect::<Vec<_>>());
    assert_eq!(letters.iter().collect::<std::collections::HashSet<_>>().len(), many.len());
}

#[test]
fn castling() {
    let castle = |guard: &str, effect: &str| {
        format!(
            r#"{{ "id": 9, "step": [2, 0], "actions": [{{ "state": "EMPTY", "action": "MOVE" }}],
                "conditions": [{guard}], "side_effects": [{effect}] }}"#
        )
    };
    let rook = r#"{ "action": "MOVE", "piece": "ROOK", "from": [3, 0], "to": [1, 0] }"#;
    let any = r#"{ "action": "MOVE", "from": [3, 0], "to": [1, 0] }"#;
    let warned = ["castling-without-rook at /pieces/0/moves/4/side_effects/0"];
    let none: [&str; 0] = [];
    let cases: [(&str, &str, &[&str]); 10] = [
        ("", rook, &warned),
        (r#"{ "condition": "ROOK_FIRST_MOVE", "position": [3, 0] }"#, rook, &warned),
        (r#"{ "condition": "PIECE_FIRST_MOVE", "position": [3, 0] }"#, rook, &warned),
        (r#"{ "condition": "SQUARE", "position": [3, 0], "unmoved": true }"#, rook, &warned),
        (r#"{ "condition": "SQUARE", "position": [2, 0], "piece": ["ROOK"] }"#, rook, &warned),
        (r#"{ "condition": "SQUARE", "position": [3, 0], "piece": ["PAWN"] }"#, rook, &warned),
        (r#"{ "condition": "SQUARE", "position": [3, 0], "piece": ["ROOK"] }"#, rook, &none),
        (
            r#"{ "condition": "SQUARE", "anchor": "TARGET", "position": [1, 0], "piece": ["ROOK"] }"#,
            rook,
            &none,
        ),
        (r#"{ "condition": "SQUARE", "position": [3, 0], "state": "ALLY" }"#, any, &none),
        (r#"{ "condition": "SQUARE", "position": [3, 0], "state": "NOT_EMPTY" }"#, any, &warned),
    ];
    for (guard, effect, diagnostics) in cases {
        expect(&[("/pieces/0/moves/-", &castle(guard, effect))], diagnostics);
    }
    // One warning per move, at the first unguarded effect; an action may guard its own effects.
    let second = format!("{any}, {}", any.replace("[3, 0]", "[4, 0]"));
    let guard = r#"{ "condition": "SQUARE", "position": [3, 0], "state": "ALLY" }"#;
    expect(&[("/pieces/0/moves/-", &castle("", &second))], &warned);
    expect(
        &[("/pieces/0/moves/-", &castle(guard, &second))],
        &["castling-without-rook at /pieces/0/moves/4/side_effects/1"],
    );
    let action = format!(
        r#"{{ "state": "EMPTY", "action": "MOVE", "conditions": [{guard}], "side_effects": [{any}] }}"#
    );
    expect(&[("/pieces/0/moves/0/actions/0", &action)], &[]);
}

#[test]
fn steps_and_landings() {
    let slide = "/pieces/1/moves/0/repeat";
    expect(&[(slide, r#"{ "loop": true, "min": 5 }"#)], &[]);
    expect(&[(slide, r#"{ "loop": true, "min": 6 }"#)], &["step-leaves-board at /pieces/1/moves/0/step"]);
    expect(
        &[(slide, r#"{ "min": 1000000, "times": 1000000 }"#)],
        &["step-leaves-board at /pieces/1/moves/0/step"],
    );
    expect(
        &[(slide, r#"{ "times": 0, "min": -1 }"#)],
        &[
            "number-out-of-range at /pieces/1/moves/0/repeat/times",
            "number-out-of-range at /pieces/1/moves/0/repeat/min",
        ],
    );
    // Disabled squares interrupt a slide, but a leap passes over them.
    let walls =
        ("/board/disabled_positions", "[[0,2],[1,2],[2,2],[3,2],[4,2],[0,3],[1,3],[2,3],[3,3],[4,3]]");
    let double = "step-leaves-board at /pieces/2/moves/1/step";
    let far = ("/pieces/1/moves/0/step", "[0, 5]");
    expect(&[walls], &[double]);
    expect(&[walls, far, (slide, r#"{ "times": 1 }"#)], &[double]);
    expect(
        &[walls, (slide, r#"{ "min": 2, "times": 5 }"#)],
        &["step-leaves-board at /pieces/1/moves/0/step", double],
    );
    // A piece none of whose steps fits is reported once.
    let moves = STEP.replace("[1, 1]", "[5, 0]");
    expect(&[("/pieces/1/moves", &moves)], &["immobile-piece at /pieces/1/moves"]);
    let captures = r#"[{ "action": "CAPTURE", "target": [0, 2] }]"#;
    let exact = r#"{ "min": 2, "times": 2 }"#;
    expect(
        &[("/pieces/2/moves/0/side_effects", captures), ("/pieces/2/moves/0/repeat", exact)],
        &["captures-itself at /pieces/2/moves/0/side_effects/0/target"],
    );
}

#[test]
fn codes_of_conditions() {
    let state = ("/conditions/-", r#"{ "code": "OLD", "type": "STATE", "check": { "any": ["thing"] } }"#);
    expect(&[state], &["unused-condition at /conditions/1/code"]);
    expect(
        &[state, ("/pieces/1/moves/0/repeat/until", "\"OLD\"")],
        &["state-condition at /pieces/1/moves/0/repeat/until"],
    );
    expect(&[("/pieces/1/moves/0/repeat/until", "\"LAST_RANK\"")], &[]);
    let centre = r#"{ "code": "CENTRE", "type": "POSITION", "check": { "WHITE": [[9, 9]], "BLACK": [] } }"#;
    expect(
        &[("/conditions/-", centre), ("/pieces/1/moves/0/repeat/until", "\"CENTRE\"")],
        &["square-off-board at /conditions/1/check/WHITE/0"],
    );
}

#[test]
fn dependencies() {
    let condition = |id: i32| format!(r#"{{ "condition": "DEPENDS_ON", "move_id": {id} }}"#);
    let (own, action) = ("/pieces/2/moves/1/conditions/-", "/pieces/2/moves/2/actions/0/conditions");
    let modifier = "/pieces/2/moves/0/modifiers/0/conditions/-";
    expect(&[(own, &condition(0))], &[]);
    expect(&[(own, &condition(1))], &["dependency-cycle at /pieces/2/moves/1/conditions/2/move_id"]);
    let list = format!("[{}]", condition(0));
    expect(
        &[(own, &condition(2)), (action, &list), (modifier, &condition(1))],
        &["dependency-cycle at /pieces/2/moves/2/actions/0/conditions/0/move_id"],
    );
    // Of two moves with the same id, the first one counts.
    expect(
        &[("/pieces/2/moves/3/id", "0"), (own, &condition(0))],
        &["duplicate-move-id at /pieces/2/moves/3/id"],
    );
}

#[test]
fn directions() {
    for good in ["[[1, 0], [0, -1]]", "[[-1, 0], [0, -1]]"] {
        expect(&[("/players/1/direction", good)], &[]);
    }
    for bad in ["[[0, 0], [0, 0]]", "[[1, 0], [1, 0]]", "[[2, 0], [0, 1]]", "[[1000000, 1], [1, 1000000]]"] {
        expect(&[("/players/1/direction", bad)], &["bad-direction at /players/1/direction"]);
    }
    // Pieces in the middle of the row face neither edge.
    let start = ("/players/1/starting_positions", r#"[{ "piece": "KING", "positions": [[2, 5]] }]"#);
    expect(&[start, ("/players/1/direction", "\"LEFT\"")], &[]);
}

#[test]
fn numbers_and_limits() {
    expect(&[("/turns/start_at", "-1")], &["number-out-of-range at /turns/start_at"]);
    expect(&[("/pieces/0/moves/0/id", "-7")], &[]);
    let order = format!("[{}]", vec!["\"WHITE\", \"BLACK\""; 128].join(", "));
    expect(&[("/turns/order", &order)], &[]);
    let order = format!("[{}]", vec!["\"WHITE\", \"BLACK\""; 129].join(", "));
    expect(&[("/turns/order", &order)], &["too-many at /turns/order"]);
    let flags: Vec<String> =
        (0..70).map(|flag| format!(r#"{{ "action": "SET_STATE", "state": "F{flag}" }}"#)).collect();
    let text = changed([("/pieces/0/moves/0/side_effects", format!("[{}]", flags.join(", ")).as_str())]);
    let checked = load(text.as_bytes());
    assert_eq!(checked.diagnostics[0].code.as_str(), "too-many");
    assert_eq!(checked.diagnostics.len(), 71, "one per untested flag");
}

#[test]
fn slides_have_a_limited_number_of_directions() {
    // Every step has another direction; its length does not matter.
    let moves = |first: usize, count: usize, length: usize| {
        let slide = |n: usize| {
            let step = [length, length * n];
            let actions = r#"[{ "state": "EMPTY", "action": "MOVE" }]"#;
            format!(r#"{{ "id": {n}, "step": {step:?}, "repeat": {{ "times": 2 }}, "actions": {actions} }}"#)
        };
        format!("[{}]", (first..first + count).map(slide).collect::<Vec<_>>().join(", "))
    };
    let check = |second: &str| {
        let text = changed([("/pieces/0/moves", moves(1, 200, 1).as_str()), ("/pieces/1/moves", second)]);
        let codes: Vec<String> = load(text.as_bytes())
            .diagnostics
            .iter()
            .map(|it| format!("{} at {}", it.code, it.pointer))
            .collect();
        codes.contains(&"too-many at /pieces".to_owned())
    };
    assert!(!check(&moves(201, 56, 1)), "256 directions");
    assert!(check(&moves(201, 57, 1)), "257 directions");
    assert!(!check(&moves(1, 200, 3)), "the same directions");
}

/// Returns a list with one ending that has this condition.
fn ending(when: &str) -> String {
    format!(r#"[{{ "code": "END", "when": [{when}] }}]"#)
}

#[test]
fn conditions_of_endings() {
    let check = |when: &str, diagnostics: &[&str]| expect(&[("/endings", &ending(when))], diagnostics);
    check(
        r#"{ "condition": "COUNT", "piece": ["ROOK"], "owner": "OWN", "in": "LAST_RANK", "max": 0 }"#,
        &["already-decided at /endings"],
    );
    check(r#"{ "condition": "COUNT", "owner": "ENEMY", "max": 0 }"#, &[]);
    check(
        r#"{ "condition": "COUNT", "piece": ["ROKO"], "max": 0 }"#,
        &["unknown-piece at /endings/0/when/0/piece/0"],
    );
    check(r#"{ "condition": "COUNT", "piece": [], "max": 0 }"#, &["empty-list at /endings/0/when/0/piece"]);
    check(
        r#"{ "condition": "COUNT", "in": "LAST_ROW", "max": 0 }"#,
        &["unknown-condition at /endings/0/when/0/in"],
    );
    check(
        r#"{ "condition": "COUNT", "in": "PATH_EMPTY", "max": 0 }"#,
        &["unknown-condition at /endings/0/when/0/in"],
    );
    check(
        r#"{ "condition": "COUNT", "min": -1, "max": -1 }"#,
        &["number-out-of-range at /endings/0/when/0/min", "number-out-of-range at /endings/0/when/0/max"],
    );
    check(r#"{ "condition": "COUNT", "min": "2" }"#, &["mistyped at /endings/0/when/0/min"]);
    check(
        r#"{ "condition": "REPETITION", "times": 0 }"#,
        &["number-out-of-range at /endings/0/when/0/times"],
    );
    check(r#"{ "condition": "QUIET", "turns": 0 }"#, &["number-out-of-range at /endings/0/when/0/turns"]);
    check(
        r#"{ "condition": "QUIET", "times": 5 }"#,
        &["missing-key at /endings/0/when/0", "unknown-key at /endings/0/when/0/times"],
    );
    check(r#"{ "condition": "CANNOT_WIN", "owner": "ALLY" }"#, &["unknown-word at /endings/0/when/0/owner"]);
    check(r#"{ "condition": "STALEMATE" }"#, &["unknown-word at /endings/0/when/0/condition"]);
    check("", &["empty-list at /endings/0/when"]);
    check(r#"{ "condition": "ANY", "of": [] }"#, &["empty-list at /endings/0/when/0/of"]);
    check(r#"{ "condition": "ANY", "of": [[]] }"#, &["empty-list at /endings/0/when/0/of/0"]);
    check(r#"{ "condition": "NOT", "of": [] }"#, &["empty-list at /endings/0/when/0/of"]);
    check(
        r#"{ "condition": "NOT", "of": [{ "condition": "QUIET", "turns": true }] }"#,
        &["mistyped at /endings/0/when/0/of/0/turns"],
    );
    let state = ("/conditions/-", r#"{ "code": "OLD", "type": "STATE" }"#);
    let count = ending(r#"{ "condition": "COUNT", "in": "OLD", "max": 0 }"#);
    expect(&[state, ("/endings", &count)], &["state-condition at /endings/0/when/0/in"]);
}

#[test]
fn a_condition_used_by_an_ending_is_not_unused() {
    let centre =
        r#"{ "code": "CENTRE", "type": "POSITION", "check": { "WHITE": [[2, 2]], "BLACK": [[2, 3]] } }"#;
    let count = r#"{ "condition": "COUNT", "piece": ["KING"], "in": "CENTRE", "min": 1 }"#;
    expect(&[("/conditions/-", centre)], &["unused-condition at /conditions/1/code"]);
    expect(&[("/conditions/-", centre), ("/endings", &ending(count))], &[]);
    let within = format!(r#"{{ "condition": "ANY", "of": [[{{ "condition": "NOT", "of": [{count}] }}]] }}"#);
    let named = ["already-decided at /endings"];
    expect(&[("/conditions/-", centre), ("/endings", &ending(&within))], &named);
    // An unreadable condition may have used it.
    let lost = format!(r#"{{ "condition": "NOT", "of": [{count}, 5] }}"#);
    let mistyped = ["mistyped at /endings/0/when/0/of/1"];
    expect(&[("/conditions/-", centre), ("/endings", &ending(&lost))], &mistyped);
}

#[test]
fn redundant_endings() {
    let by = |rest: &str| format!(r#"[{{ "code": "END", {rest} }}]"#);
    let always = r#""when": [{ "condition": "REPETITION", "times": 1 }]"#;
    expect(&[("/endings", &by(always))], &["ending-always-holds at /endings/0/when"]);
    let claim = by(&format!(r#""by": "CLAIM", {always}"#));
    expect(&[("/endings", &claim)], &["ending-always-holds at /endings/0/when"]);
    expect(&[("/endings", &by(&format!(r#""by": "FLAG", {always}"#)))], &[]);
    let never = ["ending-never-holds at /endings/0/when/0"];
    for clause in [
        r#"{ "condition": "COUNT", "min": 31 }"#,
        r#"{ "condition": "NOT", "of": [{ "condition": "COUNT", "min": 0 }] }"#,
        r#"{ "condition": "NOT", "of": [{ "condition": "COUNT", "max": 30 }] }"#,
        r#"{ "condition": "ANY", "of": [[{ "condition": "COUNT", "min": 99 }, { "condition": "QUIET", "turns": 9 }]] }"#,
    ] {
        expect(&[("/endings", &ending(clause))], &never);
    }
    expect(&[("/endings", &ending(r#"{ "condition": "COUNT", "min": 30 }"#))], &[]);
    // Proofs need leaders, and that there is no other way to win.
    let proof = r#"{ "condition": "CANNOT_WIN" }"#;
    let won = r#", { "code": "WON", "result": "WIN", "when": [{ "condition": "QUIET", "turns": 9 }] }]"#;
    expect(&[("/endings", &ending(proof))], &[]);
    expect(&[("/endings", &ending(proof).replace("}] }]", &format!("}}] }}{won}")))], &never);
    // A loss before a draw is an exception to it; without such a draw it has no effect.
    let flag = |result: &str, turns: u32| {
        let when = format!(r#"[{{ "condition": "QUIET", "turns": {turns} }}]"#);
        format!(r#"{{ "code": "END", "by": "FLAG", "result": "{result}", "when": {when} }}"#)
    };
    let list = |first: String, second: String| format!("[{first}, {second}]");
    expect(&[("/endings", &list(flag("LOSS", 1), flag("DRAW", 2)))], &[]);
    let pointless = ["pointless-ending at /endings/1/result"];
    expect(&[("/endings", &list(flag("DRAW", 1), flag("LOSS", 2)))], &pointless);
    expect(&[("/endings", &list(flag("DRAW", 1), flag("DRAW", 1)))], &["duplicate-ending at /endings/1"]);
    expect(&[("/endings", &list(flag("DRAW", 1), flag("WIN", 1)))], &[]);
    let twice = r#"{ "condition": "QUIET", "turns": 9 }, { "condition": "QUIET", "turns": 9 }"#;
    expect(&[("/endings", &ending(twice))], &["repeated-condition at /endings/0/when/1"]);
}

#[test]
fn reasons_and_quiet_turns() {
    let named = |code: &str| ending(r#"{ "condition": "QUIET", "turns": 9 }"#).replace("END", code);
    expect(&[("/endings", &named(" "))], &["empty-name at /endings/0/code"]);
    expect(&[("/endings", &named("Checkmate"))], &["shadowed-word at /endings/0/code"]);
    let quiet = |list: &str| format!(r#"{{ "reset_by": {list} }}"#);
    for good in ["[]", r#"["CAPTURE"]"#, r#"["PAWN", "CAPTURE", "KING"]"#] {
        expect(&[("/quiet", &quiet(good))], &[]);
    }
    expect(&[("/quiet", "{}")], &["missing-key at /quiet"]);
    expect(&[("/quiet", &quiet(r#"["PAWN", "PAWN"]"#))], &["repeated-piece at /quiet/reset_by/1"]);
    expect(&[("/quiet", &quiet(r#"["CAPTURES"]"#))], &["unknown-piece at /quiet/reset_by/0"]);
    assert_eq!(help(&[("/quiet", &quiet(r#"["CAPTURES"]"#))]), "did you mean `CAPTURE`?");
    assert_eq!(
        help(&[("/quiet", &quiet(r#"["EMPEROR"]"#))]),
        "the entries can be `CAPTURE`, `KING`, `ROOK` and `PAWN`"
    );
    // A piece may have any code unless a list has to distinguish it from the keyword.
    let piece = format!(r#"{{ "code": "CAPTURE", "moves": {STEP} }}"#);
    let option = ("/pieces/2/moves/0/modifiers/0/options", r#"["ROOK", "CAPTURE"]"#);
    expect(&[("/pieces/-", &piece), option], &[]);
    expect(&[("/pieces/-", &piece), option, ("/quiet", &quiet("[]"))], &["shadowed-word at /pieces/3/code"]);
    expect(&[("/draw_offers", "\"no\"")], &["mistyped at /draw_offers"]);
}

#[test]
fn endings_have_limits() {
    let quiet = |turns: usize| format!(r#"{{ "condition": "QUIET", "turns": {turns} }}"#);
    let list = |count: usize| (1..=count).map(quiet).collect::<Vec<_>>().join(", ");
    let endings = |count: usize, each: usize| {
        let one = |index| format!(r#"{{ "code": "END{index}", "when": [{}] }}"#, list(each));
        format!("[{}]", (0..count).map(one).collect::<Vec<_>>().join(", "))
    };
    expect(&[("/endings", &endings(64, 4))], &[]);
    expect(&[("/endings", &endings(65, 1))], &["too-many at /endings"]);
    expect(
        &[("/endings", &endings(4, 65))],
        &[
            "too-many at /endings",
            "too-many at /endings/0/when",
            "too-many at /endings/1/when",
            "too-many at /endings/2/when",
            "too-many at /endings/3/when",
        ],
    );
    let deep = |depth: usize| {
        let not = r#"{ "condition": "NOT", "of": ["#.repeat(depth);
        ending(&format!("{not}{}{}", quiet(9), "] }".repeat(depth)))
    };
    expect(&[("/endings", &deep(8))], &[]);
    let place = format!("too-deep at /endings/0/when/0{}/of", "/of/0".repeat(8));
    expect(&[("/endings", &deep(9))], &[&place]);
    expect(&[("/endings", &deep(100))], &[&place]);
}

#[test]
fn a_byte_order_mark_shifts_spans_but_not_columns() {
    let plain = base().replace("\"leader\": \"KING\"", "\"leader\": \"KNIG\"");
    let marked = format!("\u{feff}{plain}");
    let (plain, marked) = (load(plain.as_bytes()), load(marked.as_bytes()));
    let (plain, marked) = (&plain.diagnostics[0], &marked.diagnostics[0]);
    assert_eq!((plain.line, plain.column), (marked.line, marked.column));
    assert_eq!(plain.span.start + 3, marked.span.start);
}

#[test]
fn any_number_of_warnings_leaves_a_game_playable() {
    let squares = vec!["[0, 5]"; 1000].join(", ");
    let text = changed([
        ("/conditions/0/check/WHITE", format!("[{squares}]").as_str()),
        ("/conditions/0/check/BLACK", format!("[{squares}]").as_str()),
    ]);
    let checked = load(text.as_bytes());
    assert!(checked.left_out > 0);
    assert!(checked.game.is_some());
}

#[test]
fn conditions_of_endings_say_where_they_are_allowed() {
    for condition in [
        r#"{ "condition": "CANNOT_WIN" }"#,
        r#"{ "condition": "QUIET", "turns": 3 }"#,
        r#"{ "condition": "AFTER", "of": [{ "condition": "QUIET", "turns": 3 }] }"#,
    ] {
        let change = ("/pieces/2/moves/1/conditions/0", condition);
        let at = if condition.contains("AFTER") { "/of/0" } else { "" };
        expect(&[change], &[&format!("misplaced-condition at /pieces/2/moves/1/conditions/0{at}")]);
        assert!(help(&[change]).starts_with("it is allowed in the `when` of `endings`"), "{condition}");
    }
    let stuck = r#"{ "condition": "STUCK" }"#;
    expect(
        &[("/pieces/2/moves/1/conditions/0", stuck)],
        &["misplaced-condition at /pieces/2/moves/1/conditions/0"],
    );
    let path = r#"[{ "condition": "PATH_EMPTY" }]"#;
    expect(&[("/restrictions", path)], &["misplaced-condition at /restrictions/0"]);
    let area = r#"{ "code": "X", "when": [{ "condition": "COUNT", "area": "FILE", "max": 0 }] }"#;
    expect(&[("/endings", &format!("[{area}]"))], &["misplaced-condition at /endings/0/when/0/area"]);
}

#[test]
fn a_piece_that_is_carried_by_its_own_move_is_present() {
    let change = |effect: &str| {
        format!(
            r#"{{ "id": 9, "step": [1, 1], "actions": [{{ "state": "ENEMY", "action": "CAPTURE" }}],
            "side_effects": [{{ "action": "MOVE", {effect} "to": [0, 0] }}] }}"#
        )
    };
    let moves = "/pieces/0/moves/-";
    expect(&[(moves, &change(r#""from": [1, 1],"#))], &[]);
    expect(&[(moves, &change(r#""piece": "KING", "from": [1, 1],"#))], &[]);
    let other = change(r#""piece": "ROOK", "from": [1, 1],"#);
    expect(&[(moves, &other)], &["castling-without-rook at /pieces/0/moves/4/side_effects/0"]);
}

#[test]
fn only_armies_that_move_forward_can_face_the_wrong_way() {
    let up = ("/players/1/direction", "\"UP\"");
    expect(&[up], &["forward-faces-edge at /players/1/direction"]);
    let rooks = ("/players/1/starting_positions/2/piece", "\"ROOK\"");
    expect(&[up, rooks], &[]);
}
