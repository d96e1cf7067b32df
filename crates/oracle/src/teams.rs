//! Who plays with whom: partners, opponents, and what a player calls the pieces that he sees.
//!
//! A player in no list of the file is a team of his own. A player is *alive*, or in the game, if he has a slot in the
//! turn order and is not out. One without a slot never moves, but his pieces attack until his leader is captured.

use tabiya_spec::model::{Occupancy, Owner, RegionOf, Target};

use crate::{Oracle, Piece, Square, State};

impl Oracle<'_> {
    /// Whether two players win and lose together; everybody does with himself.
    pub fn same_team(&self, one: &str, other: &str) -> bool {
        let has = |players: &[tabiya_spec::place::At<String>], name| players.iter().any(|it| **it == name);
        one == other
            || self.spec.teams.iter().any(|team| has(&team.players, one) && has(&team.players, other))
    }

    /// Whether they are two players of one team.
    pub(crate) fn are_partners(&self, one: &str, other: &str) -> bool {
        one != other && self.same_team(one, other)
    }

    /// Names of all players, in the order of the file.
    pub(crate) fn everybody(&self) -> Vec<String> {
        self.spec.players.iter().map(|player| player.name.to_string()).collect()
    }

    /// The players that can still win, in the order of the file.
    pub(crate) fn alive(&self, state: &State) -> Vec<String> {
        let has_slot = |name: &String| self.spec.turns.order.iter().any(|player| **player == *name);
        self.everybody().into_iter().filter(|name| has_slot(name) && Self::is_living(state, name)).collect()
    }

    /// All players of the teams of these players, in the order of the file, also those who are out.
    pub(crate) fn teams_of(&self, players: &[String]) -> Vec<String> {
        let wins = |name: &String| players.iter().any(|player| self.same_team(name, player));
        self.everybody().into_iter().filter(wins).collect()
    }

    /// Whether all of these players are of one team; nobody is.
    pub(crate) fn is_one_team(&self, players: &[String]) -> bool {
        players.iter().all(|player| self.same_team(player, &players[0]))
    }

    /// Whether the player is not out.
    pub(crate) fn is_living(state: &State, player: &str) -> bool {
        !state.eliminated.contains(player)
    }

    /// Whether the player may move and attack: he is neither out nor frozen.
    pub(crate) fn is_active(state: &State, player: &str) -> bool {
        Self::is_living(state, player) && !state.frozen.contains(player)
    }

    /// Whether the pieces of one player attack those of another.
    pub(crate) fn is_opponent(&self, state: &State, player: &str, of: &str) -> bool {
        !self.same_team(player, of) && Self::is_active(state, player)
    }

    /// What stands on a square, as a player sees it. The pieces of a player that is out are enemies like any other.
    pub(crate) fn target(&self, occupant: Option<&Piece>, player: &str) -> Target {
        match occupant {
            None => Target::Empty,
            Some(piece) if piece.player == player => Target::Ally,
            Some(piece) if self.same_team(&piece.player, player) => Target::Team,
            Some(_) => Target::Enemy,
        }
    }

    /// Whether a square with this occupant is in the state, as the player sees it.
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

    /// The players who are meant, in the order of the file. Who is out, or has no slot, is nobody's partner or enemy.
    pub(crate) fn owners(&self, state: &State, own: &str, owner: Owner) -> Vec<String> {
        let meant = |name: &String| match owner {
            Owner::Own => false,
            Owner::Partner | Owner::Team => self.are_partners(name, own),
            Owner::Enemy => !self.same_team(name, own),
            Owner::Any => true,
        };
        let own_counts = matches!(owner, Owner::Own | Owner::Team);
        let alive = self.alive(state);
        let counts = |name: &String| alive.contains(name) && meant(name) || own_counts && name == own;
        self.everybody().into_iter().filter(counts).collect()
    }

    /// Whether a `POSITION` condition lists the square for somebody of these, as the player sees it.
    pub(crate) fn lists_for(&self, code: &str, player: &str, of: RegionOf, square: Square) -> bool {
        let meant = |name: &String| match of {
            RegionOf::Own => name == player,
            RegionOf::Partner => self.are_partners(name, player),
            RegionOf::Enemy => !self.same_team(name, player),
            RegionOf::Any => true,
        };
        self.everybody().iter().any(|name| meant(name) && self.lists(code, name, square))
    }

    /// Whether a `POSITION` condition lists the square for anybody.
    pub(crate) fn lists_for_any(&self, code: &str, square: Square) -> bool {
        self.everybody().iter().any(|name| self.lists(code, name, square))
    }
}
