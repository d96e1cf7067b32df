//! Proofs that a player can no longer win.
//!
//! A referee asks after every ply, so a failed attempt must be cheap. It also ends games by the answer, so a proof
//! must be correct. Nothing is searched. Instead, [`reachability`] computes a superset of everything that each piece
//! can ever do, ignoring turns, checks and most conditions. If no piece of a player ever attacks a square that the
//! enemy leader may stand on, that player can never give mate. This covers locked pawn chains and pieces shut in
//! behind them.
//!
//! In a typical middlegame some piece soon attacks the enemy leader. `movegen/general/quick_mate.rs` detects that
//! first; the full analysis would find the same attack.

mod conditions;
mod effects;
mod guards;
mod pieces;
mod promotion_run;
mod reachability;
mod walk;

use crate::blueprint::Blueprint;
use crate::blueprint::ending::Stalemate;
use crate::blueprint::mechanics::Mechanics;
use crate::dead::pieces::PieceList;
pub(crate) use crate::dead::promotion_run::PromotionRun;
use crate::dead::reachability::Reachability;
use crate::movegen::general::LeaderAttack;
use crate::piece::{Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;

/// The budget of one answer, in steps of pieces and tested conditions: half a millisecond. Locked boards need about a
/// thousand.
const WORK: u32 = 1 << 15;

/// The maximum number of positions of a forced line.
const FORCED_POSITIONS: u32 = 8;

/// The maximum number of legal moves in a forced line.
const FORCED_CHOICES: usize = 2;

/// The result of an attempt to prove that a player cannot win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether the proof succeeded.
    pub holds: bool,
    /// The cost: steps of pieces and tested conditions. The same on every machine.
    pub steps: u32,
}

impl Rules {
    /// Returns whether it is *proved* that no sequence of legal moves ends with the player as winner, even if all
    /// players cooperate.
    ///
    /// `false` means that no proof was found, not that a win is possible. This is always the case without a leader,
    /// with more or fewer than two players left, and with more than 64 pieces on the board.
    ///
    /// # Examples
    ///
    /// ```
    /// # let rules = tabiya_spec::library::load("chess").unwrap().rules;
    /// let start = rules.start();
    /// assert!(!rules.is_dead(&start));
    ///
    /// let mut kings = rules.setup(&start);
    /// kings.pieces.retain(|(_, piece)| Some(piece.kind) == rules.leader());
    /// assert!(rules.is_dead(&rules.position(&kings).expect("a king each")));
    /// ```
    pub fn cannot_win(&self, position: &Position, player: Player) -> bool {
        self.every_line_fails(position, player, &mut Budget::new(true))
    }

    /// Like [`Rules::cannot_win`], but always runs the full analysis and returns its cost.
    #[doc(hidden)]
    pub fn prove_cannot_win(&self, position: &Position, player: Player) -> Proof {
        let mut budget = Budget::new(false);
        let holds = self.every_line_fails(position, player, &mut budget);
        Proof { holds, steps: WORK - budget.work }
    }

    /// Returns whether it is *proved* that neither remaining player can win: a dead position.
    pub fn is_dead(&self, position: &Position) -> bool {
        let alive = self.alive(position);
        alive.len() == 2 && alive.iter().all(|player| self.cannot_win(position, player))
    }

    /// Returns whether every forced line leads to a proof. A player in check may be forced to capture the last piece
    /// that could give mate.
    fn every_line_fails(&self, position: &Position, player: Player, budget: &mut Budget) -> bool {
        if self.is_ruled_out(position, player, budget) {
            return true;
        }
        if budget.positions == 0 || !self.in_check(position, self.mover(position)) {
            return false;
        }
        // Most lines are not forced; counting needs no sorted list.
        if self.unsorted_moves(position).len() > FORCED_CHOICES {
            return false;
        }
        let moves = self.legal_moves(position);
        if moves.is_empty() {
            return self.outcome(position).is_some_and(|outcome| !outcome.winners.contains(player));
        }
        moves.iter().all(|played| {
            budget.positions = budget.positions.saturating_sub(1);
            self.every_line_fails(&self.play_unchecked(position, *played), player, budget)
        })
    }

    /// Returns whether the player can never again attack the other player's leader.
    fn is_ruled_out(&self, position: &Position, player: Player, budget: &mut Budget) -> bool {
        let alive = self.alive(position);
        let is_known = alive.len() == 2
            && alive.contains(player)
            && position.ended().is_none()
            && self.wins_only_by_mate;
        if !is_known || budget.quick && self.can_attack_leader(position, player) {
            return false;
        }
        let Some(pieces) = PieceList::of(self, position, player) else { return false };
        let mut reachability = Reachability::new(self, position, pieces, budget.work);
        let holds = reachability.has_no_win();
        budget.work = reachability.work;
        holds
    }

    /// Returns whether a quick test shows that one of the players may still win, so that the full analysis is not
    /// needed. In check the quick test is not enough, because lines may be forced.
    pub(crate) fn any_may_win(&self, position: &Position, players: PlayerSet) -> bool {
        if players.len() < 2 || !self.wins_only_by_mate {
            return false;
        }
        let at_once = self.fast.as_ref().is_some_and(|fast| fast.can_attack_leader(self, position));
        at_once
            || !self.in_check(position, self.mover(position))
                && players.iter().any(|player| self.can_attack_leader(position, player))
    }

    /// Returns whether a piece of the player, or a piece after its promotion, can soon attack the other player's
    /// leader.
    fn can_attack_leader(&self, position: &Position, player: Player) -> bool {
        let targets = self.alive(position).without(PlayerSet::EMPTY.with(player));
        let Some(leader) = self.leader() else { return false };
        let attack = LeaderAttack { leader, attacker: player, targets };
        self.general.can_attack_leader(position, attack, None)
            || self.any_promotion_run(position, player, |square, kind| {
                self.general.can_attack_leader(position, attack, Some((kind, square)))
            })
    }
}

/// The remaining budget of one answer.
struct Budget {
    work: u32,
    positions: u32,
    /// Whether the quick test runs before each proof.
    quick: bool,
}

impl Budget {
    fn new(quick: bool) -> Self {
        Budget { work: WORK, positions: FORCED_POSITIONS, quick }
    }
}

/// Returns whether attacking a leader is the only way to win. Every field is named on purpose: a new one might add
/// another way to win.
pub(crate) fn wins_only_by_mate(blueprint: &Blueprint) -> bool {
    let Blueprint {
        files: _,
        ranks: _,
        disabled: _,
        players: _,
        order: _,
        start_at: _,
        leader,
        kinds: _,
        flags: _,
        regions: _,
        start: _,
        endings,
        zeroing: _,
        stalemate,
        draw_offers: _,
        mechanics,
    } = blueprint;
    *mechanics == Mechanics::default()
        && leader.is_some()
        && matches!(stalemate, Stalemate::Ends | Stalemate::Draws)
        && endings.iter().all(|ending| ending.result == crate::blueprint::ending::PlayerResult::Draw)
}
