//! Armies, piece kinds, pawn directions and diagonal systems.

use std::fmt;

use tabiya_engine::Player;

/// Defines an enum whose values have lower-case names.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $count:literal { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $type {
            $($(#[$variant_doc])* $variant,)*
        }

        impl $type {
            /// All values, in order.
            pub const ALL: [$type; $count] = [$($type::$variant),*];

            /// Returns the name in lower case.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)* }
            }

            /// Returns the value with this name.
            pub fn named(name: &str) -> Option<$type> {
                $type::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
}

named! {
    /// An army, in the standard turn order. Arrays indexed by army use this order.
    Army, 4 {
        /// Blue, of the team of Air.
        Blue = "blue",
        /// Red, of the team of Earth.
        Red = "red",
        /// Black, of the team of Air.
        Black = "black",
        /// Yellow, of the team of Earth.
        Yellow = "yellow",
    }
}

impl Army {
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
}

impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

named! {
    /// A kind of piece. A pawn also has a patron, the kind it is promoted to.
    PieceKind, 6 {
        /// King.
        King = "king",
        /// Queen, which jumps two squares.
        Queen = "queen",
        /// Bishop.
        Bishop = "bishop",
        /// Knight.
        Knight = "knight",
        /// Rook.
        Rook = "rook",
        /// Pawn.
        Pawn = "pawn",
    }
}

impl PieceKind {
    /// The kinds that can be the patron of a pawn.
    pub const PATRONS: [PieceKind; 4] =
        [PieceKind::Queen, PieceKind::Bishop, PieceKind::Knight, PieceKind::Rook];

    /// Returns whether pieces of this kind belong to a diagonal system.
    pub fn has_diagonal_system(self) -> bool {
        matches!(self, PieceKind::Bishop | PieceKind::Queen)
    }

    /// Returns the letter in move text.
    pub fn letter(self) -> char {
        ['K', 'Q', 'B', 'N', 'R', 'P'][self as usize]
    }
}

named! {
    /// The direction in which an army's pawns move.
    Direction, 4 {
        /// Up the board, towards rank 8.
        North = "north",
        /// Down the board, towards rank 1.
        South = "south",
        /// To the right, towards the h-file.
        East = "east",
        /// To the left, towards the a-file.
        West = "west",
    }
}

impl Direction {
    /// Returns the word for it in game files, and the last line: its squares and its name.
    const fn row(self) -> (&'static str, u64, &'static str) {
        match self {
            Direction::North => ("UP", 0xff << 56, "rank 8"),
            Direction::South => ("DOWN", 0xff, "rank 1"),
            Direction::East => ("RIGHT", 0x8080_8080_8080_8080, "file h"),
            Direction::West => ("LEFT", 0x0101_0101_0101_0101, "file a"),
        }
    }

    /// Returns the word for it in game files.
    pub(crate) fn word(self) -> &'static str {
        self.row().0
    }

    /// Returns the last line in that direction as a bitboard; a1 is bit 0.
    pub const fn last_line(self) -> u64 {
        self.row().1
    }

    /// Returns the name of that line.
    pub fn line_name(self) -> &'static str {
        self.row().2
    }
}

named! {
    /// A diagonal system (network): the squares of one colour. A bishop or queen never leaves its system. The names are
    /// those of the rules document; the historical rules use them the other way round.
    DiagonalSystem, 2 {
        /// Aries.
        Aries = "aries",
        /// Cancer.
        Cancer = "cancer",
    }
}

impl DiagonalSystem {
    /// Returns its squares as a bitboard; a1 is bit 0.
    pub const fn squares(self) -> u64 {
        match self {
            DiagonalSystem::Aries => 0x55aa_55aa_55aa_55aa,
            DiagonalSystem::Cancer => 0xaa55_aa55_aa55_aa55,
        }
    }

    /// Returns the system of a square from 0 (a1) to 63 (h8).
    pub fn of(square: u8) -> DiagonalSystem {
        if DiagonalSystem::Aries.squares() >> (square % 64) & 1 == 1 {
            DiagonalSystem::Aries
        } else {
            DiagonalSystem::Cancer
        }
    }
}
