//! Untrusted states: valid ones, and all errors of invalid ones.

use serde_json::{Value, json};
use tabiya_referee::protocol::{HISTORY_LIMIT, STATE_LIMIT};

use crate::support::{chess, game_of, reasons, state};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn start() -> Value {
    state(START)
}

/// The start with something else in one place.
fn with(pointer: &str, value: Value) -> Value {
    let mut state = start();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    state.pointer_mut(parent).expect("its parent is there")[key] = value;
    state
}

/// The start without something.
fn without(pointer: &str) -> Value {
    let mut state = start();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let parent = state.pointer_mut(parent).and_then(Value::as_object_mut).expect("its parent is there");
    parent.remove(key).expect("it is there");
    state
}

/// A state of these pieces, White to move, without rights.
fn of(board: &Value) -> Value {
    json!({
        "board": board, "turn": "white",
        "castling": {
            "white": { "kingside": false, "queenside": false }, "black": { "kingside": false, "queenside": false }
        },
        "en_passant": null, "halfmove_clock": 0, "fullmove_number": 1, "position_history": []
    })
}

#[test]
fn every_field_is_needed_and_has_its_type() {
    let keys = [
        "/board",
        "/turn",
        "/castling",
        "/castling/white",
        "/castling/black/kingside",
        "/castling/white/queenside",
        "/en_passant",
        "/halfmove_clock",
        "/fullmove_number",
        "/position_history",
    ];
    for pointer in keys {
        let found = reasons(&without(pointer));
        let name = pointer.trim_start_matches('/').replace('/', ".");
        assert!(found.iter().any(|reason| reason.contains(&name) && reason.contains("missing")), "{found:?}");
        let found = reasons(&with(pointer, json!([{}])));
        let last = pointer.rsplit('/').next().expect("a name");
        assert!(found.iter().any(|reason| reason.contains(last)), "{pointer}: {found:?}");
    }
}

#[test]
fn a_single_fault_is_a_single_reason() {
    let faults = [
        with("/board/i9", json!("P")),
        with("/board/E4", json!("P")),
        with("/board/e4", json!("X")),
        with("/board/e4", json!("PP")),
        with("/board/e4", json!(null)),
        with("/board/e4", json!("K")),
        with("/turn", json!("White")),
        with("/turn", json!(0)),
        with("/castling/white/kingside", json!("true")),
        with("/castling/white", json!(true)),
        with("/en_passant", json!("")),
        with("/en_passant", json!("e9")),
        with("/en_passant", json!("e3")),
        with("/en_passant", json!("e6")),
        with("/en_passant", json!("e5")),
        with("/halfmove_clock", json!(-1)),
        with("/halfmove_clock", json!(0.5)),
        with("/halfmove_clock", json!("0")),
        with("/halfmove_clock", json!(1u64 << 32)),
        with("/fullmove_number", json!(0)),
        with("/fullmove_number", json!(1e300)),
        with("/position_history", json!({})),
        with("/position_history", json!([7])),
        with("/position_history", json!(["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"])),
        with("/position_history", json!(["start"])),
        with("/draw_offer", json!("green")),
        with("/draw_offer", json!(true)),
        without("/board/e1"),
        without("/board/a8"),
    ];
    for state in faults {
        let found = reasons(&state);
        let rights = found.iter().filter(|reason| reason.starts_with("castling.")).count();
        // Without the king on e1 there is no king, and neither right.
        let expected = if state["board"].get("e1").is_none() { 3 } else { 1 };
        assert_eq!(found.len(), expected, "{found:?}");
        assert!(rights < expected || state["board"].get("a8").is_none(), "{found:?}");
    }
}

#[test]
fn impossible_positions_are_refused() {
    let cases = [
        (of(&json!({ "e8": "k" })), "WHITE has no KING"),
        (of(&json!({ "e1": "K" })), "BLACK has no KING"),
        (of(&json!({ "e1": "K", "a1": "K", "e8": "k" })), "starts with 1 KING but has 2"),
        (of(&json!({ "e1": "K", "e8": "k", "a8": "P" })), "a8"),
        (of(&json!({ "e1": "K", "e8": "k", "a1": "P" })), "a1"),
        (of(&json!({ "e1": "K", "e8": "k", "h1": "p" })), "h1"),
        (of(&json!({ "e1": "K", "e8": "k", "h8": "p" })), "h8"),
        (
            of(&json!({ "e1": "K", "e8": "k", "e4": "R" })),
            "BLACK has just moved, but its KING on e8 is attacked",
        ),
        (of(&json!({ "e1": "K", "e2": "k" })), "BLACK has just moved"),
    ];
    for (state, expected) in cases {
        let found = reasons(&state);
        assert_eq!(found.len(), 1, "{state}: {found:?}");
        assert!(found[0].contains(expected), "{found:?}");
    }
}

#[test]
fn castling_rights_need_king_and_rook() {
    let mut state = of(&json!({ "e1": "K", "h1": "R", "d8": "k", "a8": "r", "h8": "q" }));
    for (side, wing, is_possible) in [
        ("white", "kingside", true),
        ("white", "queenside", false),
        ("black", "kingside", false),
        ("black", "queenside", false),
    ] {
        state["castling"][side][wing] = json!(true);
        let read = chess().state_reader().read(&state.to_string());
        assert_eq!(read.is_ok(), is_possible, "{side} {wing}");
        if let Err(bad) = read {
            assert_eq!(bad.reasons.len(), 1, "{bad}");
            assert!(bad.reasons[0].starts_with(&format!("castling.{side}.{wing}: ")), "{bad}");
        }
        state["castling"][side][wing] = json!(false);
    }
}

