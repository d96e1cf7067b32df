//! A whole game as lines of JSON: how it was set up, every answer with what the referee made of it, and how it ended
//! (`docs/game-record.md`). What is written can be checked again by anybody who has the rules.
//!
//! The [`Arbiter`] conducts a game under the laws, its clocks and its retries, and turns everything that players say into
//! lines. A [`Replay`] gives the same answers to another arbiter and compares what it makes of them. Nothing here reads a
//! file or looks at a watch.
//!
//! ```
//! use std::time::Duration;
//! use tabiya_referee::record::{Arbiter, Header, Laws, Replay, Reply, Verdict};
//!
//! let chess = tabiya_spec::library::load("chess").unwrap();
//! let laws = Laws::new(&chess.rules, &chess.hash.to_string());
//! let header = Header::new(1, &laws, "chess");
//! let mut arbiter = Arbiter::new(&laws, &header).unwrap();
//! let mut lines = Vec::new();
//! for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     lines.push(arbiter.hear(Reply::Output(text), Duration::from_millis(3)));
//! }
//! assert_eq!(lines[3].verdict, Verdict::Move);
//! let end = arbiter.finish(Vec::new()).unwrap();
//! assert_eq!(end.reason, "checkmate");
//!
//! let (mut replay, differences) = Replay::new(&laws, &header);
//! assert!(differences.is_empty());
//! assert!(lines.iter().all(|answer| replay.answer(answer).is_empty()));
//! assert!(replay.end(&end).is_empty());
//! ```

mod arbiter;
mod choice;
mod laws;
mod line;
mod replay;
mod score;
mod sides;

use crate::protocol::OUTPUT_LIMIT;

pub use arbiter::{Arbiter, Close, Reply};
pub use choice::Choice;
pub use laws::{Laws, act_word};
pub use line::{Answer, Control, Departure, Finish, Form, Header, Line, LineError, Seat, Throw, Verdict};
pub use replay::{Heard, Replay, Replays};
pub use score::check_score;

/// The version of the form.
pub const VERSION: u32 = 1;

/// A longer line is no line of a record: every character of an output may take six.
pub const LINE_LIMIT: usize = 8 * OUTPUT_LIMIT;

/// No game is longer; what is said about repetition is looked up in all of it.
pub const MAX_PLIES: u32 = 20_000;
