//! Concrete mates to steer for: where the loser's leader, the winner's leader, one checking piece and the blocking pieces
//! of the loser stand, and how far every piece is from there.
//!
//! A plan only guides the search for a help mate. It may be wrong; the search proves every mate by playing it.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::compile::pattern::Pattern;
use crate::dead::guide::{Unit, Units};
use crate::dead::mate::{MateSquares, Net};
use crate::dead::pieces::members;
use crate::dead::reachability::{Reachability, Unproven};
use crate::piece::{Kind, Player};
use crate::square::Square;

/// The maximum number of plans, of target squares for which plans are made, and of blocked squares in a plan.
const MAX_PLANS: usize = 24;
const MAX_TARGETS: usize = 8;
const MAX_BLOCKS: u32 = 3;

/// The distance of a checking piece that slides: farther squares on the same line are as good.
const CHECK_DISTANCE: u32 = 3;

/// The longest line of a board.
const MAX_LINE: u32 = 1 << 10;

/// Moves beyond which a distance is not measured, and the distance of what is farther.
const MAX_MOVES: u8 = 12;
const FAR: u8 = 20;

/// The cost of a place that no piece can take.
const UNREACHABLE: i32 = 60;

/// The cost of a promotion, beside that of the way to it.
const PROMOTION: i32 = 8;

/// A row of the distance table.
type Row = u32;

/// A place for one of several kinds, with the distances of each.
type Place = SmallVec<[(Kind, Row); 4]>;

/// Where pieces stand in one mate.
#[derive(Clone)]
struct Plan {
    leader: Row,
    own: Option<Row>,
    checker: (Kind, Row),
    /// The squares beside the loser's leader that its own pieces block.
    blocks: SmallVec<[Place; 4]>,
}

/// Where the pieces of a position stand: both leaders, and the other pieces of the winner and of the loser.
pub(super) struct Placement {
    pub(super) leader: Square,
    pub(super) own: Square,
    pub(super) units: [Units; 2],
}

/// The plans for one search.
#[derive(Clone)]
pub(super) struct MatePlans {
    plans: Vec<Plan>,
    distances: Distances,
}

impl MatePlans {
    /// Returns the cost of the plan that is closest to a position.
    pub(super) fn cost(&self, placement: &Placement) -> i32 {
        self.plans.iter().map(|plan| self.cost_of(plan, placement)).min().unwrap_or(0)
    }

    fn cost_of(&self, plan: &Plan, placement: &Placement) -> i32 {
        let distance = |row: Row, at: Square| 3 * self.distances.get(row, at);
        let run = |unit: &Unit| (unit.promotion > 0).then_some(PROMOTION + 5 * unit.promotion);
        let [winner, loser] = &placement.units;
        let (kind, row) = plan.checker;
        let checkers = winner.iter().filter(|unit| unit.kind == kind).map(|unit| distance(row, unit.at));
        let checker = checkers.chain(winner.iter().filter_map(run)).min().unwrap_or(UNREACHABLE);
        let block = |place: &Place| {
            let rows = |unit: &Unit| {
                place.iter().find(|(kind, _)| *kind == unit.kind).map(|(_, row)| (*row, unit.at))
            };
            let ways = loser.iter().filter_map(rows).map(|(row, at)| distance(row, at));
            ways.chain(loser.iter().filter_map(run)).min().unwrap_or(UNREACHABLE)
        };
        distance(plan.leader, placement.leader)
            + plan.own.map_or(0, |row| distance(row, placement.own))
            + checker
            + plan.blocks.iter().map(block).sum::<i32>()
    }
}

/// How many moves a kind needs from each square to a place, on a board with only the pieces that never leave.
#[derive(Clone)]
struct Distances {
    squares: usize,
    rows: Vec<u8>,
    index: HashMap<(Player, Kind, Square), Row>,
}

