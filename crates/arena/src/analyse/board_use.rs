//! Which squares pieces land on.

use serde::Serialize;
use tabiya_engine::{Rules, Square};

use super::stats::Summary;

/// The use of the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoardUse {
    /// The share of squares on which a piece landed, per game.
    pub coverage: Summary,
    /// The squares on which no piece landed in any game.
    pub unused: Vec<String>,
}

/// Summarises the squares of all games. `landed` has an entry for each square of the board.
pub(super) fn board_use(rules: &Rules, landed: &[&[bool]]) -> BoardUse {
    let board = rules.board();
    let squares: Vec<Square> = board.squares().collect();
    let share = |game: &&[bool]| {
        let used = squares.iter().filter(|square| game[square.index()]).count();
        used as f64 / squares.len().max(1) as f64
    };
    let is_unused = |square: &&Square| landed.iter().all(|game| !game[square.index()]);
    BoardUse {
        coverage: Summary::of(landed.iter().map(share)),
        unused: squares.iter().filter(is_unused).map(|square| board.name(*square)).collect(),
    }
}
