//! Hands, counters and drops as text.

mod support;

use tabiya_engine::Position;
use tabiya_notation::{
    State, fen, hand_lines, parse_san, parse_state, parse_state_strict, parse_uci, pgn, san, state_json, uci,
};
use tabiya_spec::Game;

/// Chess with hands. A promoted queen is a kind that goes to the hand as a pawn.
const CRAZYHOUSE: &str = r#"{
    "name": "Drops", "extends": "chess",
    "conditions": [{ "code": "BACK", "type": "POSITION", "check": { "own_ranks": [1, -1] } }],
    "hands": { "captured_to": "CAPTOR", "drops": [
        { "piece": ["PAWN"], "conditions": [{ "condition": "NOT", "of": [{ "condition": "IN_REGION", "region": "BACK" }] }] },
        { "piece": ["KNIGHT", "BISHOP", "ROOK", "QUEEN"] }] }
}"#;

/// A small game in which pawns are dropped plain or promoted, and a promoted piece has a tilde.
const SMALL: &str = r#"{
    "name": "Small", "board": { "dimensions": [4, 4] }, "setup": "k3/4/4/3K[Pp]", "leader": "KING",
    "pieces": [
        { "code": "KING", "betza": "K" },
        { "code": "PAWN", "betza": "fW" },
        { "code": "TOKIN", "letter": "+P", "betza": "W", "reverts_to": "PAWN" },
        { "code": "QUEEN", "betza": "Q" },
        { "code": "STAR", "letter": "Q~", "betza": "Q", "reverts_to": "PAWN" }],
    "hands": { "captured_to": "CAPTOR", "drops": [
        { "piece": ["PAWN"], "modifiers": [{ "action": "TRANSFORM", "options": ["PAWN", "TOKIN", "STAR"] }] },
        { "piece": ["QUEEN"] }] }
}"#;

/// Chess that counts checks.
const CHECKS: &str = r#"{
    "name": "Checks", "extends": "chess",
    "counters": { "CHECKS": { "max": 3 }, "TURNS": { "per": "GAME", "max": 100, "repetition": false } },
    "triggers": [
        { "on": "CHECK", "effects": [{ "action": "ADD", "counter": "CHECKS" }] },
        { "on": "MOVED", "effects": [{ "action": "ADD", "counter": "TURNS" }] }]
}"#;

fn load(text: &str) -> Game {
    let loaded = tabiya_spec::load(text.as_bytes());
    let problems: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    loaded.game.unwrap_or_else(|| panic!("{problems:?}"))
}

