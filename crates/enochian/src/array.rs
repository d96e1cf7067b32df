//! Arrays: starting positions with turn order and thrones.

use std::sync::LazyLock;

use crate::army::{Army, DiagonalSystem, Direction, PieceKind};
use crate::yaml::read_arrays;

/// The throne squares of the rules document by army, the main one first.
pub const DEFAULT_THRONE_SQUARES: [[u8; 2]; 4] = [[3, 4], [60, 59], [32, 24], [31, 39]];

/// The pawn directions of the rules document, by army.
pub const DEFAULT_PAWN_DIRECTIONS: [Direction; 4] =
    [Direction::North, Direction::West, Direction::South, Direction::East];

/// The promotion zones of the rules document as bitboards, by army.
pub const DEFAULT_PROMOTION_ZONES: [u64; 4] = [
    DEFAULT_PAWN_DIRECTIONS[0].last_line(),
    DEFAULT_PAWN_DIRECTIONS[1].last_line(),
    DEFAULT_PAWN_DIRECTIONS[2].last_line(),
    DEFAULT_PAWN_DIRECTIONS[3].last_line(),
];

/// A piece in the starting position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The square; a1 is 0, b1 is 1.
    pub square: u8,
    /// The army.
    pub army: Army,
    /// The kind.
    pub kind: PieceKind,
    /// The patron of a pawn, the kind it is promoted to.
    pub patron: Option<PieceKind>,
    /// The diagonal system of a bishop or queen.
    pub diagonal_system: Option<DiagonalSystem>,
}

/// An array: a starting position with its turn order and thrones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraySpec {
    /// The name.
    pub name: String,
    /// A one-sentence description.
    pub about: String,
    /// The source.
    pub source: String,
    /// The turn order.
    pub turn_order: [Army; 4],
    /// The turn order under the historical rules, if it differs.
    pub historical_order: Option<[Army; 4]>,
    /// The armies of each person: one army, or two allied ones. By default there are four persons.
    pub controller_map: Vec<Vec<Army>>,
    /// The throne squares by army, the main one first.
    pub throne_squares: [Vec<u8>; 4],
    /// The pawn direction by army.
    pub pawn_directions: [Direction; 4],
    /// The last line of each army's pawns, as bitboards by army.
    pub promotion_zones: [u64; 4],
    /// The piece that shares the throne with the king at the start.
    pub first_sharer: Option<PieceKind>,
    /// The army of the setting's element, which is the querent's in a divination.
    pub prime_player: Option<Army>,
    /// The pieces.
    pub piece_placements: Vec<Placement>,
}

const YAML: &str = include_str!("../docs/enochian-rules.yaml");

static ARRAYS: LazyLock<Vec<ArraySpec>> = LazyLock::new(|| {
    let mut arrays = read_arrays(YAML).unwrap_or_else(|error| panic!("docs/enochian-rules.yaml: {error}"));
    let reversed: Vec<ArraySpec> =
        arrays.iter().filter(|array| array.is_historical()).map(ArraySpec::widdershins).collect();
    arrays.extend(reversed);
    arrays
});

/// The prototype of the Tablet of Fire, the starting position of [`crate::Game::default`].
pub static TABLET_OF_FIRE_PROTOTYPE: LazyLock<&'static ArraySpec> = LazyLock::new(|| &ARRAYS[0]);

impl ArraySpec {
    /// Returns the array with its turns in reverse order. The same army moves first.
    #[must_use]
    pub fn widdershins(&self) -> ArraySpec {
        let mut reversed = self.clone();
        reversed.name = format!("{}, widdershins", self.name);
        reversed.about = format!("{} Widdershins.", self.about);
        reversed.turn_order[1..].reverse();
        reversed
    }

    /// Returns whether the array is one of the sixteen that are named after a setting and a board, such as Fire of Water.
    fn is_historical(&self) -> bool {
        self.name.contains(" of ") && !self.name.starts_with("Tablet")
    }

    /// Returns the turn order of a historical divination, which starts with the army of the setting.
    pub fn divination_order(&self) -> [Army; 4] {
        let mut order = self.turn_order;
        let first = self.prime_player.and_then(|prime| order.iter().position(|army| *army == prime));
        order.rotate_left(first.unwrap_or(0));
        order
    }
}

/// Returns the built-in arrays: the prototype, the other tablets, the sixteen historical ones, and these again with turns
/// in reverse order (widdershins).
pub fn available_arrays() -> &'static [ArraySpec] {
    &ARRAYS
}

/// Returns the built-in array with this name, ignoring case.
///
/// # Examples
///
/// ```
/// let array = tabiya_enochian::find_array_by_name("fire of fire").unwrap();
/// assert_eq!(array.piece_placements.len(), 36);
/// ```
pub fn find_array_by_name(name: &str) -> Option<&'static ArraySpec> {
    ARRAYS.iter().find(|array| array.name.eq_ignore_ascii_case(name.trim()))
}
