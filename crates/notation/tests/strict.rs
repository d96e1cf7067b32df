//! Strict parsing rejects states that no game can reach, with every reason, and accepts all states that games reach.

mod support;

use support::{every_game, game, random_play};
use tabiya_notation::{
    State, fen, parse_state, parse_state_strict, setup_problems, simplified_fen, state_json,
};

/// Returns the problems of a state.
fn reasons(name: &str, text: &str) -> Vec<String> {
    parse_state_strict(&game(name).rules, text).err().map(|error| error.reasons).unwrap_or_default()
}

/// Each state is rejected for exactly these reasons.
#[test]
fn impossible_chess_states_are_rejected_with_every_reason() {
    let cases: &[(&str, &[&str])] = &[
        ("8/8/8/8/8/8/8/4K3 w - -", &["BLACK has no KING"]),
        ("8/8/8/8/8/8/8/8 w - -", &["WHITE has no KING", "BLACK has no KING"]),
        ("4k2k/8/8/8/8/8/8/4K3 w - -", &["BLACK starts with 1 KING but has 2: on e8, h8"]),
        (
            "P3k3/8/8/8/8/8/8/p3K3 w - -",
            &[
                "the PAWN of BLACK on a1 must have been promoted",
                "the PAWN of WHITE on a8 must have been promoted",
            ],
        ),
        (
            "p3k3/8/8/8/8/8/8/P3K2P w - -",
            &["no PAWN of WHITE can reach a1", "WHITE can reach h1", "BLACK can reach a8"],
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
        // En passant: wrong rank for the side, no pawn, passed square occupied, source occupied.
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3", &["en-passant square e3"]),
        ("4k3/8/8/4p3/8/8/8/4K3 b - e6", &["en-passant square e6"]),
        ("4k3/8/8/8/8/8/8/4K3 b - e3", &["en-passant square e3"]),
        ("4k3/8/8/8/4N3/8/8/4K3 b - e3", &["en-passant square e3"]),
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3", &["en-passant square e3"]),
        ("4k3/8/8/8/4P3/8/4P3/4K3 b - e3", &["en-passant square e3"]),
        ("4k3/8/8/8/8/8/8/4K3 b - e9", &["`e9` is not a square"]),
        ("4k3/8/8/8/8/8/4p3/K7 w - e3", &["the PAWN on e2 cannot just have made the move"]),
        ("4k3/8/4P3/8/8/8/8/K7 b - e5", &["the PAWN on e6 cannot just have made the move"]),
        // The side that has just moved is in check.
        ("4k3/8/8/8/8/8/8/K3R3 w - -", &["BLACK has just moved, but its KING on e8 is attacked"]),
        ("8/8/8/8/8/8/3kK3/8 w - -", &["BLACK has just moved, but its KING on d2 is attacked"]),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", &["the round number is 0"]),
        // Problems of plain and strict parsing together.
        (
            "4k3/8/8/8/8/8/8/P7 w Q e6 0 1",
            &["`Q` needs", "en-passant square e6", "WHITE has no KING", "no PAWN of WHITE can reach a1"],
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
fn plain_parsing_accepts_playable_states() {
    let chess = game("chess");
    for state in ["8/8/8/8/8/8/8/8 w - -", "P3k2k/8/8/8/8/8/8/p7 w - -", "4k3/8/8/8/8/8/8/K3R3 w - -"] {
        assert!(parse_state(&chess.rules, state).is_ok(), "{state}");
        assert!(parse_state_strict(&chess.rules, state).is_err(), "{state}");
    }
}

#[test]
fn possible_chess_states_are_accepted() {
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
fn unreadable_parts_cause_no_further_problems() {
    assert_eq!(reasons("chess", "4k3/8/8/8/8/8/8/4Z3 w - -"), ["rank 1: `Z` is not a piece of this game"]);
    assert_eq!(reasons("chess", "w - -").len(), 1);
    assert_eq!(reasons("chess", "{}").len(), 2);
    assert_eq!(reasons("chess", "8/8/8/8/8/8/8/4K3 x - -").len(), 2, "the turn and the missing king");
}

#[test]
fn flags_must_have_been_set_by_a_move() {
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
        (state(&pawn("0,3", "1"), 0), Some("must have expired")),
        (state(&pawn("0,3", "2"), 1), Some("must have expired")),
        (state(&pawn("0,3", "null"), 1), Some("is not permanent in this game")),
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
            Some("no KING move sets the flag EN_PASSANT"),
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
fn states_reached_in_games_are_accepted() {
    for (name, game) in every_game() {
        let rules = &game.rules;
        for seed in 0..3 {
            random_play(rules, seed, 100, |position| {
                let problems = setup_problems(rules, &rules.setup(position));
                assert!(problems.is_empty(), "{name}: {problems:?}");
                let state = State::new(position.clone());
                let text = fen(rules, &state);
                assert!(parse_state_strict(rules, &text).is_ok(), "{name}: {text}");
                let json = state_json(rules, &state).to_string();
                assert!(parse_state_strict(rules, &json).is_ok(), "{name}: {json}");
            });
        }
    }
}

#[test]
fn only_the_player_who_has_just_moved_must_not_be_in_check() {
    // RED attacks BLUE. That is possible before BLUE has moved, but not after.
    let trefoil = game("trefoil");
    let state = "11/11/k4*4.K/11/R10/***5***/***5***/***5***/***2K2***";
    assert!(parse_state_strict(&trefoil.rules, &format!("{state} b - -")).is_ok());
    let error = parse_state_strict(&trefoil.rules, &format!("{state} g - -")).expect_err("BLUE has moved");
    assert!(error.reasons[0].contains("BLUE has just moved"), "{error}");
}

#[test]
fn simplified_fen_contains_only_what_counts_for_repetition() {
    let chess = game("chess");
    let cases = [
        // No capture is possible; a capture is possible; the capturing pawn is pinned.
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