fn play(game: &Game, moves: &str) -> Position {
    moves.split_whitespace().fold(game.rules.start(), |position, text| {
        let played =
            parse_uci(&game.rules, &position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.rules.play_unchecked(&position, played)
    })
}

#[test]
fn hands_follow_the_placement_in_brackets() {
    let game = load(CRAZYHOUSE);
    let rules = &game.rules;
    let start = fen(rules, &State::new(rules.start()));
    assert_eq!(start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1");
    let position = play(&game, "e2e4 d7d5 e4d5 d8d5 b1c3");
    let text = fen(rules, &State::new(position.clone()));
    assert!(text.starts_with("rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR[Pp] b"), "{text}");
    assert_eq!(parse_state_strict(rules, &text).unwrap().position, position);
    let json = state_json(rules, &State::new(position.clone()));
    assert_eq!(json["hands"]["WHITE"]["PAWN"], 1);
    assert_eq!(parse_state_strict(rules, &json.to_string()).unwrap().position, position);
    assert_eq!(hand_lines(rules, &position)[0], "WHITE has in hand: 1 PAWN (P)");
    let without = parse_state(rules, "4k3/8/8/8/8/8/8/4K3 w - -").unwrap();
    assert_eq!(fen(rules, &without), "4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
}

#[test]
fn impossible_hands_are_rejected_with_every_reason() {
    let game = load(CRAZYHOUSE);
    let error = parse_state_strict(&game.rules, "4k3/8/8/8/8/8/8/4K3[Xx w - -").unwrap_err();
    assert_eq!(error.reasons, ["the hands after the placement do not end with `]`"]);
    let error = parse_state_strict(&game.rules, "4k3/8/8/8/8/8/8/4K3[X2] w - -").unwrap_err();
    let reasons = ["hands: `X` is not a piece of this game", "hands: `2` is not a piece of this game"];
    assert_eq!(error.reasons, reasons);
    let many = "P".repeat(40);
    let error = parse_state_strict(&game.rules, &format!("4k3/8/8/8/8/8/8/4K3[{many}] w - -")).unwrap_err();
    assert_eq!(error.reasons, ["there are 42 pieces on the board and in hand, but the game starts with 32"]);
    let many = "P".repeat(400);
    assert!(parse_state(&game.rules, &format!("4k3/8/8/8/8/8/8/4K3[{many}] w - -")).is_err());
    let chess = support::game("chess");
    let error = parse_state(&chess.rules, "4k3/8/8/8/8/8/8/4K3[P] w - -").unwrap_err();
    assert_eq!(error.reasons, ["this game has no hands: leave out `[P]`"]);
    let error = parse_state(&chess.rules, r#"{ "pieces": {}, "turn": 0, "hands": {} }"#).unwrap_err();
    assert_eq!(error.reasons, ["`hands`: this game has no hands"]);
}

#[test]
fn drops_are_written_as_fairy_stockfish_writes_them() {
    let game = load(CRAZYHOUSE);
    let rules = &game.rules;
    let position = play(&game, "e2e4 d7d5 e4d5 d8d5 b1c3 d5e5 f1e2 a7a6");
    for text in ["P@e4", "p@e4", "PAWN@e4", "@e4", "drop P e4", " P@E4 "] {
        let played = parse_uci(rules, &position, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(uci(rules, &position, played), "P@e4");
        assert_eq!(san(rules, &position, played), "P@e4");
    }
    assert_eq!(parse_san(rules, &position, "@e4!"), parse_uci(rules, &position, "P@e4"));
    let reason = |text: &str| parse_uci(rules, &position, text).unwrap_err().to_string();
    assert_eq!(reason("N@e4"), "there is no KNIGHT in your hand");
    assert_eq!(reason("P@e5"), "the PAWN cannot be dropped on e5, which is not empty");
    assert!(reason("P@b1").starts_with("the PAWN can be dropped on b1 only if it is not the case that"));
    assert_eq!(reason("P@e9"), "`e9` is not a square of this board");
    assert_eq!(reason("X@e4"), "this game has no piece `X`");
    assert_eq!(parse_san(rules, &position, "Ne4").map(|it| san(rules, &position, it)).unwrap(), "Ne4");
    let mut played = pgn::Game::new(State::new(position.clone()));
    played.moves = vec![parse_uci(rules, &position, "P@d7").unwrap()];
    let text = pgn::write(rules, &played).unwrap();
    assert!(text.contains("P@d7+"), "{text}");
    let read = pgn::games(rules, &text).next().unwrap().unwrap();
    assert_eq!(read.moves, played.moves);
}

#[test]
fn a_piece_may_be_dropped_promoted() {
    let game = load(SMALL);
    let rules = &game.rules;
    let start = rules.start();
    assert_eq!(fen(rules, &State::new(start.clone())), "k3/4/4/3K[Pp] w - - 0 1");
    let texts = |text: &str| {
        let played = parse_uci(rules, &start, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        (uci(rules, &start, played), san(rules, &start, played))
    };
    assert_eq!(texts("+P@b2"), ("+P@b2".into(), "+P@b2".into()));
    assert_eq!(texts("P@b3q"), ("P@b3q".into(), "P@b3=Q+".into()));
    assert_eq!(texts("Q~@b1"), ("P@b1q".into(), "P@b1=Q".into()));
    let position = play(&game, "P@c1q");
    let text = fen(rules, &State::new(position.clone()));
    assert_eq!(text, "k3/4/4/2Q~K[p] b - - 0 1");
    assert_eq!(parse_state_strict(rules, &text).unwrap().position, position);
    let position = play(&game, "P@c1q P@a1p");
    let played = parse_san(rules, &position, "Qxa1").unwrap();
    assert_eq!(san(rules, &position, played), "Qxa1+");
    assert_eq!(Ok(played), parse_san(rules, &position, "Q~xa1"));
    let text = fen(rules, &State::new(rules.play_unchecked(&position, played)));
    assert_eq!(text, "k3/4/4/Q~2K[P] b - - 0 1");
}

#[test]
fn counters_are_extras() {
    let game = load(CHECKS);
    let rules = &game.rules;
    let position = play(&game, "e2e4 f7f6 d1h5");
    let text = fen(rules, &State::new(position.clone()));
    assert!(text.ends_with(" counters=CHECKS:w:1,TURNS:3"), "{text}");
    assert_eq!(parse_state_strict(rules, &text).unwrap().position, position);
    let json = state_json(rules, &State::new(position.clone()));
    assert_eq!(json["counters"], serde_json::json!({ "CHECKS": { "WHITE": 1, "BLACK": 0 }, "TURNS": 3 }));
    assert_eq!(parse_state_strict(rules, &json.to_string()).unwrap().position, position);
    assert_eq!(hand_lines(rules, &position), ["CHECKS: WHITE 1, BLACK 0 of 3", "TURNS: 3 of 100"]);
    let error = parse_state(rules, "4k3/8/8/8/8/8/8/4K3 w - - counters=CHECKS:w:4,CHECKS:2,TURNS:b:1,X:1")
        .unwrap_err();
    assert_eq!(
        error.reasons,
        [
            "counters=: `CHECKS:w:4` is not possible: CHECKS is a number from 0 to 3",
            "counters=: `CHECKS:2` lacks the player: each player has this counter",
            "counters=: `TURNS:b:1` names a player, but the game has only one such counter",
            "counters=: `X:1` is not a counter of this game in the form NAME:player:value or NAME:value",
        ]
    );
}
