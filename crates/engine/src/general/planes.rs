//! The bit planes of a position as sets.

use crate::general::set::Set;
use crate::piece::{Kind, Player, PlayerSet};

/// What stands where: what has never moved, one plane for each player, one for each kind; and the same for guests, where
/// two may share a square.
#[derive(Clone, Copy)]
pub(crate) struct Planes<'a, const W: usize> {
    ground: Storey<'a, W>,
    upper: Option<Storey<'a, W>>,
}

#[derive(Clone, Copy)]
struct Storey<'a, const W: usize> {
    unmoved: &'a [u64; W],
    players: &'a [[u64; W]],
    kinds: &'a [[u64; W]],
}

impl<'a, const W: usize> Storey<'a, W> {
    fn new(words: &'a [u64], (players, kinds): (usize, usize)) -> Option<Self> {
        let (planes, _) = words.as_chunks();
        let (unmoved, rest) = planes.split_first()?;
        let (players, rest) = rest.split_at_checked(players)?;
        let (kinds, _) = rest.split_at_checked(kinds)?;
        Some(Storey { unmoved, players, kinds })
    }

    fn players(self, players: PlayerSet) -> Set<W> {
        players.iter().fold(Set::EMPTY, |set, player| set | Set::of(&self.players[player.index()]))
    }

    fn kinds(self, kinds: &[Kind]) -> Set<W> {
        kinds.iter().fold(Set::EMPTY, |set, kind| set | Set::of(&self.kinds[kind.index()]))
    }
}

impl<'a, const W: usize> Planes<'a, W> {
    /// The planes of a position, with so many players and kinds; `None` if it is not of this width.
    pub(crate) fn new(words: &'a [u64], upper: Option<&'a [u64]>, counts: (usize, usize)) -> Option<Self> {
        let upper = match upper {
            Some(words) => Some(Storey::new(words, counts)?),
            None => None,
        };
        Some(Planes { ground: Storey::new(words, counts)?, upper })
    }

    pub(crate) fn unmoved(self) -> Set<W> {
        Set::of(self.ground.unmoved)
    }

    /// What of a player stands by itself or as a host.
    pub(crate) fn player(self, player: Player) -> Set<W> {
        Set::of(&self.ground.players[player.index()])
    }

    /// The same of all these players.
    pub(crate) fn players(self, players: PlayerSet) -> Set<W> {
        self.ground.players(players)
    }

    pub(crate) fn occupied(self) -> Set<W> {
        self.ground.players.iter().fold(Set::EMPTY, |set, plane| set | Set::of(plane))
    }

    /// What of a kind stands by itself or as a host.
    pub(crate) fn kind(self, kind: Kind) -> Set<W> {
        Set::of(&self.ground.kinds[kind.index()])
    }

    /// The same of all these kinds.
    pub(crate) fn kinds(self, kinds: &[Kind]) -> Set<W> {
        self.ground.kinds(kinds)
    }

    /// Squares on which there is a guest.
    pub(crate) fn shared(self) -> Set<W> {
        let all =
            |upper: Storey<'a, W>| upper.players.iter().fold(Set::EMPTY, |set, plane| set | Set::of(plane));
        self.upper.map_or(Set::EMPTY, all)
    }

    /// Where guests of these players and kinds stand.
    pub(crate) fn guests(self, players: PlayerSet, kinds: &[Kind]) -> Set<W> {
        self.upper.map_or(Set::EMPTY, |upper| upper.players(players) & upper.kinds(kinds))
    }

    /// Where guests of these players stand.
    pub(crate) fn guests_of(self, players: PlayerSet) -> Set<W> {
        self.upper.map_or(Set::EMPTY, |upper| upper.players(players))
    }

    /// Where guests of these kinds stand, whoever owns them.
    pub(crate) fn all_guests(self, kinds: &[Kind]) -> Set<W> {
        self.upper.map_or(Set::EMPTY, |upper| upper.kinds(kinds))
    }

    /// Guests that have never moved.
    pub(crate) fn unmoved_guests(self) -> Set<W> {
        self.upper.map_or(Set::EMPTY, |upper| Set::of(upper.unmoved))
    }
}
