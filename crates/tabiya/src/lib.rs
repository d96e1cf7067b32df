//! Chess-family games as data: a game is one JSON file, and the same engine plays all of them.
//!
//! This crate re-exports the library crates under one name. The common types are at the root; everything else is in a
//! module per crate. The program `tabiya` (command line, web server) is the package `tabiya-cli`.
//!
//! # Play
//!
//! A [`Game`] is loaded from the [`library`] or from a file. Its [`Rules`] make positions, list legal moves and decide
//! outcomes. [`notation`] reads and writes moves and positions.
//!
//! ```
//! use tabiya::{library, notation};
//!
//! let game = library::load("chess").unwrap();
//! let rules = &game.rules;
//!
//! let mut position = rules.start();
//! for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     let played = notation::parse_uci(rules, &position, text).unwrap();
//!     position = rules.play(&position, played).unwrap();
//! }
//! assert_eq!(rules.outcome(&position).unwrap().reason.as_str(), "checkmate");
//! assert_eq!(rules.perft(&rules.start(), 4), 197_281);
//! ```
//!
//! # A game of your own
//!
//! [`load`] reads a file and reports every fault at once, each with its line, a stable code and advice.
//!
//! ```
//! let loaded = tabiya::load(br#"{ "name": "Mine", "bord": {} }"#);
//! assert!(loaded.game.is_none());
//! assert!(loaded.diagnostics.iter().any(|it| it.message.contains("bord")));
//! ```
//!
//! # More
//!
//! | module | what it is for |
//! |---|---|
//! | [`engine`] | positions, legal moves, outcomes, perft |
//! | [`spec`] | the file format, diagnostics, the library of games |
//! | [`notation`] | FEN, SAN, UCI moves, PGN, state JSON |
//! | [`players`] | search, Monte Carlo tree search, levels for people |
//! | [`referee`] | games under their laws: clocks, offers, claims, records |
//! | `arena` (feature) | matches between agents |
//! | `learn`, `tensor` (feature `learn`) | batched environments and search |
//! | `enochian` (feature) | Enochian chess under its own names |

#[cfg(feature = "arena")]
pub use tabiya_arena as arena;
pub use tabiya_engine as engine;
#[cfg(feature = "enochian")]
pub use tabiya_enochian as enochian;
#[cfg(feature = "learn")]
pub use tabiya_learn as learn;
pub use tabiya_notation as notation;
pub use tabiya_players as players;
pub use tabiya_referee as referee;
pub use tabiya_spec as spec;
#[cfg(feature = "learn")]
pub use tabiya_tensor as tensor;

pub use tabiya_engine::{Board, Move, Outcome, Piece, Player, Position, Rules, Setup, Square};
pub use tabiya_spec::{Game, library, load};

/// Compiles and runs the code of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
