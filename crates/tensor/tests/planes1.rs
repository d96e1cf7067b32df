//! Planes and actions from the rules, for every game of the library.

#![allow(clippy::float_cmp, reason = "the numbers are written, not computed")]

use std::sync::Arc;

use tabiya_engine::{Die, Lattice, Offset, Player, Position, Rules, SplitMix, Square, Tally};
use tabiya_tensor::{Encoding, PositionView};

fn library(name: &str) -> Arc<Rules> {
    tabiya_spec::library::load(name).unwrap().rules
}

fn names() -> Vec<&'static str> {
    tabiya_spec::library::games().iter().map(|entry| entry.name).collect()
}

fn planes(rules: &Rules, encoding: &Encoding, position: &Position, seat: Player) -> Vec<f32> {
    let moves = rules.legal_moves(position);
    let view = PositionView { position, tally: Tally::new(2, 7), moves: &moves };
    let mut numbers = vec![9.0; encoding.len()];
    encoding.write(rules, &view, seat, &mut numbers);
    numbers
}

/// Visits the positions of random games.
fn walk(rules: &Rules, seed: u64, plies: usize, mut show: impl FnMut(&Position)) {
    let mut rng = SplitMix::new(seed);
    let mut position = rules.start();
    for _ in 0..plies {
        while let (Some(Die::Awaited(_)), Some(faces)) = (rules.die(&position), rules.faces()) {
            position = rules.throw(&position, rng.throw(faces)).unwrap();
        }
        let moves = rules.legal_moves(&position);
        if moves.is_empty() || position.ended().is_some() {
            position = rules.start();
            continue;
        }
        show(&position);
        position = rules.play_unchecked(&position, moves[rng.below(moves.len())]);
    }
}

#[test]
fn every_legal_move_of_every_game_has_its_own_action() {
    for name in names() {
        let rules = library(name);
        let encodings = [Encoding::planes1(&rules), Encoding::for_game(&rules)];
        walk(&rules, 3, 400, |position| {
            let moves = rules.legal_moves(position);
            for encoding in &encodings {
                let mut actions: Vec<u32> =
                    moves.iter().map(|played| encoding.action(&rules, position, *played)).collect();
                assert!(actions.iter().all(|action| (*action as usize) < encoding.actions()), "{name}");
                actions.sort_unstable();
                actions.dedup();
                assert_eq!(actions.len(), moves.len(), "{name}: two moves share an action");
            }
        });
    }
}

/// Compares the piece planes with the pieces of the position.
#[test]
fn pieces_are_on_the_cells_of_their_owners_view() {
    for name in names() {
        let rules = library(name);
        // Neutral pieces have no place in the ring of players.
        if !rules.mechanics().neutral.is_empty() {
            continue;
        }
        let encoding = Encoding::planes1(&rules);
        let [rows, columns, depth] = encoding.shape();
        let kinds = rules.kinds().count();
        let plane = |name: &str| encoding.planes().iter().position(|plane| plane.name == name);
        let is_rectangle = rules.board().levels() == 1 && rules.board().lattice() == Lattice::Square;
        walk(&rules, 5, 60, |position| {
            for seat in rules.players() {
                let numbers = planes(&rules, &encoding, position, seat);
                if !is_rectangle {
                    // Where the pieces of hexagons and levels are seen is tested with the perspective.
                    let planes = rules.players().count() * kinds;
                    let seen: f32 = numbers.chunks(depth).flat_map(|cell| &cell[..planes]).sum();
                    let count = f32::from(u16::try_from(position.piece_count()).expect("a small number"));
                    assert_eq!(seen, count, "{name}, seat {seat:?}");
                    continue;
                }
                let orientation = rules.player(seat).orientation;
                // Up on the planes is forwards on the board.
                let cell_of = |square: Square| {
                    let (x, y) = rules.board().coords(square);
                    let corner = |dx: i32, dy: i32| {
                        let (width, height) =
                            (i32::from(rules.board().files()) - 1, i32::from(rules.board().ranks()) - 1);
                        orientation.back(Offset::new(x - dx * width, y - dy * height))
                    };
                    let corners = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
                    let column = corners.iter().map(|it| it.dx).max().unwrap() as usize;
                    let up = corners.iter().map(|it| it.dy).max().unwrap() as usize;
                    (rows - 1 - up) * columns + column
                };
                let order = rules.order();
                let distance = |player: Player| {
                    let mut ring = vec![seat];
                    let start = order.iter().position(|it| *it == seat).unwrap();
                    (0..order.len()).for_each(|step| {
                        let next = order[(start + step) % order.len()];
                        if !ring.contains(&next) {
                            ring.push(next);
                        }
                    });
                    ring.iter().position(|it| *it == player).unwrap()
                };
                let mut wanted = vec![0.0f32; rows * columns * rules.players().count() * kinds];
                let piece_planes = rules.players().count() * kinds;
                for (spot, piece) in position.all_pieces() {
                    let plane = distance(piece.player) * kinds + piece.kind.index();
                    wanted[cell_of(spot.square) * piece_planes + plane] = 1.0;
                    if let Some(unmoved) =
                        plane_if(plane_name(&plane_names(&encoding), "unmoved"), spot.guest)
                    {
                        let number = numbers[cell_of(spot.square) * depth + unmoved];
                        assert_eq!(number == 1.0, piece.unmoved, "{name}: unmoved");
                    }
                }
                let found: Vec<f32> =
                    numbers.chunks(depth).flat_map(|cell| cell[..piece_planes].iter().copied()).collect();
                assert_eq!(found, wanted, "{name}, seat {seat:?}");
                let mover = rules.player(rules.mover(position)).name.clone();
                let mover = plane(&format!("{mover} to move")).unwrap();
                assert!(numbers.chunks(depth).all(|cell| cell[mover] == 1.0), "{name}");
                assert!(numbers.iter().all(|number| (0.0..=1.0).contains(number)), "{name}");
            }
        });
    }
}

