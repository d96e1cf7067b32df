//! Where pieces stand well, found out from the rules: a piece stands well where it can do much, and a leader where others
//! can do little, as long as there are others.

use tabiya_engine::{Board, Kind, Offset, Square};

use crate::worth::Survey;

/// What the place of a piece adds to its worth, on a full and on an empty board.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placement {
    /// By kind and square; empty where it is not known.
    tables: Vec<Vec<[i32; 2]>>,
}

/// What a piece can do more than elsewhere counts for so little of what it counts in its worth.
const SHARE: i32 = 7;
/// Between the safest and the most exposed square a leader has so much to lose.
const EXPOSURE: i32 = 60;
/// Between the squares that matter least and most to others, a piece that hopes to become more has so much to win.
const CENTRE: i32 = 45;

impl Placement {
    /// Of the kinds that were put on every square; with very many kinds and squares nobody counts all of them.
    pub(crate) fn new(survey: &Survey<'_>, values: &[i32], is_force: &[bool]) -> Self {
        let rules = survey.rules;
        let squares = rules.board().len();
        if survey.squares.len() < rules.board().squares().count() {
            return Placement::default();
        }
        // On an empty board, so that nothing but the square itself decides.
        let has = |square: Square| rules.board().has(square);
        let counts = |kind: Kind| -> Vec<i32> {
            let count = |square: Square| (survey.landings(kind, &[], square) * Survey::MOVE) as i32;
            let counts: Vec<i32> =
                (0..squares as u16).map(Square).map(|it| if has(it) { count(it) } else { 0 }).collect();
            // A hole is as good as any other square.
            let mean = counts.iter().sum::<i32>() / survey.squares.len() as i32;
            let filled = (0..).map(Square).zip(counts).map(|(it, count)| if has(it) { count } else { mean });
            filled.collect()
        };
        let landings: Vec<Vec<i32>> = rules.kinds().map(counts).collect();
        let exposed: Vec<i32> = (0..squares)
            .map(|square| {
                let force = landings.iter().zip(is_force).filter(|(_, is_force)| **is_force);
                force.map(|(counts, _)| counts[square]).sum()
            })
            .collect();
        let most = exposed.iter().max().copied().unwrap_or(0);
        let range = (most - exposed.iter().min().copied().unwrap_or(0)).max(1);
        let tables = rules.kinds().map(|kind| {
            let own = relative(&landings[kind.index()]);
            let is_strongest = values[kind.index()] == values.iter().max().copied().unwrap_or(0);
            if Some(kind) == rules.leader() {
                let early = relative(&exposed).into_iter().map(|more| -more * EXPOSURE / range);
                early.zip(own).map(|(early, late)| [early, late / (2 * SHARE)]).collect()
            } else if is_force[kind.index()] {
                // The strongest piece does not come out early: everybody would chase it.
                let early = if is_strongest { 4 } else { 1 };
                own.into_iter().map(|more| [more / SHARE / early, more / SHARE]).collect()
            } else {
                // What hopes to become more fights for the squares that matter to the others, and later comes near to that.
                relative(&exposed).into_iter().map(|more| [more * CENTRE / range, 0]).collect()
            }
        });
        Placement { tables: tables.collect() }
    }

    /// What a place adds.
    pub(crate) fn at(&self, kind: Kind, square: usize) -> [i32; 2] {
        self.tables.get(kind.index()).and_then(|table| table.get(square)).copied().unwrap_or_default()
    }
}

/// How much more each is than the mean.
fn relative(counts: &[i32]) -> Vec<i32> {
    let mean = counts.iter().sum::<i32>() / (counts.len() as i32).max(1);
    counts.iter().map(|count| count - mean).collect()
}

/// The squares around a square.
pub(crate) fn neighbours(board: &Board, square: Square) -> Vec<Square> {
    let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| Offset { dx, dy }));
    around
        .filter(|offset| (offset.dx, offset.dy) != (0, 0))
        .filter_map(|offset| board.step(square, offset))
        .collect()
}
