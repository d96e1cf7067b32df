//! Chess with small changes: castling without a leader, and a promotion with a single option.

use std::sync::Arc;

use tabiya_engine::Rules;
use tabiya_notation::{State, fen, parse_san, parse_state, parse_uci, san, uci};

/// Returns chess after a change to its file.
fn chess(change: impl Fn(&mut serde_json::Value)) -> Arc<Rules> {
    let chess = tabiya_spec::library::find("chess").expect("chess");
    let long = tabiya_spec::expand(chess.json.as_bytes(), &tabiya_spec::Choices::default()).expect("a game");
    let mut game: serde_json::Value = serde_json::from_str(&long).expect("JSON");
    change(&mut game);
    tabiya_spec::load(game.to_string().as_bytes()).game.expect("it can be played").rules
}

#[test]
fn castling_rights_do_not_need_a_leader() {
    let rules = chess(|game| {
        game.as_object_mut().expect("an object").remove("leader");
    });
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(fen(&rules, &State::new(rules.start())), start);
    for (text, rights) in
        [("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "kq"), ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 3 9", "q")]
    {
        let state = parse_state(&rules, text).expect("board text");
        assert_eq!(fen(&rules, &state), text);
        let position = &state.position;
        let short = parse_san(&rules, position, "O-O").expect("WHITE may castle");
        assert_eq!(
            (san(&rules, position, short).as_str(), uci(&rules, position, short).as_str()),
            ("O-O", "e1g1")
        );
        assert_eq!(parse_san(&rules, position, "O-O-O").is_ok(), text.contains("KQ"), "{text}");
        let next = State::new(rules.play_unchecked(position, short));
        assert_eq!(fen(&rules, &next), format!("r3k2r/8/8/8/8/8/8/R4RK1 b {rights} - 0 1"));
    }
    let error = parse_state(&rules, "4k3/8/8/8/8/8/8/4K3 w K -").expect_err("there is no rook");
    let why = "the castling right `K` needs its pieces on their starting squares e1 and h1";
    assert_eq!(error.to_string(), why);
}

#[test]
fn a_single_promotion_need_not_be_named() {
    let rules = chess(|game| {
        for piece in game["pieces"].as_array_mut().expect("a list") {
            for each in piece["moves"].as_array_mut().expect("a list") {
                if let Some(modifiers) = each.get_mut("modifiers") {
                    modifiers[0]["options"] = serde_json::json!(["QUEEN"]);
                }
            }
        }
    });
    let position = parse_state(&rules, "8/P6k/8/8/8/8/8/K7 w - -").expect("board text").position;
    let played = parse_uci(&rules, &position, "a7a8").expect("there is one option");
    assert_eq!(uci(&rules, &position, played), "a7a8q", "it is still written");
    assert_eq!(parse_san(&rules, &position, "a8"), Ok(played));
    assert_eq!(parse_uci(&rules, &position, "a7a8q"), Ok(played));
    let error = parse_uci(&rules, &position, "a7a8n").expect_err("not an option");
    assert_eq!(error.to_string(), "on a8 the PAWN can be promoted only to QUEEN");
}

/// Fairy-Stockfish names the square of the pawn too, because two pawns may have passed over the same square.
#[test]
fn two_squares_of_a_berolina_pawn_are_read() {
    let rules = tabiya_spec::library::load("berolina").expect("a library game").rules;
    for (two, one) in [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PP1PPPPP/RNBQKBNR b KQkq d3e4 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PP1PPPPP/RNBQKBNR b KQkq d3 0 1",
        ),
        (
            "rnbqkbnr/pppp1ppp/8/2p5/4P3/8/PP1PPPPP/RNBQKBNR w KQkq c5d6 0 2",
            "rnbqkbnr/pppp1ppp/8/2p5/4P3/8/PP1PPPPP/RNBQKBNR w KQkq d6 0 2",
        ),
    ] {
        let state = parse_state(&rules, two).expect("a state");
        assert_eq!(fen(&rules, &state), one);
    }
    // Both pawns on the fourth rank may have passed over d3; the second square decides.
    let both = "4k3/8/8/8/2P1P3/8/8/4K3 b - ";
    assert!(parse_state(&rules, &format!("{both}d3")).is_err());
    let state = parse_state(&rules, &format!("{both}d3e4")).expect("a state");
    let marked: Vec<String> =
        state.position.marks().iter().map(|mark| rules.board().name(mark.square)).collect();
    assert_eq!(marked, ["e4"]);
    assert!(parse_state(&rules, &format!("{both}d3f4")).is_err());
}
