//! Describes sets of squares: by name, and larger groups as ranks, files and blocks.

use std::collections::BTreeSet;

use tabiya_engine::{Board, FileName, Lattice, Square};

use super::page::join;

/// Row and column, so that squares sort by rank from the bottom left.
type Set = BTreeSet<(i32, i32)>;

/// Describes the squares of a set that exist: `rank 8`, `file a and c3`, `every square`, `no square`.
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
    if !is_plain(board) {
        return named(board, squares.iter().copied());
    }
    if let Some(colour) = colour(board, &set) {
        return colour;
    }
    let (rows, columns) = (0..i32::from(board.ranks()), 0..i32::from(board.files()));
    let is_rank = |y: &i32| is_whole(board, columns.clone().map(|x| (*y, x)), &set);
    let is_file = |x: &i32| is_whole(board, rows.clone().map(|y| (y, *x)), &set);
    let ranks: Vec<i32> = rows.clone().filter(is_rank).collect();
    let files: Vec<i32> = columns.clone().filter(is_file).collect();
    let rest: Set = set.into_iter().filter(|(y, x)| !ranks.contains(y) && !files.contains(x)).collect();
    let mut parts = Vec::new();
    let ranks: Vec<String> = ranks.iter().map(|y| (y + 1).to_string()).collect();
    parts.extend(lines("rank", &ranks));
    let files: Vec<String> = files.iter().map(|x| FileName(*x as u32).to_string()).collect();
    parts.extend(lines("file", &files));
    parts.extend(blocks(rest));
    join(&parts, "and")
}

/// Describes a set that consists of all squares of one colour of a chessboard.
fn colour(board: &Board, set: &Set) -> Option<String> {
    let &(y, x) = set.first()?;
    let all = board.squares().map(|square| row_column(board, square));
    let same = all.filter(|(row, column)| (row + column - y - x).rem_euclid(2) == 0);
    (set.len() > 1 && same.eq(set.iter().copied()))
        .then(|| format!("all squares of the same colour as {}{}", FileName(x as u32), y + 1))
}

/// Lists squares by name, and runs and blocks by their corners: `a2 to h2`, `the block a1 to c3`.
pub(super) fn list(board: &Board, squares: impl IntoIterator<Item = Square>) -> String {
    if !is_plain(board) {
        return named(board, squares);
    }
    join(&blocks(squares.into_iter().map(|square| row_column(board, square)).collect()), "and")
}

/// Returns whether squares are named by column and row alone.
fn is_plain(board: &Board) -> bool {
    board.lattice() == Lattice::Square && board.levels() == 1 && board.file_name(0) == "a"
}

/// Lists squares that exist by name.
fn named(board: &Board, squares: impl IntoIterator<Item = Square>) -> String {
    let there: BTreeSet<Square> = squares.into_iter().filter(|square| board.has(*square)).collect();
    join(&there.into_iter().map(|square| board.name(square)).collect::<Vec<_>>(), "and")
}

fn row_column(board: &Board, square: Square) -> (i32, i32) {
    let (x, y) = board.coords(square);
    (y, x)
}

/// Whether the set contains a whole rank or file of more than one square.
fn is_whole(board: &Board, line: impl Iterator<Item = (i32, i32)> + Clone, set: &Set) -> bool {
    let mut there = line.filter(|(y, x)| board.square(*x, *y).is_some());
    there.clone().nth(1).is_some() && there.all(|at| set.contains(&at))
}

fn lines(noun: &str, names: &[String]) -> Option<String> {
    match names.len() {
        0 => None,
        1 => Some(format!("{noun} {}", names[0])),
        _ => Some(format!("{noun}s {}", join(names, "and"))),
    }
}

/// Splits a set into blocks: each extends from the lowest square to the right, then upwards.
fn blocks(mut rest: Set) -> Vec<String> {
    let mut blocks = Vec::new();
    while let Some(&(bottom, left)) = rest.first() {
        let right = last_from(left, |x| rest.contains(&(bottom, x)));
        let top = last_from(bottom, |y| (left..=right).all(|x| rest.contains(&(y, x))));
        for y in bottom..=top {
            for x in left..=right {
                rest.remove(&(y, x));
            }
        }
        blocks.extend(block((bottom, left), (top, right)));
    }
    blocks
}

/// Counts up from `first` as long as the next number is good.
fn last_from(first: i32, is_good: impl Fn(i32) -> bool) -> i32 {
    let mut last = first;
    while is_good(last + 1) {
        last += 1;
    }
    last
}

fn block(first: (i32, i32), last: (i32, i32)) -> Vec<String> {
    let name = |(y, x): (i32, i32)| format!("{}{}", FileName(x as u32), y + 1);
    match (last.0 - first.0, last.1 - first.1) {
        (0, 0) => vec![name(first)],
        (0, 1) | (1, 0) => vec![name(first), name(last)],
        (0, _) | (_, 0) => vec![format!("{} to {}", name(first), name(last))],
        _ => vec![format!("the block {} to {}", name(first), name(last))],
    }
}
