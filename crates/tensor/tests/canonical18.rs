//! The canonical tensor and the 4,672 actions of chess, as `docs/tensors.md` describes them.

#![allow(clippy::float_cmp, reason = "the numbers are written, not computed")]

use std::sync::Arc;

use tabiya_engine::{Move, Player, Position, Rules, SplitMix, Tally};
use tabiya_referee::{Action, Game};
use tabiya_tensor::{Encoding, PositionView};

fn chess() -> Arc<Rules> {
    library("chess")
}

fn library(name: &str) -> Arc<Rules> {
    tabiya_spec::library::load(name).unwrap().rules
}

/// A game after some moves.
fn after(rules: &Arc<Rules>, moves: &str) -> Game {
    let mut game = Game::new(Arc::clone(rules));
    for text in moves.split_whitespace() {
        let played = tabiya_notation::parse_uci(rules, &game.state().position, text).unwrap();
        game.submit(&Action::Move(played)).unwrap();
    }
    game
}

/// The tensor of a position.
struct Tensor(Vec<f32>);

impl Tensor {
    fn of(rules: &Rules, position: &Position, tally: Tally) -> Self {
        let encoding = Encoding::canonical18(rules).unwrap();
        let moves = rules.legal_moves(position);
        let mut numbers = vec![9.0; encoding.len()];
        let view = PositionView { position, tally, moves: &moves };
        encoding.write(rules, &view, rules.mover(position), &mut numbers);
        Tensor(numbers)
    }

    fn of_game(game: &Game) -> Self {
        Tensor::of(game.rules(), &game.state().position, game.tally())
    }

    fn of_text(rules: &Rules, text: &str) -> Self {
        let state = tabiya_notation::parse_state(rules, text).unwrap();
        Tensor::of(rules, &state.position, Tally::new(1, state.quiet))
    }

    /// Returns the cells of a plane that are not 0.
    fn cells(&self, plane: usize) -> Vec<(usize, usize)> {
        let cells = (0..64).filter(|cell| self.0[cell * 18 + plane] != 0.0);
        cells.map(|cell| (cell / 8, cell % 8)).collect()
    }

    /// Returns the number of a uniform plane.
    fn uniform(&self, plane: usize) -> f32 {
        let numbers: Vec<f32> = (0..64).map(|cell| self.0[cell * 18 + plane]).collect();
        assert!(numbers.iter().all(|number| number.to_bits() == numbers[0].to_bits()), "plane {plane}");
        numbers[0]
    }

    fn filled(&self) -> [f32; 5] {
        [12, 14, 15, 16, 17].map(|plane| self.uniform(plane))
    }
}

fn row(row: usize) -> Vec<(usize, usize)> {
    (0..8).map(|column| (row, column)).collect()
}

#[test]
fn the_start_position_is_as_documented() {
    let tensor = Tensor::of_game(&after(&chess(), ""));
    assert_eq!(tensor.cells(0), row(6));
    assert_eq!(tensor.cells(1), [(7, 1), (7, 6)]);
    assert_eq!(tensor.cells(2), [(7, 2), (7, 5)]);
    assert_eq!(tensor.cells(3), [(7, 0), (7, 7)]);
    assert_eq!(tensor.cells(4), [(7, 3)]);
    assert_eq!(tensor.cells(5), [(7, 4)]);
    assert_eq!(tensor.cells(6), row(1));
    assert_eq!(tensor.cells(10), [(0, 3)]);
    assert_eq!(tensor.cells(11), [(0, 4)]);
    assert_eq!(tensor.cells(13), []);
    assert_eq!(tensor.filled(), [1.0 / 3.0, 1.0, 1.0, 1.0, 1.0]);
}

#[test]
fn ranks_are_flipped_for_black_and_files_never() {
    let tensor = Tensor::of_game(&after(&chess(), "e2e4"));
    assert_eq!(tensor.cells(5), [(7, 4)], "own king");
    assert_eq!(tensor.cells(4), [(7, 3)], "own queen, still on the d-file");
    assert_eq!(tensor.cells(0), row(6), "own pawns");
    assert_eq!(tensor.cells(11), [(0, 4)], "enemy king");
    let mut pawns = row(1);
    pawns.retain(|cell| *cell != (1, 4));
    pawns.push((3, 4));
    assert_eq!(tensor.cells(6), pawns, "the pawn on e4 is four rows away from the enemy's first");
    assert_eq!(tensor.cells(13), [], "no en-passant capture is legal");
}

#[test]
fn repetition_counts_up_to_three() {
    let rules = chess();
    let there_and_back = "g1f3 g8f6 f3g1 f6g8 ";
    for (rounds, wanted) in [(0, 1.0 / 3.0), (1, 2.0 / 3.0), (2, 1.0), (3, 1.0)] {
        let game = after(&rules, &there_and_back.repeat(rounds));
        assert_eq!(Tensor::of_game(&game).uniform(12).to_bits(), f32::to_bits(wanted), "{rounds} rounds");
    }
    // 1. e4 leaves a flag without a legal en-passant capture, so the position is the same without it.
    let game = after(&rules, &format!("e2e4 e7e5 {}", there_and_back.repeat(2)));
    assert_eq!(Tensor::of_game(&game).uniform(12).to_bits(), 1f32.to_bits());
}

#[test]
fn en_passant_targets_are_shown_only_if_legal() {
    let rules = chess();
    let open = Tensor::of_game(&after(&rules, "e2e4 a7a6 e4e5 d7d5"));
    assert_eq!(open.cells(13), [(2, 3)], "d6");
    let black = Tensor::of_game(&after(&rules, "a2a3 d7d5 a3a4 d5d4 e2e4"));
    assert_eq!(black.cells(13), [(2, 4)], "e3, as Black sees it");
    // The capture would expose the king to the rook on the fifth rank.
    let pinned = Tensor::of_text(&rules, "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2");
    assert_eq!(pinned.cells(13), []);
    let free = Tensor::of_text(&rules, "8/8/8/3pP2r/K7/8/8/7k w - d6 0 2");
    assert_eq!(free.cells(13), [(2, 3)]);
}

