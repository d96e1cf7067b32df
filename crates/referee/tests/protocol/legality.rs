//! Every rule that a move can break has its own verdict and a sentence that names it.

use serde_json::json;

use crate::support::{output, state, verdict, verdict_on};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position, and a move in it.
type Attempt = (&'static str, &'static str);

/// The rule, its name in the sentence, and moves that break it.
const BROKEN: &[(&str, &str, &[Attempt])] = &[
    (
        "own_piece",
        "own piece",
        &[(START, "e4e5"), (START, "e7e5"), ("4k3/8/8/8/8/8/8/4K2R b K - 0 1", "h1h2")],
    ),
    (
        "own_target",
        "own target",
        &[
            (START, "a1a2"),
            (START, "a1b1"),
            (START, "b1d2"),
            (START, "a1d2"),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1"),
            ("4k3/8/8/8/8/4P3/4P3/4K3 w - - 0 1", "e2e3"),
        ],
    ),
    (
        "pattern",
        "move pattern",
        &[
            (START, "e1e1"),
            (START, "a1a1"),
            (START, "g1g3"),
            (START, "e2e5"),
            (START, "e2d3"),
            ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1b2"),
            ("4k3/p7/8/8/8/8/8/B3K3 w - - 0 1", "a1a2"),
            ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1b3"),
            ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", "e1e3"),
            ("4k3/8/8/8/4p3/4P3/8/4K3 w - - 0 1", "e3e4"),
            ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5"),
            ("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e3"),
        ],
    ),
    (
        "jump",
        "no jumping",
        &[
            (START, "a1a4"),
            (START, "c1g5"),
            (START, "d1d4"),
            ("4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e2e4"),
            ("4k3/8/8/8/r2P2R1/8/8/4K3 w - - 0 1", "g4a4"),
        ],
    ),
    (
        "self_check",
        "self-check",
        &[
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1d2"),
            ("4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2c3"),
            ("4r1k1/8/8/8/8/8/7P/4K3 w - - 0 1", "h2h3"),
            ("8/p7/8/8/8/3k4/8/3K4 w - - 0 1", "d1d2"),
            // Both pawns leave the rank, and the rook sees the king.
            ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 2", "e5d6"),
            // A promotion does not help against it.
            ("3r2k1/8/8/8/8/8/p7/r2K4 w - - 0 1", "d1e1"),
        ],
    ),
    (
        "castling",
        "castling",
        &[
            // The right is gone: for that rook, for all.
            ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1"),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1c1"),
            // Something stands between.
            ("4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", "e1g1"),
            ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "e1c1"),
            ("4k3/8/8/8/8/8/8/R3K1nR w KQ - 0 1", "e1g1"),
            // Out of check, through it, into it.
            ("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "e1g1"),
            ("4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1", "e1g1"),
            ("4k3/8/8/8/8/8/6r1/R3K2R w KQ - 0 1", "e1g1"),
            ("r3k2r/8/8/8/8/8/3R4/4K3 b kq - 0 1", "e8c8"),
            // There is no rook, or the king has moved.
            ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", "e1g1"),
            ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "e2g2"),
        ],
    ),
    (
        "en_passant",
        "en passant",
        &[
            ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6"),
            ("4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1", "e4d3"),
            ("4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 1", "e5f6"),
        ],
    ),
    (
        "promotion_missing",
        "promotion missing",
        &[
            ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7e8"),
            ("3r4/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7d8"),
            ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a2a1"),
        ],
    ),
    (
        "promotion_not_allowed",
        "promotion not allowed",
        &[(START, "g1f3q"), (START, "e2e4q"), ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e1d1n")],
    ),
];

#[test]
fn every_rule_is_named() {
    for (rule, name, moves) in BROKEN {
        for (fen, text) in *moves {
            let said = verdict_on(fen, text);
            let context = format!("{fen} {text}: {said}");
            assert_eq!(said["verdict"], "illegal", "{context}");
            assert_eq!(said["rule"], *rule, "{context}");
            assert!(said["why"].as_str().is_some_and(|why| why.contains(name)), "{context}");
            assert!(said["uci"].is_null(), "{context}");
            assert_eq!(said["end_reason"], "illegal_output", "{context}");
            let winner = if fen.contains(" w ") { "black" } else { "white" };
            assert_eq!(said["result"], winner, "{context}");
        }
    }
}

#[test]
fn a_rook_may_pass_and_leave_attacked_squares() {
    // The knight's file is attacked, and the rook itself: both may be when castling to the queen's side.
    for fen in ["1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "r3k3/8/8/8/8/8/8/R3K3 w Q - 0 1"] {
        assert_eq!(verdict_on(fen, "e1c1")["verdict"], "move", "{fen}");
    }
}

#[test]
fn every_promotion_can_be_chosen() {
    for letter in ["q", "r", "b", "n"] {
        let said = verdict_on("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", &format!("e7e8{letter}"));
        assert_eq!(said["uci"], format!("e7e8{letter}"), "{said}");
    }
}

#[test]
fn nothing_changes_when_an_output_is_refused() {
    let state = state(START);
    assert_eq!(verdict(&state, &output("e2e5").to_string())["verdict"], "illegal");
    assert_eq!(verdict(&state, &output("e2e4").to_string())["verdict"], "move");
}

#[test]
fn a_game_that_is_over_cannot_be_lost_again() {
    let ended = [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "draw", "stalemate"),
        ("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "white", "checkmate"),
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", "draw", "dead_position"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 150 100", "draw", "seventy_five_move_rule"),
    ];
    for (fen, result, reason) in ended {
        for output in [
            output("e3e4"),
            json!({ "action": "resign" }),
            json!({ "action": "claim_draw", "reason": "fifty_move_rule" }),
        ] {
            let said = verdict(&state(fen), &output.to_string());
            assert_eq!(said["verdict"], "illegal", "{fen} {said}");
            assert_eq!(said["rule"], "game_over", "{fen} {said}");
            assert_eq!((&said["result"], &said["end_reason"]), (&json!(result), &json!(reason)), "{fen}");
        }
    }
}
