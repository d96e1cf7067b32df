//! Positions, moves and games as text and as JSON, for every game.
//!
//! | format | write | read |
//! |---|---|---|
//! | FEN, extended to any board, pieces and number of players (`docs/board-text.md`) | [`fen`], [`simplified_fen`] | [`parse_state`], [`parse_state_strict`] |
//! | state JSON, the same information for programs | [`state_json`] | [`parse_state`], [`parse_state_strict`] |
//! | UCI move text, `e2e4` | [`uci`], [`legal_moves_uci`] | [`parse_uci`] |
//! | SAN, `Nf3` | [`san`] | [`parse_san`] |
//! | steps that are not moves, `throw 4` | [`step_text`] | [`parse_step`] |
//! | PGN (`docs/game-record.md`) | [`pgn::write`] | [`pgn::games`], [`pgn::entries`] |
//!
//! [`diagram`] draws a board as plain text, and [`explain_illegal_move`] says why a move is illegal.
//!
//! # Examples
//!
//! ```
//! let game = tabiya_spec::library::load("chess").unwrap();
//! let rules = &game.rules;
//! let start = rules.start();
//! let e4 = tabiya_notation::parse_uci(rules, &start, "e2e4").unwrap();
//! let state = tabiya_notation::State::new(rules.play_unchecked(&start, e4));
//! let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
//! assert_eq!(tabiya_notation::fen(rules, &state), fen);
//! assert_eq!(tabiya_notation::parse_state(rules, fen).unwrap(), state);
//! ```

mod castling;
mod clip;
mod contradictions;
mod diagram;
mod drops;
mod en_passant;
mod entries;
mod fen;
mod gating;
mod hands;
mod illegal_move;
mod parts;
pub mod pgn;
mod reachability;
mod san;
mod state;
mod state_json;
mod step;
mod strict;
mod symbols;
mod uci;
mod ways;

pub use castling::{CastlingRight, castling_partner, castling_rights};
pub use clip::clip;
pub use diagram::diagram;
pub use drops::named_in_hand;
pub use entries::{Entries, object_keys};
pub use fen::{fen, simplified_fen};
pub use hands::hand_lines;
pub use illegal_move::explain_illegal_move;
pub use san::{parse_san, san};
pub use state::{State, StateError, parse_state};
pub use state_json::{STATE_KEYS, state_json};
pub use step::{parse_step, step_text};
pub use strict::{parse_state_strict, setup_problems};
pub use symbols::piece_symbol;
pub use uci::{MoveError, legal_moves_uci, parse_uci, uci};
pub use ways::{text_target, way};
