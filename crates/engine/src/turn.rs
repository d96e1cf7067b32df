//! Whose turn comes: the end of a turn, players who are passed over, and players who are out for want of a move.

use crate::outcome::Termination;
use crate::piece::{Player, PlayerSet};
use crate::position::Position;
use crate::rules::Rules;

impl Rules {
    /// Ends a turn: the game, if the board says so, or the next player comes. Endings that only count pieces are looked
    /// at if the turn has changed which pieces there are.
    pub(crate) fn end_turn(&self, position: &mut Position, is_altered: bool) {
        if self.has_stops
            && (is_altered || !self.has_steady_stops)
            && let Some(index) = self.stopped(position)
        {
            position.end(Termination::Listed(index));
            return;
        }
        if self.mechanics().hold.is_some() {
            self.judge_holding(position);
        }
        self.pass_turn(position);
    }

    /// The position if the player to move could let the turn go by. No game of two allows it that has nothing beyond
    /// pieces that move and capture; but whoever thinks about a move may wonder.
    pub fn passed(&self, position: &Position) -> Option<Position> {
        if !self.is_plain || position.ended().is_some() || self.alive(position).len() != 2 {
            return None;
        }
        let mut next = position.clone();
        next.count_down();
        self.pass_turn(&mut next);
        Some(next)
    }

    /// Gives the turn to the next player who is in the game and whose army is not frozen.
    pub(crate) fn pass_turn(&self, position: &mut Position) {
        let order = &self.blueprint.order;
        let absent = position.eliminated().union(position.frozen());
        let mut slot = usize::from(position.slot());
        for _ in 0..order.len() {
            slot = if slot + 1 < order.len() { slot + 1 } else { 0 };
            let player = order[slot];
            if absent.contains(player) {
                continue;
            }
            position.set_slot(slot as u16);
            // The winner is the one whose turn has come.
            if self.mechanics().hold.is_some() && position.holding().contains(player) {
                position.end(Termination::Held);
            }
            return;
        }
    }

    /// A square is held from the end of a turn of one's own on which one's leader stands there unattacked, to the end of
    /// any turn on which it does not.
    fn judge_holding(&self, position: &mut Position) {
        let (Some(hold), Some(leader)) = (&self.mechanics().hold, self.leader()) else { return };
        let mover = self.mover(position);
        let stands = |player: &Player| {
            let mut leaders = position.army(*player, leader);
            leaders.any(|square| {
                self.in_region(hold.region, *player, square) && !self.is_attacked(position, square, *player)
            })
        };
        let may_hold = position.holding().with(mover);
        let holding: PlayerSet = may_hold.iter().filter(stands).collect();
        position.set_holding(holding);
    }

    /// Players without a legal move are passed over, or taken out while more than two are in the game. It is judged when
    /// a player's own turn arrives, so that others can still help; and it is no turn: no flag counts down.
    pub(crate) fn settle(&self, position: &mut Position) {
        if self.mechanics().stuck_passes {
            self.pass_over(position);
        } else {
            self.take_out(position);
        }
        if self.mechanics().chance.is_some() {
            self.await_throw(position);
        }
    }

    fn take_out(&self, position: &mut Position) {
        while self.is_unsettled(position) && !self.can_move(position) {
            let player = self.mover(position);
            let reason = self.reason_for_no_move(position, player);
            position.eliminate(PlayerSet::EMPTY.with(player));
            if self.last_team(position).is_some() {
                position.end(reason);
                return;
            }
            self.pass_turn(position);
        }
    }

    /// The whole circle is looked at, whoever has just moved last.
    fn pass_over(&self, position: &mut Position) {
        let first = position.slot();
        while position.ended().is_none() {
            let is_absent = position.frozen().contains(self.mover(position));
            if !is_absent && self.can_move(position) {
                return;
            }
            if let Some(index) = self.stuck_ending(position).filter(|_| !is_absent) {
                position.end(Termination::Listed(index));
                return;
            }
            self.pass_turn(position);
            if position.slot() == first && position.ended().is_none() {
                position.end(Termination::NobodyCanMove);
            }
        }
    }

    /// The same by value.
    pub(crate) fn settled(&self, mut position: Position) -> Position {
        self.settle(&mut position);
        position
    }

    /// Whether it must be asked if the player to move can.
    pub(crate) fn is_unsettled(&self, position: &Position) -> bool {
        position.ended().is_none() && (self.mechanics().stuck_passes || self.alive(position).len() > 2)
    }

    pub(crate) fn reason_for_no_move(&self, position: &Position, player: Player) -> Termination {
        if self.in_check(position, player) { Termination::Checkmate } else { Termination::Stalemate }
    }
}
