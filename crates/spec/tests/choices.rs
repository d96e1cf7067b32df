//! Tests of options, presets and layouts: how they are chosen, and their diagnostics.

mod support;

use serde_json::{Value, json};
use support::damage::{Random, damage_tokens, tokens};
use tabiya_spec::{Choices, Game, Loaded, check_all, english, load, load_with};

/// A game of kings and rooks with options for almost everything.
fn open() -> Value {
    let step = |id: i32, step: [i32; 2]| {
        json!({ "id": id, "step": step, "actions": [
            { "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" } ] })
    };
    let mut rook = step(0, [0, 1]);
    rook["repeat"] = json!({ "times": { "option": "REACH" } });
    let king = [step(0, [0, 1]), step(1, [1, 0]), step(2, [0, -1]), step(3, [-1, 0])];
    json!({
        "name": "Open",
        "leader": { "piece": "KING", "exposure": { "option": "EXPOSURE" } },
        "board": { "dimensions": [5, 5] },
        "players": [
            { "name": "WHITE", "direction": "UP", "starting_positions": [
                { "piece": "KING", "positions": [[0, 0]] },
                { "only_if": { "ROOKS": true }, "piece": "ROOK", "positions": [[1, 0]] } ] },
            { "name": "BLACK", "direction": "DOWN", "starting_positions": [{ "piece": "KING", "positions": [[4, 4]] }] }
        ],
        "turns": { "order": ["WHITE", "BLACK"] },
        "conditions": [
            { "code": "GOAL", "type": "POSITION", "check": { "WHITE": [[4, 4]], "BLACK": [[0, 0]] } },
            { "code": "HILL", "type": "POSITION", "check": { "WHITE": [[2, 2]], "BLACK": [[2, 2]] } }
        ],
        "hold": { "only_if": { "REACH": [2, 3], "EXPOSURE": "ALLOWED" }, "in": "HILL", "code": "HELD" },
        "endings": [{ "code": "HOME", "result": "WIN", "when": [
            { "condition": "COUNT", "piece": ["KING"], "owner": "OWN", "in": "GOAL", "min": 1 } ] }],
        "pieces": [{ "code": "KING", "moves": king }, { "code": "ROOK", "moves": [rook] }],
        "options": {
            "EXPOSURE": { "about": "Who may be attacked.", "values": ["ILLEGAL", "ALLOWED"], "default": "ILLEGAL" },
            "REACH": { "values": [1, 2, 3], "default": 1 },
            "ROOKS": { "values": [true, false], "default": true }
        },
        "presets": { "wild": { "REACH": 3, "EXPOSURE": "ALLOWED" }, "bare": { "ROOKS": false } },
        "layouts": {
            "Turned": {
                "about": "From the sides.",
                "players": {
                    "WHITE": { "direction": "RIGHT", "starting_positions": [{ "piece": "KING", "positions": [[0, 2]] }] },
                    "BLACK": { "starting_positions": [{ "piece": "ROOK", "positions": [[4, 1]] }, { "piece": "KING", "positions": [[4, 2]] }] }
                },
                "turns": { "order": ["BLACK", "WHITE"] },
                "conditions": { "GOAL": { "WHITE": [[4, 2]] } }
            }
        }
    })
}

fn choose(layout: Option<&str>, preset: Option<&str>, options: &[(&str, &str)]) -> Choices {
    let own = |text: &str| text.to_owned();
    let options = options.iter().map(|(name, value)| (own(name), own(value))).collect();
    Choices { layout: layout.map(own), preset: preset.map(own), options }
}

fn with(game: &Value, choices: &Choices) -> Loaded {
    load_with(game.to_string().as_bytes(), choices)
}

fn played(choices: &Choices) -> Game {
    let loaded = with(&open(), choices);
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    loaded.game.expect("it can be played")
}