impl Distances {
    fn get(&self, row: Row, from: Square) -> i32 {
        i32::from(self.rows[row as usize * self.squares + from.index()])
    }
}

impl Reachability<'_> {
    /// Returns plans for mates on these squares, or `None` if there are none: those that are closest to the placement.
    pub(super) fn mate_plans(
        &mut self,
        mates: &MateSquares,
        placement: &Placement,
    ) -> Result<Option<MatePlans>, Unproven> {
        let leader = members(self.pieces.leaders & self.pieces.defenders).next().ok_or(Unproven)?;
        let own = members(self.pieces.leaders & self.pieces.attackers).next().ok_or(Unproven)?;
        let board = &self.rules.board;
        let mut targets = mates.clone();
        targets.sort_by_key(|(at, blocks)| {
            3 * *blocks as usize
                + board.distance(*at, placement.leader) as usize
                + 2 * self.steps(leader, *at).len()
        });
        targets.truncate(MAX_TARGETS);
        let mut found = MatePlans {
            plans: Vec::new(),
            distances: Distances { squares: self.squares.len(), rows: Vec::new(), index: HashMap::new() },
        };
        for (target, _) in targets {
            let net = self.net(leader, own, target)?;
            self.add_plans(&net, leader, own, &mut found);
        }
        let mut ranked: Vec<(i32, Plan)> = std::mem::take(&mut found.plans)
            .into_iter()
            .map(|plan| (found.cost_of(&plan, placement), plan))
            .collect();
        ranked.sort_by_key(|(cost, _)| *cost);
        ranked.truncate(MAX_PLANS);
        found.plans = ranked.into_iter().map(|(_, plan)| plan).collect();
        Ok(Some(found).filter(|found| !found.plans.is_empty()))
    }

    /// Adds every plan for one target: a checking piece and a place of the winner's leader that leave few squares to block.
    fn add_plans(&self, net: &Net, leader: usize, own: usize, found: &mut MatePlans) {
        let (loser, winner) = (self.pieces.piece(leader), self.pieces.piece(own));
        let to_leader = self.row(&mut found.distances, loser.player, loser.kind, net.target);
        for kind in self.kinds_of_side(winner.player) {
            for from in self.checking_squares(winner.player, kind, net.target) {
                let attacked = self.lines(winner.player, kind, from).concat();
                let open = net.mask(|step| step == from || !attacked.contains(&step));
                let beside = net.mask(|step| step == from);
                let places = net.leader.iter().map(|(place, mask)| (Some(*place), *mask));
                let useful = places.filter(|(place, mask)| *place != Some(from) && mask & open != 0);
                let mut blocks: SmallVec<[Option<Place>; 8]> = SmallVec::from_elem(None, net.steps.len());
                for (place, mask) in useful.chain([(None, 0)]) {
                    let left = open & !mask;
                    if left & beside != 0 || left.count_ones() > MAX_BLOCKS {
                        continue;
                    }
                    let mut plan = Plan {
                        leader: to_leader,
                        own: place.map(|at| self.row(&mut found.distances, winner.player, winner.kind, at)),
                        checker: (kind, self.row(&mut found.distances, winner.player, kind, from)),
                        blocks: SmallVec::new(),
                    };
                    for (index, step) in
                        net.steps.iter().enumerate().filter(|(index, _)| left >> index & 1 == 1)
                    {
                        let block = blocks[index].get_or_insert_with(|| {
                            self.blockers(loser.player, *step, (winner.player, kind, from, net.target), found)
                        });
                        plan.blocks.push(block.clone());
                    }
                    if plan.blocks.iter().all(|block| !block.is_empty()) {
                        found.plans.push(plan);
                    }
                }
            }
        }
    }

    /// Returns the kinds that may block a square, without those that would end the check from there.
    fn blockers(
        &self,
        loser: Player,
        at: Square,
        (winner, checker, from, target): (Player, Kind, Square, Square),
        found: &mut MatePlans,
    ) -> Place {
        let lines = self.lines(winner, checker, from);
        let line =
            lines.iter().find_map(|line| line.iter().position(|at| *at == target).map(|end| &line[..end]));
        let ends_check = |kind: Kind| {
            let answers = self.lines(loser, kind, at).concat();
            answers.contains(&from) || line.is_some_and(|line| line.iter().any(|at| answers.contains(at)))
        };
        let kinds = self.kinds_of_side(loser).into_iter().filter(|kind| !ends_check(*kind));
        kinds.map(|kind| (kind, self.row(&mut found.distances, loser, kind, at))).collect()
    }

    /// Returns the kinds that a player's pieces, other than leaders, have or may become.
    fn kinds_of_side(&self, player: Player) -> SmallVec<[Kind; 8]> {
        let pieces = self
            .pieces
            .iter()
            .filter(|(piece, listed)| listed.player == player && !self.pieces.is_leader(*piece));
        let mut kinds: SmallVec<[Kind; 8]> = pieces.flat_map(|(piece, _)| self.kinds_of(piece)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Returns the squares from which a kind attacks the target.
    fn checking_squares(&self, player: Player, kind: Kind, target: Square) -> SmallVec<[Square; 32]> {
        let mut found = SmallVec::new();
        for pattern in self.captures(player, kind) {
            let back = std::iter::successors(Some(target), |at| self.rules.jumps.to(pattern.back, *at));
            let back = back.skip(1).take(pattern.max.min(CHECK_DISTANCE) as usize);
            found.extend(back.take_while(|at| self.squares[at.index()].fixed.is_none()));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Returns the squares that a kind may attack from a square, each line for itself.
    fn lines(&self, player: Player, kind: Kind, from: Square) -> SmallVec<[SmallVec<[Square; 8]>; 8]> {
        let mut lines = SmallVec::new();
        for pattern in self.captures(player, kind) {
            let mut line = SmallVec::new();
            let mut at = from;
            while let Some(next) =
                self.rules.jumps.to(pattern.jump, at).filter(|_| line.len() < pattern.max as usize)
            {
                line.push(next);
                if self.squares[next.index()].fixed.is_some() && pattern.stops_at_pieces() {
                    break;
                }
                at = next;
            }
            lines.push(line);
        }
        lines
    }

    fn captures(&self, player: Player, kind: Kind) -> impl Iterator<Item = &Pattern> {
        self.rules.patterns[player.index()][kind.index()].iter().filter(|pattern| pattern.on_enemy.is_some())
    }

    /// Returns the row of distances to a place, computed backwards from it.
    fn row(&self, distances: &mut Distances, player: Player, kind: Kind, to: Square) -> Row {
        let next = distances.index.len() as Row;
        let row = *distances.index.entry((player, kind, to)).or_insert(next);
        if row < next {
            return row;
        }
        let start = distances.rows.len();
        distances.rows.resize(start + distances.squares, FAR);
        let row_of = &mut distances.rows[start..];
        row_of[to.index()] = 0;
        let mut queue: SmallVec<[Square; 64]> = SmallVec::from_elem(to, 1);
        let mut head = 0;
        while let Some(&at) = queue.get(head) {
            head += 1;
            let moves = row_of[at.index()] + 1;
            if moves > MAX_MOVES {
                break;
            }
            let patterns = &self.rules.patterns[player.index()][kind.index()];
            for pattern in patterns.iter().filter(|pattern| pattern.on_empty.is_some()) {
                let back = std::iter::successors(Some(at), |at| self.rules.jumps.to(pattern.back, *at));
                let back = back.skip(1).take(pattern.max.min(MAX_LINE) as usize);
                for from in back.take_while(|from| self.squares[from.index()].fixed.is_none()) {
                    if row_of[from.index()] > moves {
                        row_of[from.index()] = moves;
                        queue.push(from);
                    }
                }
            }
        }
        row
    }
}
