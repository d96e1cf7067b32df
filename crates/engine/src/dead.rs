//! Proofs that somebody cannot win any more, whatever both sides play from here.
//!
//! A referee asks after every ply, so "no proof" must be cheap; and he ends games by it, so a proof must be one.
//! Nothing is searched. Instead the future of every man is drawn too wide, all at once ([`future`]): every square
//! that it might ever come to, if turns, checks and most conditions are forgotten. If even then no man of a player
//! ever attacks a square that a leader of the other may stand on, nobody is ever mated by that player. Locked chains
//! of pawns, and men that are shut in behind them, come out like this.
//!
//! In a usual middlegame some officer obviously finds the enemy's leader after a few steps, and a glance
//! (`general/glance.rs`) is the end of the question: the future would show that attack too.

mod conditions;
mod effects;
mod future;
mod guards;
mod march;
mod men;
mod walk;

use crate::blueprint::Blueprint;
use crate::dead::future::Future;
pub(crate) use crate::dead::march::March;
use crate::dead::men::Men;
use crate::mechanics::Mechanics;
use crate::piece::{Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;

/// How much one answer may cost, in steps of men and conditions looked at: half a millisecond. Locked boards take about
/// a thousand.
const WORK: u32 = 1 << 15;

/// How many positions of a forced line are looked at.
const FORCED_POSITIONS: u32 = 8;

/// A line is forced while there are at most so many legal moves.
const FORCED_CHOICES: usize = 2;

/// An attempt to prove that a player cannot win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Whether it succeeded.
    pub holds: bool,
    /// What it cost: steps of men and conditions that were looked at. The same on every machine.
    pub steps: u32,
}

impl Rules {
    /// Whether it is *proved* that no series of legal moves ends with the player as winner, even if everybody helps.
    ///
    /// `false` means that no proof was found, not that there is a way to win. So it always is without a leader, with
    /// more or fewer than two players left, and with more than 64 men on the board.
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

    /// As [`Rules::cannot_win`], but without a glance first, and with what the answer cost.
    pub fn try_to_rule_out(&self, position: &Position, player: Player) -> Proof {
        let mut budget = Budget::new(false);
        let holds = self.every_line_fails(position, player, &mut budget);
        Proof { holds, steps: WORK - budget.work }
    }

    /// Whether it is *proved* that nobody who is still in the game can win it any more: a dead position.
    pub fn is_dead(&self, position: &Position) -> bool {
        let alive = self.alive(position);
        alive.len() == 2 && alive.iter().all(|player| self.cannot_win(position, player))
    }

    /// A player in check may have no choice but to take the last man that could mate, so the few forced lines are
    /// followed.
    fn every_line_fails(&self, position: &Position, player: Player, budget: &mut Budget) -> bool {
        if self.is_ruled_out(position, player, budget) {
            return true;
        }
        if budget.positions == 0 || !self.in_check(position, self.mover(position)) {
            return false;
        }
        // Most lines are not forced, and that is told without an order.
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

    /// Whether the player can never again attack a leader of the other.
    fn is_ruled_out(&self, position: &Position, player: Player, budget: &mut Budget) -> bool {
        let alive = self.alive(position);
        let is_known = alive.len() == 2
            && alive.contains(player)
            && position.ended().is_none()
            && self.ends_with_leaders;
        if !is_known || budget.glances && self.sees_attack(position, player) {
            return false;
        }
        let Some(men) = Men::of(self, position, player) else { return false };
        let mut future = Future::new(self, position, men, budget.work);
        let holds = future.has_no_win();
        budget.work = future.work;
        holds
    }

    /// Whether a glance shows that one of several players cannot be ruled out: then the others need not be asked. In check
    /// a glance is not enough, for lines may be forced.
    pub(crate) fn somebody_may_win(&self, position: &Position, players: PlayerSet) -> bool {
        if players.len() < 2 || !self.ends_with_leaders {
            return false;
        }
        let at_once = self.fast.as_ref().is_some_and(|fast| fast.sees_attack(self, position));
        at_once
            || !self.in_check(position, self.mover(position))
                && players.iter().any(|player| self.sees_attack(position, player))
    }

    /// Whether some officer of the player obviously comes to attack a leader of the other, or a man that becomes one.
    fn sees_attack(&self, position: &Position, player: Player) -> bool {
        let prey = self.alive(position).without(PlayerSet::EMPTY.with(player));
        let Some(leader) = self.leader() else { return false };
        self.general.sees_attack(position, leader, player, prey, None)
            || self.sees_promotion(position, player, |square, kind| {
                self.general.sees_attack(position, leader, player, prey, Some((kind, square)))
            })
    }
}

/// What is left to spend on one answer.
struct Budget {
    work: u32,
    positions: u32,
    /// Whether a glance goes before each proof.
    glances: bool,
}

impl Budget {
    fn new(glances: bool) -> Self {
        Budget { work: WORK, positions: FORCED_POSITIONS, glances }
    }
}

/// Whether a game is won by the attack on a leader and by nothing else. Every part of the rules is named: one that is
/// added must be weighed here, for it could be another way to win.
pub(crate) fn ends_with_leaders(blueprint: &Blueprint) -> bool {
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
        loud: _,
        draw_offers: _,
        mechanics,
    } = blueprint;
    *mechanics == Mechanics::default()
        && leader.is_some()
        && endings.iter().all(|ending| ending.result == crate::ending::Result::Draw)
}
