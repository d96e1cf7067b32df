//! Draws the board as plain text.

use tabiya_engine::{Position, Rules, Square};

use crate::symbols::piece_symbol;

/// Draws the board with the piece symbols of FEN.
///
/// An empty square is `.`, a hole is blank, and two pieces on one square stand side by side. Ranks are numbered on the
/// left, files at the bottom. Levels follow each other, the highest first; hexagons are drawn half a rank apart.
///
/// # Examples
///
/// ```
/// let game = tabiya_spec::library::load("losalamos").unwrap();
/// let text = "\
/// 6 r n q k n r
/// 5 p p p p p p
/// 4 . . . . . .
/// 3 . . . . . .
/// 2 P P P P P P
/// 1 R N Q K N R
///   a b c d e f";
/// assert_eq!(tabiya_notation::diagram(&game.rules, &game.rules.start()), text);
/// ```
pub fn diagram(rules: &Rules, position: &Position) -> String {
    let board = rules.board();
    let cell = |square: Option<Square>| {
        let Some(square) = square else { return String::new() };
        let pieces = position.piece(square).into_iter().chain(position.guest(square));
        let text: String = pieces.map(|piece| piece_symbol(rules, piece.player, piece.kind)).collect();
        if text.is_empty() { ".".to_owned() } else { text }
    };
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for row in board.rows() {
        let level = if board.levels() > 1 { board.level_name(row.level.into()) } else { String::new() };
        let rank = row.rank.map_or_else(String::new, |rank| format!("{level}{rank}"));
        lines.push((rank, row.squares.into_iter().map(cell).collect()));
    }
    let margin = lines.iter().map(|(rank, _)| rank.len()).max().unwrap_or(0);
    lines.push((String::new(), (0..u32::from(board.files())).map(|x| board.file_name(x)).collect()));
    let cells = lines.iter().flat_map(|(_, cells)| cells);
    let width = cells.map(|cell| cell.chars().count()).max().unwrap_or(1);
    let line = |(rank, cells): &(String, Vec<String>)| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:<width$}")).collect();
        format!("{rank:>margin$} {}", cells.join(" ")).trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}
