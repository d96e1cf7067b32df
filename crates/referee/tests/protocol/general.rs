//! The general dialect, for every game except chess.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use tabiya_engine::Rules;
use tabiya_notation::{parse_state, state_json};
use tabiya_referee::protocol::{Dialect, Protocol, Strictness};
use tabiya_referee::{Dice, Game};
use tabiya_spec::{Choices, library};

use crate::support::{rules, sent, verdict_of};

fn hear(game: &mut Game, output: &Value) -> Value {
    verdict_of(game, &output.to_string(), Strictness::Strict)
}

#[test]
fn the_state_is_the_state_of_the_game_and_more() {
    let game = Game::new(rules("capablanca"));
    let mut state = sent(&game);
    let object = state.as_object_mut().expect("an object");
    assert_eq!(object.remove("position_history"), Some(json!([])));
    assert_eq!((&object["quiet"], &object["round"]), (&json!(0), &json!(1)));
    assert_eq!(state, state_json(game.rules(), game.state()));
}

#[test]
fn moves_are_between_columns_and_rows() {
    let mut game = Game::new(rules("fourplayer"));
    assert_eq!(Protocol::new(game.rules()).dialect(), Dialect::General);
    let played = json!({ "from": [4, 1], "to": [4, 3], "promotion": null });
    let said = hear(&mut game, &played);
    assert_eq!((&said["verdict"], &said["uci"]), (&json!("move"), &json!("e2e4")), "{said}");
    let history = sent(&game)["position_history"].clone();
    assert_eq!(history.as_array().map(Vec::len), Some(1));
    let with_id = json!({ "from": [1, 7], "to": [2, 7], "promotion": null, "id": 0 });
    assert_eq!(hear(&mut game, &with_id)["verdict"], "move");
    let needless_id = json!({ "from": [4, 12], "to": [4, 11], "promotion": null, "id": 77 });
    assert_eq!(hear(&mut game, &needless_id)["verdict"], "move", "one move leads there");
}

/// Returns the rules of Enochian chess with an array.
fn enochian(array: &str, preset: &str) -> Arc<Rules> {
    let (layout, preset) = (Some(array.to_owned()), Some(preset.to_owned()));
    let choices = Choices { layout, preset, ..Choices::default() };
    let entry = library::find("enochian").expect("a library game");
    entry.load_with(&choices).game.expect("a playable game").rules
}

#[test]
fn moves_from_a_shared_square_name_the_piece() {
    let rules = enochian("Earth of Fire", "document");
    let state = parse_state(&rules, "7K+R/8/8/3t4/8/8/8/.K+.N2.k3k blue - -").expect("a state");
    let game = || Game::resume(rules.clone(), state.clone(), &[], Dice::default());
    let step = |piece: Option<&str>| {
        let mut played = json!({ "from": [7, 7], "to": [6, 7], "promotion": null, "id": 0 });
        if let Some(code) = piece {
            played["piece"] = json!(code);
        }
        hear(&mut game(), &played)
    };
    assert_eq!(step(Some("KING"))["uci"], "Kh8g8");
    assert_eq!(step(Some("ROOK"))["uci"], "Rh8g8");
    let unclear = step(None);
    assert_eq!(unclear["rule"], "ambiguous", "{unclear}");
    assert!(unclear["why"].as_str().is_some_and(|why| why.contains("`piece`: Kh8g8, Rh8g8")), "{unclear}");
    let absent = step(Some("KNIGHT"));
    assert_eq!((&absent["rule"], &absent["verdict"]), (&json!("own_piece"), &json!("illegal")), "{absent}");
    assert_eq!(step(Some("DRAGON"))["verdict"], "malformed");
    let far = json!({ "from": [7, 7], "to": [5, 7], "promotion": null });
    assert_eq!(hear(&mut game(), &far)["uci"], "Rh8f8");
}

