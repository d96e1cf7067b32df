//! Names of squares, files and levels, which may lie off the board: whether they exist is checked later.

use std::collections::HashSet;

use tabiya_engine::{Board, Offset, Square};

use crate::model::{self, Coord};

/// Returns the square with a name, perhaps off the board.
pub(super) fn square_named(board: &Board, name: &str) -> Option<Coord> {
    if let Some(square) = board.parse(name) {
        let [x, y, z] = board.place(square);
        return Some(Coord { x, y, z });
    }
    let (level, rest) = if board.levels() > 1 {
        let lower = name.find(|c: char| !c.is_ascii_uppercase())?;
        let (level, rest) = name.split_at(lower);
        (level_number(level)?, rest)
    } else {
        (0, name)
    };
    let digits = rest.find(|c: char| c.is_ascii_digit())?;
    let (file, _) = rest.split_at(digits);
    let square = model::square_named(rest)?;
    let x = file_number(board, &file.to_ascii_lowercase())?;
    Some(Coord { x, y: square.y.checked_add(board.first_row(x))?, z: level })
}

/// Returns the number of a file, counted from 0.
pub(super) fn file_number(board: &Board, text: &str) -> Option<i32> {
    let is_name = text.bytes().all(|byte| byte.is_ascii_lowercase());
    // A file beyond the last one is reported as being off the board.
    let beyond = || model::square_named(&format!("{text}1")).map(|at| at.x.max(board.files().into()));
    board.parse_file(text).or_else(beyond).filter(|_| is_name)
}

/// Returns the number of a level, counted from 0: a letter, or a number from 1.
pub(super) fn level_number(text: &str) -> Option<i32> {
    if text.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return model::square_named(&format!("{text}1")).map(|at| at.x);
    }
    text.parse::<i32>().ok().filter(|level| *level > 0).map(|level| level - 1)
}

/// Returns the rank of a square, counted from 0.
pub(super) fn rank(board: &Board, square: Coord) -> i32 {
    square.y - board.first_row(square.x)
}

/// Returns the squares that touch one of some squares.
pub(super) fn around(board: &Board, squares: &HashSet<Coord>) -> HashSet<Coord> {
    let inside = squares.iter().filter(|at| {
        let sizes = [board.files(), board.level_ranks(), board.levels()].map(i32::from);
        [at.x, at.y, at.z].iter().zip(sizes).all(|(at, size)| (0..size).contains(at))
    });
    let number = |at: &Coord| {
        let [files, ranks] = [board.files(), board.level_ranks()].map(i32::from);
        Square(((at.z * ranks + at.y) * files + at.x) as u16)
    };
    let steps: Vec<Offset> = board.lattice().neighbours(board.levels()).collect();
    let near = inside.flat_map(|at| {
        let from = number(at);
        steps.iter().filter_map(move |step| board.pass(from, *step).filter(|(to, _)| *to != from))
    });
    near.map(|(to, _)| board.place(to)).map(|[x, y, z]| Coord { x, y, z }).collect()
}
