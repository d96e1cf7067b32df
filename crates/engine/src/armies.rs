//! What is known about whole armies: who are partners, whose leader is captive, which army is frozen, who moves it.

use crate::blueprint::RegionPlan;
use crate::piece::{Player, PlayerSet};
use crate::position::{Position, Register};
use crate::rules::Rules;

const CONTROL_SHIFT: u32 = 8;
const WITHDRAWN: u64 = 1 << 16;

impl Position {
    /// The players whose army is frozen: it blocks, and neither moves, attacks nor is captured.
    pub fn frozen(&self) -> PlayerSet {
        PlayerSet::from_bits(self.register(Register::Frozen))
    }

    /// Who has captured the leader of a player; nobody, if he has it back or never lost it.
    pub fn captor(&self, player: Player) -> Option<Player> {
        named(self.register(Register::Fate(player)))
    }

    /// Who moves the army of a player instead of him.
    pub fn controller(&self, player: Player) -> Option<Player> {
        named(self.register(Register::Fate(player)) >> CONTROL_SHIFT)
    }

    /// Whether a player has handed his army over for good.
    pub fn has_withdrawn(&self, player: Player) -> bool {
        self.register(Register::Fate(player)) & WITHDRAWN != 0
    }

    /// The players who hold a square that wins, if they still do when their next turn comes.
    pub fn holding(&self) -> PlayerSet {
        PlayerSet::from_bits(self.register(Register::Holding))
    }

    pub(crate) fn set_frozen(&mut self, players: PlayerSet) {
        self.set_register(Register::Frozen, players.bits());
    }

    pub(crate) fn set_holding(&mut self, players: PlayerSet) {
        self.set_register(Register::Holding, players.bits());
    }

    pub(crate) fn set_captor(&mut self, player: Player, captor: Option<Player>) {
        let fate = self.register(Register::Fate(player));
        self.set_register(Register::Fate(player), fate & !0xff | number(captor));
    }

    pub(crate) fn set_controller(&mut self, player: Player, controller: Option<Player>) {
        let fate = self.register(Register::Fate(player));
        // Who moves his own army has not handed it over.
        let kept = if controller.is_some() { fate & !0xff00 } else { fate & !0xff00 & !WITHDRAWN };
        self.set_register(Register::Fate(player), kept | number(controller) << CONTROL_SHIFT);
    }

    pub(crate) fn set_withdrawn(&mut self, player: Player) {
        let fate = self.register(Register::Fate(player));
        self.set_register(Register::Fate(player), fate | WITHDRAWN);
    }
}

/// A player, or nobody, as a byte.
fn number(player: Option<Player>) -> u64 {
    player.map_or(0, |player| u64::from(player.0) + 1)
}

fn named(byte: u64) -> Option<Player> {
    (byte as u8).checked_sub(1).map(Player)
}

impl Rules {
    /// A player and his partners.
    pub fn team(&self, player: Player) -> PlayerSet {
        self.teams[player.index()]
    }

    /// Whether two players are of one team.
    pub(crate) fn are_partners(&self, one: Player, other: Player) -> bool {
        self.team(one).contains(other)
    }

    /// Everybody but these players and their partners.
    pub(crate) fn opponents(&self, player: Player) -> PlayerSet {
        self.players().collect::<PlayerSet>().without(self.team(player))
    }

    /// Who chooses the moves of an army: its own player, or the one who controls it.
    pub fn decider(&self, position: &Position, army: Player) -> Player {
        position.controller(army).unwrap_or(army)
    }

    /// The players whose leader is captive.
    pub fn captives(&self, position: &Position) -> PlayerSet {
        self.players().filter(|player| position.captor(*player).is_some()).collect()
    }

    /// The regions in which something happens to armies: thrones. Whoever draws a board marks them.
    pub fn landmarks(&self) -> Vec<&RegionPlan> {
        let mechanics = self.mechanics();
        let mut regions: Vec<u16> = [
            mechanics.sharing.as_ref().map(|plan| plan.region),
            mechanics.control.as_ref().map(|plan| plan.region),
            mechanics.hold.as_ref().map(|plan| plan.region),
        ]
        .into_iter()
        .flatten()
        .collect();
        regions.dedup();
        regions.into_iter().filter_map(|region| self.blueprint().regions.get(usize::from(region))).collect()
    }

    /// The team that has won because nobody of any other is left: all its players, out or not.
    pub(crate) fn last_team(&self, position: &Position) -> Option<PlayerSet> {
        let standing = self.alive(position).without(self.captives(position));
        let team = standing.iter().next().map_or(PlayerSet::EMPTY, |player| self.team(player));
        standing.without(team).is_empty().then(|| self.seated_of(team))
    }

    /// Those of the players who have a slot in the order.
    pub(crate) fn seated_of(&self, players: PlayerSet) -> PlayerSet {
        players.intersection(self.seated)
    }
}