#[test]
fn moves_of_shared_squares_round_trip() {
    let mut shared = 0;
    for (array, preset) in
        [("Earth of Fire", "zalewski"), ("Fire of Fire", "document"), ("Air of Water", "document")]
    {
        let rules = enochian(array, preset);
        let protocol = Protocol::new(&rules);
        for seed in 0..6 {
            let mut game = Game::new(rules.clone());
            for turn in 0..250 {
                let actions = game.required_actions();
                let written: Vec<String> =
                    actions.iter().map(|action| protocol.action_json(&game, action).to_string()).collect();
                let distinct: BTreeSet<&String> = written.iter().collect();
                assert_eq!(distinct.len(), actions.len(), "{written:?}");
                shared += written.iter().filter(|text| text.contains("\"piece\"")).count();
                for (text, action) in written.iter().zip(&actions) {
                    let read = protocol.parse_answer(&game, text, Strictness::Strict);
                    assert_eq!(read.as_ref(), Ok(&(action.clone(), false)), "{text}");
                }
                let Some(action) = actions.get((turn * 7 + seed) % actions.len().max(1)) else { break };
                game.submit(action).expect("an allowed action");
            }
        }
    }
    assert!(shared > 300, "only {shared} moves leave a shared square");
}

#[test]
fn refusals_name_the_same_rules() {
    let cases = [
        (json!({ "from": [4, 4], "to": [4, 5], "promotion": null }), "own_piece"),
        (json!({ "from": [3, 0], "to": [3, 1], "promotion": null }), "own_target"),
        (json!({ "from": [4, 1], "to": [4, 4], "promotion": null }), "pattern"),
        (json!({ "from": [3, 0], "to": [3, 3], "promotion": null }), "jump"),
        (json!({ "from": [4, 1], "to": [4, 2], "promotion": "QUEEN" }), "promotion_not_allowed"),
        (json!({ "action": "claim_draw", "reason": "fifty_move_rule" }), "false_claim"),
        (json!({ "action": "accept_draw" }), "no_offer"),
    ];
    for (output, rule) in cases {
        let mut game = Game::new(rules("fourplayer"));
        let said = hear(&mut game, &output);
        assert_eq!((&said["verdict"], &said["rule"]), (&json!("illegal"), &json!(rule)), "{said}");
        assert_eq!(said["result"], json!(["BLUE", "YELLOW", "GREEN"]), "{said}");
    }
}

#[test]
fn malformed_is_what_is_no_object_of_this_form() {
    let cases = [
        json!({ "from": "e2", "to": "e4", "promotion": null }),
        json!({ "from": [0, 0], "to": [4, 3], "promotion": null }),
        json!({ "from": [4, 1], "to": [4, 99], "promotion": null }),
        json!({ "from": [4, 1, 0], "to": [4, 3], "promotion": null }),
        json!({ "from": [4, 1], "to": [4, 3], "promotion": "DRAGON" }),
        json!({ "from": [4, 1], "to": [4, 3], "promotion": null, "id": null }),
        json!({ "from": [4, 1], "to": [4, 3], "promotion": null, "id": 0.5 }),
        json!({ "from": [4, 1], "to": [4, 3] }),
        json!({ "action": "claim_draw", "reason": "boredom" }),
    ];
    for output in cases {
        let mut game = Game::new(rules("fourplayer"));
        assert_eq!(hear(&mut game, &output)["verdict"], "malformed", "{output}");
    }
}

#[test]
fn promotions_are_named_by_their_code() {
    let rules = rules("gardner");
    let at = |text| Game::resume(rules.clone(), parse_state(&rules, text).expect(text), &[], Dice::default());
    let missing =
        hear(&mut at("5/P4/4k/5/K4 w - -"), &json!({ "from": [0, 3], "to": [0, 4], "promotion": null }));
    assert_eq!(missing["rule"], "promotion_missing", "{missing}");
    let queen = json!({ "from": [0, 3], "to": [0, 4], "promotion": "QUEEN" });
    let said = hear(&mut at("5/P4/4k/5/K4 w - -"), &queen);
    assert_eq!(said["uci"], "a4a5q", "{said}");
    let won =
        hear(&mut at("4k/2K2/3Q1/5/5 w - -"), &json!({ "from": [3, 2], "to": [3, 3], "promotion": null }));
    assert_eq!(won["verdict"], "move", "{won}");
}

