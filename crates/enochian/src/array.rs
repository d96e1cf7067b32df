//! Arrays: how the men stand at the start, who begins, where the thrones are.

use std::sync::LazyLock;

use crate::army::{Army, Heading, Network, PieceKind};
use crate::read::read_arrays;

/// The promotion zones of the armies as the rules document has them, by army.
pub const DEFAULT_PROMOTION_ZONES: [u64; 4] = [
    Heading::North.last_line(),
    Heading::West.last_line(),
    Heading::South.last_line(),
    Heading::East.last_line(),
];

/// A man at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The square; a1 is 0, b1 is 1.
    pub square: u8,
    /// Whose it is.
    pub army: Army,
    /// What it is.
    pub kind: PieceKind,
    /// Of a pawn: what it becomes.
    pub patron: Option<PieceKind>,
    /// Of a bishop or queen: the network to which it belongs.
    pub diagonal_system: Option<Network>,
}

/// An array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraySpec {
    /// Its name.
    pub name: String,
    /// A sentence about it.
    pub about: String,
    /// Where it comes from.
    pub source: String,
    /// Who moves when.
    pub turn_order: [Army; 4],
    /// Who moves when by the historical rules, if that is something else.
    pub historical_order: Option<[Army; 4]>,
    /// By player, from the first on: the armies that he controls, with four players.
    pub controller_map: Vec<Vec<Army>>,
    /// By army, the first one first.
    pub throne_squares: [Vec<u8>; 4],
    /// By army.
    pub pawn_directions: [Heading; 4],
    /// By army, as bits: the last line in the direction of its pawns.
    pub promotion_zones: [u64; 4],
    /// The man that shares the throne with the king at the start.
    pub first_sharer: Option<PieceKind>,
    /// The army of the setting's element: the querent of a divination.
    pub prime_player: Option<Army>,
    /// The men.
    pub piece_placements: Vec<Placement>,
}

const YAML: &str = include_str!("../docs/enochian-rules.yaml");

static ARRAYS: LazyLock<Vec<ArraySpec>> = LazyLock::new(|| {
    read_arrays(YAML).unwrap_or_else(|faults| panic!("the arrays that come along: {faults}"))
});

/// The prototype of the Tablet of Fire, which [`crate::Game::default`] begins with.
pub static TABLET_OF_FIRE_PROTOTYPE: LazyLock<&'static ArraySpec> = LazyLock::new(|| &ARRAYS[0]);

impl ArraySpec {
    /// Who moves when in a historical divination: the same round, from the army of the setting on.
    pub fn divination_order(&self) -> [Army; 4] {
        let mut order = self.turn_order;
        let first = self.prime_player.and_then(|prime| order.iter().position(|army| *army == prime));
        order.rotate_left(first.unwrap_or(0));
        order
    }
}

/// Every array that comes along: the prototype, the tablets of the rules document, the sixteen historical ones.
pub fn available_arrays() -> &'static [ArraySpec] {
    &ARRAYS
}

/// The array of that name, in whatever case.
pub fn find_array_by_name(name: &str) -> Option<&'static ArraySpec> {
    ARRAYS.iter().find(|array| array.name.eq_ignore_ascii_case(name.trim()))
}
