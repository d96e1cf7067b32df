//! What players may agree on beside moves: to exchange captured leaders, and to hand an army over to a partner.

use crate::outcome::Termination;
use crate::piece::{Piece, Player, PlayerSet};
use crate::position::{Position, Spot};
use crate::rules::Rules;
use crate::square::Square;

/// An exchange of captured leaders that may be proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Who proposes it: he chooses the move that is due.
    pub proposer: Player,
    /// Who must agree.
    pub answerer: Player,
    /// Whose leader comes back to the proposer's team, and where.
    pub asked: (Player, Square),
    /// Whose leader is given for it, and where it comes back.
    pub given: (Player, Square),
}

impl Rules {
    /// The exchange that the player may propose who chooses the next move: one leader of each side is captive, and he has
    /// captured the one that he gives. Once the die has been thrown it is too late.
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
        let [asked_at, given_at] = self.bring_back(&mut board, plan.region, [asked, given])?;
        Some(Exchange { proposer, answerer, asked: (asked, asked_at), given: (given, given_at) })
    }

    /// The position after the exchange that may be proposed now; `None` if there is none. It takes no turn, but it may end
    /// the game.
    pub fn exchanged(&self, position: &Position) -> Option<Position> {
        let Exchange { asked, given, .. } = self.exchange(position)?;
        let region = self.mechanics().exchange?.region;
        let mut next = position.clone();
        self.bring_back(&mut next, region, [asked.0, given.0])?;
        if self.has_stops
            && let Some(index) = self.stopped(&next)
        {
            next.end(Termination::Listed(index));
        }
        self.settle(&mut next);
        Some(next)
    }

    /// Sets both armies free and puts their leaders back on the board, one after the other; where they stand then.
    fn bring_back(&self, position: &mut Position, region: u16, players: [Player; 2]) -> Option<[Square; 2]> {
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
            let square = self.place_for_return(position, region, player)?;
            position.put_at(Spot::host(square), Piece { player, kind: leader, unmoved: true }, None);
            Some(square)
        };
        Some([put(players[0])?, put(players[1])?])
    }

    /// The first square of the player's list that is empty; otherwise the empty square nearest to one of them that nobody
    /// attacks, the lowest of several.
    fn place_for_return(&self, position: &Position, region: u16, player: Player) -> Option<Square> {
        let homes = &self.blueprint.regions[usize::from(region)].squares[player.index()];
        let is_free = |square: &Square| self.board.has(*square) && !position.occupied(*square);
        if let Some(home) = homes.iter().copied().find(is_free) {
            return Some(home);
        }
        let distance = |square: &Square| homes.iter().map(|home| self.board.king_steps(*square, *home)).min();
        let free = self.board.squares().filter(is_free);
        let safe = free.filter(|square| !self.is_attacked(position, *square, player));
        safe.min_by_key(|square| (distance(square), *square))
    }

    /// The partners to whom the player to move may hand his army over.
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

    /// The position after the player to move has handed his army over; `None` if he cannot. It takes no turn.
    pub fn withdrawn(&self, position: &Position, heir: Player) -> Option<Position> {
        let mut next = position.clone();
        self.heirs(position).contains(heir).then(|| {
            next.set_controller(self.mover(position), Some(heir));
            next.set_withdrawn(self.mover(position));
            next
        })
    }
}

/// The only player of a set.
fn only(players: PlayerSet) -> Option<Player> {
    players.iter().next().filter(|_| players.len() == 1)
}
