//! Positions as planes of numbers and moves as indices: what learning programs see of a game.
//!
//! An [`Encoding`] belongs to the rules of one game. There are two, each with a name that changes if ever its meaning does:
//! `canonical18` is the (8, 8, 18) tensor of chess with AlphaZero's 8×8×73 actions; `planes1` is derived from the rules and
//! exists for every game and any number of players. Both are seen from the side of whoever moves. `docs/tensors.md` draws
//! every plane.
//!
//! Everything is written into memory of the caller; nothing is allocated for a position.
//!
//! ```
//! use tabiya_engine::Tally;
//! use tabiya_tensor::{Encoding, Sight};
//!
//! let rules = tabiya_spec::library::load("chess").unwrap().rules;
//! let encoding = Encoding::canonical18(&rules).unwrap();
//! let start = rules.start();
//! let moves = rules.legal_moves(&start);
//! let sight = Sight { position: &start, tally: Tally { repetitions: 1, quiet: 0 }, moves: &moves };
//! let mut planes = vec![0.0; encoding.len()];
//! encoding.write(&rules, &sight, rules.mover(&start), &mut planes);
//! let at = |row: usize, column: usize, plane: usize| planes[(row * 8 + column) * 18 + plane];
//! assert_eq!([at(7, 4, 5), at(0, 4, 11), at(6, 0, 0)], [1.0; 3], "both kings, and a pawn on a2");
//!
//! let e4 = tabiya_notation::parse_move(&rules, &start, "e2e4").unwrap();
//! assert_eq!(encoding.action(&rules, &start, e4), 3797);
//! ```

mod canonical;
mod derived;
mod encoding;
mod factored;
mod paint;
mod perspective;
mod policy73;

pub use canonical::{Compact, CompactError, expand};
pub use derived::ring;
pub use encoding::{Encoding, Plane, Sight, Unfit};