/// Returns the diagnostics of all variants of the file: `code at pointer`.
fn diagnostics(change: impl Fn(&mut Value)) -> Vec<String> {
    let mut game = open();
    change(&mut game);
    let checked = check_all(game.to_string().as_bytes());
    checked
        .diagnostics
        .iter()
        .map(|diagnostic| format!("{} at {}", diagnostic.code, diagnostic.pointer))
        .collect()
}

#[test]
fn the_test_game_has_no_diagnostics() {
    assert_eq!(diagnostics(|_| {}), [""; 0]);
}

#[test]
fn available_choices_are_listed() {
    let offer = played(&Choices::default()).choices;
    let options: Vec<&str> = offer.options.iter().map(|option| option.name.as_str()).collect();
    assert_eq!(options, ["EXPOSURE", "REACH", "ROOKS"]);
    assert_eq!(offer.options[0].about.as_deref(), Some("Who may be attacked."));
    assert_eq!(offer.options[1].values, ["1", "2", "3"]);
    assert_eq!(offer.options[2].default, "true");
    assert_eq!(offer.presets[0].name, "wild");
    assert_eq!(offer.presets[1].options, [("ROOKS".to_owned(), "false".to_owned())]);
    assert_eq!(
        (offer.layouts[0].name.as_str(), offer.layouts[0].about.as_deref()),
        ("Turned", Some("From the sides."))
    );
    assert_eq!(offer.resolved.to_string(), "EXPOSURE=ILLEGAL REACH=1 ROOKS=true");
}

#[test]
fn choices_change_the_game() {
    let game = played(&choose(None, Some("wild"), &[("REACH", "2")]));
    assert_eq!(game.choices.resolved.to_string(), "EXPOSURE=ALLOWED REACH=2 ROOKS=true");
    let blueprint = game.rules.blueprint();
    assert_eq!(blueprint.kinds()[1].moves[0].repeat.max, Some(2));
    assert!(blueprint.mechanics().hold.is_some());
    let bare = played(&choose(None, Some("bare"), &[]));
    assert_eq!(bare.rules.blueprint().start().len(), 2);
    assert!(bare.rules.mechanics().hold.is_none());
    let turned = played(&choose(Some("Turned"), None, &[("REACH", "3")]));
    assert_eq!(turned.choices.resolved.to_string(), "layout=Turned EXPOSURE=ILLEGAL REACH=3 ROOKS=true");
    assert_eq!(turned.rules.blueprint().start().len(), 3);
    assert_eq!(turned.rules.blueprint().order()[0].index(), 1);
    let goals = &turned.rules.blueprint().regions()[0].squares;
    assert_eq!((goals[0][0].0, goals[1][0].0), (14, 0), "unnamed players keep their lists");
}

#[test]
fn the_hash_depends_on_resolved_choices() {
    let plain = played(&Choices::default()).hash;
    assert_eq!(plain, played(&choose(None, None, &[("REACH", "1")])).hash, "the default value");
    let wild = played(&choose(None, Some("wild"), &[])).hash;
    assert_ne!(plain, wild);
    assert_eq!(wild, played(&choose(None, None, &[("EXPOSURE", "ALLOWED"), ("REACH", "3")])).hash);
    assert_ne!(plain, played(&choose(Some("Turned"), None, &[])).hash);
}

