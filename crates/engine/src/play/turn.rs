//! The end of a turn and the next player: skipped players, and players eliminated because they cannot move.

use crate::endings::Termination;
use crate::piece::{Player, PlayerSet};
use crate::play::NextTurn;
use crate::position::Position;
use crate::rules::Rules;

impl Rules {
    /// Ends a turn: ends the game if a board ending holds, or passes the turn on. Endings that only count pieces are
    /// evaluated only if the set of pieces changed.
    pub(crate) fn end_turn(&self, position: &mut Position, changed_pieces: bool, next: NextTurn) {
        if self.has_board_endings
            && (changed_pieces || !self.board_endings_need_change)
            && let Some(index) = self.board_ending(position)
        {
            position.end(Termination::Listed(index));
            return;
        }
        if self.mechanics().hold.is_some() {
            self.update_holding(position);
        }
        match next {
            NextTurn::Following => self.pass_turn(position),
            NextTurn::Again => {}
            NextTurn::Another => self.pass_to_another(position),
        }
    }

    /// Passes the turn to the next slot of another player, or to the next slot if there is no other player.
    fn pass_to_another(&self, position: &mut Position) {
        let (mover, first) = (self.mover(position), position.slot());
        while let Some(slot) = self.next_slot(position) {
            position.set_slot(slot);
            if self.mover(position) != mover || slot == first {
                break;
            }
        }
        self.end_if_held(position);
    }

    /// Returns the position after a null move: the player to move passes. Searches use it; no game allows it. Returns
    /// `None` unless two players are left in a game without mechanics.
    pub fn null_move(&self, position: &Position) -> Option<Position> {
        if !self.is_plain || position.ended().is_some() || self.alive(position).len() != 2 {
            return None;
        }
        let mut next = position.clone();
        next.count_down();
        self.pass_turn(&mut next);
        Some(next)
    }

    /// Passes the turn to the next player who is in the game and not frozen.
    pub(crate) fn pass_turn(&self, position: &mut Position) {
        let Some(slot) = self.next_slot(position) else { return };
        position.set_slot(slot);
        self.end_if_held(position);
    }

    /// Ends the game if the player whose turn has come holds a winning square.
    fn end_if_held(&self, position: &mut Position) {
        if self.mechanics().hold.is_some() && position.holding().contains(self.mover(position)) {
            position.end(Termination::Held);
        }
    }

    /// Returns the slot of the next player who is in the game and not frozen.
    pub(crate) fn next_slot(&self, position: &Position) -> Option<u16> {
        let order = &self.blueprint.order;
        let absent = position.eliminated().union(position.frozen());
        let mut slot = usize::from(position.slot());
        for _ in 0..order.len() {
            slot = if slot + 1 < order.len() { slot + 1 } else { 0 };
            if !absent.contains(order[slot]) {
                return Some(slot as u16);
            }
        }
        None
    }

    /// Updates who holds a winning square. A square is held from the end of the owner's turn on which the leader
    /// stands there unattacked, until the end of any turn on which it does not.
    fn update_holding(&self, position: &mut Position) {
        let (Some(hold), Some(leader)) = (&self.mechanics().hold, self.leader()) else { return };
        let mover = self.mover(position);
        let stands = |player: &Player| {
            let mut leaders = position.squares_of(*player, leader);
            leaders.any(|square| {
                self.in_region(hold.region, *player, square) && !self.is_attacked(position, square, *player)
            })
        };
        let may_hold = position.holding().with(mover);
        let holding: PlayerSet = may_hold.iter().filter(stands).collect();
        position.set_holding(holding);
    }

    /// Skips or eliminates players without a legal move. Players are eliminated only while more than two are left.
    /// This happens when the player's own turn comes, so that others can still help, and it is not a turn: flags do
    /// not count down.
    pub(crate) fn settle(&self, position: &mut Position) {
        if self.mechanics().stuck_passes {
            self.pass_stuck(position);
        } else {
            self.eliminate_stuck(position);
        }
        if self.mechanics().chance.is_some() {
            self.reset_die(position);
        }
    }

    fn eliminate_stuck(&self, position: &mut Position) {
        while self.is_unsettled(position) && !self.can_move(position) {
            let player = self.mover(position);
            let reason = self.reason_for_no_move(position, player);
            if reason == Termination::Stalemate && self.blueprint.stalemate.stops() {
                return;
            }
            position.eliminate(PlayerSet::EMPTY.with(player));
            if self.last_team(position).is_some() {
                position.end(reason);
                return;
            }
            self.pass_turn(position);
        }
    }

    /// Goes once around the whole turn order, including the player who moved last.
    fn pass_stuck(&self, position: &mut Position) {
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

    /// Settles the next turn and returns the position.
    pub(crate) fn settled(&self, mut position: Position) -> Position {
        self.settle(&mut position);
        position
    }

    /// Returns whether [`Rules::settle`] must check that the player to move has a legal move.
    pub(crate) fn is_unsettled(&self, position: &Position) -> bool {
        position.ended().is_none() && (self.mechanics().stuck_passes || self.alive(position).len() > 2)
    }

    pub(crate) fn reason_for_no_move(&self, position: &Position, player: Player) -> Termination {
        if self.in_check(position, player) { Termination::Checkmate } else { Termination::Stalemate }
    }
}
