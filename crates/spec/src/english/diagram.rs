//! A diagram of the starting position, with the letters of board text.

use tabiya_engine::blueprint::Placement;
use tabiya_engine::{BoardRow, Player, Rules, Square};

use super::page::WIDTH;

/// Draws one line per rank and a line of file names; `None` if the board does not fit the page.
pub(super) fn start(rules: &Rules) -> Option<Vec<String>> {
    const TALLEST: u16 = 40;
    let board = rules.board();
    if board.ranks() > TALLEST || usize::from(board.files()) > WIDTH {
        return None;
    }
    let files = (0..u32::from(board.files())).map(|file| board.file_name(file)).collect::<Vec<_>>();
    let rows: Vec<(BoardRow, Vec<String>)> = board
        .rows()
        .into_iter()
        .map(|row| {
            let cells = row.squares.iter().map(|square| cell(rules, *square)).collect();
            (row, cells)
        })
        .collect();
    let cells = rows.iter().flat_map(|(_, cells)| cells);
    let width = cells.chain(&files).map(|cell| cell.chars().count()).max()?;
    let margin = board.level_ranks().to_string().len();
    let fits = margin + 1 + files.len() * (width + 1) <= WIDTH;
    let row = |label: &str, cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
        format!("{label:>margin$}  {}", cells.join(" ")).trim_end().to_owned()
    };
    fits.then(|| {
        let mut lines = Vec::new();
        let mut level = None;
        for (drawn, cells) in &rows {
            if board.levels() > 1 && level != Some(drawn.level) {
                level = Some(drawn.level);
                lines.push(format!("level {}", board.level_name(drawn.level.into())));
            }
            let rank = drawn.rank.map_or_else(String::new, |rank| rank.to_string());
            lines.push(row(&rank, cells));
        }
        lines.push(row("", &files));
        lines
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
fn cell(rules: &Rules, square: Option<Square>) -> String {
    let Some(square) = square else { return String::new() };
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
