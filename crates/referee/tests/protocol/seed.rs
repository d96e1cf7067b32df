//! Complete examples of the protocol: a state, an answer and the verdict.

use serde_json::{Value, json};

use crate::support::{game, verdict, verdict_of};
use tabiya_referee::protocol::Strictness;

fn start_board() -> Value {
    let mut board = json!({});
    for (rank, row) in [("1", "RNBQKBNR"), ("2", "PPPPPPPP"), ("7", "pppppppp"), ("8", "rnbqkbnr")] {
        for (file, symbol) in ('a'..='h').zip(row.chars()) {
            board[format!("{file}{rank}")] = json!(symbol.to_string());
        }
    }
    board
}

fn all_rights() -> Value {
    json!({ "white": { "kingside": true, "queenside": true }, "black": { "kingside": true, "queenside": true } })
}

fn accepted(uci: &str) -> Value {
    json!({ "verdict": "move", "uci": uci, "result": null, "end_reason": null, "why": null })
}

#[test]
fn the_first_move() {
    let state = json!({
        "board": start_board(), "turn": "white", "castling": all_rights(), "en_passant": null,
        "halfmove_clock": 0, "fullmove_number": 1, "position_history": []
    });
    assert_eq!(verdict(&state, r#"{ "from": "e2", "to": "e4", "promotion": null }"#), accepted("e2e4"));
    assert_eq!(verdict(&state, r#"{ "from": "g1", "to": "f3", "promotion": null }"#), accepted("g1f3"));
}

#[test]
fn a_sicilian_without_the_en_passant_square() {
    let mut board = start_board();
    board.as_object_mut().expect("an object").remove("e2");
    board["e4"] = json!("P");
    let state = json!({
        "board": board, "turn": "black", "castling": all_rights(), "en_passant": null,
        "halfmove_clock": 0, "fullmove_number": 1, "position_history": []
    });
    let sicilian = r#"{ "from": "c7", "to": "c5", "promotion": null }"#;
    assert_eq!(verdict(&state, sicilian), accepted("c7c5"));
    let mut with_square = state.clone();
    with_square["en_passant"] = json!("e3");
    assert_eq!(verdict(&with_square, sicilian), accepted("c7c5"));
}

#[test]
fn castling() {
    let state = json!({
        "board": { "a1": "R", "e1": "K", "h1": "R", "e8": "k" },
        "turn": "white",
        "castling": {
            "white": { "kingside": true, "queenside": true }, "black": { "kingside": false, "queenside": false }
        },
        "en_passant": null, "halfmove_clock": 10, "fullmove_number": 6, "position_history": []
    });
    assert_eq!(verdict(&state, r#"{ "from": "e1", "to": "g1", "promotion": null }"#), accepted("e1g1"));
    assert_eq!(verdict(&state, r#"{ "from": "e1", "to": "c1", "promotion": null }"#), accepted("e1c1"));
}

#[test]
fn a_capture_in_passing() {
    let mut game = game("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 3");
    let said =
        verdict_of(&mut game, r#"{ "from": "e5", "to": "d6", "promotion": null }"#, Strictness::Strict);
    assert_eq!(said, accepted("e5d6"));
    assert_eq!(game.state().position.piece_count(), 3, "the pawn on d5 is gone");
}

#[test]
fn a_promotion() {
    let mut game = game("8/4P3/8/8/8/8/k7/4K3 w - - 0 1");
    let said = verdict_of(&mut game, r#"{ "from": "e7", "to": "e8", "promotion": "Q" }"#, Strictness::Strict);
    assert_eq!(said, accepted("e7e8q"));
}
