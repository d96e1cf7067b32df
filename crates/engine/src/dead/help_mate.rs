//! A search for a mate in which both sides help: best-first, over positions that are each visited once.
//!
//! It ends with a mate, with no position left, which proves that there is no mate, or with its budget. What it does is the
//! same on every machine. Positions without a possible mate ([`super::mate`]) are not expanded.
//!
//! The order knows no piece by name. It prefers positions in which the winner has strong pieces or is close to a promotion,
//! the loser's leader is near a square where it may be mated and has few moves, and the other pieces are near it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::compile::pattern::{Pattern, Test};
use crate::dead::Winnability;
use crate::dead::mate::MateSquares;
use crate::moves::Move;
use crate::piece::{Kind, Player};
use crate::position::Position;
use crate::rules::Rules;
use crate::square::Square;

/// The costs of generated positions, in steps of a proof.
const NEW_POSITION: u32 = 16;
const KNOWN_POSITION: u32 = 4;

/// With so few pieces, a mate is often impossible although there are checks.
const FEW_PIECES: u32 = 5;

/// The rank of a mate, of a stalemate, and of having no piece that can block; the force beyond which more does not matter.
const MATE: i32 = 10_000;
const STALEMATE: i32 = 1_000;
const NO_BLOCKER: i32 = 20;
const MAX_FORCE: i32 = 34;

/// The search for one player.
pub(super) struct HelpMate<'a> {
    rules: &'a Rules,
    winner: Player,
    loser: Player,
    leader: Kind,
    order: Order,
    known: HashSet<u64, BuildHasherDefault<KeyHasher>>,
    nodes: Vec<Position>,
    open: BinaryHeap<(Reverse<i32>, Reverse<u32>)>,
    moves: Vec<Move>,
    /// The remaining budget, in steps.
    work: u32,
}

impl<'a> HelpMate<'a> {
    /// Prepares a search with this budget. `mates` are the squares where the loser's leader may be mated, if known.
    pub(super) fn new(
        rules: &'a Rules,
        winner: Player,
        loser: Player,
        mates: Option<&MateSquares>,
        work: u32,
    ) -> Option<Self> {
        let leader = rules.leader()?;
        Some(HelpMate {
            rules,
            winner,
            loser,
            leader,
            order: Order::new(rules, winner, mates),
            known: HashSet::default(),
            nodes: Vec::new(),
            open: BinaryHeap::new(),
            moves: Vec::new(),
            work,
        })
    }

    /// Searches from a position.
    pub(super) fn run(mut self, start: &Position) -> Winnability {
        self.known.insert(start.key());
        self.add(start.clone(), 0);
        let mut moves = Vec::new();
        while let Some((_, Reverse(index))) = self.open.pop() {
            let position = self.nodes[index as usize].clone();
            self.rules.moves_into(&position, &mut moves);
            if moves.is_empty() || position.ended().is_some() {
                if self.rules.outcome(&position).is_some_and(|outcome| outcome.winners.contains(self.winner))
                {
                    return Winnability::Possible;
                }
                continue;
            }
            moves.sort_unstable_by_key(|played| played.sort_key());
            for &played in &moves {
                let next = self.rules.play_unchecked(&position, played);
                let is_new = self.known.insert(next.key());
                if !self.spend(if is_new { NEW_POSITION } else { KNOWN_POSITION }) {
                    return Winnability::Unknown;
                }
                let changes = next.ended().is_none()
                    && (next.piece_count() != position.piece_count() || played.promotion.is_some());
                if is_new && !(changes && self.is_ruled_out(&next)) {
                    let score = self.score(&next);
                    self.add(next, score);
                }
            }
        }
        Winnability::Impossible
    }

    fn add(&mut self, position: Position, score: i32) {
        self.open.push((Reverse(score), Reverse(self.nodes.len() as u32)));
        self.nodes.push(position);
    }

    fn spend(&mut self, steps: u32) -> bool {
        self.work = self.work.saturating_sub(steps);
        self.work > 0
    }

    /// Returns whether the winner can no longer mate. Asked when the set of pieces changes.
    fn is_ruled_out(&mut self, position: &Position) -> bool {
        let before = self.work.min(super::WORK);
        let mut work = before;
        let is_ruled_out = if position.piece_count() <= FEW_PIECES {
            let mates = self.rules.possible_mates(position, self.winner, &mut work);
            mates.is_some_and(|mates| mates.is_empty())
        } else {
            self.rules.has_no_check(position, self.winner, &mut work)
        };
        self.work -= before - work;
        is_ruled_out
    }

