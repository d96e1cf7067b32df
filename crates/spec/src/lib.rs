//! A game is one JSON file. This room reads it, reports every fault at its place, and compiles it for the engine.

mod check;
pub mod choices;
pub mod code;
mod compile;
pub mod diagnostic;
mod english;
mod explain;
mod game;
pub mod library;
pub mod limits;
mod load;
pub mod model;
mod origin;
mod parse;
pub mod place;
mod read;
#[cfg(feature = "schema")]
mod schema;

pub use choices::{Choices, Offer};
pub use english::english;
pub use explain::explain;
pub use game::{ContentHash, Game};
pub use load::{Loaded, check_all, load, load_with};
pub use read::{Anything, List, Named};
#[cfg(feature = "schema")]
pub use schema::schema;

/// A larger file is refused: 16 MiB, hundreds of times the largest game we know.
pub const MAX_BYTES: usize = 16 << 20;
