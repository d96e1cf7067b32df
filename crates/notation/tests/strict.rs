//! Strict reading: what no game can come to is refused with every reason, and what games come to never is.

mod support;

use support::{every_game, game, random_play};
use tabiya_notation::{
    State, parse_state, parse_state_strict, setup_faults, simplified_fen, state_json, state_text,
};

/// The reasons against a state of a game.
fn reasons(name: &str, text: &str) -> Vec<String> {
    parse_state_strict(&game(name).rules, text).err().map(|error| error.reasons).unwrap_or_default()
}

/// Each state of chess is refused for these reasons and no others; each names its place.
#[test]
fn impossible_chess_is_refused_with_every_reason() {
    let cases: &[(&str, &[&str])] = &[
        ("8/8/8/8/8/8/8/4K3 w - -", &["BLACK has no KING"]),
        ("8/8/8/8/8/8/8/8 w - -", &["WHITE has no KING", "BLACK has no KING"]),
        ("4k2k/8/8/8/8/8/8/4K3 w - -", &["BLACK starts with 1 KING and has 2: on e8, h8"]),
        (
            "P3k3/8/8/8/8/8/8/p3K3 w - -",
            &["the PAWN of BLACK on a1 would have become", "the PAWN of WHITE on a8 would have become"],
        ),
        (
            "p3k3/8/8/8/8/8/8/P3K2P w - -",
            &["no PAWN of WHITE can stand on a1", "WHITE can stand on h1", "BLACK can stand on a8"],
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w KQkq -",
            &[
                "`K` needs its pieces",
                "`Q` needs",
                "`k` needs",
                "`q` needs its pieces on their starting squares e8 and a8",
            ],
        ),
        ("4k3/8/8/8/8/8/8/3K3R w K -", &["`K` needs its pieces on their starting squares e1 and h1"]),
        // En passant: the wrong rank for the side, no pawn, the passed square taken, the origin taken.
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3", &["en-passant square e3"]),
        ("4k3/8/8/4p3/8/8/8/4K3 b - e6", &["en-passant square e6"]),
        ("4k3/8/8/8/8/8/8/4K3 b - e3", &["en-passant square e3"]),
        ("4k3/8/8/8/4N3/8/8/4K3 b - e3", &["en-passant square e3"]),
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3", &["en-passant square e3"]),
        ("4k3/8/8/8/4P3/8/4P3/4K3 b - e3", &["en-passant square e3"]),
        ("4k3/8/8/8/8/8/8/4K3 b - e9", &["`e9` is no square"]),
        ("4k3/8/8/8/8/8/4p3/K7 w - e3", &["the PAWN on e2 cannot just have made the move"]),
        ("4k3/8/4P3/8/8/8/8/K7 b - e5", &["the PAWN on e6 cannot just have made the move"]),
        // The side that has moved stands in check.
        ("4k3/8/8/8/8/8/8/K3R3 w - -", &["BLACK has just moved, and its KING on e8 is attacked"]),
        ("8/8/8/8/8/8/3kK3/8 w - -", &["BLACK has just moved, and its KING on d2 is attacked"]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", &["the number of the round is 0"]),
        // All at once, from both readers.
        (
            "4k3/8/8/8/8/8/8/P7 w Q e6 0 1",
            &["`Q` needs", "en-passant square e6", "WHITE has no KING", "no PAWN of WHITE can stand on a1"],
        ),
    ];
    for (state, expected) in cases {
        let reasons = reasons("chess", state);
        assert_eq!(reasons.len(), expected.len(), "{state}: {reasons:#?}");
        for part in *expected {
            assert!(reasons.iter().any(|reason| reason.contains(part)), "{state}: {part}: {reasons:#?}");
        }
    }
}

#[test]
fn the_plain_reader_takes_what_can_be_played() {
    let chess = game("chess");
    for state in ["8/8/8/8/8/8/8/8 w - -", "P3k2k/8/8/8/8/8/8/p7 w - -", "4k3/8/8/8/8/8/8/K3R3 w - -"] {
        assert!(parse_state(&chess.rules, state).is_ok(), "{state}");
        assert!(parse_state_strict(&chess.rules, state).is_err(), "{state}");
    }
}

#[test]
fn good_chess_is_taken() {
    for state in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 4 20",
        "4k3/8/8/8/8/8/8/K3R3 b - -",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        assert_eq!(reasons("chess", state), Vec::<String>::new(), "{state}");
    }
}

