//! What the search for a help mate prefers. It knows no piece by name.
//!
//! With plans ([`super::mate_plan`]) a position is better the closer it is to one of them. Without plans it is better if the
//! winner has strong pieces or is close to a promotion, the loser's leader is near a corner and has few moves, and the
//! other pieces are near it.

use smallvec::SmallVec;

use crate::compile::pattern::{Pattern, Test};
use crate::dead::mate_plan::{MatePlans, Placement};
use crate::moves::Move;
use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// The rank of a mate, of a stalemate, and of having no piece that can block; the force beyond which more does not matter.
const MATE: i32 = 10_000;
const STALEMATE: i32 = 1_000;
const NO_BLOCKER: i32 = 20;
const MAX_FORCE: i32 = 34;

/// A piece other than a leader: its kind, square and distance to a promotion (0 without one).
#[derive(Clone, Copy)]
pub(super) struct Unit {
    pub(super) kind: Kind,
    pub(super) at: Square,
    pub(super) promotion: i32,
}

/// The units of one player.
pub(super) type Units = SmallVec<[Unit; 16]>;

/// What scores are computed from, for all questions about a game.
pub(crate) struct GuideTables {
    /// By square: how far the loser's leader is from a corner.
    corner: Vec<i32>,
    /// By player and kind: the number of squares that it attacks on an empty board.
    value: Vec<Vec<i32>>,
    /// The number of squares that a rook attacks on an empty board.
    rook: i32,
    /// By player, kind and square: the distance to a promotion, 0 without one.
    promotion: Vec<Vec<Vec<i32>>>,
}

impl GuideTables {
    pub(super) fn new(rules: &Rules) -> Self {
        let board = &rules.board;
        let degree =
            |at: Square| board.squares().filter(|other| board.distance(at, *other) == 1).count() as i32;
        let least = board.squares().map(degree).min().unwrap_or(0);
        let corners: Vec<Square> = board.squares().filter(|at| degree(*at) == least).collect();
        let all = || (0..board.len()).map(|index| Square(index as u16));
        let to_corner = |at: Square| {
            let distances = corners.iter().map(|corner| board.distance(at, *corner) as i32);
            3 * distances.min().unwrap_or(0)
        };
        let centre =
            board.square(i32::from(board.files()) / 2, i32::from(board.ranks()) / 2).unwrap_or(Square(0));
        let promotion = |player: Player| {
            let distances = |moves: &[Pattern]| {
                let zone = promotion_zone(rules, moves, player);
                let distance =
                    |at: Square| zone.iter().map(|to| board.distance(at, *to) as i32).min().unwrap_or(0);
                all().map(distance).collect()
            };
            rules.patterns[player.index()].iter().map(|moves| distances(moves)).collect()
        };
        let value = |player: Player| {
            rules.patterns[player.index()].iter().map(|moves| attacked(rules, moves, centre)).collect()
        };
        GuideTables {
            corner: all().map(to_corner).collect(),
            value: rules.players().map(value).collect(),
            rook: i32::from(board.files()) + i32::from(board.ranks()) - 2,
            promotion: rules.players().map(promotion).collect(),
        }
    }
}

/// Scores positions for one player.
#[derive(Clone)]
pub(super) struct Guide<'a> {
    rules: &'a Rules,
    tables: &'a GuideTables,
    pub(super) winner: Player,
    loser: Player,
    leader: Kind,
    plans: Option<MatePlans>,
    moves: Vec<Move>,
}

impl<'a> Guide<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        tables: &'a GuideTables,
        winner: Player,
        loser: Player,
    ) -> Option<Self> {
        let leader = rules.leader()?;
        Some(Guide { rules, tables, winner, loser, leader, plans: None, moves: Vec::new() })
    }

    /// Adds plans.
    pub(super) fn with_plans(self, plans: Option<MatePlans>) -> Self {
        Guide { plans, ..self }
    }

    /// Returns where the pieces of a position stand.
    pub(super) fn placement(&self, position: &Position) -> Option<Placement> {
        let leader = |player| position.squares_of(player, self.leader).next();
        Some(Placement {
            leader: leader(self.loser)?,
            own: leader(self.winner)?,
            units: [self.units(position, self.winner), self.units(position, self.loser)],
        })
    }

    fn units(&self, position: &Position, player: Player) -> Units {
        let kinds = self.rules.kinds().filter(|kind| *kind != self.leader);
        let of_kind = |kind: Kind| {
            let promotion = &self.tables.promotion[player.index()][kind.index()];
            let unit = move |at: Square| Unit { kind, at, promotion: promotion[at.index()] };
            position.squares_of(player, kind).map(unit)
        };
        kinds.flat_map(of_kind).collect()
    }

    /// Returns the rank of a position: lower is better. The weights were fitted to positions with known answers.
    pub(super) fn score(&mut self, position: &Position) -> i32 {
        let Some(placement) = self.placement(position) else { return 0 };
        let [winner, loser] = &placement.units;
        let distance = |square: Square| self.rules.board.distance(square, placement.leader) as i32;
        let force: i32 =
            winner.iter().map(|unit| self.tables.value[self.winner.index()][unit.kind.index()]).sum();
        let force = force.min(MAX_FORCE);
        let mut score = winner.iter().map(|unit| unit.promotion).sum();
        if let Some(plans) = &self.plans {
            score += 4 * plans.cost(&placement) - force;
        } else {
            score +=
                self.tables.corner[placement.leader.index()] + 4 * distance(placement.own).max(2) - 3 * force;
            if force < self.tables.rook {
                // Without strong pieces the winner needs a promotion, or the loser must block its own leader.
                let runs = winner.iter().map(|unit| unit.promotion).filter(|run| *run > 0);
                let blockers = loser.iter().map(|unit| distance(unit.at));
                score += 5 * runs.min().unwrap_or(0) + blockers.min().unwrap_or(NO_BLOCKER);
            }
        }
        if self.rules.mover(position) == self.loser {
            score + self.freedom(position, placement.leader)
        } else {
            score
        }
    }

    /// Returns the part of the score for the loser's moves.
    fn freedom(&mut self, position: &Position, leader: Square) -> i32 {
        self.rules.moves_into(position, &mut self.moves);
        let flights = self.moves.iter().filter(|played| played.from == leader).count() as i32;
        let in_check = self.rules.in_check(position, self.loser);
        let end = match (in_check, self.moves.is_empty()) {
            (true, true) => -MATE,
            (false, true) => STALEMATE,
            _ => 0,
        };
        self.moves.len().min(12) as i32 + 2 * flights - if in_check { 6 } else { 0 } + end
    }
}

/// Returns how many squares a piece attacks from a square of an empty board.
fn attacked(rules: &Rules, moves: &[Pattern], from: Square) -> i32 {
    let mut count = 0;
    for pattern in moves.iter().filter(|pattern| pattern.on_enemy.is_some()) {
        let steps = std::iter::successors(Some(from), |at| rules.jumps.to(pattern.jump, *at));
        count += steps.skip(1).take(pattern.max.min(8) as usize).count() as i32;
    }
    count
}

/// Returns the squares on which the moves promote.
fn promotion_zone(rules: &Rules, moves: &[Pattern], player: Player) -> Vec<Square> {
    let modifiers = || moves.iter().flat_map(|pattern| pattern.modifiers.iter());
    let is_in = |at: Square, test: &Test| !matches!(test, Test::InRegion(region) if !rules.in_region(*region, player, at));
    rules
        .board
        .squares()
        .filter(|at| modifiers().any(|it| it.tests.iter().all(|test| is_in(*at, test))))
        .collect()
}
