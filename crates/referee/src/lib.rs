//! The laws as a pure state machine: no files, no processes, and no clock of its own; time comes in as numbers.
//!
//! A [`Game`] knows what a position does not: how often it has been there, who offered a draw, whose flag fell. It is
//! told what a player does ([`Act`]) and says what that leads to ([`Event`]) or why it is not allowed ([`Illegal`]).
//! Which endings there are is part of the game's own rules (`endings` of the spec): mate and stalemate come first, then
//! they, in their order.
//!
//! ```
//! use tabiya_referee::{Act, Event, Game};
//!
//! let mut game = Game::new(tabiya_spec::library::load("chess").unwrap().rules);
//! for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     let played = tabiya_notation::parse_uci(game.rules(), &game.state().position, text).unwrap();
//!     assert_eq!(game.submit(&Act::Move(played)), Ok(Event::Moved));
//! }
//! assert_eq!(game.end().unwrap().reason, "checkmate");
//! ```

mod advice;
mod clock;
mod dice;
mod game;
pub mod protocol;
pub mod record;

pub use advice::{bargain, prudent};
pub use clock::{Clock, ParseTimeControlError, TimeControl};
pub use dice::Dice;
pub use game::{
    Act, End, Event, Game, Illegal, Known, Snapshot, claim_of, end_of, end_of_known, state_after,
};

/// The agent protocol for agents: everything that one needs to know to play chess by it.
pub const RULEBOOK: &str = include_str!("../docs/agent-protocol.md");
