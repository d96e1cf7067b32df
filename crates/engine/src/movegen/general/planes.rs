//! The bit planes of a position as bitboards.

use crate::movegen::general::bitboard::Bitboard;
use crate::piece::{Kind, Player, PlayerSet};

/// The planes of a position: unmoved pieces, one plane per player and one per kind; and the same for guests, if
/// squares can be shared.
#[derive(Clone, Copy)]
pub(crate) struct Planes<'a, const W: usize> {
    lower: Layer<'a, W>,
    upper: Option<Layer<'a, W>>,
}

#[derive(Clone, Copy)]
struct Layer<'a, const W: usize> {
    unmoved: &'a [u64; W],
    players: &'a [[u64; W]],
    kinds: &'a [[u64; W]],
}

impl<'a, const W: usize> Layer<'a, W> {
    fn new(words: &'a [u64], (players, kinds): (usize, usize)) -> Option<Self> {
        let (planes, _) = words.as_chunks();
        let (unmoved, rest) = planes.split_first()?;
        let (players, rest) = rest.split_at_checked(players)?;
        let (kinds, _) = rest.split_at_checked(kinds)?;
        Some(Layer { unmoved, players, kinds })
    }

    fn players(self, players: PlayerSet) -> Bitboard<W> {
        players.iter().fold(Bitboard::EMPTY, |set, player| set | Bitboard::of(&self.players[player.index()]))
    }

    fn kinds(self, kinds: &[Kind]) -> Bitboard<W> {
        kinds.iter().fold(Bitboard::EMPTY, |set, kind| set | Bitboard::of(&self.kinds[kind.index()]))
    }
}

impl<'a, const W: usize> Planes<'a, W> {
    /// Returns the planes of a position with these numbers of players and kinds, or `None` if it does not have this
    /// width.
    pub(crate) fn new(words: &'a [u64], upper: Option<&'a [u64]>, counts: (usize, usize)) -> Option<Self> {
        let upper = match upper {
            Some(words) => Some(Layer::new(words, counts)?),
            None => None,
        };
        Some(Planes { lower: Layer::new(words, counts)?, upper })
    }

    pub(crate) fn unmoved(self) -> Bitboard<W> {
        Bitboard::of(self.lower.unmoved)
    }

    /// Returns a player's pieces, except guests.
    pub(crate) fn player(self, player: Player) -> Bitboard<W> {
        Bitboard::of(&self.lower.players[player.index()])
    }

    /// Returns the pieces of these players, except guests.
    pub(crate) fn players(self, players: PlayerSet) -> Bitboard<W> {
        self.lower.players(players)
    }

    pub(crate) fn occupied(self) -> Bitboard<W> {
        self.lower.players.iter().fold(Bitboard::EMPTY, |set, plane| set | Bitboard::of(plane))
    }

    /// Returns the pieces of a kind, except guests.
    pub(crate) fn kind(self, kind: Kind) -> Bitboard<W> {
        Bitboard::of(&self.lower.kinds[kind.index()])
    }

    /// Returns the pieces of these kinds, except guests.
    pub(crate) fn kinds(self, kinds: &[Kind]) -> Bitboard<W> {
        self.lower.kinds(kinds)
    }

    /// Returns the squares with a guest.
    pub(crate) fn shared(self) -> Bitboard<W> {
        let all = |upper: Layer<'a, W>| {
            upper.players.iter().fold(Bitboard::EMPTY, |set, plane| set | Bitboard::of(plane))
        };
        self.upper.map_or(Bitboard::EMPTY, all)
    }

    /// Returns the guests of these players and kinds.
    pub(crate) fn guests(self, players: PlayerSet, kinds: &[Kind]) -> Bitboard<W> {
        self.upper.map_or(Bitboard::EMPTY, |upper| upper.players(players) & upper.kinds(kinds))
    }

    /// Returns the guests of these players.
    pub(crate) fn guests_of(self, players: PlayerSet) -> Bitboard<W> {
        self.upper.map_or(Bitboard::EMPTY, |upper| upper.players(players))
    }

    /// Returns the guests of these kinds.
    pub(crate) fn all_guests(self, kinds: &[Kind]) -> Bitboard<W> {
        self.upper.map_or(Bitboard::EMPTY, |upper| upper.kinds(kinds))
    }

    /// Returns the unmoved guests.
    pub(crate) fn unmoved_guests(self) -> Bitboard<W> {
        self.upper.map_or(Bitboard::EMPTY, |upper| Bitboard::of(upper.unmoved))
    }
}