#[test]
fn unknown_choices_are_reported() {
    let describe = |choices: &Choices| {
        let loaded = with(&open(), choices);
        assert!(loaded.game.is_none());
        let [diagnostic] = loaded.diagnostics.as_slice() else { panic!("{:?}", loaded.diagnostics) };
        assert_eq!((diagnostic.code.as_str(), diagnostic.pointer.as_str()), ("unknown-choice", ""));
        format!("{} ({})", diagnostic.message, diagnostic.help.clone().unwrap_or_default())
    };
    assert_eq!(
        describe(&choose(Some("Turnd"), None, &[])),
        "There is no layout `Turnd`. (did you mean `Turned`?)"
    );
    assert_eq!(
        describe(&choose(None, Some("quick"), &[])),
        "There is no preset `quick`. (the choices are `wild` and `bare`)"
    );
    assert_eq!(
        describe(&choose(None, None, &[("SPEED", "1")])),
        "There is no option `SPEED`. (the choices are `EXPOSURE`, `REACH` and `ROOKS`)"
    );
    assert_eq!(
        describe(&choose(None, None, &[("REACH", "9")])),
        "`REACH` has no value `9`. (the choices are `1`, `2` and `3`)"
    );
    let chess = tabiya_spec::library::find("chess").unwrap().json;
    let loaded = load_with(chess.as_bytes(), &choose(Some("Turned"), None, &[]));
    assert_eq!(loaded.diagnostics[0].help.as_deref(), Some("the file has none"));
}

#[test]
fn diagnostics_point_to_their_place() {
    let at = |pointer: &'static str, value: Value| {
        diagnostics(move |game| {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            match game.pointer_mut(parent).unwrap() {
                Value::Array(list) => list[key.parse::<usize>().unwrap()] = value.clone(),
                parent => parent[key] = value.clone(),
            }
        })
    };
    assert_eq!(at("/options/REACH/default", json!(4)), ["unknown-choice at /options/REACH/default"]);
    assert_eq!(
        at("/options/REACH/values/1", json!("2")),
        ["unknown-choice at /hold/only_if/REACH/0", "mistyped at /options/REACH/values/1"]
    );
    assert_eq!(
        at("/options/ROOKS/values", json!([])),
        [
            "unknown-choice at /players/0/starting_positions/1/only_if/ROOKS",
            "empty-list at /options/ROOKS/values"
        ]
    );
    assert_eq!(
        at("/options/ROOKS/values", json!([true, true, false])),
        ["duplicate-option at /options/ROOKS/values/1"]
    );
    assert_eq!(at("/presets/wild/REACH", json!(7)), ["unknown-choice at /presets/wild/REACH"]);
    assert_eq!(at("/presets/wild/SPEED", json!(7)), ["unknown-choice at /presets/wild/SPEED"]);
    assert_eq!(
        at("/leader/exposure/option", json!("EXPOSED")),
        ["unknown-choice at /leader/exposure/option"]
    );
    assert_eq!(at("/hold/only_if", json!({ "REACH": 9 })), ["unknown-choice at /hold/only_if/REACH"]);
    assert_eq!(at("/hold/only_if", json!({ "SPEED": 9 })), ["unknown-choice at /hold/only_if/SPEED"]);
    assert_eq!(at("/hold/only_if", json!(5)), ["mistyped at /hold/only_if"]);
    assert_eq!(at("/hold/only_if", json!({ "REACH": [null] })), ["mistyped at /hold/only_if/REACH/0"]);
    // A wrong value of an option is reported where it is used.
    assert_eq!(at("/leader/exposure/option", json!("REACH")), ["mistyped at /leader/exposure"]);
    assert_eq!(at("/options/EXPOSURE/values/1", json!("PERHAPS")).len(), 2);
    assert_eq!(
        at("/layouts/Turned/players/GREY", json!({})),
        ["unknown-player at /layouts/Turned/players/GREY"]
    );
    assert_eq!(
        at("/layouts/Turned/conditions/GAOL", json!({})),
        ["unknown-condition at /layouts/Turned/conditions/GAOL"]
    );
    assert_eq!(
        at("/layouts/Turned/conditions/GOAL/GREY", json!([])),
        ["unknown-player at /layouts/Turned/conditions/GOAL/GREY"]
    );
}

