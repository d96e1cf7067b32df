//! Chess-family games as JSON: reads a game file, reports every problem, and compiles the game for the engine.
//!
//! - [`library::load`] loads a game that ships with Tabiya.
//! - [`load`] reads the bytes of any game file. Reading never stops at the first problem: [`Loaded`] holds all
//!   [diagnostics](diagnostic::Diagnostic) and, if none of them is an error, the [`Game`].
//! - [`load_with`] does the same with [`Choices`] among the layouts, presets and options that the file offers;
//!   [`check_all`] checks every such choice.
//! - [`editing`] completes, explains and finds words while a file is being written; [`move_drawing`] draws moves as text.
//! - [`english()`] writes the rules of a game as English text, [`explain()`] describes a diagnostic code, and
//!   `schema()` (feature `schema`) returns the JSON Schema of the format.
//!
//! ```
//! let text = br#"{ "name": "Nothing", "bord": {} }"#;
//! for diagnostic in tabiya_spec::load(text).diagnostics {
//!     println!("{}: {} ({})", diagnostic.line, diagnostic.message, diagnostic.code);
//! }
//! ```
//!
//! `docs/game-format.md` describes the format, `docs/diagnostics.md` every diagnostic.

mod betza_sample;
mod canonical;
mod check;
pub mod choices;
pub mod code;
mod compile;
pub mod diagnostic;
pub mod editing;
mod english;
mod explain;
mod format;
mod game;
mod letters;
pub mod library;
pub mod limits;
mod load;
pub mod model;
pub mod move_drawing;
mod parse;
pub mod place;
mod pointer;
mod read;
#[cfg(feature = "schema")]
mod schema;
mod short;
pub mod suggest;
mod variant;
mod workload;

pub use betza_sample::{BetzaSample, betza_sample};
pub use choices::{AvailableChoices, Choices};
pub use english::{english, english_piece, english_squares};
pub use explain::explain;
pub use format::{betza_words, format, lay_out};
pub use game::{ContentHash, Game};
pub use load::{Loaded, Loader, check_all, expand, load, load_with};
pub use read::{AnyJson, List, Named};
#[cfg(feature = "schema")]
pub use schema::schema;
pub use short::{ReadParent, betza};
pub use workload::Workload;

/// The largest file that is read: 16 MiB, hundreds of times the size of any known game.
pub const MAX_BYTES: usize = 16 << 20;
