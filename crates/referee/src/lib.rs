//! The referee: a game under its rules, and a session that conducts it. Pure state machines without files, processes or
//! clocks; time enters as a number.
//!
//! - [`Game`] knows what a position does not: repetitions, draw offers, proposals, the dice. It performs an [`Action`] or
//!   returns why it is illegal ([`IllegalAction`]). Mate and stalemate end a game first, then the `endings` of its spec in their order.
//! - [`Session`] conducts a game between players who may answer anything: seats, clocks, retries, resignation, undo, the length
//!   limit, the result. Matches, the terminal, the MCP server and the web server use it.
//! - [`protocol`] is the agent protocol; [`record`] writes games as lines of JSON and checks them again.
//!
//! ```
//! use tabiya_referee::Game;
//!
//! let mut game = Game::new(tabiya_spec::library::load("chess").unwrap().rules);
//! for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     let action = game.parse_action(text).unwrap();
//!     game.submit(&action).unwrap();
//! }
//! assert_eq!(game.end().unwrap().reason, "checkmate");
//! ```

mod action;
mod advice;
mod clock;
mod dice;
mod game;
mod laws;
pub mod protocol;
pub mod record;
mod session;
mod verdict;

pub use action::{Action, ActionKind, ParseActionError};
pub use advice::{action_before_moving, claim_or_move};
pub use clock::{Clock, ParseTimeControlError, TimeControl};
pub use dice::{Dice, DiceSecret, ParseDiceSecretError};
pub use game::{
    Choices, End, Game, IllegalAction, KnownFacts, Snapshot, end_by_claim, end_by_rule, end_by_rule_knowing,
    state_after,
};
pub use laws::Laws;
pub use session::{
    AnswerFormat, Event, GameResult, LogEntry, MAX_PLIES, Reply, Ruling, Seating, Session, SessionKind,
    SessionOptions,
};
pub use verdict::{AgentFault, Verdict};

/// The agent protocol as a document: everything that an agent needs to know to play.
pub const RULEBOOK: &str = include_str!("../docs/agent-protocol.md");