#[test]
fn layouts_and_presets_are_checked_separately() {
    let square = "/layouts/Turned/players/BLACK/starting_positions/0/positions/0";
    assert_eq!(
        diagnostics(|game| *game.pointer_mut(square).unwrap() = json!([4, 2])),
        ["square-taken at /layouts/Turned/players/BLACK/starting_positions/1/positions/0"]
    );
    assert_eq!(
        diagnostics(|game| *game.pointer_mut(square).unwrap() = json!([4, 9])),
        [format!("square-off-board at {square}")]
    );
    assert_eq!(
        diagnostics(|game| *game.pointer_mut(square).unwrap() = json!([4])),
        [format!("mistyped at {square}")]
    );
    // Entries before this one are dropped, but the pointer still counts them.
    let change = |game: &mut Value| {
        let list = game.pointer_mut("/players/0/starting_positions").unwrap().as_array_mut().unwrap();
        list.insert(0, json!({ "only_if": { "ROOKS": false }, "piece": "ROOK", "positions": [[3, 3]] }));
        list.push(json!({ "piece": "ROOK", "positions": [[9, 9]] }));
    };
    assert_eq!(diagnostics(change), ["square-off-board at /players/0/starting_positions/3/positions/0"]);
    // The default game is playable although a layout is not.
    let mut game = open();
    *game.pointer_mut(square).unwrap() = json!([4, 2]);
    assert!(load(game.to_string().as_bytes()).game.is_some());
    let checked = check_all(game.to_string().as_bytes());
    assert!(checked.game.is_none());
    assert!(
        checked.diagnostics[0].message.ends_with(" This concerns `layout=Turned`."),
        "{:?}",
        checked.diagnostics
    );
}

#[test]
fn something_used_by_one_choice_is_not_unused() {
    // The rook exists only with some options, the hill counts only with others.
    assert_eq!(diagnostics(|game| game["options"]["ROOKS"]["default"] = json!(false)), [""; 0]);
    let unused = diagnostics(|game| {
        game.as_object_mut().unwrap().shift_remove("hold");
    });
    assert_eq!(unused, ["unused-condition at /conditions/1/code"]);
}

#[test]
fn references_need_options() {
    let mut game = open();
    game.as_object_mut().unwrap().shift_remove("options");
    game.as_object_mut().unwrap().shift_remove("presets");
    let loaded = load(game.to_string().as_bytes());
    assert!(loaded.game.is_none());
    assert!(
        loaded.diagnostics.iter().all(|diagnostic| diagnostic.code.as_str() == "unknown-choice"),
        "{:?}",
        loaded.diagnostics
    );
    assert_eq!(loaded.diagnostics.len(), 5);
}

#[test]
fn choices_have_limits() {
    let many = |value: Value| -> Value {
        (0..65).map(|index| (format!("K{index}"), value.clone())).collect::<serde_json::Map<_, _>>().into()
    };
    assert_eq!(diagnostics(|game| game["layouts"] = many(json!({}))), ["too-many at /layouts"]);
    assert_eq!(diagnostics(|game| game["presets"] = many(json!({}))), ["too-many at /presets"]);
    let values: Vec<i32> = (1..=65).collect();
    assert_eq!(
        diagnostics(|game| game["options"]["REACH"]["values"] = json!(values)),
        ["too-many at /options/REACH/values"]
    );
    let large = diagnostics(|game| game["about"] = json!("x".repeat(1 << 20)));
    assert_eq!(large, ["file-too-large at "]);
}

#[test]
fn english_lists_the_choices() {
    let text = english(&played(&choose(Some("Turned"), Some("wild"), &[])));
    assert!(text.contains("Turned") && text.contains("REACH"), "{text}");
}

/// Random damage to a file with choices never makes the reader panic.
#[test]
fn random_damage() {
    let text = open().to_string();
    let tokens = tokens(&text);
    let mut random = Random(0x0bad_cafe);
    for _ in 0..1000 {
        let bytes = damage_tokens(&tokens, &mut random);
        for choices in [choose(None, None, &[]), choose(Some("Turned"), Some("wild"), &[("ROOKS", "false")])]
        {
            let loaded = load_with(&bytes, &choices);
            assert!(loaded.game.is_some() || !loaded.diagnostics.is_empty());
        }
        let checked = check_all(&bytes);
        assert!(checked.game.is_some() || !checked.diagnostics.is_empty());
    }
}