#[test]
fn a_broken_board_is_not_blamed_for_what_cannot_be_seen() {
    assert_eq!(reasons("chess", "4k3/8/8/8/8/8/8/4Z3 w - -"), ["rank 1: `Z` is no piece of this game"]);
    assert_eq!(reasons("chess", "w - -").len(), 1);
    assert_eq!(reasons("chess", "{}").len(), 2);
    assert_eq!(reasons("chess", "8/8/8/8/8/8/8/4K3 x - -").len(), 2, "the turn, and no black king");
}

#[test]
fn flags_must_have_a_cause() {
    let state = |pieces: &str, turn: u8| format!(r#"{{"turn":{turn},"pieces":{{{pieces}}}}}"#);
    let kings = r#""4,0":{"code":"KING","player":"WHITE"},"4,7":{"code":"KING","player":"BLACK"}"#;
    let pawn = |at: &str, flag: &str| {
        format!(
            r#"{kings},"{at}":{{"code":"PAWN","player":"WHITE","total_moves":1,"state":{{"EN_PASSANT":{flag}}}}}"#
        )
    };
    let cases = [
        (state(&pawn("0,3", "1"), 1), None),
        (state(&pawn("0,2", "1"), 1), Some("the PAWN on a3 cannot just have made the move")),
        (state(&pawn("0,3", "1"), 0), Some("would be gone by now")),
        (state(&pawn("0,3", "2"), 1), Some("would be gone by now")),
        (state(&pawn("0,3", "null"), 1), Some("does not stay for ever")),
        (
            state(
                &format!(
                    r#"{},"1,3":{{"code":"PAWN","player":"WHITE","state":{{"EN_PASSANT":1}}}}"#,
                    pawn("0,3", "1")
                ),
                1,
            ),
            Some("the pieces on a4 and b4 cannot both have moved in the same turn"),
        ),
        (
            state(
                r#""4,0":{"code":"KING","player":"WHITE","state":{"EN_PASSANT":1}},"4,7":{"code":"KING","player":"BLACK"}"#,
                1,
            ),
            Some("no move of a KING leaves the flag EN_PASSANT"),
        ),
    ];
    for (text, expected) in cases {
        let reasons = reasons("chess", &text);
        assert_eq!(reasons.len(), usize::from(expected.is_some()), "{text}: {reasons:?}");
        if let Some(part) = expected {
            assert!(reasons[0].contains(part), "{text}: {reasons:?}");
        }
    }
}

#[test]
fn whatever_is_played_is_taken() {
    for (name, game) in every_game() {
        let rules = &game.rules;
        for seed in 0..3 {
            random_play(rules, seed, 100, |position| {
                let faults = setup_faults(rules, &rules.setup(position));
                assert!(faults.is_empty(), "{name}: {faults:?}");
                let state = State::new(position.clone());
                let text = state_text(rules, &state);
                assert!(parse_state_strict(rules, &text).is_ok(), "{name}: {text}");
                let json = state_json(rules, &state).to_string();
                assert!(parse_state_strict(rules, &json).is_ok(), "{name}: {json}");
            });
        }
    }
}

#[test]
fn a_leader_of_three_may_stand_in_check_while_another_moves() {
    // RED attacks BLUE, whose turn it is not yet; only who has just moved may not be attacked.
    let trefoil = game("trefoil");
    let state = "11/11/k4*4.K/11/R10/***5***/***5***/***5***/***2K2***";
    assert!(parse_state_strict(&trefoil.rules, &format!("{state} b - -")).is_ok());
    let error = parse_state_strict(&trefoil.rules, &format!("{state} g - -")).expect_err("BLUE has moved");
    assert!(error.reasons[0].contains("BLUE has just moved"), "{error}");
}

#[test]
fn the_simplified_text_has_only_what_counts() {
    let chess = game("chess");
    let cases = [
        // Nobody can take; somebody can; the taker is pinned.
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3", "4k3/8/8/8/4P3/8/8/4K3 b - -"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3", "4k3/8/8/8/3pP3/8/8/4K3 b - e3"),
        ("3k4/8/8/8/3pP3/8/8/3RK3 b - e3", "3k4/8/8/8/3pP3/8/8/3RK3 b - -"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 7 9", "r3k2r/8/8/8/8/8/8/R3K2R w Kq -"),
    ];
    for (state, simplified) in cases {
        let position = parse_state(&chess.rules, state).expect("a state").position;
        assert_eq!(simplified_fen(&chess.rules, &position), simplified);
        assert!(parse_state_strict(&chess.rules, simplified).is_ok(), "{simplified}");
    }
}
