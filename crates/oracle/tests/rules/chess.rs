//! Chess, with published perft counts.

use std::collections::BTreeMap;

use tabiya_oracle::{Piece, Square, State};

use crate::table::Table;

/// Returns the starting position of chess.
pub(crate) fn chess() -> Table {
    Table::from_text(include_str!("../../../../games/chess.json"))
}

/// Returns a chess position from the first three FEN fields. Pawns on their first rank are unmoved; for kings and rooks
/// the castling field decides.
pub(crate) fn set_up(fen: &str) -> Table {
    let mut fields = fen.split(' ');
    let (board, turn, castling) = (fields.next(), fields.next(), fields.next().unwrap_or("-"));
    let mut table = chess();
    let pieces = pieces(board.unwrap_or_default(), castling);
    let slot = usize::from(turn == Some("b"));
    table.state = State { pieces, slot, ..State::default() };
    table
}

fn pieces(board: &str, castling: &str) -> BTreeMap<Square, Piece> {
    let mut pieces = BTreeMap::new();
    for (row, text) in board.split('/').enumerate() {
        let mut x = 0;
        for letter in text.chars() {
            if let Some(gap) = letter.to_digit(10) {
                x += gap as i32;
                continue;
            }
            let square = (x, 7 - row as i32);
            pieces.insert(square, piece(letter, square, castling));
            x += 1;
        }
    }
    pieces
}

fn piece(letter: char, square: Square, castling: &str) -> Piece {
    let kind = match letter.to_ascii_lowercase() {
        'k' => "KING",
        'q' => "QUEEN",
        'r' => "ROOK",
        'b' => "BISHOP",
        'n' => "KNIGHT",
        _ => "PAWN",
    };
    let player = if letter.is_uppercase() { "WHITE" } else { "BLACK" };
    let rights: &[char] = match (letter, square) {
        ('K', (4, 0)) => &['K', 'Q'],
        ('R', (7, 0)) => &['K'],
        ('R', (0, 0)) => &['Q'],
        ('k', (4, 7)) => &['k', 'q'],
        ('r', (7, 7)) => &['k'],
        ('r', (0, 7)) => &['q'],
        _ => &[],
    };
    let unmoved = castling.contains(rights) || matches!((letter, square.1), ('P', 1) | ('p', 6));
    Piece { moved: !unmoved, ..Piece::new(kind, player) }
}

fn check(table: &Table, counts: &[u64]) {
    for (depth, expected) in counts.iter().enumerate() {
        assert_eq!(table.oracle().perft(&table.state, depth as u32), *expected, "depth {depth}");
    }
}

#[test]
fn starting_position() {
    check(&chess(), &[1, 20, 400, 8_902]);
}

#[test]
fn castling_counts() {
    check(&set_up("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq"), &[1, 48, 2_039, 97_862]);
    check(&set_up("r3k2r/8/8/8/8/8/8/R3K2R w KQkq"), &[1, 26, 568, 13_744]);
}

#[test]
fn castling_needs_unmoved_pieces_and_a_free_safe_path() {
    let castles = |fen: &str| {
        let moves = set_up(fen).moves("e1");
        (moves.contains("g1"), moves.contains("c1"))
    };
    assert_eq!(castles("4k3/8/8/8/8/8/8/R3K2R w KQ"), (true, true));
    assert_eq!(castles("4k3/8/8/8/8/8/8/R3K2R w K"), (true, false), "the rook has moved");
    assert_eq!(castles("4k3/8/8/8/8/8/8/R3K3 w KQ"), (false, true), "no rook");
    assert_eq!(castles("4k3/8/8/8/8/8/8/RN2K1NR w KQ"), (false, false), "not free");
    assert_eq!(castles("1r2k3/8/8/8/8/8/8/R3K2R w KQ"), (true, true), "b1 may be attacked");
    assert_eq!(castles("3rk3/8/8/8/8/8/8/R3K2R w KQ"), (true, false), "d1 may not");
    assert_eq!(castles("4k1r1/8/8/8/8/8/8/R3K2R w KQ"), (false, true), "nor g1");
    assert_eq!(castles("k3r3/8/8/8/8/8/8/R3K2R w KQ"), (false, false), "nor the king itself");
    assert_eq!(castles("r3k2r/8/8/8/8/8/8/R3K2R w KQ"), (true, true), "a1 and h1 may");
}

#[test]
fn castling_moves_the_rook() {
    let table = set_up("4k3/8/8/8/8/8/8/R3K2R w KQ");
    let short = table.clone().play("e1g1");
    assert_eq!((short.at("g1"), short.at("f1")), ("WHITE KING".into(), "WHITE ROOK".into()));
    assert_eq!(table.play("e1c1").at("d1"), "WHITE ROOK");
}

#[test]
fn en_passant_and_promotion() {
    check(&set_up("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w -"), &[1, 14, 191, 2_812]);
    check(&set_up("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq"), &[1, 6, 264, 9_467]);
    check(&set_up("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ"), &[1, 44, 1_486, 62_379]);
}

#[test]
fn fools_mate_and_a_stalemate() {
    assert_eq!(chess().play("f2f3 e7e5 g2g4 d8h4").outcome(), "checkmate BLACK");
    assert_eq!(set_up("7k/5Q2/6K1/8/8/8/8/8 b -").outcome(), "stalemate");
    assert_eq!(set_up("7k/8/6K1/8/8/8/8/5Q2 b -").outcome(), "-");
}
