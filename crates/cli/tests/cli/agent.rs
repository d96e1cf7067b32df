//! `tabiya agent`: built-in players behind the agent protocol, judged by `tabiya judge`.

use crate::common::{chess_state, tabiya, tabiya_with_input};
use serde_json::{Value, json};

/// White has a queen and a mate in one.
fn winning() -> Value {
    chess_state(&json!({ "g6": "K", "f1": "Q", "h8": "k", "a7": "p" }), "white")
}

/// White has two pawns against a queen and a rook.
fn losing() -> Value {
    chess_state(&json!({ "a1": "K", "a2": "P", "b3": "P", "h8": "k", "d8": "q", "h7": "r" }), "white")
}

fn verdict(state: &Value, output: &str) -> Value {
    let line = json!({ "state": state, "output": output }).to_string();
    tabiya_with_input(&["judge"], line).json()
}

fn answers(words: &[&str], lines: &[&Value]) -> Vec<Value> {
    let input = lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let run = tabiya_with_input(&[&["agent"], words].concat(), input);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    run.lines()
}

#[test]
fn answers_are_legal_and_reproducible() {
    for player in ["random", "greedy", "search"] {
        let states = [winning(), losing(), winning()];
        let lines: Vec<&Value> = states.iter().collect();
        let run = answers(&["--player", player, "--seed", "3"], &lines);
        assert_eq!(run.len(), 3, "{player}");
        for (state, answer) in states.iter().zip(&run) {
            assert_eq!(verdict(state, &answer.to_string())["verdict"], "move", "{player}: {answer}");
        }
        assert_eq!(answers(&["--player", player, "--seed", "3"], &lines), run, "the same seed");
    }
}

#[test]
fn the_default_player_finds_a_mate() {
    let run = answers(&[], &[&winning()]);
    assert_eq!(verdict(&winning(), &run[0].to_string())["end_reason"], "checkmate", "{run:?}");
}

#[test]
fn a_losing_player_claims_a_draw() {
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
fn a_losing_player_accepts_a_draw() {
    let offered = |mut state: Value| {
        state["draw_offer"] = json!("black");
        state
    };
    assert_eq!(answers(&[], &[&offered(losing())])[0], json!({ "action": "accept_draw" }));
    assert_eq!(answers(&[], &[&offered(winning())])[0].get("action"), None);
}

#[test]
fn a_rejected_answer_is_not_repeated() {
    let refusal = json!({ "refused": { "rule": "pattern", "why": "so" }, "state": losing() });
    let lines: Vec<Value> = [losing()].into_iter().chain(vec![refusal; 2]).collect();
    let mut run = answers(&["--player", "random"], &lines.iter().collect::<Vec<_>>());
    assert_eq!(run.len(), 3);
    run.dedup();
    assert!(run.len() == 3 && run[0] != run[2], "{run:?}");
    for answer in run {
        assert_eq!(verdict(&losing(), &answer.to_string())["verdict"], "move");
    }
}

#[test]
fn invalid_lines_get_no_answer() {
    let over = chess_state(&json!({ "g6": "K", "f7": "Q", "h8": "k" }), "black");
    let input = format!("\n{}\ngarbage\n{{}}\n{over}\n{}\n", winning(), winning());
    let run = tabiya_with_input(&["agent"], input);
    assert_eq!(run.status, 1);
    assert_eq!(run.lines().len(), 2, "{}", run.stdout);
    assert_eq!(run.stderr.lines().count(), 3, "{}", run.stderr);
    assert!(run.stderr.contains("stalemate"), "{}", run.stderr);
}

#[test]
fn agents_play_other_games() {
    let start = tabiya(&["show", "fourplayer", "--format", "json"]).json();
    let run = answers(&["--game", "fourplayer", "--player", "greedy"], &[&start]);
    let line = json!({ "state": start, "output": run[0].to_string() }).to_string();
    let verdict = tabiya_with_input(&["judge", "--game", "fourplayer"], line).json();
    assert_eq!(verdict["verdict"], "move", "{verdict}");
}

#[test]
fn unknown_players_and_games_are_usage_errors() {
    for words in
        [&["agent", "--player", "human"][..], &["agent", "--game", "ches"], &["agent", "--seed", "x"]]
    {
        assert_eq!(tabiya(words).status, 2, "{words:?}");
    }
}
