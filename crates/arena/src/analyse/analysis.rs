//! The results of a study.

use serde::Serialize;

use super::board_use::BoardUse;
use super::opening::OpeningDiversity;
use super::piece_stats::PieceStats;
use super::size::SizeEstimate;
use super::stats::{Histogram, Proportion, Summary};

/// The results of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The name of the game.
    pub label: String,
    /// The built-in player of every seat.
    pub player: String,
    /// The number of positions that a searching player visited for each move.
    pub nodes: u64,
    /// The seed.
    pub seed: u64,
    /// The number of games played. It is lower than configured if none of the first games ended.
    pub games: u32,
    /// The number of moves after which a game counted as unfinished.
    pub max_plies: u32,
    /// The sides and their wins.
    pub sides: Vec<SideStats>,
    /// Games that ended without a winner.
    pub draws: Proportion,
    /// Games with a winner.
    pub decisive: Proportion,
    /// Games that did not end.
    pub unfinished: Proportion,
    /// The reasons of endings, most frequent first.
    pub reasons: Vec<(String, u32)>,
    /// The number of moves of a game.
    pub plies: Summary,
    /// The histogram of the number of moves.
    pub lengths: Histogram,
    /// The number of legal moves on a turn.
    pub branching: Summary,
    /// The mean number of legal moves by phase of the game.
    pub branching_at: Vec<BranchingAt>,
    /// Turns with a single legal move.
    pub forced_moves: Proportion,
    /// The number of captured pieces of a game.
    pub captures: Summary,
    /// The number of promotions of a game.
    pub promotions: Summary,
    /// The number of changes of the lead in a game.
    pub lead_changes: Summary,
    /// Games won by a side that was clearly behind at some time.
    pub comebacks: Proportion,
    /// For won games, the part of the game after which the winner stayed in the lead, from 0 to 1.
    pub turning_points: Summary,
    /// The use of each kind of piece, most used first.
    pub pieces: Vec<PieceStats>,
    /// The use of the board.
    pub board: BoardUse,
    /// The first moves; `None` for games with a die or more than two sides.
    pub opening: Option<OpeningDiversity>,
    /// The number of courses of the game.
    pub game_tree: SizeEstimate,
    /// The number of positions.
    pub state_space: SizeEstimate,
    /// Results of deeper against shallower search.
    pub skill: Vec<SkillResult>,
    /// Piece values in hundredths of a pawn, highest first.
    pub values: Vec<(String, i32)>,
    /// Remarkable results in sentences, each with its evidence.
    pub remarks: Vec<String>,
}

/// The results of a side: a team, or a player without one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideStats {
    /// The names of the players.
    pub players: Vec<String>,
    /// Games that the side won, alone or with others.
    pub wins: Proportion,
}

/// The number of legal moves in one phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BranchingAt {
    /// The first move of the phase, counted from 0.
    pub from: u32,
    /// The mean number of legal moves.
    pub mean: f64,
    /// The number of turns.
    pub turns: u32,
}

/// The results of a player with deeper search. It plays one side, and a player with shallower search plays all others.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkillResult {
    /// The player with deeper search.
    pub deeper: &'static str,
    /// The player with shallower search.
    pub shallower: &'static str,
    /// Games that the deeper player won.
    pub wins: Proportion,
    /// Games that ended without a winner.
    pub draws: u32,
    /// Games that another side won.
    pub losses: u32,
    /// Games that did not end.
    pub unfinished: u32,
}
