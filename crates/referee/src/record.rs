//! A whole game as lines of JSON: how it was set up, every answer with its verdict, and how it ended (`docs/game-record.md`). A
//! reader who has the rules can check every verdict again.
//!
//! A [`Recorder`] runs a [`Session`](crate::Session) and turns it into lines. A [`Replay`] gives the recorded answers to another
//! session and compares the verdicts.
//!
//! ```
//! use std::time::Duration;
//! use tabiya_referee::record::{Header, Recorder, Replay};
//! use tabiya_referee::{ActionKind, Laws, Reply, Verdict};
//!
//! let chess = tabiya_spec::library::load("chess").unwrap();
//! let laws = Laws::new(&chess.rules, &chess.hash.to_string());
//! let header = Header::new(1, &laws, "chess");
//! let mut recorder = Recorder::new(&laws, &header).unwrap();
//! let mut lines = Vec::new();
//! for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
//!     lines.push(recorder.hear(Reply::Output(text), Duration::from_millis(3)));
//! }
//! assert_eq!(lines[3].verdict, Verdict::Accepted(ActionKind::Move));
//! let end = recorder.finish(Vec::new()).unwrap();
//! assert_eq!(end.reason, "checkmate");
//!
//! let (mut replay, differences) = Replay::new(&laws, &header);
//! assert!(differences.is_empty());
//! assert!(lines.iter().all(|answer| replay.answer(answer).is_empty()));
//! assert!(replay.end(&end).is_empty());
//! ```

mod choice;
mod line;
mod pgn_check;
mod recorder;
mod replay;

use crate::protocol::OUTPUT_LIMIT;

pub use choice::Choice;
pub use line::{Answer, Control, Departure, Finish, Header, Line, LineError, Seat, Throw};
pub use pgn_check::check_pgn;
pub use recorder::Recorder;
pub use replay::{Replay, ReplayedLine, Replays};

/// The version of the record format.
pub const VERSION: u32 = 1;

/// The longest line, in bytes. Every character of an output may be escaped to six.
pub const LINE_LIMIT: usize = 8 * OUTPUT_LIMIT;
