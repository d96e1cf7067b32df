//! A diagram of the starting position, with the letters of board text.

use tabiya_engine::blueprint::Placement;
use tabiya_engine::{FileName, Player, Rules};

use super::page::WIDTH;

/// Draws one line per rank and a line of file names; `None` if the board does not fit the page.
pub(super) fn start(rules: &Rules) -> Option<Vec<String>> {
    const TALLEST: u16 = 40;
    let board = rules.board();
    if board.ranks() > TALLEST || usize::from(board.files()) > WIDTH {
        return None;
    }
    let files = (0..u32::from(board.files())).map(|file| FileName(file).to_string()).collect::<Vec<_>>();
    let ranks: Vec<Vec<String>> = (0..i32::from(board.ranks()))
        .map(|y| (0..i32::from(board.files())).map(|x| cell(rules, x, y)).collect())
        .collect();
    let width = ranks.iter().flatten().chain(&files).map(|cell| cell.chars().count()).max()?;
    let margin = board.ranks().to_string().len();
    let fits = margin + 1 + files.len() * (width + 1) <= WIDTH;
    let row = |label: &str, cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
        format!("{label:>margin$}  {}", cells.join(" ")).trim_end().to_owned()
    };
    fits.then(|| {
        let ranks = ranks.iter().enumerate().rev().map(|(y, cells)| row(&(y + 1).to_string(), cells));
        ranks.chain([row("", &files)]).collect()
    })
}

/// Describes how a player's letters are written.
pub(super) fn letter_case(player: Player) -> String {
    let case = if player.index().is_multiple_of(2) { "upper case" } else { "lower case" };
    match player.index() / 2 {
        0 => case.into(),
        1 => format!("{case} after a dot"),
        dots => format!("{case} after {dots} dots"),
    }
}

/// Formats a square as in board text: a piece, two joined by a plus sign, a dot if empty, or nothing for a hole.
fn cell(rules: &Rules, x: i32, y: i32) -> String {
    let Some(square) = rules.board().square(x, y) else { return String::new() };
    let placed = rules.blueprint().start().iter().filter(|placed| placed.square == square);
    // The leader comes first, regardless of file order.
    let (hosts, guests): (Vec<&Placement>, Vec<&Placement>) =
        placed.partition(|placed| rules.is_leader(placed.kind));
    let letters: Vec<String> = hosts
        .into_iter()
        .chain(guests)
        .map(|placed| rules.kind(placed.kind).symbol.of(placed.player))
        .collect();
    if letters.is_empty() { ".".into() } else { letters.join("+") }
}
