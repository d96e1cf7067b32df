//! Players, kinds of pieces, flags and sets of players.

/// A player: an index into the list of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

/// A kind of piece: an index into the list of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u8);

/// A flag that pieces can carry: an index into the list of flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flag(pub u8);

macro_rules! index {
    ($($type:ident)*) => {
        $(impl $type {
            /// Returns the index, for tables.
            #[inline]
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        })*
    };
}

index!(Player Kind Flag);

impl Flag {
    /// The flag of pieces that were captured in an unfinished turn and leave the board at its end. No game declares it.
    pub(crate) const TAKEN: Flag = Flag(u8::MAX);
}

/// A piece on the board, without its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The owner.
    pub player: Player,
    /// The kind.
    pub kind: Kind,
    /// Whether the piece has never moved.
    pub unmoved: bool,
}

/// A set of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlayerSet(u64);

impl PlayerSet {
    /// The maximum number of players.
    pub const MAX_PLAYERS: usize = 64;

    /// The empty set.
    pub const EMPTY: PlayerSet = PlayerSet(0);

    /// Returns whether the player is in the set.
    #[inline]
    pub fn contains(self, player: Player) -> bool {
        self.0 >> player.0 & 1 == 1
    }

    /// Returns the set with the player added.
    #[must_use]
    #[inline]
    pub fn with(self, player: Player) -> Self {
        PlayerSet(self.0 | 1 << player.0)
    }

    /// Returns the players of this set that are not in the other.
    #[must_use]
    #[inline]
    pub fn without(self, others: PlayerSet) -> Self {
        PlayerSet(self.0 & !others.0)
    }

    /// Returns the players that are in either set.
    #[must_use]
    #[inline]
    pub fn union(self, others: PlayerSet) -> Self {
        PlayerSet(self.0 | others.0)
    }

    /// Returns the number of players.
    #[inline]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the players in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Player> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let player = (rest != 0).then(|| Player(rest.trailing_zeros() as u8))?;
            rest &= rest - 1;
            Some(player)
        })
    }

    /// Returns the players that are in both sets.
    #[must_use]
    #[inline]
    pub fn intersection(self, others: PlayerSet) -> Self {
        PlayerSet(self.0 & others.0)
    }

    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn from_bits(bits: u64) -> Self {
        PlayerSet(bits)
    }
}

impl FromIterator<Player> for PlayerSet {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Self {
        players.into_iter().fold(PlayerSet::EMPTY, PlayerSet::with)
    }
}