    /// Returns the rank of a position: lower is better. The weights were fitted to positions with known answers.
    fn score(&mut self, position: &Position) -> i32 {
        let at = |player| position.squares_of(player, self.leader).next();
        let (Some(own), Some(target)) = (at(self.winner), at(self.loser)) else { return 0 };
        let (order, board) = (&self.order, &self.rules.board);
        let distance = |square: Square| board.distance(square, target) as i32;
        let others = || self.rules.kinds().filter(|kind| *kind != self.leader);
        let mut score = order.leader[target.index()] + 4 * distance(own).max(2);
        let (mut force, mut nearest_run) = (0, None);
        for kind in others() {
            for square in position.squares_of(self.winner, kind) {
                force += order.value[kind.index()];
                let run = order.promotion[kind.index()][square.index()];
                score += run;
                if run > 0 {
                    nearest_run = Some(nearest_run.map_or(run, |other: i32| other.min(run)));
                }
            }
        }
        score -= 3 * force.min(MAX_FORCE);
        if force < order.rook {
            // Without strong pieces the winner needs a promotion, or the loser must block its own leader.
            let blockers = others().flat_map(|kind| position.squares_of(self.loser, kind));
            score += 5 * nearest_run.unwrap_or(0) + blockers.map(distance).min().unwrap_or(NO_BLOCKER);
        }
        if self.rules.mover(position) == self.loser {
            self.rules.moves_into(position, &mut self.moves);
            let flights = self.moves.iter().filter(|played| played.from == target).count() as i32;
            score += self.moves.len().min(12) as i32 + 2 * flights;
            let in_check = self.rules.in_check(position, self.loser);
            score -= if in_check { 6 } else { 0 };
            score += match (in_check, self.moves.is_empty()) {
                (true, true) => -MATE,
                (false, true) => STALEMATE,
                _ => 0,
            };
        }
        score
    }
}

/// What the order of positions is computed from.
struct Order {
    /// By square: how far the loser's leader is from a square where it may be mated.
    leader: Vec<i32>,
    /// By kind of the winner: the number of squares that it attacks on an empty board.
    value: Vec<i32>,
    /// The number of squares that a rook attacks on an empty board.
    rook: i32,
    /// By kind of the winner and square: the distance to a promotion, 0 without one.
    promotion: Vec<Vec<i32>>,
}

impl Order {
    fn new(rules: &Rules, winner: Player, mates: Option<&MateSquares>) -> Self {
        let board = &rules.board;
        let degree =
            |at: Square| board.squares().filter(|other| board.distance(at, *other) == 1).count() as i32;
        let least = board.squares().map(degree).min().unwrap_or(0);
        let corners: MateSquares =
            board.squares().filter(|at| degree(*at) == least).map(|at| (at, 0)).collect();
        let targets = mates.filter(|mates| !mates.is_empty()).unwrap_or(&corners);
        let targets: Vec<(Square, i32)> =
            targets.iter().map(|(at, blocks)| (*at, 3 * *blocks as i32 + 6 * degree(*at))).collect();
        let all = || (0..board.len()).map(|index| Square(index as u16));
        let cost = |at: Square| {
            targets.iter().map(|(target, cost)| 3 * board.distance(at, *target) as i32 + cost).min()
        };
        let leader = all().map(|at| cost(at).unwrap_or(0)).collect();
        let patterns = &rules.patterns[winner.index()];
        let centre =
            board.square(i32::from(board.files()) / 2, i32::from(board.ranks()) / 2).unwrap_or(Square(0));
        let value = patterns.iter().map(|moves| attacked(rules, moves, centre)).collect();
        let rook = i32::from(board.files()) + i32::from(board.ranks()) - 2;
        let promotion = patterns
            .iter()
            .map(|moves| {
                let zone = promotion_zone(rules, moves, winner);
                let distance =
                    |at: Square| zone.iter().map(|to| board.distance(at, *to) as i32).min().unwrap_or(0);
                all().map(distance).collect()
            })
            .collect();
        Order { leader, value, rook, promotion }
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

/// Keys of positions are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
