//! A game is one JSON file. This room reads it, reports every fault at its place, and compiles it for the engine.

mod check;
pub mod code;
mod compile;
pub mod diagnostic;
mod english;
mod explain;
mod game;
pub mod library;
pub mod limits;
pub mod model;
mod parse;
pub mod place;
mod read;
mod schema;

pub use english::english;
pub use explain::explain;
pub use game::{ContentHash, Game, Loaded, load};
pub use read::{Anything, List, Named};
pub use schema::schema;

use diagnostic::{Diagnostic, Faults};
use model::GameSpec;

/// A larger file is refused: 16 MiB, hundreds of times the largest game we know.
pub const MAX_BYTES: usize = 16 << 20;

/// What became of a file: its faults, and the spec if there is no error among them.
#[derive(Debug)]
pub struct Checked {
    /// Every fault, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more there were than are kept.
    pub left_out: usize,
    /// The game, if it can be played (warnings may remain).
    pub spec: Option<GameSpec>,
}

impl Checked {
    /// Whether the game can be played.
    pub fn is_playable(&self) -> bool {
        self.spec.is_some()
    }
}

/// Reads and checks a file, from bytes to meaning, and reports every fault at once.
pub fn check(bytes: &[u8]) -> Checked {
    let text = match parse::decode(bytes) {
        Ok(text) => text,
        Err(faults) => {
            let (diagnostics, left_out) = faults.finish();
            return Checked { diagnostics, left_out, spec: None };
        }
    };
    let mut faults = Faults::new(text).after(bytes.len() - text.len());
    let spec = parse::parse(text, &mut faults);
    if let Some(spec) = &spec {
        check::check(spec, &mut faults);
    }
    let playable = !faults.any_error();
    let (diagnostics, left_out) = faults.finish();
    Checked { diagnostics, left_out, spec: spec.filter(|_| playable).map(place::At::into_inner) }
}