#[test]
fn bad_states_are_refused_with_every_reason() {
    let rules = rules("trefoil");
    let protocol = Protocol::new(&rules);
    let good = sent(&Game::new(rules.clone()));
    let bad = |change: &dyn Fn(&mut Value)| {
        let mut state = good.clone();
        change(&mut state);
        protocol.state_reader().read(&state.to_string()).expect_err("an invalid state").reasons
    };
    assert_eq!(bad(&|state| state["round"] = json!(0)).len(), 1);
    assert_eq!(bad(&|state| state["quiet"] = json!(-1)).len(), 1);
    assert_eq!(bad(&|state| state["turn"] = json!(17)).len(), 1);
    assert_eq!(bad(&|state| state["draw_offer"] = json!("PURPLE")).len(), 1);
    assert_eq!(bad(&|state| state["position_history"] = json!(["x", 1])).len(), 2);
    let several = bad(&|state| {
        state["turn"] = json!("RED");
        state["quiet"] = json!("none");
        state["pieces"]["99,99"] = json!({});
        state["draw_offer"] = json!(1);
    });
    assert_eq!(several.len(), 4, "{several:?}");
    let mut more = good.clone();
    more["clock"] = json!(7);
    assert!(protocol.state_reader().read(&more.to_string()).is_ok(), "other keys do not matter");
    let text = good.to_string().replacen("\"turn\"", "\"turn\":0,\"turn\"", 1);
    assert!(protocol.state_reader().read(&text).is_err(), "keys stand once");
    let mut bare = good;
    for key in ["quiet", "round", "position_history", "text", "phase", "outcome"] {
        bare.as_object_mut().expect("an object").remove(key);
    }
    assert!(protocol.state_reader().read(&bare.to_string()).is_ok(), "what `show` prints is enough");
}

/// Returns the rules of chess with hands.
fn with_hands() -> Arc<Rules> {
    let text = r#"{ "name": "Drops", "extends": "chess", "hands": { "captured_to": "CAPTOR" } }"#;
    tabiya_spec::load(text.as_bytes()).game.expect("a playable game").rules
}

#[test]
fn a_drop_comes_from_no_square() {
    let mut game = Game::new(with_hands());
    assert_eq!(Protocol::new(game.rules()).dialect(), Dialect::General);
    for (from, to) in [([4, 1], [4, 3]), ([3, 6], [3, 4]), ([4, 3], [3, 4]), ([3, 7], [3, 4])] {
        let said = hear(&mut game, &json!({ "from": from, "to": to, "promotion": null }));
        assert_eq!(said["verdict"], "move", "{said}");
    }
    assert_eq!(sent(&game)["hands"], json!({ "WHITE": { "PAWN": 1 }, "BLACK": { "PAWN": 1 } }));
    let drop = |code: &str, to: [i32; 2]| json!({ "from": null, "drop": code, "to": to, "promotion": null });
    for (output, rule) in [
        (drop("KNIGHT", [4, 3]), "own_piece"),
        (drop("PAWN", [0, 1]), "own_target"),
        (drop("PAWN", [3, 4]), "pattern"),
        (drop("DRAGON", [4, 3]), "malformed"),
        (json!({ "from": [4, 3], "drop": "PAWN", "to": [4, 3], "promotion": null }), "malformed"),
        (json!({ "from": null, "to": [4, 3], "promotion": null }), "malformed"),
        (
            json!({ "from": null, "drop": "PAWN", "to": [4, 3], "promotion": "QUEEN" }),
            "promotion_not_allowed",
        ),
    ] {
        let said = hear(&mut game, &output);
        let broken = said["rule"].as_str().or_else(|| said["verdict"].as_str());
        assert_eq!(broken, Some(rule), "{output}: {said}");
    }
    let said = hear(&mut game, &drop("PAWN", [4, 3]));
    assert_eq!((&said["verdict"], &said["uci"]), (&json!("move"), &json!("P@e4")), "{said}");
    let mut reader = Protocol::new(game.rules()).state_reader();
    assert_eq!(reader.read(&sent(&game).to_string()).expect("a state").state, *game.state());
}

#[test]
fn a_game_with_counters_is_not_chess() {
    let text = r#"{ "name": "Checks", "extends": "chess", "counters": { "CHECKS": { "max": 3 } },
        "triggers": [{ "on": "CHECK", "effects": [{ "action": "ADD", "counter": "CHECKS" }] }] }"#;
    let rules = tabiya_spec::load(text.as_bytes()).game.expect("a playable game").rules;
    let game = Game::new(rules);
    assert_eq!(Protocol::new(game.rules()).dialect(), Dialect::General);
    assert_eq!(sent(&game)["counters"], json!({ "CHECKS": { "WHITE": 0, "BLACK": 0 } }));
}
