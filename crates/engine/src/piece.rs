//! Who owns what: players, kinds of pieces, flags.

/// A player, by its place in the list of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

/// A kind of piece, by its place in the list of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Kind(pub u8);

/// A flag that pieces may carry, by its place in the list of flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flag(pub u8);

impl Player {
    /// The index, for tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Kind {
    /// The index, for tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Flag {
    /// The index, for tables.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A piece on the board, without its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub player: Player,
    /// What it is.
    pub kind: Kind,
    /// Whether it has never moved.
    pub unmoved: bool,
}

/// A set of players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlayerSet(u64);

impl PlayerSet {
    /// The most players of one game.
    pub const MAX_PLAYERS: usize = 64;

    /// Nobody.
    pub const EMPTY: PlayerSet = PlayerSet(0);

    /// Whether the player is in it.
    pub fn contains(self, player: Player) -> bool {
        self.0 >> player.0 & 1 == 1
    }

    /// The set with the player.
    #[must_use]
    pub fn with(self, player: Player) -> Self {
        PlayerSet(self.0 | 1 << player.0)
    }

    /// Those who are in this set and not in the other.
    #[must_use]
    pub fn without(self, others: PlayerSet) -> Self {
        PlayerSet(self.0 & !others.0)
    }

    /// Those who are in either set.
    #[must_use]
    pub fn union(self, others: PlayerSet) -> Self {
        PlayerSet(self.0 | others.0)
    }

    /// How many.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether nobody is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The players in order.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let player = (rest != 0).then(|| Player(rest.trailing_zeros() as u8))?;
            rest &= rest - 1;
            Some(player)
        })
    }

    /// Those who are in both sets.
    #[must_use]
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
