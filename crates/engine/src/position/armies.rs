//! The state of whole armies: teams, captured leaders, frozen armies, and who moves an army.

use crate::blueprint::RegionPlan;
use crate::piece::{Player, PlayerSet};
use crate::position::{Position, Register};
use crate::rules::Rules;

const CONTROL_SHIFT: u32 = 8;
const WITHDRAWN: u64 = 1 << 16;

impl Position {
    /// Returns the players whose army is frozen. A frozen army blocks squares; it does not move or attack and cannot
    /// be captured.
    #[inline]
    pub fn frozen(&self) -> PlayerSet {
        PlayerSet::from_bits(self.register(Register::Frozen))
    }

    /// Returns the player who holds a player's leader captive.
    #[inline]
    pub fn captor(&self, player: Player) -> Option<Player> {
        named(self.register(Register::Army(player)))
    }

    /// Returns the player who moves another player's army.
    #[inline]
    pub fn controller(&self, player: Player) -> Option<Player> {
        named(self.register(Register::Army(player)) >> CONTROL_SHIFT)
    }

    /// Returns whether a player has permanently handed over the army.
    #[inline]
    pub fn has_withdrawn(&self, player: Player) -> bool {
        self.register(Register::Army(player)) & WITHDRAWN != 0
    }

    /// Returns the players who hold a winning square. They win if they still hold it at the start of their next turn.
    #[inline]
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
        let army = self.register(Register::Army(player));
        self.set_register(Register::Army(player), army & !0xff | number(captor));
    }

    pub(crate) fn set_controller(&mut self, player: Player, controller: Option<Player>) {
        let army = self.register(Register::Army(player));
        // A player who moves the own army has not handed it over.
        let kept = if controller.is_some() { army & !0xff00 } else { army & !0xff00 & !WITHDRAWN };
        self.set_register(Register::Army(player), kept | number(controller) << CONTROL_SHIFT);
    }

    pub(crate) fn set_withdrawn(&mut self, player: Player) {
        let army = self.register(Register::Army(player));
        self.set_register(Register::Army(player), army | WITHDRAWN);
    }
}

/// Encodes an optional player as a byte.
fn number(player: Option<Player>) -> u64 {
    player.map_or(0, |player| u64::from(player.0) + 1)
}

fn named(byte: u64) -> Option<Player> {
    (byte as u8).checked_sub(1).map(Player)
}

impl Rules {
    /// Returns a player together with their partners.
    #[inline]
    pub fn team(&self, player: Player) -> PlayerSet {
        self.teams[player.index()]
    }

    /// Returns whether two players are on the same team.
    pub(crate) fn are_partners(&self, one: Player, other: Player) -> bool {
        self.team(one).contains(other)
    }

    /// Returns the players of all other teams.
    pub(crate) fn opponents(&self, player: Player) -> PlayerSet {
        self.players().collect::<PlayerSet>().without(self.team(player))
    }

    /// Returns the player who chooses the moves of an army: its owner, or its controller.
    #[inline]
    pub fn decider(&self, position: &Position, army: Player) -> Player {
        position.controller(army).unwrap_or(army)
    }

    /// Returns the players whose leader is captive.
    pub fn captives(&self, position: &Position) -> PlayerSet {
        self.players().filter(|player| position.captor(*player).is_some()).collect()
    }

    /// Returns the regions that a mechanic refers to, such as thrones. Board displays mark them.
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

    /// Returns the winning team if no player of another team is left: all its players, eliminated or not.
    pub(crate) fn last_team(&self, position: &Position) -> Option<PlayerSet> {
        let standing = self.alive(position).without(self.captives(position));
        let team = standing.iter().next().map_or(PlayerSet::EMPTY, |player| self.team(player));
        standing.without(team).is_empty().then(|| self.seated_of(team))
    }

    /// Returns those of the players who have a slot in the turn order.
    pub(crate) fn seated_of(&self, players: PlayerSet) -> PlayerSet {
        players.intersection(self.seated)
    }
}