/// Groups of entries join the surrounding list; a square is replaced by the one that the option names.
#[test]
fn groups_and_named_squares() {
    let mut file = open();
    file["turns"]["order"] = json!([
        { "only_if": { "ROOKS": true }, "entries": ["WHITE", { "entries": ["BLACK"] }] },
        { "only_if": { "ROOKS": false }, "entries": ["BLACK", "WHITE", "WHITE"] }
    ]);
    file["options"]["SEAT"] = json!({ "values": ["a1", "c2"], "default": "a1" });
    file["players"][0]["starting_positions"][0]["positions"] = json!([{ "square": "SEAT" }]);
    let loaded = |choices: &Choices| {
        let loaded = load_with(file.to_string().as_bytes(), choices);
        loaded.game.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
    };
    let order = |game: &Game| game.spec.turns.order.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let king = |game: &Game| game.rules.board().name(game.rules.start().pieces().next().expect("a piece").0);
    let game = loaded(&Choices::default());
    assert_eq!((order(&game), king(&game).as_str()), (vec!["WHITE".into(), "BLACK".into()], "a1"));
    let game = loaded(&choose(None, None, &[("ROOKS", "false"), ("SEAT", "c2")]));
    assert_eq!(order(&game), ["BLACK", "WHITE", "WHITE"]);
    assert_eq!(king(&game), "c2");
}

#[test]
fn malformed_groups_and_named_squares() {
    let at = |pointer: &str, value: Value| {
        let mut file = open();
        file["options"]["SEAT"] = json!({ "values": ["a1", "x", "a0", "a01", "A1"], "default": "a1" });
        *file.pointer_mut(pointer).expect(pointer) = value;
        let diagnostics = load(file.to_string().as_bytes()).diagnostics;
        diagnostics
            .iter()
            .map(|diagnostic| format!("{} at {}", diagnostic.code.as_str(), diagnostic.pointer))
            .collect::<Vec<_>>()
    };
    assert_eq!(at("/turns/order/0", json!({ "entries": 5 })), ["mistyped at /turns/order/0/entries"]);
    let beside = json!({ "entries": ["WHITE"], "order": 1 });
    assert_eq!(at("/turns/order/0", beside), ["unknown-key at /turns/order/0/order"]);
    let seat = "/players/0/starting_positions/0/positions/0";
    assert_eq!(at(seat, json!({ "square": "SEAT" })), Vec::<String>::new());
    assert_eq!(at(seat, json!({ "square": "SOFA" })), [format!("unknown-choice at {seat}/square")]);
    assert_eq!(at(seat, json!({ "square": "REACH" })), [format!("mistyped at {seat}")]);
    for bad in ["x", "a0", "a01", "A1"] {
        let mut file = open();
        file["options"]["SEAT"] = json!({ "values": ["a1", bad], "default": bad });
        *file.pointer_mut(seat).expect(seat) = json!({ "square": "SEAT" });
        assert!(load(file.to_string().as_bytes()).game.is_none(), "{bad}");
    }
}

#[test]
fn occasions_need_known_options_and_values() {
    let mut game = open();
    game["occasions"] = json!({ "die": { "EXPOSUR": "ALLOWED" }, "team_play": { "EXPOSURE": "ALWAYS" } });
    let loaded = check_all(game.to_string().as_bytes());
    let messages: Vec<&str> =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["There is no option `EXPOSUR`.", "`EXPOSURE` has no value `ALWAYS`."]);
    game["occasions"] = json!({ "die": { "EXPOSURE": "ALLOWED" } });
    let offer = with(&game, &Choices::default()).game.expect("it is sound").choices;
    assert_eq!(offer.die, [("EXPOSURE".to_owned(), "ALLOWED".to_owned())]);
    assert!(offer.team_play.is_empty());
}
