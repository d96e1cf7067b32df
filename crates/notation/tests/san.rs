//! SAN: chess moves as in chess books, and round trips for every game.

mod support;

use support::{every_game, game, random_play};
use tabiya_engine::Rules;
use tabiya_notation::{MoveError, parse_san, parse_state, parse_uci, san, uci};

/// Parses SAN in a chess position and returns the move in UCI notation.
fn read(state: &str, text: &str) -> Result<String, MoveError> {
    let chess = game("chess");
    let position = parse_state(&chess.rules, state).expect("a state").position;
    parse_san(&chess.rules, &position, text).map(|played| uci(&chess.rules, &position, played))
}

/// Converts a move from UCI notation to SAN.
fn written(rules: &Rules, state: &str, text: &str) -> String {
    let position = parse_state(rules, state).expect("a state").position;
    san(rules, &position, parse_uci(rules, &position, text).expect("a move"))
}

#[test]
fn chess_moves_are_written_as_in_books() {
    let chess = game("chess");
    let cases = [
        // Two knights: by file; two rooks on one file: by rank; three queens: by square.
        ("4k3/8/8/8/8/8/8/1N2K1N1 w - -", "b1d2", "Nd2"),
        ("4k3/8/8/8/5N2/8/8/1N2K3 w - -", "b1d2", "Nd2"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - -", "b1d2", "Nbd2"),
        ("4k3/8/8/R7/8/8/8/R3K3 w - -", "a1a3", "R1a3"),
        ("7k/8/8/8/4Q2Q/8/8/K6Q w - -", "h4e1", "Qh4e1"),
        // A pinned piece does not count.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - -", "g1e2", "Ne2"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - -", "e4d5", "exd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6", "e5d6", "exd6"),
        ("4k3/P7/8/8/8/8/8/4K3 w - -", "a7a8q", "a8=Q+"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - -", "a7b8n", "axb8=N"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1g1", "O-O"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq -", "e8c8", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K -", "e1g1", "O-O+"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq -", "d8h4", "Qh4#"),
    ];
    for (state, squares, text) in cases {
        assert_eq!(written(&chess.rules, state, squares), text, "{state}");
        assert_eq!(read(state, text).as_deref(), Ok(squares), "{state}");
    }
}

#[test]
fn lenient_forms_are_accepted() {
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    for text in ["O-O", "0-0", "O-O+", "0-0!?", " O-O "] {
        assert_eq!(read(castling, text).as_deref(), Ok("e1g1"), "{text}");
    }
    for text in ["O-O-O", "0-0-0", "0-0-0#"] {
        assert_eq!(read(castling, text).as_deref(), Ok("e1c1"), "{text}");
    }
    let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6";
    for text in ["exd6", "exd6e.p.", "exd6 e.p.", "exd6 ep+", "exd6+ e.p.", "e5xd6", "Pexd6", "e:d6!!"] {
        assert_eq!(read(passing, text).as_deref(), Ok("e5d6"), "{text}");
    }
    let promotion = "4k3/P7/8/8/8/8/8/4K3 w - -";
    for text in ["a8=Q+", "a8=Q", "a8Q", "a8=q#", "a8=QUEEN", "aa8=Q", "7a8=Q", "a7a8=Q"] {
        assert_eq!(read(promotion, text).as_deref(), Ok("a7a8q"), "{text}");
    }
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for text in ["Nf3", "Ngf3", "N1f3", "Ng1f3", "Nf3+", "Nf3#"] {
        assert_eq!(read(start, text).as_deref(), Ok("g1f3"), "{text}");
    }
}

#[test]
fn errors_explain_the_problem() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - -";
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    let cases = [
        (knights, "Nd2", "several moves match: Nbd2, Nfd2"),
        (start, "Nxf3", "that move is written Nf3"),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - -", "ed5", "that move is written exd5"),
        (castling, "Kg1", "that move is written O-O"),
        (start, "Bc4", "the BISHOP cannot move from f1 to c4: it is blocked on e2"),
        (start, "Ke2", "the KING cannot move from e1 to e2, which holds a piece of the same player"),
        (start, "Qz9", "`z9` is not a square of this board"),
        (start, "Xe4", "this game has no piece `X`"),
        (start, "e8=Q", "the PAWN cannot move from"),
        (start, "e4=Q", "is not promoted on e4"),
        ("4k3/P7/8/8/8/8/8/4K3 w - -", "a8", "say to which of"),
        ("4k3/P7/8/8/8/8/8/4K3 w - -", "a8=K", "can be promoted only to QUEEN, ROOK, BISHOP, KNIGHT"),
        ("4k3/8/8/8/8/8/8/4K3 w - -", "Nf3", "WHITE has no KNIGHT"),
        (knights, "Nhd2", "WHITE has no KNIGHT on `h`"),
        ("4k3/8/8/8/8/8/8/4K2R w - -", "O-O", "cannot castle from e1 to g1: it has moved"),
        ("4k3/8/8/8/8/8/8/4KB1R w K -", "O-O", "f1 must be empty"),
        ("4kr2/8/8/8/8/8/8/4K2R w K -", "O-O", "f1 is attacked"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - -", "Kg8", "the game is over"),
        (start, "", "is not a move"),
        (start, "hello", "is not a move"),
        (start, "e4 e5", "is not a move"),
    ];
    for (state, text, reason) in cases {
        let error = read(state, text).expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let small = game("gardner");
    let error = parse_san(&small.rules, &small.rules.start(), "O-O").expect_err("a game without castling");
    assert_eq!(error.to_string(), "there is no castling to that side");
}

#[test]
fn every_move_of_every_game_round_trips() {
    for (name, game) in every_game() {
        let rules = &game.rules;
        for seed in 0..3 {
            random_play(rules, seed, 80, |position| {
                for played in rules.legal_moves(position) {
                    let text = san(rules, position, played);
                    assert_eq!(parse_san(rules, position, &text).as_ref(), Ok(&played), "{name} {text}");
                }
            });
        }
    }
}

#[test]
fn texts_are_unique_within_a_position() {
    for (name, game) in every_game() {
        let rules = &game.rules;
        random_play(rules, 9, 60, |position| {
            let mut texts: Vec<String> =
                rules.legal_moves(position).iter().map(|played| san(rules, position, *played)).collect();
            let all = texts.len();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), all, "{name}");
        });
    }
}

#[test]
fn coinciding_moves_are_distinguished_by_id() {
    let berolina = game("berolina");
    let state = "4k3/8/8/3pPp2/8/8/8/4K3 w - - 0 1 flags=d5:EN_PASSANT_LEFT:1:1,f5:EN_PASSANT_RIGHT:1:1";
    let position = parse_state(&berolina.rules, state).expect("a state").position;
    let twins: Vec<String> = berolina
        .rules
        .legal_moves(&position)
        .into_iter()
        .filter(|played| berolina.rules.board().name(played.from) == "e5")
        .map(|played| san(&berolina.rules, &position, played))
        .filter(|text| text.contains('#'))
        .collect();
    assert_eq!(twins.len(), 2, "{twins:?}");
    for text in twins {
        let played = parse_san(&berolina.rules, &position, &text).expect("SAN that was just written");
        assert_eq!(san(&berolina.rules, &position, played), text);
    }
}

#[test]
fn castling_is_written_per_side_in_a_game_for_four() {
    let four = game("fourplayer");
    let state =
        "***.R3.K2.R***/***8***/***8***/r13/14/14/14/k13/14/14/13.k/***8***/***8***/***R3K2R*** r KQ -";
    assert_eq!(written(&four.rules, state, "h1j1"), "O-O");
    assert_eq!(written(&four.rules, state, "h1f1"), "O-O-O");
}

#[test]
fn squares_of_large_boards_are_unambiguous() {
    let four = game("fourplayer");
    let start = four.rules.start();
    let played = parse_uci(&four.rules, &start, "d2d4").expect("a pawn's double step");
    assert_eq!(san(&four.rules, &start, played), "d4");
    let next = four.rules.play_unchecked(&start, played);
    let blue = parse_uci(&four.rules, &next, "b10d10").expect("a pawn's double step");
    assert_eq!(uci(&four.rules, &next, blue), "b10d10");
    assert_eq!(parse_san(&four.rules, &next, "d10").as_ref(), Ok(&blue));
}

#[test]
fn boards_with_a_file_x_write_captures_with_a_colon() {
    let steps = [[0, 1], [0, -1], [1, 0], [-1, 0]];
    let moves: Vec<String> = steps
        .iter()
        .enumerate()
        .map(|(id, step)| {
            format!(
                r#"{{ "id": {id}, "step": {step:?}, "repeat": {{ "loop": true }}, "actions": [
                {{ "state": "EMPTY", "action": "MOVE" }}, {{ "state": "ENEMY", "action": "CAPTURE" }}] }}"#
            )
        })
        .collect();
    let army = |squares: &str| format!(r#"[{{ "piece": "ROOK", "positions": [{squares}] }}]"#);
    let json = format!(
        r#"{{ "name": "X", "board": {{ "dimensions": [700, 1] }}, "turns": {{ "order": ["A", "B"] }}, "players": [
            {{ "name": "A", "direction": "UP", "starting_positions": {} }},
            {{ "name": "B", "direction": "DOWN", "starting_positions": {} }}],
            "pieces": [{{ "code": "ROOK", "moves": [{}] }}] }}"#,
        army("[0, 0], [23, 0], [650, 0]"),
        army("[1, 0], [26, 0], [640, 0]"),
        moves.join(",")
    );
    let game = tabiya_spec::load(json.as_bytes()).game.expect("a playable game");
    random_play(&game.rules, 1, 12, |position| {
        for played in game.rules.legal_moves(position).into_iter().step_by(7) {
            let text = san(&game.rules, position, played);
            assert_eq!(parse_san(&game.rules, position, &text).as_ref(), Ok(&played), "{text}");
        }
    });
    let start = game.rules.start();
    let capture = parse_uci(&game.rules, &start, "a1b1").expect("a capture");
    assert_eq!(san(&game.rules, &start, capture), "Ra:b1");
}
