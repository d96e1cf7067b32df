//! Enochian chess under its own names: armies, thrones, arrays.
//!
//! This is a thin typed layer. The rules are in `games/enochian.json` and are played by the general engine. The arrays
//! (starting positions) come from `docs/enochian-rules.yaml`; [`read_arrays`] reads files of the same format.
//!
//! # Examples
//!
//! ```
//! use tabiya_enochian::{Army, Game, RuleSet, find_array_by_name};
//!
//! // The prototype fills all 64 squares. Blue and Red cannot move, so Black moves first.
//! let game = Game::default();
//! assert_eq!(game.army_to_move(), Some(Army::Black));
//!
//! let array = find_array_by_name("Fire of Fire").unwrap();
//! let mut game = Game::with_rules(array, RuleSet::Zalewski, &[]).unwrap();
//! assert_eq!(game.army_to_move(), Some(Army::Red));
//! let first = game.legal_moves()[0];
//! let text = game.move_text(first);
//! game.play(&text).unwrap();
//! assert_eq!(game.army_to_move(), Some(Army::Black));
//! ```

mod army;
mod array;
mod check;
mod game;
mod header;
mod layout;
mod problems;
mod yaml;

pub use army::{Army, DiagonalSystem, Direction, PieceKind};
pub use array::{
    ArraySpec, DEFAULT_PAWN_DIRECTIONS, DEFAULT_PROMOTION_ZONES, DEFAULT_THRONE_SQUARES, Placement,
    TABLET_OF_FIRE_PROTOTYPE, available_arrays, find_array_by_name,
};
pub use check::ArrayError;
pub use game::{Game, GameError, RuleSet, Status};
pub use yaml::{ReadArraysError, read_arrays};

#[doc(hidden)]
pub use layout::layout_json;
