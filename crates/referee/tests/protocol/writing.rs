//! States that we write hold the same information as FEN and read back.

use serde_json::{Value, json};
use tabiya_notation::{fen, simplified_fen};
use tabiya_players::{Chooser as _, Random};
use tabiya_referee::protocol::{Dialect, Protocol, RejectedAnswer, Rule, Strictness};
use tabiya_referee::{Action, Game};

use crate::support::{chess, game, rules, sent};

#[test]
fn the_start_is_sent_as_everybody_expects_it() {
    let state = sent(&Game::new(rules("chess")));
    let keys: Vec<&String> = state.as_object().expect("an object").keys().collect();
    let expected =
        ["board", "turn", "castling", "en_passant", "halfmove_clock", "fullmove_number", "position_history"];
    assert_eq!(keys, expected);
    assert_eq!(state["board"].as_object().map(serde_json::Map::len), Some(32));
    assert_eq!((&state["board"]["e1"], &state["board"]["d8"]), (&json!("K"), &json!("q")));
    assert_eq!(state["castling"]["black"], json!({ "kingside": true, "queenside": true }));
    assert_eq!(
        (&state["turn"], &state["en_passant"], &state["halfmove_clock"], &state["fullmove_number"]),
        (&json!("white"), &Value::Null, &json!(0), &json!(1))
    );
    assert_eq!(state["position_history"], json!([]));
}

#[test]
fn rights_are_sent_one_by_one() {
    for (field, rights) in [("K", [true, false, false, false]), ("Qk", [false, true, true, false])] {
        let state = sent(&game(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {field} - 3 9")));
        let sent = ["/white/kingside", "/white/queenside", "/black/kingside", "/black/queenside"]
            .map(|right| state["castling"].pointer(right).and_then(Value::as_bool).expect("a right"));
        assert_eq!(sent, rights);
        assert_eq!((&state["halfmove_clock"], &state["fullmove_number"]), (&json!(3), &json!(9)));
    }
}

/// Plays at random and compares every state with what the game is.
fn play(protocol: &Protocol, mut game: Game, seed: u64, plies: usize) {
    let rules = game.rules().clone();
    let mut player = Random::new(seed);
    let mut state_writer = protocol.state_writer();
    let mut reader = protocol.state_reader();
    let mut texts = Vec::new();
    while game.end().is_none() && game.earlier().len() < plies {
        let line = state_writer.state_line(&game);
        assert!(!line.contains('\n'));
        assert_eq!(line, protocol.state_writer().state_line(&game), "it does not matter who wrote before");
        let parsed = reader.read(&line).unwrap_or_else(|bad| panic!("{line}: {bad}"));
        let (read, is) = (&parsed.state, game.state());
        // States hold which pieces have moved only where it matters.
        assert_eq!(rules.identity(&read.position), rules.identity(&is.position), "{line}");
        assert_eq!((read.quiet, read.round), (is.quiet, is.round), "{line}");
        // All earlier positions are looked at again, so not every time.
        if game.earlier().len().is_multiple_of(8) {
            let read = parsed.game(&rules);
            assert_eq!((read.earlier(), read.tally()), (game.earlier(), game.tally()), "{line}");
        }
        if protocol.dialect() == Dialect::Chess {
            let state: Value = serde_json::from_str(&line).expect("JSON");
            assert_eq!(state["position_history"], json!(texts));
            texts.push(simplified_fen(&rules, &game.state().position));
        }
        let Some(played) = player.choose(&rules, &game.state().position) else { break };
        game.submit(&Action::Move(played)).expect("it is legal");
    }
}

#[test]
fn every_state_of_random_games_is_read_back() {
    let protocol = chess();
    for seed in 0..12 {
        play(&protocol, Game::new(rules("chess")), seed, 120);
    }
    for (seed, fen) in (20..).zip([
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ]) {
        play(&protocol, game(fen), seed, 120);
    }
}

#[test]
fn other_games_are_read_back_too() {
    for name in ["capablanca", "gardner", "fourplayer", "trefoil", "berolina"] {
        let rules = rules(name);
        let protocol = Protocol::new(&rules);
        for seed in 0..2 {
            play(&protocol, Game::new(rules.clone()), seed, 40);
        }
    }
}

#[test]
fn the_square_passed_over_is_that_of_board_text() {
    let mut player = Random::new(3);
    let mut game = Game::new(rules("chess"));
    let protocol = chess();
    let mut state_writer = protocol.state_writer();
    while game.end().is_none() && game.earlier().len() < 200 {
        let state: Value = serde_json::from_str(&state_writer.state_line(&game)).expect("JSON");
        let text = fen(game.rules(), game.state());
        let field = text.split(' ').nth(3).expect("a field");
        assert_eq!(state["en_passant"].as_str().unwrap_or("-"), field);
        let played = player.choose(game.rules(), &game.state().position).expect("it is not over");
        game.submit(&Action::Move(played)).expect("it is legal");
    }
}

#[test]
fn a_refusal_holds_the_state_again() {
    let game = Game::new(rules("chess"));
    let protocol = chess();
    let refused = RejectedAnswer { rule: Rule::Jump, why: "no jumping: \"so\"".to_owned(), lenient: false };
    let line = protocol.state_writer().rejection_line(&game, &refused);
    let value: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(value["refused"], json!({ "rule": "jump", "why": "no jumping: \"so\"" }));
    assert_eq!(value["state"], sent(&game));
    assert_eq!(value.as_object().map(serde_json::Map::len), Some(2));
}

#[test]
fn what_a_player_does_is_written_as_it_is_read() {
    let protocol = chess();
    let game = game("8/4P3/8/8/8/8/k7/4K3 w - - 0 1");
    let moves = game.rules().legal_moves(&game.state().position);
    let claim = |announced| Action::Claim { code: "FIFTY_MOVE_RULE".to_owned(), announced };
    let acts = moves.iter().map(|played| Action::Move(*played)).chain([
        claim(None),
        claim(Some(moves[0])),
        Action::Offer,
        Action::Accept,
        Action::Decline,
        Action::Resign,
    ]);
    for act in acts {
        let text = protocol.action_json(&game, &act).to_string();
        assert_eq!(protocol.parse_answer(&game, &text, Strictness::Strict), Ok((act, false)), "{text}");
    }
}