#[test]
fn an_ordinary_capture_beside_a_flag_is_not_en_passant() {
    let rules = chess();
    // Black may capture on a4, but not en passant on a3.
    let planes = Tensor::of_game(&after(&rules, "f2f3 b7b5 a2a4"));
    assert_eq!(planes.cells(13), []);
    assert!(planes.cells(6).contains(&(3, 0)), "the pawn that may be taken is seen");
    // The pawn on e4 can capture en passant on d3, or the knight on f3.
    let planes = Tensor::of_game(&after(&rules, "g1f3 e7e5 a2a3 e5e4 d2d4"));
    assert_eq!(planes.cells(13), [(2, 3)]);
    assert!(planes.cells(7).contains(&(2, 5)));
}

#[test]
fn castling_planes_are_rights_and_not_possibilities() {
    let rules = chess();
    let tensor = Tensor::of_text(&rules, "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
    assert_eq!(tensor.filled()[1..], [1.0, 0.0, 0.0, 1.0]);
    let tensor = Tensor::of_text(&rules, "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1");
    assert_eq!(tensor.filled()[1..], [0.0, 1.0, 1.0, 0.0]);
    // In check, castling is impossible now but the right remains.
    let tensor = Tensor::of_text(&rules, "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1");
    assert_eq!(tensor.filled()[1..], [1.0, 1.0, 0.0, 0.0]);
    // A rook that has moved and returned has lost its right.
    let tensor = Tensor::of_game(&after(&rules, "h2h4 a7a6 h1h2 a6a5 h2h1 a5a4"));
    assert_eq!(tensor.filled()[1..], [0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn actions_are_as_documented() {
    let rules = chess();
    let encoding = Encoding::canonical18(&rules).unwrap();
    let table = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", 3797),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e7e5", 3797),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", 4589),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "g8f6", 4589),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 4395),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", 4423),
        ("1r5k/P7/8/8/8/8/8/7K w - - 0 1", "a7b8n", 650),
        ("8/8/8/8/8/1k6/7p/K7 b - - 0 1", "h2h1r", 1166),
        ("7k/8/8/8/8/8/1p6/R6K b - - 0 1", "b2a1q", 706),
    ];
    for (text, uci, wanted) in table {
        let state = tabiya_notation::parse_state(&rules, text).unwrap();
        let played = tabiya_notation::parse_uci(&rules, &state.position, uci).unwrap();
        assert_eq!(encoding.action(&rules, &state.position, played), wanted, "{uci} in {text}");
    }
    assert_eq!((encoding.actions(), encoding.move_types(&rules).len()), (4672, 73));
}

/// Checks that all legal moves have different actions, and returns their number.
fn round_trip(rules: &Rules, encoding: &Encoding, position: &Position, moves: &[Move]) -> usize {
    let view = PositionView { position, tally: Tally::new(1, 0), moves };
    let mut actions: Vec<u32> = Vec::new();
    for played in moves {
        let action = encoding.action(rules, position, *played);
        assert!((action as usize) < encoding.actions());
        assert_eq!(encoding.move_of(rules, &view, action), Some(*played));
        actions.push(action);
    }
    actions.sort_unstable();
    actions.dedup();
    assert_eq!(actions.len(), moves.len(), "two moves share an action");
    actions.len()
}

#[test]
fn every_legal_move_of_ten_thousand_positions_has_its_own_action() {
    let rules = chess();
    let encoding = Encoding::canonical18(&rules).unwrap();
    let mut rng = SplitMix::new(7);
    let mut position = rules.start();
    let mut seen = 0;
    while seen < 10_000 {
        let moves = rules.legal_moves(&position);
        if moves.is_empty() || seen % 150 == 149 {
            position = rules.start();
        } else {
            round_trip(&rules, &encoding, &position, &moves);
            position = rules.play_unchecked(&position, moves[rng.below(moves.len())]);
        }
        seen += 1;
    }
}

#[test]
fn the_position_with_the_most_moves_has_as_many_actions() {
    let rules = chess();
    let encoding = Encoding::canonical18(&rules).unwrap();
    let text = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let position = tabiya_notation::parse_state(&rules, text).unwrap().position;
    assert_eq!(round_trip(&rules, &encoding, &position, &rules.legal_moves(&position)), 218);
}

#[test]
fn players_see_their_own_pieces_below() {
    let rules = chess();
    let encoding = Encoding::canonical18(&rules).unwrap();
    let start = rules.start();
    let moves = rules.legal_moves(&start);
    let view = PositionView { position: &start, tally: Tally::new(1, 0), moves: &moves };
    let mut tensors = [Player(0), Player(1)].map(|seat| {
        let mut numbers = vec![0.0; encoding.len()];
        encoding.write(&rules, &view, seat, &mut numbers);
        numbers
    });
    let [white, black] = &mut tensors;
    assert_eq!(white, black, "the start looks the same from both sides");
}

#[test]
fn other_games_have_no_canonical_tensor() {
    for name in ["capablanca", "gardner", "knightmate", "fourplayer", "enochian", "nightrider", "cylinder"] {
        let error = Encoding::canonical18(&library(name)).map(|_| ()).unwrap_err().to_string();
        assert!(error.starts_with("canonical18 requires chess rules: "), "{name}: {error}");
        assert_eq!(Encoding::for_game(&library(name)).name(), "planes1");
    }
    assert_eq!(Encoding::for_game(&chess()).name(), "canonical18");
}
