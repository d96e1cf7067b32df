//! How much work a position can be: an upper bound that takes microseconds to compute, so that a server can reject a game or a
//! position before it generates a single move.

use std::collections::HashSet;

use tabiya_engine::blueprint::{ModifierPlan, MovePlan};
use tabiya_engine::mechanics::DropPlan;
use tabiya_engine::{Kind, Offset, Player, Position, Rules};

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
    /// The work of the drops of each kind, if the game has hands.
    drops: Vec<usize>,
    players: u8,
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
        let kind_work =
            |kind: Kind| rules.kind(kind).moves.iter().map(|each| move_work(rules, each, longest)).sum();
        let slides =
            rules.kinds().flat_map(|kind| &rules.kind(kind).moves).filter(|each| each.repeat.max != Some(1));
        let directions: HashSet<Offset> = slides.map(|each| each.step.unit().0).collect();
        // Each direction has a set of squares for every square.
        let squares = usize::from(board.files()) * usize::from(board.ranks());
        let table_bytes = directions.len() * squares * squares.div_ceil(64).next_power_of_two() * 8;
        let chance = rules.mechanics().chance.as_ref();
        let per_turn = chance.map_or(1, |chance| PASSES * chance.throws as usize);
        // The engine bounds the number of turns; their parts are made again for each piece.
        let per_turn = if rules.has_parts() { per_turn * PASSES } else { per_turn };
        let plans = rules.mechanics().hands.as_ref().map(|hands| hands.drops.as_slice());
        let drop_work = |kind: Kind, plans: &[DropPlan]| {
            let of_kind = plans.iter().filter(|plan| plan.kinds.contains(&kind));
            of_kind.map(|plan| squares * (choices(&plan.modifiers) + plan.conditions.len())).sum()
        };
        let drops = plans.map(|plans| rules.kinds().map(|kind| drop_work(kind, plans)).collect());
        Workload {
            by_kind: rules.kinds().map(kind_work).collect(),
            drops: drops.unwrap_or_default(),
            players: rules.players().len() as u8,
            per_turn,
            table_bytes,
        }
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

    /// Returns the work of the pieces of a position and of those in hand, without what a die adds.
    pub fn of_pieces(&self, position: &Position) -> usize {
        let on_board: usize = position.all_pieces().map(|(_, piece)| self.of_kind(piece.kind)).sum();
        on_board + self.of_hands(position)
    }

    /// Returns the work of the drops of all players.
    fn of_hands(&self, position: &Position) -> usize {
        let of_kind = |(kind, work): (usize, &usize)| {
            let holds = |player: &u8| position.in_hand(Player(*player), Kind(kind as u8)) > 0;
            work * (0..self.players).filter(holds).count()
        };
        self.drops.iter().enumerate().map(of_kind).sum()
    }
}

/// Returns the work of a move from any square: its landings, times what is tested and chosen at each of them.
fn move_work(rules: &Rules, each: &MovePlan, longest: usize) -> usize {
    let Offset { dx, dy, dz } = each.step;
    let step = dx.unsigned_abs().max(dy.unsigned_abs()).max(dz.unsigned_abs()).max(1) as usize;
    let board = rules.board();
    let turned = rules.players().map(|player| rules.player(player).orientation.turn(each.step));
    let fits = if board.is_flat() {
        longest / step
    } else {
        turned.map(|step| board.longest_slide(step)).max().unwrap_or(1)
    };
    let fits = if each.anywhere { board.len() } else { fits };
    let steps = each.repeat.max.map_or(usize::MAX, |max| max as usize).min(fits);
    let steps = if each.anywhere { fits } else { steps };
    let landings = (steps + 1).saturating_sub(each.repeat.first_landing() as usize);
    landings * (choices(&each.modifiers) + each.all_conditions().count() + each.all_effects().count())
}

/// Returns the largest number of promotions among which a player chooses.
fn choices(modifiers: &[ModifierPlan]) -> usize {
    modifiers.iter().map(|modifier| modifier.options.len()).max().unwrap_or(0).max(1)
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
                assert!(
                    work >= moves.len() && work <= limits::POSITION_WORK / 4 * 3,
                    "{}: {work}",
                    entry.name
                );
                let Some(played) = moves.get(chance.below(moves.len().max(1))) else { break };
                position = rules.play(&position, *played).unwrap();
            }
        }
    }
}
