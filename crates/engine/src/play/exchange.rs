//! Agreements between players: exchanging captured leaders, and handing an army over to a partner.

use crate::endings::Termination;
use crate::piece::{Piece, Player, PlayerSet};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// An exchange of captured leaders that may be proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The player who may propose it: the one who chooses the next move.
    pub proposer: Player,
    /// The player who must agree.
    pub answerer: Player,
    /// The player whose leader returns to the proposer's team, and the square.
    pub asked: (Player, Square),
    /// The player whose leader is given in exchange, and the square to which it returns.
    pub given: (Player, Square),
}

impl Rules {
    /// Returns the exchange that the player who chooses the next move may propose: one leader of each side is
    /// captive, and the proposer captured the one that is given. After the die has been thrown, no exchange is
    /// possible.
    pub fn exchange(&self, position: &Position) -> Option<Exchange> {
        let plan = self.mechanics().exchange?;
        if position.ended().is_some() || self.has_thrown(position) {
            return None;
        }
        let proposer = self.decider(position, self.mover(position));
        let own = self.team(proposer);
        let captives = self.captives(position);
        let asked = only(captives.intersection(own))?;
        let given = only(captives.without(own))?;
        let answerer = only(self.team(given).intersection(self.alive(position)).without(captives))?;
        let took = |player: Player, captive: Player| {
            let captor = position.captor(captive);
            captor == Some(player) || plan.by_team && captor.is_some_and(|it| self.are_partners(it, player))
        };
        if !took(proposer, given) || plan.both_took && !took(answerer, asked) {
            return None;
        }
        let mut board = position.clone();
        let [asked_at, given_at] = self.return_leaders(&mut board, plan.region, [asked, given])?;
        Some(Exchange { proposer, answerer, asked: (asked, asked_at), given: (given, given_at) })
    }

    /// Returns the position after the exchange that may be proposed now, or `None` if there is none. An exchange does
    /// not use up the turn, but it may end the game.
    pub fn play_exchange(&self, position: &Position) -> Option<Position> {
        let Exchange { asked, given, .. } = self.exchange(position)?;
        let region = self.mechanics().exchange?.region;
        let mut next = position.clone();
        self.return_leaders(&mut next, region, [asked.0, given.0])?;
        if self.has_board_endings
            && let Some(index) = self.board_ending(&next)
        {
            next.end(Termination::Listed(index));
        }
        self.settle(&mut next);
        Some(next)
    }

    /// Frees both armies and puts their leaders back on the board. Returns their squares.
    fn return_leaders(
        &self,
        position: &mut Position,
        region: u16,
        players: [Player; 2],
    ) -> Option<[Square; 2]> {
        let leader = self.leader()?;
        for player in players {
            position.set_captor(player, None);
            if !position.has_withdrawn(player) {
                position.set_controller(player, None);
            }
            let is_his = |other: &Player| {
                *other == player
                    || position.has_withdrawn(*other) && position.controller(*other) == Some(player)
            };
            let thawed: PlayerSet = self.players().filter(is_his).collect();
            position.set_frozen(position.frozen().without(thawed));
        }
        let mut put = |player: Player| {
            let square = self.return_square(position, region, player)?;
            position.put_at(Spot::host(square), Piece { player, kind: leader, unmoved: true }, None);
            Some(square)
        };
        Some([put(players[0])?, put(players[1])?])
    }

    /// Returns the first empty square of the player's list. If all are occupied, returns the nearest empty square
    /// that is not attacked; the lowest one in a tie.
    fn return_square(&self, position: &Position, region: u16, player: Player) -> Option<Square> {
        let homes = &self.blueprint.regions[usize::from(region)].squares[player.index()];
        let is_free = |square: &Square| self.board.has(*square) && !position.occupied(*square);
        if let Some(home) = homes.iter().copied().find(is_free) {
            return Some(home);
        }
        let distance = |square: &Square| homes.iter().map(|home| self.board.distance(*square, *home)).min();
        let free = self.board.squares().filter(is_free);
        let safe = free.filter(|square| !self.is_attacked(position, *square, player));
        safe.min_by_key(|square| (distance(square), *square))
    }

    /// Returns the partners to whom the player to move may hand over the army.
    pub fn heirs(&self, position: &Position) -> PlayerSet {
        let player = self.mover(position);
        if !self.mechanics().withdrawal || position.ended().is_some() || position.controller(player).is_some()
        {
            return PlayerSet::EMPTY;
        }
        let gone: PlayerSet = self.players().filter(|other| position.has_withdrawn(*other)).collect();
        let absent = self.captives(position).union(gone).with(player);
        self.team(player).intersection(self.alive(position)).without(absent)
    }

    /// Returns the position after the player to move has handed over the army, or `None` if that is not possible. It
    /// does not use up the turn.
    pub fn play_withdrawal(&self, position: &Position, heir: Player) -> Option<Position> {
        let mut next = position.clone();
        self.heirs(position).contains(heir).then(|| {
            next.set_controller(self.mover(position), Some(heir));
            next.set_withdrawn(self.mover(position));
            next
        })
    }
}

/// Returns the only player of a set.
fn only(players: PlayerSet) -> Option<Player> {
    players.iter().next().filter(|_| players.len() == 1)
}
