//! Planes and actions from the rules, for every game of the library.

#![allow(clippy::float_cmp, reason = "numbers are written, not computed: they are the same or wrong")]

use std::sync::Arc;

use tabiya_engine::{Die, Offset, Player, Position, Rules, SplitMix, Square, Tally};
use tabiya_tensor::{Encoding, Sight};

fn library(name: &str) -> Arc<Rules> {
    tabiya_spec::library::load(name).unwrap().rules
}

fn names() -> Vec<&'static str> {
    tabiya_spec::library::games().iter().map(|entry| entry.name).collect()
}

fn planes(rules: &Rules, encoding: &Encoding, position: &Position, seat: Player) -> Vec<f32> {
    let moves = rules.legal_moves(position);
    let sight = Sight { position, tally: Tally { repetitions: 2, quiet: 7 }, moves: &moves };
    let mut numbers = vec![9.0; encoding.len()];
    encoding.write(rules, &sight, seat, &mut numbers);
    numbers
}

/// Positions of games in which every move is left to chance.
fn walk(rules: &Rules, seed: u64, plies: usize, mut show: impl FnMut(&Position)) {
    let mut dice = SplitMix::new(seed);
    let mut position = rules.start();
    for _ in 0..plies {
        while let (Some(Die::Awaited(_)), Some(faces)) = (rules.die(&position), rules.faces()) {
            position = rules.throw(&position, dice.throw(faces)).unwrap();
        }
        let moves = rules.legal_moves(&position);
        if moves.is_empty() || position.ended().is_some() {
            position = rules.start();
            continue;
        }
        show(&position);
        position = rules.play_unchecked(&position, moves[dice.below(moves.len())]);
    }
}

#[test]
fn every_legal_move_of_every_game_has_its_own_action() {
    for name in names() {
        let rules = library(name);
        let encoding = Encoding::planes1(&rules);
        walk(&rules, 3, 400, |position| {
            let moves = rules.legal_moves(position);
            let mut actions: Vec<u32> =
                moves.iter().map(|played| encoding.action(&rules, position, *played)).collect();
            assert!(actions.iter().all(|action| (*action as usize) < encoding.actions()), "{name}");
            actions.sort_unstable();
            actions.dedup();
            assert_eq!(actions.len(), moves.len(), "{name}: two moves share an action");
        });
    }
}

/// The planes of men, looked up man by man.
#[test]
fn men_stand_where_their_owners_see_them() {
    for name in names() {
        let rules = library(name);
        let encoding = Encoding::planes1(&rules);
        let [rows, columns, depth] = encoding.shape();
        let kinds = rules.kinds().count();
        let plane = |name: &str| encoding.planes().iter().position(|plane| plane.name == name);
        walk(&rules, 5, 60, |position| {
            for seat in rules.players() {
                let numbers = planes(&rules, &encoding, position, seat);
                let orientation = rules.player(seat).orientation;
                // A step up on the planes is a step forwards on the board.
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
                let of_men = rules.players().count() * kinds;
                for (spot, piece) in position.all_pieces() {
                    let plane = distance(piece.player) * kinds + piece.kind.index();
                    wanted[cell_of(spot.square) * of_men + plane] = 1.0;
                    if let Some(unmoved) =
                        plane_if(plane_name(&plane_names(&encoding), "unmoved"), spot.guest)
                    {
                        let number = numbers[cell_of(spot.square) * depth + unmoved];
                        assert_eq!(number == 1.0, piece.unmoved, "{name}: unmoved");
                    }
                }
                let found: Vec<f32> =
                    numbers.chunks(depth).flat_map(|cell| cell[..of_men].iter().copied()).collect();
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

/// Guests are left out of that plane.
fn plane_if(plane: Option<usize>, is_guest: bool) -> Option<usize> {
    plane.filter(|_| !is_guest)
}

#[test]
fn planes_have_names_of_their_own() {
    for name in names() {
        let encoding = Encoding::planes1(&library(name));
        let mut all = plane_names(&encoding);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), encoding.shape()[2], "{name}");
        let deeds = encoding.deeds(&library(name));
        assert_eq!(deeds.len(), encoding.action_shape()[2], "{name}");
    }
}

#[test]
fn four_armies_in_a_ring_see_the_same_board() {
    let rules = library("fourplayer");
    let encoding = Encoding::planes1(&rules);
    let start = rules.start();
    let [_, _, depth] = encoding.shape();
    let of_men = 4 * rules.kinds().count();
    let mut sights = rules.players().map(|seat| {
        let numbers = planes(&rules, &encoding, &start, seat);
        let men: Vec<f32> = numbers.chunks(depth).flat_map(|cell| cell[..of_men].to_vec()).collect();
        men
    });
    let first = sights.next().unwrap();
    // Kings and queens change places from army to army, so only the ring of pawns is compared.
    let pawn = rules.kinds().position(|kind| rules.kind(kind).code == "PAWN").unwrap();
    let pawns = |men: &[f32]| -> Vec<f32> {
        men.chunks(of_men)
            .flat_map(|cell| (0..4).map(|seat| cell[seat * (of_men / 4) + pawn]).collect::<Vec<_>>())
            .collect()
    };
    for other in sights {
        assert_eq!(pawns(&first), pawns(&other));
    }
}

#[test]
fn what_is_the_same_everywhere_is_told() {
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
