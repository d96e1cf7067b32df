//! Teams: partners, opponents, and the occupancy of squares as a player sees it.
//!
//! A player whom no team lists is a team alone. A player is *alive* if it has a slot in the turn order and is not
//! eliminated. A player without a slot never moves, but its pieces attack until its leader is captured.

use tabiya_spec::model::{Occupancy, Owner, RegionOf, Target};

use crate::{Oracle, Piece, Square, State};

impl Oracle<'_> {
    /// Returns whether two players are the same or of one team.
    pub fn same_team(&self, one: &str, other: &str) -> bool {
        let has = |players: &[tabiya_spec::place::At<String>], name| players.iter().any(|it| **it == name);
        one == other
            || self.spec.teams.iter().any(|team| has(&team.players, one) && has(&team.players, other))
    }

    /// Returns whether two players are different and of one team.
    pub(crate) fn are_partners(&self, one: &str, other: &str) -> bool {
        one != other && self.same_team(one, other)
    }

    /// Returns the names of all players, in the order of the spec.
    pub(crate) fn players(&self) -> Vec<String> {
        self.spec.players.iter().map(|player| player.name.to_string()).collect()
    }

    /// Returns the players that can still win, in the order of the spec.
    pub(crate) fn alive(&self, state: &State) -> Vec<String> {
        let has_slot = |name: &String| self.spec.turns.order.iter().any(|player| **player == *name);
        self.players().into_iter().filter(|name| has_slot(name) && Self::is_living(state, name)).collect()
    }

    /// Returns all players of the teams of these players, eliminated ones included, in the order of the spec.
    pub(crate) fn teams_of(&self, players: &[String]) -> Vec<String> {
        let wins = |name: &String| players.iter().any(|player| self.same_team(name, player));
        self.players().into_iter().filter(wins).collect()
    }

    /// Returns whether these players are all of one team. No players are.
    pub(crate) fn is_one_team(&self, players: &[String]) -> bool {
        players.iter().all(|player| self.same_team(player, &players[0]))
    }

    /// Returns whether the player is not eliminated.
    pub(crate) fn is_living(state: &State, player: &str) -> bool {
        !state.eliminated.contains(player)
    }

    /// Returns whether the player may move and attack: neither eliminated nor frozen.
    pub(crate) fn is_active(state: &State, player: &str) -> bool {
        Self::is_living(state, player) && !state.frozen.contains(player)
    }

    /// Returns whether the pieces of one player attack those of another.
    pub(crate) fn is_opponent(&self, state: &State, player: &str, of: &str) -> bool {
        !self.same_team(player, of) && Self::is_active(state, player)
    }

    /// Returns the occupancy of a square as a player sees it. Pieces of eliminated players are enemies.
    pub(crate) fn target(&self, occupant: Option<&Piece>, player: &str) -> Target {
        match occupant {
            None => Target::Empty,
            Some(piece) if piece.player == player => Target::Ally,
            Some(piece) if self.same_team(&piece.player, player) => Target::Team,
            Some(_) => Target::Enemy,
        }
    }

    /// Returns whether a square with this occupant has the occupancy, as the player sees it.
    pub(crate) fn is(&self, occupant: Option<&Piece>, player: &str, state: Occupancy) -> bool {
        let found = self.target(occupant, player);
        match state {
            Occupancy::Empty => found == Target::Empty,
            Occupancy::NotEmpty => found != Target::Empty,
            Occupancy::Enemy => found == Target::Enemy,
            Occupancy::Ally => found == Target::Ally,
            Occupancy::Team => found == Target::Team,
        }
    }

    /// Returns the players that `owner` means, in the order of the spec. Eliminated players and players without a slot are
    /// neither partners nor enemies.
    pub(crate) fn owners(&self, state: &State, own: &str, owner: Owner) -> Vec<String> {
        let meant = |name: &String| match owner {
            Owner::Own => false,
            Owner::Partner | Owner::Team => self.are_partners(name, own),
            Owner::Enemy => !self.same_team(name, own),
            Owner::Any => true,
            Owner::Neutral => self.is_neutral(name),
        };
        let own_counts = matches!(owner, Owner::Own | Owner::Team);
        let alive = self.alive(state);
        let is_counted = |name: &String| alive.contains(name) || owner == Owner::Neutral;
        let counts = |name: &String| is_counted(name) && meant(name) || own_counts && name == own;
        self.players().into_iter().filter(counts).collect()
    }

    /// Returns whether a `POSITION` condition lists the square for a player that `of` means.
    pub(crate) fn lists_for(&self, code: &str, player: &str, of: RegionOf, square: Square) -> bool {
        let meant = |name: &String| match of {
            RegionOf::Own => name == player,
            RegionOf::Partner => self.are_partners(name, player),
            RegionOf::Enemy => !self.same_team(name, player),
            RegionOf::Any => true,
        };
        self.players().iter().any(|name| meant(name) && self.lists(code, name, square))
    }

    /// Returns whether a `POSITION` condition lists the square for any player.
    pub(crate) fn lists_for_any(&self, code: &str, square: Square) -> bool {
        self.players().iter().any(|name| self.lists(code, name, square))
    }
}
