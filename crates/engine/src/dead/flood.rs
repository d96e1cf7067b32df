//! A search through every position that can be reached, for small spaces: it decides for several players at once, and does
//! nothing else for a position than to make its moves. Most moves lead to a known position, which is recognised by its
//! key before the move is made.

use smallvec::SmallVec;

use crate::dead::Winnability;
use crate::dead::help_mate::Hashes;
use crate::dead::mateless::Mateless;
use crate::dead::material::Material;
use crate::moves::Move;
use crate::piece::PlayerSet;
use crate::position::Position;
use crate::rules::Rules;

/// The costs of a move to a known and to a new position, in steps of a proof.
const KNOWN_POSITION: u32 = 1;
const NEW_POSITION: u32 = 8;

/// The part of the cost that may be spent on proofs that a position has no mate.
const PROOF_SHARE: u32 = 8;

/// The search for some players. It can be continued with a larger budget.
pub(super) struct Flood<'a> {
    rules: &'a Rules,
    material: &'a Material,
    /// The players for whom no win was found, with what is known about each.
    open: SmallVec<[Mateless<'a>; 2]>,
    known: Hashes,
    stack: Vec<Position>,
    moves: Vec<Move>,
    searched: u32,
    proved: u32,
}

impl<'a> Flood<'a> {
    /// Prepares a search from a position.
    pub(super) fn new(
        rules: &'a Rules,
        material: &'a Material,
        players: PlayerSet,
        start: &Position,
    ) -> Self {
        let open = players.iter().map(|player| Mateless::new(rules, material, player)).collect();
        let mut known = Hashes::default();
        known.insert(start.key());
        let stack = vec![start.clone()];
        Flood { rules, material, open, known, stack, moves: Vec::new(), searched: 0, proved: 0 }
    }

    /// Searches until the answer is known or all of this budget is spent, for these players only. Returns those who can
    /// win, and the answer for all others.
    pub(super) fn run(&mut self, players: PlayerSet, work: u32) -> (PlayerSet, Winnability) {
        self.open.retain(|it| players.contains(it.winner));
        while !self.open.is_empty() && self.searched + self.proved < work {
            let Some(position) = self.stack.pop() else { break };
            self.rules.moves_into(&position, &mut self.moves);
            if self.moves.is_empty() || position.ended().is_some() {
                if let Some(outcome) = self.rules.outcome(&position) {
                    self.open.retain(|it| !outcome.winners.contains(it.winner));
                }
            } else {
                self.expand(&position);
            }
        }
        let open: PlayerSet = self.open.iter().map(|it| it.winner).collect();
        let is_complete = self.stack.is_empty();
        (players.without(open), if is_complete { Winnability::Impossible } else { Winnability::Unknown })
    }

    /// Adds the positions after all moves.
    fn expand(&mut self, position: &Position) {
        for index in 0..self.moves.len() {
            let played = self.moves[index];
            let key = self.rules.key_after(position, played);
            if key.is_some_and(|key| !self.known.insert(key)) {
                self.searched += KNOWN_POSITION;
                continue;
            }
            let next = self.rules.play_unchecked(position, played);
            let is_right = key.is_none_or(|key| key == next.key()) || next.ended().is_some();
            debug_assert!(is_right, "the key is the one of the next position");
            self.searched += NEW_POSITION;
            if key.is_none() && !self.known.insert(next.key()) {
                continue;
            }
            let changes = next.piece_count() != position.piece_count() || played.promotion.is_some();
            if !(changes && next.ended().is_none() && self.is_ruled_out(&next)) {
                self.stack.push(next);
            }
        }
    }

    /// Returns whether none of the players can still mate.
    fn is_ruled_out(&mut self, position: &Position) -> bool {
        let key = self.material.key(position);
        let mut budget = (self.searched / PROOF_SHARE).saturating_sub(self.proved);
        let before = budget;
        let is_ruled_out = self.open.iter_mut().all(|it| it.is_ruled_out(position, key, &mut budget));
        self.proved += before - budget;
        is_ruled_out
    }
}

impl Rules {
    /// Returns the key of the position after a move, if it follows from the moved and the captured piece alone.
    fn key_after(&self, position: &Position, played: Move) -> Option<u64> {
        let player = self.mover(position);
        let kind = position.kind_at(played.spot());
        let pattern = self.patterns[player.index()][kind.index()].get(usize::from(played.pattern))?;
        let is_simple = self.is_plain
            && pattern.is_plain()
            && played.promotion.is_none()
            && self.castle_plan(kind, played).is_none()
            && position.is_bare()
            && !position.unmoved(played.from);
        if !is_simple {
            return None;
        }
        let captured = position.piece(played.to);
        if captured.is_some_and(|piece| piece.unmoved || Some(piece.kind) == self.leader()) {
            return None;
        }
        let order = self.blueprint.order.len() as u16;
        (order == 2).then(|| position.key_after((player, kind), played, captured, 1 - position.slot()))
    }
}
