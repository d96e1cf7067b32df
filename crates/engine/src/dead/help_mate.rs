//! A search for a mate in which both sides help: best-first, over positions that are each visited once.
//!
//! It ends with a mate, with no position left, which proves that there is no mate, or with its budget. What it does is the
//! same on every machine. Positions without a possible mate ([`super::mateless`]) are not expanded.
//!
//! Two queues take turns. One is ordered by [`Guide`]'s score, the other prefers positions that place a piece, or a pair of
//! pieces, as no position of the same material before: a plateau of the score does not hold the search up.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use smallvec::SmallVec;

use crate::dead::Winnability;
use crate::dead::guide::Guide;
use crate::dead::mateless::Mateless;
use crate::dead::material::{Material, mix};
use crate::moves::Move;
use crate::piece::Player;
use crate::position::Position;
use crate::rules::Rules;

/// The costs of generated positions, in steps of a proof.
const NEW_POSITION: u32 = 16;
const KNOWN_POSITION: u32 = 4;

/// The part of the budget that may be spent on proofs that a position has no mate.
const PROOF_SHARE: u32 = 4;

/// A set of hashes.
pub(super) type Hashes = HashSet<u64, BuildHasherDefault<HashedKey>>;

/// Nodes in order, lowest rank and oldest first.
type Queue<Rank> = BinaryHeap<(Reverse<Rank>, Reverse<u32>)>;

/// The search for one player.
pub(super) struct HelpMate<'a> {
    rules: &'a Rules,
    winner: Player,
    guide: Guide<'a>,
    material: &'a Material,
    known: Hashes,
    nodes: Vec<Position>,
    expanded: Vec<bool>,
    /// The nodes by score.
    best: Queue<i32>,
    /// The nodes by novelty, then by score.
    novel: Queue<(u8, i32)>,
    /// Placements of one piece and of two pieces that have occurred, by material.
    placements: Hashes,
    mateless: Mateless<'a>,
    /// The remaining budget, in steps, and the part of it that is left for proofs.
    work: u32,
    proof_work: u32,
}

impl<'a> HelpMate<'a> {
    /// Prepares a search with this budget.
    pub(super) fn new(rules: &'a Rules, guide: Guide<'a>, material: &'a Material, work: u32) -> Self {
        let winner = guide.winner;
        HelpMate {
            rules,
            winner,
            guide,
            material,
            known: Hashes::default(),
            nodes: Vec::new(),
            expanded: Vec::new(),
            best: BinaryHeap::new(),
            novel: BinaryHeap::new(),
            placements: Hashes::default(),
            mateless: Mateless::new(rules, material, winner),
            work,
            proof_work: work / PROOF_SHARE,
        }
    }

    /// Searches from a position.
    pub(super) fn run(mut self, start: &Position) -> Winnability {
        self.known.insert(start.key());
        self.add(start.clone(), 0, 0);
        let mut moves = Vec::new();
        let mut by_novelty = false;
        while let Some(index) = self.pop(by_novelty) {
            by_novelty = !by_novelty;
            let position = self.nodes[index].clone();
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
                    let score = self.guide.score(&next);
                    let novelty = self.novelty(&next, played);
                    self.add(next, score, novelty);
                }
            }
        }
        Winnability::Impossible
    }

    fn add(&mut self, position: Position, score: i32, novelty: u8) {
        let index = Reverse(self.nodes.len() as u32);
        self.best.push((Reverse(score), index));
        self.novel.push((Reverse((novelty, score)), index));
        self.nodes.push(position);
        self.expanded.push(false);
    }

    /// Takes the next node that is not yet expanded. Each node is in both queues.
    fn pop(&mut self, by_novelty: bool) -> Option<usize> {
        loop {
            let Reverse(index) = if by_novelty { self.novel.pop()?.1 } else { self.best.pop()?.1 };
            let is_expanded = &mut self.expanded[index as usize];
            if !std::mem::replace(is_expanded, true) {
                return Some(index as usize);
            }
        }
    }

    fn spend(&mut self, steps: u32) -> bool {
        self.work = self.work.saturating_sub(steps);
        self.work > 0
    }

    /// Returns how much of a position is new: 0 if the moved piece never stood there with the same material, 1 if it never
    /// stood there together with one of the others, 2 otherwise.
    fn novelty(&mut self, position: &Position, played: Move) -> u8 {
        let material = self.material.key(position);
        let mut moved = 0;
        let mut others: SmallVec<[u64; 32]> = SmallVec::new();
        for player in self.rules.players() {
            for kind in self.rules.kinds() {
                let piece = (player.index() << 8 | kind.index()) as u64;
                for square in position.squares_of(player, kind) {
                    let place = mix(material ^ (piece << 16 | square.index() as u64));
                    if square == played.to { moved = place } else { others.push(place) }
                }
            }
        }
        let is_new = self.placements.insert(moved);
        let mut has_new_pair = false;
        for other in others {
            has_new_pair |= self.placements.insert(mix(moved).wrapping_add(mix(other)));
        }
        if is_new { 0 } else { 2 - u8::from(has_new_pair) }
    }

    /// Returns whether the winner can no longer mate.
    fn is_ruled_out(&mut self, position: &Position) -> bool {
        let before = self.proof_work.min(self.work);
        let mut budget = before;
        let key = self.material.key(position);
        let is_ruled_out = self.mateless.is_ruled_out(position, key, &mut budget);
        self.work -= before - budget;
        self.proof_work -= before - budget;
        is_ruled_out
    }
}

/// Keys of positions are hashes already.
#[derive(Default)]
pub(super) struct HashedKey(u64);

impl Hasher for HashedKey {
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
