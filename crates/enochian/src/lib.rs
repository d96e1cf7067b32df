//! Enochian chess by its own names: armies, thrones, arrays. A thin layer: the rules are `games/enochian.json`, and the
//! engine that plays chess plays them; the arrays are `docs/enochian-rules.yaml`.
//!
//! ```
//! use tabiya_enochian::{Army, Game, RuleSet, find_array_by_name};
//!
//! // All 64 squares of the prototype are full: Blue and Red are shut in, and Black begins.
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
mod frame;
mod game;
mod layout;
mod read;

pub use army::{Army, Heading, Network, PieceKind};
pub use array::{
    ArraySpec, DEFAULT_PROMOTION_ZONES, Placement, TABLET_OF_FIRE_PROTOTYPE, available_arrays,
    find_array_by_name,
};
pub use check::Fault;
pub use game::{Game, GameError, RuleSet, Status};
pub use read::{Faulty, read_arrays};

#[doc(hidden)]
pub use layout::layout_json;
