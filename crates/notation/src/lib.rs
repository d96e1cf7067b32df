//! Positions and moves as text and as JSON, for every game.
//!
//! Board text is FEN, generalised: any board, any number of players, any pieces (`docs/board-text.md`). For chess it
//! is FEN. Moves are written between squares, as in UCI ([`move_text`]), or as people do ([`san`]); whole games as PGN
//! ([`pgn`], `docs/game-record.md`).
//!
//! ```
//! let game = tabiya_spec::library::load("chess").unwrap();
//! let rules = &game.rules;
//! let start = rules.start();
//! let e4 = tabiya_notation::parse_move(rules, &start, "e2e4").unwrap();
//! let state = tabiya_notation::State::new(rules.play_unchecked(&start, e4));
//! let text = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
//! assert_eq!(tabiya_notation::state_text(rules, &state), text);
//! assert_eq!(tabiya_notation::parse_state(rules, text).unwrap(), state);
//! ```

mod castling;
mod contradictions;
mod diagram;
mod fates;
mod fen;
mod json;
mod letters;
mod moves;
mod passing;
pub mod pgn;
mod reach;
mod refusal;
mod san;
mod state;
mod step;
mod strict;

pub use castling::{Right as CastlingRight, rights as castling_rights};
pub use diagram::diagram;
pub use fen::{simplified_fen, state_text};
pub use json::{STATE_KEYS, state_json};
pub use letters::piece_text;
pub use moves::{MoveError, move_text, move_texts, parse_move};
pub use refusal::refusal_text;
pub use san::{parse_san, san};
pub use state::{State, StateError, parse_state};
pub use step::{parse_step, step_text};
pub use strict::{parse_state_strict, setup_faults};