fn plane_names(encoding: &Encoding) -> Vec<String> {
    encoding.planes().iter().map(|plane| plane.name.clone()).collect()
}

fn plane_name(names: &[String], name: &str) -> Option<usize> {
    names.iter().position(|other| other == name)
}

/// The `unmoved` plane ignores guests.
fn plane_if(plane: Option<usize>, is_guest: bool) -> Option<usize> {
    plane.filter(|_| !is_guest)
}

#[test]
fn plane_names_are_unique() {
    for name in names() {
        let encoding = Encoding::planes1(&library(name));
        let mut all = plane_names(&encoding);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), encoding.shape()[2], "{name}");
        let types = encoding.move_types(&library(name));
        assert_eq!(types.len(), encoding.action_shape()[2], "{name}");
    }
}

#[test]
fn symmetric_armies_see_the_same_board() {
    let rules = library("fourplayer");
    let encoding = Encoding::planes1(&rules);
    let start = rules.start();
    let [_, _, depth] = encoding.shape();
    let piece_planes = 4 * rules.kinds().count();
    let mut tensors = rules.players().map(|seat| {
        let numbers = planes(&rules, &encoding, &start, seat);
        let pieces: Vec<f32> = numbers.chunks(depth).flat_map(|cell| cell[..piece_planes].to_vec()).collect();
        pieces
    });
    let first = tensors.next().unwrap();
    // Kings and queens are placed differently, so only pawns are compared.
    let pawn = rules.kinds().position(|kind| rules.kind(kind).code == "PAWN").unwrap();
    let pawns = |pieces: &[f32]| -> Vec<f32> {
        pieces
            .chunks(piece_planes)
            .flat_map(|cell| (0..4).map(|seat| cell[seat * (piece_planes / 4) + pawn]).collect::<Vec<_>>())
            .collect()
    };
    for other in tensors {
        assert_eq!(pawns(&first), pawns(&other));
    }
}

#[test]
fn uniform_planes_show_die_armies_and_history() {
    let rules = library("chaturaji");
    let encoding = Encoding::planes1(&rules);
    let names = plane_names(&encoding);
    let [_, _, depth] = encoding.shape();
    for face in 1..=rules.faces().unwrap() {
        let Some(position) = rules.throw(&rules.start(), face) else { continue };
        if rules.die(&position) != Some(Die::Shows(face)) {
            continue;
        }
        let numbers = planes(&rules, &encoding, &position, rules.mover(&position));
        for other in 1..=rules.faces().unwrap() {
            let plane = plane_name(&names, &format!("die {other}")).unwrap();
            let wanted = f32::from(u8::from(other == face));
            assert!(numbers.chunks(depth).all(|cell| cell[plane] == wanted), "face {face}");
        }
    }
    let enochian = plane_names(&Encoding::planes1(&library("enochian")));
    for wanted in ["own frozen", "seat 2 partner", "seat 3 captive", "own controlled"] {
        assert!(enochian.iter().any(|name| name == wanted), "{wanted} of {enochian:?}");
    }
    let chess = Encoding::planes1(&library("chess"));
    assert_eq!(chess.action_shape(), [8, 8, 76], "64 steps and 12 promotions");
    let repetition = plane_name(&plane_names(&chess), "repetition").unwrap();
    let rules = library("chess");
    let numbers = planes(&rules, &chess, &rules.start(), Player(0));
    assert_eq!(numbers[repetition], 2.0 / 5.0);
}
