//! The four armies, their men, and the ways they march.

use std::fmt;

use tabiya_engine::Player;

/// An army, in the order of the canonical turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Army {
    /// Blue, of the team of Air.
    Blue,
    /// Red, of the team of Earth.
    Red,
    /// Black, of the team of Air.
    Black,
    /// Yellow, of the team of Earth.
    Yellow,
}

impl Army {
    /// All armies; whatever is listed by army is in this order.
    pub const ALL: [Army; 4] = [Army::Blue, Army::Red, Army::Black, Army::Yellow];

    /// Its place in [`Army::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// The army on its side.
    #[must_use]
    pub fn ally(self) -> Army {
        Army::ALL[(self.index() + 2) % 4]
    }

    /// The same army for the engine.
    pub fn player(self) -> Player {
        Player(self as u8)
    }

    pub(crate) fn of(player: Player) -> Option<Army> {
        Army::ALL.get(player.index()).copied()
    }

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Army::Blue => "blue",
            Army::Red => "red",
            Army::Black => "black",
            Army::Yellow => "yellow",
        }
    }

    /// The army of that name.
    pub fn named(name: &str) -> Option<Army> {
        Army::ALL.into_iter().find(|army| army.name() == name)
    }
}

impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of man. A pawn has a patron, what it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceKind {
    /// King.
    King,
    /// Queen: leaps two squares.
    Queen,
    /// Bishop.
    Bishop,
    /// Knight.
    Knight,
    /// Rook.
    Rook,
    /// Pawn.
    Pawn,
}

impl PieceKind {
    /// All kinds.
    pub const ALL: [PieceKind; 6] = [
        PieceKind::King,
        PieceKind::Queen,
        PieceKind::Bishop,
        PieceKind::Knight,
        PieceKind::Rook,
        PieceKind::Pawn,
    ];

    /// Those that a pawn may have as its patron.
    pub const PATRONS: [PieceKind; 4] =
        [PieceKind::Queen, PieceKind::Bishop, PieceKind::Knight, PieceKind::Rook];

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            PieceKind::King => "king",
            PieceKind::Queen => "queen",
            PieceKind::Bishop => "bishop",
            PieceKind::Knight => "knight",
            PieceKind::Rook => "rook",
            PieceKind::Pawn => "pawn",
        }
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its letter in moves.
    pub fn letter(self) -> char {
        match self {
            PieceKind::King => 'K',
            PieceKind::Queen => 'Q',
            PieceKind::Bishop => 'B',
            PieceKind::Knight => 'N',
            PieceKind::Rook => 'R',
            PieceKind::Pawn => 'P',
        }
    }
}

/// Where pawns march.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heading {
    /// Up the board.
    North,
    /// Down.
    South,
    /// To the right.
    East,
    /// To the left.
    West,
}

impl Heading {
    /// All of them.
    pub const ALL: [Heading; 4] = [Heading::North, Heading::South, Heading::East, Heading::West];

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Heading::North => "north",
            Heading::South => "south",
            Heading::East => "east",
            Heading::West => "west",
        }
    }

    /// The word that game files have for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Heading::North => "UP",
            Heading::South => "DOWN",
            Heading::East => "RIGHT",
            Heading::West => "LEFT",
        }
    }

    /// The last line in that direction, as bits; a1 is bit 0.
    pub const fn last_line(self) -> u64 {
        match self {
            Heading::North => 0xff << 56,
            Heading::South => 0xff,
            Heading::East => 0x8080_8080_8080_8080,
            Heading::West => 0x0101_0101_0101_0101,
        }
    }

    /// How that line is called.
    pub fn line_name(self) -> &'static str {
        match self {
            Heading::North => "rank 8",
            Heading::South => "rank 1",
            Heading::East => "file h",
            Heading::West => "file a",
        }
    }
}

/// A network of diagonals; a bishop or queen belongs to one for life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Network {
    /// Aries.
    Aries,
    /// Cancer.
    Cancer,
}

impl Network {
    /// Both.
    pub const ALL: [Network; 2] = [Network::Aries, Network::Cancer];

    /// Its name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Network::Aries => "aries",
            Network::Cancer => "cancer",
        }
    }

    /// Its squares.
    pub const fn squares(self) -> u64 {
        match self {
            Network::Aries => 0x55aa_55aa_55aa_55aa,
            Network::Cancer => 0xaa55_aa55_aa55_aa55,
        }
    }

    /// The network of a square.
    pub fn of(square: u8) -> Network {
        if Network::Aries.squares() >> square & 1 == 1 { Network::Aries } else { Network::Cancer }
    }
}
