//! Agreements between players: exchange of captured leaders, and withdrawal in favour of a partner.

use tabiya_spec::model::{Captor, ExchangeSpec, GlobalCondition};

use crate::{Oracle, Piece, Spot, Square, State};

/// An exchange that may be proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The proposing player.
    pub proposer: String,
    /// The player who must agree.
    pub answerer: String,
    /// The player of the proposer's team whose leader returns, and its square.
    pub asked: (String, Square),
    /// The player of the other team whose leader returns, and its square.
    pub given: (String, Square),
}

impl Oracle<'_> {
    /// Returns the exchange that may be proposed now, before the die is thrown.
    pub fn exchange(&self, state: &State) -> Option<Exchange> {
        self.offer(state).map(|(exchange, _)| exchange)
    }

    /// Carries out the exchange that may be proposed now. The turn does not change.
    pub fn exchanged(&self, state: &State) -> Option<State> {
        let (_, mut next) = self.offer(state)?;
        next.ended = self.stopped(&next, self.to_move(&next));
        Some(self.settled(next))
    }

    fn offer(&self, state: &State) -> Option<(Exchange, State)> {
        let rule = self.spec.exchange.as_ref()?;
        if state.ended.is_some() || state.die != self.awaiting(state.clone()).die {
            return None;
        }
        let proposer = chooser(state, self.to_move(state));
        let (ours, theirs): (Vec<&String>, Vec<&String>) =
            state.captives.keys().partition(|captive| self.same_team(captive, &proposer));
        let ([asked], [given]) = (&ours[..], &theirs[..]) else { return None };
        let mut free = self.alive(state);
        free.retain(|player| self.same_team(player, given) && !state.captives.contains_key(player));
        let [answerer] = &free[..] else { return None };
        let both_took = rule.both_took.as_ref().is_some_and(|asks| **asks);
        if !self.took(state, rule, &proposer, given) || both_took && !self.took(state, rule, answerer, asked)
        {
            return None;
        }
        let mut next = state.clone();
        for captive in [*asked, *given] {
            next.frozen.remove(captive);
            next.captives.remove(captive);
            // A withdrawn army thaws with its controller and stays under control.
            for army in &state.withdrawn {
                if state.control.get(army) == Some(captive) {
                    next.frozen.remove(army);
                }
            }
            if !state.withdrawn.contains(captive.as_str()) {
                next.control.remove(captive.as_str());
            }
        }
        let asked = ((*asked).clone(), self.bring_back(&mut next, rule, asked)?);
        let given = ((*given).clone(), self.bring_back(&mut next, rule, given)?);
        Some((Exchange { proposer, answerer: answerer.clone(), asked, given }, next))
    }

    /// Returns whether a player (or the team, if that is enough) captured the leader.
    fn took(&self, state: &State, rule: &ExchangeSpec, player: &str, captive: &str) -> bool {
        let by_team = rule.by.as_ref().is_some_and(|by| **by == Captor::Team);
        let captor = state.captives.get(captive);
        captor.is_some_and(|captor| captor == player || by_team && self.same_team(captor, player))
    }

    /// Returns a leader to the board: to the first empty square of its region, else to the nearest empty square that is
    /// not attacked, the lowest of several.
    fn bring_back(&self, state: &mut State, rule: &ExchangeSpec, player: &str) -> Option<Square> {
        let leader = self.new_piece(self.spec.leaders().next()?, player, (0, 0));
        let homes = self.listed(&rule.region, player);
        let is_free = |square: &Square| self.exists(*square) && !state.pieces.contains_key(square);
        let is_safe = |square: &Square| !self.would_be_attacked(state, &leader, *square);
        let mut squares = self.squares();
        squares.retain(|square| is_free(square) && is_safe(square));
        let steps = |square: Square| homes.iter().map(|home| self.distance(*home, square)).min();
        let nearest = || squares.iter().copied().min_by_key(|square| steps(*square));
        let square = homes.iter().copied().find(is_free).or_else(nearest)?;
        state.pieces.insert(square, leader);
        Some(square)
    }

    fn would_be_attacked(&self, state: &State, leader: &Piece, square: Square) -> bool {
        let mut imagined = state.clone();
        imagined.pieces.insert(square, leader.clone());
        self.threatened(&imagined, Spot { square, guest: false }, square)
    }

    /// Returns the squares of a `POSITION` condition for a player, in order.
    fn listed(&self, code: &str, player: &str) -> Vec<Square> {
        let found = self.spec.conditions.iter().find_map(|global| match &**global {
            GlobalCondition::Position { code: name, check } if **name == code => check.get(player),
            _ => None,
        });
        found.map(|squares| squares.iter().map(|at| self.at(**at)).collect()).unwrap_or_default()
    }

    /// Returns the partners to whom the player to move may hand over the army.
    pub fn heirs(&self, state: &State) -> Vec<String> {
        let player = self.to_move(state);
        let allowed = self.spec.withdrawal.as_ref().is_some_and(|allowed| **allowed);
        if !allowed || state.ended.is_some() || state.control.contains_key(player) {
            return Vec::new();
        }
        let mut heirs = self.alive(state);
        let is_gone = |heir: &String| state.captives.contains_key(heir) || state.withdrawn.contains(heir);
        heirs.retain(|heir| self.are_partners(heir, player) && !is_gone(heir));
        heirs
    }

    /// Hands the army of the player to move over to a partner. The turn does not change.
    pub fn withdrawn(&self, state: &State, heir: &str) -> Option<State> {
        let mut next = state.clone();
        next.control.insert(self.to_move(state).to_owned(), heir.to_owned());
        next.withdrawn.insert(self.to_move(state).to_owned());
        self.heirs(state).iter().any(|name| name == heir).then_some(next)
    }
}

/// Returns the player who chooses the moves of an army.
fn chooser(state: &State, army: &str) -> String {
    state.control.get(army).cloned().unwrap_or_else(|| army.to_owned())
}
