//! Draws by agreement and resignation.

use serde_json::{Value, json};
use tabiya_referee::Game;
use tabiya_referee::protocol::Strictness;

use crate::support::{after, output, rules, sent, state, verdict, verdict_of};

const OFFER: &str = r#"{"action":"offer_draw"}"#;
const ACCEPT: &str = r#"{"action":"accept_draw"}"#;
const DECLINE: &str = r#"{"action":"decline_draw"}"#;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn chess() -> Game {
    Game::new(rules("chess"))
}

fn hear(game: &mut Game, text: &str) -> Value {
    verdict_of(game, text, Strictness::Strict)
}

#[test]
fn an_offer_is_made_before_the_move_and_answered_after_it() {
    let mut game = chess();
    let offered = hear(&mut game, OFFER);
    assert_eq!(
        offered,
        json!({ "verdict": "offer", "uci": null, "result": null, "end_reason": null, "why": null })
    );
    assert_eq!(sent(&game).get("draw_offer"), None, "the one who offered is asked for the move, as before");
    hear(&mut game, &output("e2e4").to_string());
    assert_eq!(sent(&game)["draw_offer"], "white");
    let agreed = hear(&mut game, ACCEPT);
    assert_eq!(
        agreed,
        json!({ "verdict": "accept", "uci": null, "result": "draw", "end_reason": "agreement", "why": null })
    );
    assert_eq!(hear(&mut game, ACCEPT)["rule"], "game_over");
}

#[test]
fn an_offer_can_be_declined_and_then_a_move_is_due() {
    let mut game = chess();
    hear(&mut game, OFFER);
    hear(&mut game, &output("e2e4").to_string());
    assert_eq!(hear(&mut game, DECLINE)["verdict"], "decline");
    assert_eq!(sent(&game).get("draw_offer"), None);
    assert_eq!(hear(&mut game, ACCEPT)["rule"], "no_offer");
    assert_eq!(hear(&mut game, DECLINE)["rule"], "no_offer");
    assert_eq!(hear(&mut game, &output("e7e5").to_string())["verdict"], "move");
}

#[test]
fn an_offer_lapses_when_the_other_moves() {
    let mut game = chess();
    hear(&mut game, OFFER);
    let mut game = after(game, "e2e4 e7e5");
    assert_eq!(sent(&game).get("draw_offer"), None);
    assert_eq!(hear(&mut game, ACCEPT)["rule"], "no_offer");
}

#[test]
fn one_offer_is_made_on_a_move() {
    let mut game = chess();
    hear(&mut game, OFFER);
    let second = hear(&mut game, OFFER);
    assert_eq!((&second["verdict"], &second["rule"]), (&json!("illegal"), &json!("second_offer")));
    let mut game = after(game, "e2e4 e7e5");
    assert_eq!(hear(&mut game, OFFER)["verdict"], "offer", "on the next move");
}

#[test]
fn a_counter_offer_is_no_agreement() {
    let mut game = chess();
    hear(&mut game, OFFER);
    let mut game = after(game, "e2e4");
    assert_eq!(hear(&mut game, OFFER)["verdict"], "offer");
    let game = after(game, "e7e5");
    assert_eq!(sent(&game)["draw_offer"], "black");
}

#[test]
fn a_counter_offer_does_not_cancel_an_offer() {
    let countered = || {
        let mut game = chess();
        hear(&mut game, OFFER);
        let mut game = after(game, "e2e4");
        assert_eq!(hear(&mut game, OFFER)["verdict"], "offer");
        assert_eq!(sent(&game)["draw_offer"], "white", "it still stands");
        assert_eq!(hear(&mut game, OFFER)["rule"], "second_offer");
        game
    };
    let mut accepted = countered();
    assert_eq!(hear(&mut accepted, ACCEPT)["end_reason"], "agreement");

    let mut declined = countered();
    assert_eq!(hear(&mut declined, DECLINE)["verdict"], "decline");
    assert_eq!(hear(&mut declined, OFFER)["rule"], "second_offer", "the counter-offer stands");
    let mut declined = after(declined, "e7e5");
    assert_eq!(sent(&declined)["draw_offer"], "black");
    assert_eq!(hear(&mut declined, ACCEPT)["end_reason"], "agreement");

    let moved = after(countered(), "e7e5 g1f3");
    assert_eq!(sent(&moved).get("draw_offer"), None, "both offers were answered by moves");
}

#[test]
fn an_acceptance_applies_to_all_offers() {
    let mut game = Game::new(rules("fourplayer"));
    let any_move = |game: &mut Game| {
        let played = game.rules().legal_moves(&game.state().position)[0];
        game.submit(&tabiya_referee::Action::Move(played)).expect("it is legal");
    };
    hear(&mut game, OFFER);
    any_move(&mut game);
    hear(&mut game, ACCEPT);
    hear(&mut game, OFFER);
    any_move(&mut game);
    assert_eq!(hear(&mut game, ACCEPT)["verdict"], "accept");
    assert_eq!(hear(&mut game, ACCEPT)["rule"], "no_offer", "both offers are accepted");
    any_move(&mut game);
    assert_eq!(hear(&mut game, ACCEPT)["end_reason"], "agreement");
}

#[test]
fn offers_are_told_with_a_state() {
    let with = |side: &str| {
        let mut state = state(START);
        state["draw_offer"] = json!(side);
        state
    };
    assert_eq!(verdict(&with("black"), ACCEPT)["end_reason"], "agreement");
    assert_eq!(verdict(&with("black"), DECLINE)["verdict"], "decline");
    assert_eq!(verdict(&with("black"), &output("e2e4").to_string())["verdict"], "move");
    assert_eq!(verdict(&with("white"), OFFER)["rule"], "second_offer", "it has offered on this move");
    assert_eq!(verdict(&with("white"), ACCEPT)["rule"], "no_offer", "a player cannot accept its own offer");
    for answer in [ACCEPT, DECLINE] {
        let said = verdict(&state(START), answer);
        assert_eq!((&said["verdict"], &said["rule"]), (&json!("illegal"), &json!("no_offer")));
        assert_eq!(said["result"], "black");
    }
}

#[test]
fn whoever_resigns_loses() {
    let said = verdict(&state(START), r#"{"action":"resign"}"#);
    let expected = json!({ "verdict": "resign", "uci": null, "result": "black", "end_reason": "resignation", "why": null });
    assert_eq!(said, expected);
}

#[test]
fn in_a_game_for_four_everybody_must_agree_once() {
    let mut game = Game::new(rules("fourplayer"));
    hear(&mut game, OFFER);
    for round in 0..3 {
        let played = game.rules().legal_moves(&game.state().position)[0];
        game.submit(&tabiya_referee::Action::Move(played)).expect("it is legal");
        assert_eq!(sent(&game)["draw_offer"], "RED");
        assert_eq!(hear(&mut game, ACCEPT)["verdict"], "accept");
        if round < 2 {
            assert_eq!(hear(&mut game, ACCEPT)["rule"], "no_offer", "once is enough");
            assert_eq!(sent(&game).get("draw_offer"), None);
        }
    }
    assert_eq!(game.end().expect("all have agreed").reason, "agreement");
}
