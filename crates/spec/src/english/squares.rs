//! Squares in words: by name, and where many stand together as whole ranks, whole files and blocks.

use std::collections::BTreeSet;

use tabiya_engine::{Board, FileName, Square};

use super::page::join;

/// Row and column: sorted, squares stand rank by rank from the bottom left.
type Set = BTreeSet<(i32, i32)>;

/// The squares of a set that are on the board: `rank 8`, `file a and c3`, `every square`, `no square`.
pub(super) fn region(board: &Board, squares: &[Square]) -> String {
    let set: Set = squares
        .iter()
        .filter(|square| board.has(**square))
        .map(|square| row_column(board, *square))
        .collect();
    if set.is_empty() {
        return "no square".into();
    }
    if set.len() == board.squares().count() {
        return "every square".into();
    }
    let ranks: Vec<i32> =
        (0..i32::from(board.ranks())).filter(|y| is_whole(&rank(board, *y), &set)).collect();
    let files: Vec<i32> =
        (0..i32::from(board.files())).filter(|x| is_whole(&file(board, *x), &set)).collect();
    let rest: Set = set.into_iter().filter(|(y, x)| !ranks.contains(y) && !files.contains(x)).collect();
    let mut parts = Vec::new();
    parts.extend(lines("rank", ranks.iter().map(|y| (y + 1).to_string()).collect()));
    parts.extend(lines("file", files.iter().map(|x| FileName(*x as u32).to_string()).collect()));
    parts.extend(blocks(rest));
    join(&parts, "and")
}

/// Squares by name, runs and blocks of them by their corners: `a2 to h2`, `the block a1 to c3`.
pub(super) fn list(board: &Board, squares: impl IntoIterator<Item = Square>) -> String {
    join(&blocks(squares.into_iter().map(|square| row_column(board, square)).collect()), "and")
}

fn row_column(board: &Board, square: Square) -> (i32, i32) {
    let (x, y) = board.coords(square);
    (y, x)
}

fn rank(board: &Board, y: i32) -> Set {
    (0..i32::from(board.files())).filter(|x| board.square(*x, y).is_some()).map(|x| (y, x)).collect()
}

fn file(board: &Board, x: i32) -> Set {
    (0..i32::from(board.ranks())).filter(|y| board.square(x, *y).is_some()).map(|y| (y, x)).collect()
}

/// A line of a single square is better called by the name of that square.
fn is_whole(line: &Set, set: &Set) -> bool {
    line.len() > 1 && line.is_subset(set)
}

fn lines(noun: &str, names: Vec<String>) -> Option<String> {
    match names.len() {
        0 => None,
        1 => Some(format!("{noun} {}", names[0])),
        _ => Some(format!("{noun}s {}", join(&names, "and"))),
    }
}

/// The lowest square, as far to the right as the set goes, then as far up as all of that goes; and so on.
fn blocks(mut rest: Set) -> Vec<String> {
    let mut blocks = Vec::new();
    while let Some(&(bottom, left)) = rest.first() {
        let right = (left..).take_while(|x| rest.contains(&(bottom, *x))).last().unwrap_or(left);
        let is_full = |y: &i32| (left..=right).all(|x| rest.contains(&(*y, x)));
        let top = (bottom..).take_while(is_full).last().unwrap_or(bottom);
        rest.retain(|(y, x)| !((bottom..=top).contains(y) && (left..=right).contains(x)));
        blocks.push(block((bottom, left), (top, right)));
    }
    blocks
}

fn block(first: (i32, i32), last: (i32, i32)) -> String {
    let name = |(y, x): (i32, i32)| format!("{}{}", FileName(x as u32), y + 1);
    let (rows, columns) = (last.0 - first.0, last.1 - first.1);
    match (rows, columns) {
        (0, 0) => name(first),
        (0, 1) | (1, 0) => format!("{}, {}", name(first), name(last)),
        (0, _) | (_, 0) => format!("{} to {}", name(first), name(last)),
        _ => format!("the block {} to {}", name(first), name(last)),
    }
}