#[test]
fn the_en_passant_square_needs_a_pawn_that_has_just_passed() {
    let state = |board: Value, turn: &str, square: &str| {
        let mut state = of(&board);
        state["turn"] = json!(turn);
        state["en_passant"] = json!(square);
        state
    };
    let good = [
        state(json!({ "e1": "K", "e8": "k", "e4": "P" }), "black", "e3"),
        state(json!({ "e1": "K", "e8": "k", "e4": "P", "d4": "p" }), "black", "e3"),
        state(json!({ "e1": "K", "e8": "k", "d5": "p" }), "white", "d6"),
    ];
    for state in good {
        game_of(&state);
    }
    let bad = [
        // An empty square, the wrong side, the wrong turn, not from the start, over a piece, to the wrong rank.
        state(json!({ "e1": "K", "e8": "k", "a2": "P" }), "black", "e3"),
        state(json!({ "e1": "K", "e8": "k", "e4": "p" }), "black", "e3"),
        state(json!({ "e1": "K", "e8": "k", "e4": "P" }), "white", "e3"),
        state(json!({ "e1": "K", "e8": "k", "e4": "P", "e2": "P" }), "black", "e3"),
        state(json!({ "e1": "K", "e8": "k", "e4": "P", "e3": "N" }), "black", "e3"),
        state(json!({ "e1": "K", "e8": "k", "e5": "P" }), "black", "e4"),
    ];
    for state in bad {
        let found = reasons(&state);
        assert_eq!(found.len(), 1, "{state}: {found:?}");
        assert!(found[0].contains("en-passant") || found[0].contains("EN_PASSANT"), "{found:?}");
    }
}

#[test]
fn all_reasons_come_at_once() {
    let state = json!({
        "board": { "e1": "K", "c1": "K", "a8": "P", "b1": "p", "x1": "Q", "h8": 7 },
        "turn": "red",
        "castling": { "white": { "kingside": true, "queenside": 1 }, "black": {} },
        "en_passant": 5,
        "halfmove_clock": "many",
        "position_history": ["nonsense", 3, "8/8/8/8/8/8/8/8 w - -"],
        "draw_offer": "red"
    });
    let found = reasons(&state);
    let expected = [
        "board: `x1`",
        "board: h8",
        "`turn`",
        "castling.white.kingside",
        "castling.white.queenside",
        "castling.black.kingside",
        "castling.black.queenside",
        "`en_passant`",
        "`halfmove_clock`",
        "`fullmove_number` is missing",
        "WHITE starts with 1 KING but has 2",
        "BLACK has no KING",
        "on a8",
        "on b1",
        "position_history[0]",
        "position_history[1]",
        "position_history[2]: WHITE has no KING",
        "position_history[2]: BLACK has no KING",
        "`draw_offer`",
    ];
    for part in expected {
        assert!(found.iter().any(|reason| reason.contains(part)), "{part}: {found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn keys_may_not_stand_twice_and_others_do_not_matter() {
    let text = start().to_string();
    let twice = [
        text.replacen("\"turn\"", "\"turn\":\"white\",\"turn\"", 1),
        text.replacen("\"a1\"", "\"a1\":\"R\",\"a1\"", 1),
        text.replacen("\"kingside\"", "\"kingside\":true,\"kingside\"", 1),
        text.replacen("\"white\":{", "\"white\":{},\"white\":{", 1),
        text.replacen("\"turn\"", "\"note\":1,\"note\":2,\"turn\"", 1),
    ];
    for text in twice {
        let found = chess().state_reader().read(&text).expect_err("twice").reasons;
        assert!(found.iter().any(|reason| reason.contains("twice")), "{found:?}");
    }
    let mut more = start();
    more["clock"] = json!({ "white": 60 });
    more["castling"]["note"] = json!(1);
    more["castling"]["white"]["note"] = json!([]);
    game_of(&more);
    let mut no_offer = start();
    no_offer["draw_offer"] = json!(null);
    assert_eq!(game_of(&no_offer).draw_offer(), None);
}

#[test]
fn what_is_no_object_is_no_state() {
    for text in ["", "null", "[]", "{", "7", "state", "\u{0}", "{}x"] {
        assert_eq!(chess().state_reader().read(text).expect_err(text).reasons.len(), 1, "{text}");
    }
    let found = chess().state_reader().read("{}").expect_err("nothing is there").reasons;
    assert_eq!(found.len(), 7, "{found:?}");
}

#[test]
fn the_size_of_a_state_is_bounded() {
    let long = format!("{}{}", start(), " ".repeat(STATE_LIMIT));
    assert_eq!(chess().state_reader().read(&long).expect_err("long").reasons.len(), 1);
    let entry = |index: usize| {
        format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {} KQkq -", ["b", "w"][index % 2])
    };
    let history = |length: usize| with("/position_history", (0..length).map(entry).collect());
    assert!(chess().state_reader().read(&history(HISTORY_LIMIT).to_string()).is_ok());
    assert_eq!(reasons(&history(HISTORY_LIMIT + 1)).len(), 1);
    let bad = with("/position_history", json!(vec!["x"; HISTORY_LIMIT]));
    assert!(reasons(&bad).len() <= 1001, "the list is capped");
}
