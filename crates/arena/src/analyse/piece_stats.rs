//! How each kind of piece is used: moves, captures, losses, promotions and survival.

use serde::Serialize;
use tabiya_engine::{Kind, Position, Rules};

use crate::self_play::Ply;

/// The figures of one kind of piece.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PieceStats {
    /// The code of the kind.
    pub piece: String,
    /// The share of all moves that pieces of this kind made, from 0 to 1.
    pub moves: f64,
    /// The mean number of moves of this kind per game that captured something.
    pub captures: f64,
    /// The mean number of pieces of this kind that were captured per game.
    pub captured: f64,
    /// The mean number of pieces that became this kind by promotion per game.
    pub promoted: f64,
    /// The number at the start.
    pub start: u32,
    /// The mean number at the end of games.
    pub end: f64,
    /// The share that remained: the number at the end, divided by those at the start and those promoted to this kind.
    /// `None` if there were none.
    pub survival: Option<f64>,
}

/// Counts of one kind in one game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KindCounts {
    moves: u32,
    captures: u32,
    captured: u32,
    promoted: u32,
    end: u32,
}

/// Counts of all kinds in one game.
#[derive(Clone, Debug)]
pub(super) struct PieceCounts(Vec<KindCounts>);

impl PieceCounts {
    pub(super) fn new(rules: &Rules) -> Self {
        PieceCounts(vec![KindCounts::default(); rules.kinds().len()])
    }

    /// Counts a move.
    pub(super) fn count(&mut self, rules: &Rules, ply: &Ply<'_>) {
        let kind = rules.moving_kind(ply.before, ply.played).index();
        self.0[kind].moves += 1;
        if let Some(promoted) = ply.played.promotion {
            self.0[promoted.index()].promoted += 1;
        }
        if ply.captured() == 0 {
            return;
        }
        self.0[kind].captures += 1;
        let (mut before, after) = (numbers(rules, ply.before), numbers(rules, ply.after));
        if let Some(promoted) = ply.played.promotion {
            before[kind] = before[kind].saturating_sub(1);
            before[promoted.index()] += 1;
        }
        for (counts, (before, after)) in self.0.iter_mut().zip(before.into_iter().zip(after)) {
            counts.captured += before.saturating_sub(after);
        }
    }

    /// Counts the pieces at the end.
    pub(super) fn finish(&mut self, rules: &Rules, position: &Position) {
        for (counts, end) in self.0.iter_mut().zip(numbers(rules, position)) {
            counts.end = end;
        }
    }

    /// Returns the number of promotions.
    pub(super) fn promotions(&self) -> u32 {
        self.0.iter().map(|counts| counts.promoted).sum()
    }
}

/// Returns the number of pieces of each kind.
fn numbers(rules: &Rules, position: &Position) -> Vec<u32> {
    let mut numbers = vec![0; rules.kinds().len()];
    for (_, piece) in position.all_pieces() {
        numbers[piece.kind.index()] += 1;
    }
    numbers
}

/// Summarises the counts of all games, most used kinds first.
pub(super) fn piece_stats(rules: &Rules, start: &Position, games: &[&PieceCounts]) -> Vec<PieceStats> {
    let starts = numbers(rules, start);
    let of = games.len().max(1) as f64;
    let total = |kind: Kind, count: fn(&KindCounts) -> u32| -> f64 {
        games.iter().map(|game| f64::from(count(&game.0[kind.index()]))).sum()
    };
    let all_moves: f64 = rules.kinds().map(|kind| total(kind, |counts| counts.moves)).sum();
    let stats = |kind: Kind| {
        let mean = |count: fn(&KindCounts) -> u32| total(kind, count) / of;
        let (start, promoted, end) =
            (starts[kind.index()], mean(|counts| counts.promoted), mean(|counts| counts.end));
        let all = f64::from(start) + promoted;
        PieceStats {
            piece: rules.kind(kind).code.clone(),
            moves: total(kind, |counts| counts.moves) / all_moves.max(1.0),
            captures: mean(|counts| counts.captures),
            captured: mean(|counts| counts.captured),
            promoted,
            start,
            end,
            survival: (all > 0.0).then(|| end / all),
        }
    };
    let mut list: Vec<PieceStats> = rules.kinds().map(stats).collect();
    list.sort_by(|one, other| other.moves.total_cmp(&one.moves));
    list
}
