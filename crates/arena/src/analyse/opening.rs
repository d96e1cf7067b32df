//! The diversity of the opening: how many first moves are about as good as the best one.

use std::cell::Cell;

use serde::Serialize;
use tabiya_engine::{Move, Position, Rules};
use tabiya_players::{Limits, Score, SearchInfo, by_name};

/// The first moves of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpeningDiversity {
    /// The number of legal first moves.
    pub moves: u32,
    /// The number of those whose score is within half a pawn of the best one.
    pub good: u32,
    /// The number of positions that were searched after each move.
    pub nodes: u64,
}

/// The difference to the best move that still counts as good, in hundredths of a pawn.
const GOOD: i32 = 50;

/// The score of a forced win.
const WIN: i32 = 1_000_000;

/// Searches after every first move. Returns `None` for games with a die or more than two sides, whose scores cannot be
/// compared.
pub(super) fn opening_diversity(rules: &Rules, start: &Position, nodes: u64) -> Option<OpeningDiversity> {
    let sides = super::sides(rules).len();
    if rules.faces().is_some() || sides != 2 {
        return None;
    }
    let scores: Vec<i32> =
        rules.legal_moves(start).into_iter().map(|played| score_after(rules, start, played, nodes)).collect();
    let best = scores.iter().copied().max()?;
    let good = scores.iter().filter(|score| **score >= best - GOOD).count();
    Some(OpeningDiversity { moves: scores.len() as u32, good: good as u32, nodes })
}

/// Returns the score of a move for the player who makes it.
fn score_after(rules: &Rules, start: &Position, played: Move, nodes: u64) -> i32 {
    let after = rules.play_unchecked(start, played);
    let score = Cell::new(0);
    let on_info = |info: &SearchInfo| {
        score.set(match info.score {
            Score::Centipawns(hundredths) => hundredths,
            Score::Win(plies) => WIN - plies.cast_signed(),
            Score::Loss(plies) => plies.cast_signed() - WIN,
        });
    };
    let limits = Limits { nodes: Some(nodes), on_info: Some(&on_info), ..Limits::default() };
    if let Some(mut search) = by_name("search", 0) {
        search.choose_within(rules, &after, &limits);
    }
    let is_own_turn = rules.team(rules.mover(&after)).contains(rules.mover(start));
    if is_own_turn { score.get() } else { -score.get() }
}
