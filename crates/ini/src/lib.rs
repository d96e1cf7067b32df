//! Variant files of Fairy-Stockfish (`variants.ini`): imports their variants as games, and exports games.
//!
//! - `sections` parses the text and follows inheritance, also to the variants that need no file (`builtin.ini`);
//! - `keys` is the table of keys: what each means, or which mechanic it needs that games cannot express yet;
//! - `variant` holds the rules that the keys describe, and `game` writes them as a game file;
//! - `export` goes the other way.
//!
//! Nothing is dropped silently: every key without an equivalent is listed with its line.
//!
//! ```
//! let file = "[kings:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n";
//! let imported = tabiya_ini::import(file, None).unwrap();
//! assert!(imported.left_out.is_empty());
//! let game = tabiya_spec::load(imported.json.as_bytes()).game.unwrap();
//! assert_eq!(game.rules.perft(&game.rules.start(), 3), 8_902);
//! ```

mod export;
mod game;
mod import;
mod keys;
mod pieces;
mod sections;
mod variant;

pub use export::{Exported, export};
pub use import::{Imported, LeftOut, import, variants};
pub use sections::IniError;
