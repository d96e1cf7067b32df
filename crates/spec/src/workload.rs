//! How much work a position can be: an upper bound that takes microseconds to compute, so that a server can reject a game or a
//! position before it generates a single move.

use std::collections::HashSet;

use tabiya_engine::blueprint::{ModifierPlan, MovePlan};
use tabiya_engine::{Kind, Offset, Position, Rules};

/// The work that the pieces of a game can be, and the memory of their tables.
///
/// # Examples
///
/// ```
/// let chess = tabiya_spec::library::load("chess").unwrap().rules;
/// let work = tabiya_spec::Workload::new(&chess).of(&chess.start());
/// assert!(work > 20 && work < tabiya_spec::limits::POSITION_WORK, "{work}");
/// ```
#[derive(Clone, Debug)]
pub struct Workload {
    by_kind: Vec<usize>,
    /// How often the moves may be generated before a player can act.
    per_turn: usize,
    table_bytes: usize,
}

/// What turns that pass count with a die: until it allows a move, the moves are generated after every throw.
const PASSES: usize = 8;

impl Workload {
    /// Computes the work of every kind of piece.
    pub fn new(rules: &Rules) -> Self {
        let board = rules.board();
        let longest = usize::from(board.files().max(board.ranks())).saturating_sub(1);
        let kind_work = |kind: Kind| rules.kind(kind).moves.iter().map(|each| move_work(each, longest)).sum();
        let slides =
            rules.kinds().flat_map(|kind| &rules.kind(kind).moves).filter(|each| each.repeat.max != Some(1));
        let directions: HashSet<Offset> = slides.map(|each| each.step.unit().0).collect();
        // Each direction has a set of squares for every square.
        let squares = usize::from(board.files()) * usize::from(board.ranks());
        let table_bytes = directions.len() * squares * squares.div_ceil(64).next_power_of_two() * 8;
        let chance = rules.mechanics().chance.as_ref();
        let per_turn = chance.map_or(1, |chance| PASSES * chance.throws as usize);
        Workload { by_kind: rules.kinds().map(kind_work).collect(), per_turn, table_bytes }
    }

    /// Returns the approximate size of the tables for the slides of all pieces, the largest part of compiled rules.
    pub fn table_bytes(&self) -> usize {
        self.table_bytes
    }

    /// Returns the work of one piece of a kind.
    pub fn of_kind(&self, kind: Kind) -> usize {
        self.by_kind[kind.index()]
    }

    /// Returns the work of a position: at least the number of legal moves of all players together.
    pub fn of(&self, position: &Position) -> usize {
        self.of_pieces(position).saturating_mul(self.per_turn)
    }

    /// Returns the work of the pieces of a position, without what a die adds.
    pub fn of_pieces(&self, position: &Position) -> usize {
        position.all_pieces().map(|(_, piece)| self.of_kind(piece.kind)).sum()
    }
}

/// Returns the work of a move from any square: its landings, times what is tested and chosen at each of them.
fn move_work(each: &MovePlan, longest: usize) -> usize {
    let step = each.step.dx.unsigned_abs().max(each.step.dy.unsigned_abs()).max(1) as usize;
    let steps = each.repeat.max.map_or(usize::MAX, |max| max as usize).min(longest / step);
    let landings = (steps + 1).saturating_sub(each.repeat.first_landing() as usize);
    let options = |modifier: &ModifierPlan| modifier.options.len();
    let choices = each.modifiers.iter().map(options).max().unwrap_or(0).max(1);
    landings * (choices + each.all_conditions().count() + each.all_effects().count())
}

#[cfg(test)]
mod tests {
    use tabiya_engine::SplitMix;

    use super::*;
    use crate::{library, limits};

    #[test]
    fn the_bound_holds_in_every_game_of_the_library() {
        let mut chance = SplitMix::new(1);
        for entry in library::games() {
            let rules = entry.load().rules;
            let workload = Workload::new(&rules);
            let mut position = rules.start();
            for _ in 0..100 {
                let moves = rules.legal_moves(&position);
                let work = workload.of_pieces(&position);
                assert!(work >= moves.len() && work <= limits::POSITION_WORK / 4, "{}: {work}", entry.name);
                let Some(played) = moves.get(chance.below(moves.len().max(1))) else { break };
                position = rules.play(&position, *played).unwrap();
            }
        }
    }
}
