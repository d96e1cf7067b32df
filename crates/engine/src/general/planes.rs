//! The bit planes of a position as sets.

use crate::general::set::Set;
use crate::piece::{Kind, Player, PlayerSet};

/// What stands where: what has never moved, one plane for each player, one for each kind.
#[derive(Clone, Copy)]
pub(crate) struct Planes<'a, const W: usize> {
    unmoved: &'a [u64; W],
    players: &'a [[u64; W]],
    kinds: &'a [[u64; W]],
}

impl<'a, const W: usize> Planes<'a, W> {
    /// The planes of a position, which has so many players; `None` if it is not of this width.
    pub(crate) fn new(words: &'a [u64], players: usize) -> Option<Self> {
        let (planes, _) = words.as_chunks();
        let (unmoved, rest) = planes.split_first()?;
        let (players, kinds) = rest.split_at_checked(players)?;
        Some(Planes { unmoved, players, kinds })
    }

    pub(crate) fn unmoved(self) -> Set<W> {
        Set::of(self.unmoved)
    }

    pub(crate) fn player(self, player: Player) -> Set<W> {
        Set::of(&self.players[player.index()])
    }

    /// The pieces of all these players.
    pub(crate) fn players(self, players: PlayerSet) -> Set<W> {
        players.iter().fold(Set::EMPTY, |set, player| set | self.player(player))
    }

    pub(crate) fn occupied(self) -> Set<W> {
        self.players.iter().fold(Set::EMPTY, |set, plane| set | Set::of(plane))
    }

    pub(crate) fn kind(self, kind: Kind) -> Set<W> {
        Set::of(&self.kinds[kind.index()])
    }

    /// The pieces of all these kinds.
    pub(crate) fn kinds(self, kinds: &[Kind]) -> Set<W> {
        kinds.iter().fold(Set::EMPTY, |set, kind| set | self.kind(*kind))
    }
}
