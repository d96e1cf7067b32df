//! Positions as planes of numbers and moves as action indices, for learning programs.
//!
//! An [`Encoding`] belongs to the rules of one game. There are two, and a change of meaning would change the name:
//! `canonical18` is the (8, 8, 18) tensor of chess with AlphaZero's 8×8×73 actions; `planes1` follows from the rules and
//! exists for every game and any number of players. Both show the board from the point of view of one player.
//! `docs/tensors.md` draws every plane.
//!
//! All output goes to the caller's memory; encoding a position allocates nothing.
//!
//! ```
//! use tabiya_engine::Tally;
//! use tabiya_tensor::{Encoding, PositionView};
//!
//! let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let encoding = Encoding::canonical18(&rules).unwrap();
//! let start = rules.start();
//! let moves = rules.legal_moves(&start);
//! let view = PositionView { position: &start, tally: Tally::new(1, 0), moves: &moves };
//! let mut planes = vec![0.0; encoding.len()];
//! encoding.write(&rules, &view, rules.mover(&start), &mut planes);
//! let at = |row: usize, column: usize, plane: usize| planes[(row * 8 + column) * 18 + plane];
//! assert_eq!([at(7, 4, 5), at(0, 4, 11), at(6, 0, 0)], [1.0; 3], "both kings, and a pawn on a2");
//!
//! let e4 = tabiya_notation::parse_uci(&rules, &start, "e2e4").unwrap();
//! assert_eq!(encoding.action(&rules, &start, e4), 3797);
//! ```

mod background;
mod canonical18;
mod encoding;
mod hands;
mod move_types;
mod planes1;
mod policy73;

pub use canonical18::{Compact, CompactError, expand};
pub use encoding::{Encoding, Plane, PositionView, UnsupportedGame};
pub use planes1::turn_order_from;
