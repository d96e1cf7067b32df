//! `tabiya agent`: our own players behind the protocol, judged by our own referee.

mod common;

use common::{tabiya, tabiya_reading};
use serde_json::{Value, json};

fn state(board: &Value, turn: &str) -> Value {
    json!({
        "board": board, "turn": turn,
        "castling": {
            "white": { "kingside": false, "queenside": false }, "black": { "kingside": false, "queenside": false }
        },
        "en_passant": null, "halfmove_clock": 0, "fullmove_number": 1, "position_history": []
    })
}

/// White is a queen up, and mates with it.
fn winning() -> Value {
    state(&json!({ "g6": "K", "f1": "Q", "h8": "k", "a7": "p" }), "white")
}

/// White has nothing but two pawns against a queen and a rook.
fn losing() -> Value {
    state(&json!({ "a1": "K", "a2": "P", "b3": "P", "h8": "k", "d8": "q", "h7": "r" }), "white")
}

fn verdict(state: &Value, output: &str) -> Value {
    let line = json!({ "state": state, "output": output }).to_string();
    tabiya_reading(&["judge"], line).json()
}

fn answers(words: &[&str], lines: &[&Value]) -> Vec<Value> {
    let input = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let said = tabiya_reading(&[&["agent"], words].concat(), input);
    assert_eq!((said.status, said.err.as_str()), (0, ""));
    said.lines()
}

#[test]
fn every_player_answers_legally_and_the_same_again() {
    for player in ["random", "greedy", "search"] {
        let states = [winning(), losing(), winning()];
        let lines: Vec<&Value> = states.iter().collect();
        let said = answers(&["--player", player, "--seed", "3"], &lines);
        assert_eq!(said.len(), 3, "{player}");
        for (state, answer) in states.iter().zip(&said) {
            assert_eq!(verdict(state, &answer.to_string())["verdict"], "move", "{player}: {answer}");
        }
        assert_eq!(answers(&["--player", player, "--seed", "3"], &lines), said, "the same seed");
    }
}

#[test]
fn the_best_player_is_the_default_and_mates() {
    let said = answers(&[], &[&winning()]);
    assert_eq!(verdict(&winning(), &said[0].to_string())["end_reason"], "checkmate", "{said:?}");
}

#[test]
fn a_draw_is_claimed_rather_than_lost() {
    let claimable = |mut state: Value, clock: u32| {
        state["halfmove_clock"] = json!(clock);
        state
    };
    let now = claimable(losing(), 100);
    let claim = answers(&[], &[&now]).remove(0);
    assert_eq!(claim, json!({ "action": "claim_draw", "reason": "fifty_move_rule" }));
    let soon = claimable(losing(), 99);
    let claim = answers(&[], &[&soon]).remove(0);
    assert_eq!((&claim["action"], claim["move"].is_object()), (&json!("claim_draw"), true), "{claim}");
    assert_eq!(verdict(&soon, &claim.to_string())["end_reason"], "fifty_move_rule");
    let better = claimable(winning(), 100);
    assert_eq!(answers(&[], &[&better])[0].get("action"), None, "it would rather win");
}

#[test]
fn an_offer_is_accepted_by_who_is_worse() {
    let offered = |mut state: Value| {
        state["draw_offer"] = json!("black");
        state
    };
    assert_eq!(answers(&[], &[&offered(losing())])[0], json!({ "action": "accept_draw" }));
    assert_eq!(answers(&[], &[&offered(winning())])[0].get("action"), None);
}

#[test]
fn after_a_refusal_comes_something_else() {
    let refusal = json!({ "refused": { "rule": "pattern", "why": "so" }, "state": losing() });
    let lines: Vec<Value> = [losing()].into_iter().chain(vec![refusal; 2]).collect();
    let mut said = answers(&["--player", "random"], &lines.iter().collect::<Vec<_>>());
    assert_eq!(said.len(), 3);
    said.dedup();
    assert!(said.len() == 3 && said[0] != said[2], "{said:?}");
    for answer in said {
        assert_eq!(verdict(&losing(), &answer.to_string())["verdict"], "move");
    }
}

#[test]
fn what_cannot_be_answered_gets_no_answer() {
    let over = state(&json!({ "g6": "K", "f7": "Q", "h8": "k" }), "black");
    let input = format!("\n{}\ngarbage\n{{}}\n{over}\n{}\n", winning(), winning());
    let said = tabiya_reading(&["agent"], input);
    assert_eq!(said.status, 1);
    assert_eq!(said.lines().len(), 2, "{}", said.out);
    assert_eq!(said.err.lines().count(), 3, "{}", said.err);
    assert!(said.err.contains("stalemate"), "{}", said.err);
}

#[test]
fn other_games_are_played_too() {
    let start = tabiya(&["show", "fourplayer", "--format", "json"]).json();
    let said = answers(&["--game", "fourplayer", "--player", "greedy"], &[&start]);
    let line = json!({ "state": start, "output": said[0].to_string() }).to_string();
    let verdict = tabiya_reading(&["judge", "--game", "fourplayer"], line).json();
    assert_eq!(verdict["verdict"], "move", "{verdict}");
}

#[test]
fn wrong_words_are_told() {
    for words in
        [&["agent", "--player", "human"][..], &["agent", "--game", "ches"], &["agent", "--seed", "x"]]
    {
        assert_eq!(tabiya(words).status, 2, "{words:?}");
    }
}
