//! Armies, piece kinds, pawn directions and diagonal systems.

use std::fmt;

use tabiya_engine::Player;

/// An army, in the standard turn order.
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
    /// All armies. Arrays indexed by army use this order.
    pub const ALL: [Army; 4] = [Army::Blue, Army::Red, Army::Black, Army::Yellow];

    /// Returns the index in [`Army::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Returns the other army of its team.
    #[must_use]
    pub fn ally(self) -> Army {
        Army::ALL[(self.index() + 2) % 4]
    }

    /// Returns the engine's player for this army.
    pub fn player(self) -> Player {
        Player(self as u8)
    }

    pub(crate) fn of(player: Player) -> Option<Army> {
        Army::ALL.get(player.index()).copied()
    }

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Army::Blue => "blue",
            Army::Red => "red",
            Army::Black => "black",
            Army::Yellow => "yellow",
        }
    }

    /// Returns the army with this name.
    pub fn named(name: &str) -> Option<Army> {
        Army::ALL.into_iter().find(|army| army.name() == name)
    }
}

impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of piece. A pawn also has a patron, the kind it is promoted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PieceKind {
    /// King.
    King,
    /// Queen, which jumps two squares.
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

    /// The kinds that can be the patron of a pawn.
    pub const PATRONS: [PieceKind; 4] =
        [PieceKind::Queen, PieceKind::Bishop, PieceKind::Knight, PieceKind::Rook];

    /// Returns the name in lower case.
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

    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<PieceKind> {
        PieceKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the letter in move text.
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

/// The direction in which an army's pawns move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Up the board, towards rank 8.
    North,
    /// Down the board, towards rank 1.
    South,
    /// To the right, towards the h-file.
    East,
    /// To the left, towards the a-file.
    West,
}

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::South, Direction::East, Direction::West];

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Direction::North => "north",
            Direction::South => "south",
            Direction::East => "east",
            Direction::West => "west",
        }
    }

    /// Returns the word for it in game files.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Direction::North => "UP",
            Direction::South => "DOWN",
            Direction::East => "RIGHT",
            Direction::West => "LEFT",
        }
    }

    /// Returns the last line in that direction as a bitboard; a1 is bit 0.
    pub const fn last_line(self) -> u64 {
        match self {
            Direction::North => 0xff << 56,
            Direction::South => 0xff,
            Direction::East => 0x8080_8080_8080_8080,
            Direction::West => 0x0101_0101_0101_0101,
        }
    }

    /// Returns the name of that line.
    pub fn line_name(self) -> &'static str {
        match self {
            Direction::North => "rank 8",
            Direction::South => "rank 1",
            Direction::East => "file h",
            Direction::West => "file a",
        }
    }
}

/// A diagonal system (network): the squares of one colour. A bishop or queen never leaves its system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagonalSystem {
    /// Aries.
    Aries,
    /// Cancer.
    Cancer,
}

impl DiagonalSystem {
    /// Both systems.
    pub const ALL: [DiagonalSystem; 2] = [DiagonalSystem::Aries, DiagonalSystem::Cancer];

    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            DiagonalSystem::Aries => "aries",
            DiagonalSystem::Cancer => "cancer",
        }
    }

    /// Returns its squares as a bitboard; a1 is bit 0.
    pub const fn squares(self) -> u64 {
        match self {
            DiagonalSystem::Aries => 0x55aa_55aa_55aa_55aa,
            DiagonalSystem::Cancer => 0xaa55_aa55_aa55_aa55,
        }
    }

    /// Returns the system of a square.
    pub fn of(square: u8) -> DiagonalSystem {
        if DiagonalSystem::Aries.squares() >> square & 1 == 1 {
            DiagonalSystem::Aries
        } else {
            DiagonalSystem::Cancer
        }
    }
}
