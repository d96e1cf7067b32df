//! The same game on larger boards and with more players: the pieces of chess without castling.
//!
//! On a square board the army of chess is widened: beside queen and king stand bishop, knight, rook, bishop, knight … to
//! the edge of the board, with a pawn before each. For more players there is a cross of 14 by 14 without its corners, with
//! an army of chess on each of its first edges.

use serde_json::{Value, json};

use crate::games::library;

const CROSS: i32 = 14;
const CORNER: i32 = 3;

/// An edge of the board, seen by the player who sits there.
#[derive(Clone, Copy)]
struct Seat {
    name: &'static str,
    direction: &'static str,
    /// Maps side length, steps to the right and steps forward to a square.
    square: fn(i32, i32, i32) -> [i32; 2],
}

const SEATS: [Seat; 4] = [
    Seat { name: "WHITE", direction: "UP", square: |_, x, y| [x, y] },
    Seat { name: "BLACK", direction: "DOWN", square: |side, x, y| [side - 1 - x, side - 1 - y] },
    Seat { name: "RED", direction: "RIGHT", square: |side, x, y| [y, side - 1 - x] },
    Seat { name: "BLUE", direction: "LEFT", square: |side, x, y| [side - 1 - y, x] },
];

/// Returns the game of two armies on a square board.
pub fn square(side: i32) -> Value {
    let board = json!({ "dimensions": [side, side] });
    game(&format!("Square of {side}"), &board, side, 0, &SEATS[..2])
}

/// Returns the game of several armies on the cross.
pub fn cross(players: usize) -> Value {
    let is_cut = |at: i32| !(CORNER..CROSS - CORNER).contains(&at);
    let corners: Vec<[i32; 2]> = (0..CROSS)
        .flat_map(|x| (0..CROSS).map(move |y| [x, y]))
        .filter(|[x, y]| is_cut(*x) && is_cut(*y))
        .collect();
    let board = json!({ "dimensions": [CROSS, CROSS], "disabled_positions": corners });
    game(&format!("Cross of {players}"), &board, CROSS, CORNER, &SEATS[..players])
}

/// Builds the spec, with armies that leave `margin` squares free at both ends of their edge.
fn game(name: &str, board: &Value, side: i32, margin: i32, seats: &[Seat]) -> Value {
    let mut spec = library("chess");
    spec["name"] = name.into();
    spec["board"] = board.clone();
    spec["players"] = seats.iter().map(|seat| player(*seat, side, margin)).collect();
    spec["turns"]["order"] = seats.iter().map(|seat| seat.name).collect();
    // Draws and the squares they refer to are left out.
    spec["endings"] = json!([]);
    spec["conditions"].as_array_mut().expect("chess has conditions").truncate(1);
    for seat in seats {
        let last: Vec<_> = (margin..side - margin).map(|x| (seat.square)(side, x, side - 1)).collect();
        spec["conditions"][0]["check"][seat.name] = json!(last);
    }
    for piece in spec["pieces"].as_array_mut().expect("chess has pieces") {
        let moves = piece["moves"].as_array_mut().expect("pieces have moves");
        moves.retain(|each| each["side_effects"][0]["action"] != "MOVE");
        for effect in moves.iter_mut().filter_map(|each| each.get_mut("side_effects")) {
            // Every other player has one chance to capture en passant.
            effect[0]["duration"] = (seats.len() - 1).into();
        }
    }
    spec
}

fn player(seat: Seat, side: i32, margin: i32) -> Value {
    let width = side - 2 * margin;
    let mut army: Vec<(&str, Vec<[i32; 2]>)> = Vec::new();
    let mut place = |code: &'static str, x: i32, y: i32| {
        let square = (seat.square)(side, margin + x, y);
        match army.iter_mut().find(|(known, _)| *known == code) {
            Some((_, squares)) => squares.push(square),
            None => army.push((code, vec![square])),
        }
    };
    let queen = width / 2 - 1;
    for x in 0..width {
        let from_the_middle = if x <= queen { queen - x } else { x - queen - 1 };
        let code = match (from_the_middle, (from_the_middle - 1).rem_euclid(3)) {
            (0, _) if x == queen => "QUEEN",
            (0, _) => "KING",
            (_, 0) => "BISHOP",
            (_, 1) => "KNIGHT",
            _ => "ROOK",
        };
        place(code, x, 0);
        place("PAWN", x, 1);
    }
    let army: Vec<Value> =
        army.iter().map(|(code, squares)| json!({ "piece": code, "positions": squares })).collect();
    json!({ "name": seat.name, "direction": seat.direction, "starting_positions": army })
}
