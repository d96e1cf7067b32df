//! Where agents meet. A [`Match`] says who plays what, how often and under which conditions; a [`Meeting`] plays it, writes
//! every word into a journal from which it can go on after any accident, and gives a [`Table`] (`docs/arena.md`).
//!
//! ```
//! use tabiya_arena::{Match, Meeting};
//!
//! let chess = tabiya_spec::library::load("chess").unwrap();
//! let agents = ["player:random", "player:random"].map(|address| address.parse().unwrap());
//! let contest = Match { games: 4, seed: 7, ..Match::new("chess", chess, agents) };
//! let table = Meeting::open(&contest, None).unwrap().play(2, &|_| {}).unwrap();
//! assert_eq!(table.played, 4);
//! ```
//!
//! A [`Study`] lets our own players play a game against themselves and tells in an [`Analysis`] whether it is any good.
//!
//! Below that is how a match talks to those who play it. Nothing there knows a rule: a question goes out, an answer or a
//! [`Fault`] comes back, and both come in time.
//!
//! An agent is named by its [`Address`]; [`connect`] makes it an [`Agent`], with what the [`Terms`] allow it:
//!
//! | address | who that is |
//! |---|---|
//! | `process:CMD` | a process that gets one state a line and answers one object a line |
//! | `http:URL` | an endpoint that gets the state by POST and answers with the object |
//! | `uci:CMD` | an engine that speaks UCI |
//! | `chat:URL#MODEL` | a model behind an OpenAI-compatible endpoint |
//! | `player:NAME` | one of our own players; the match seats it, no transport is needed |
//!
//! ```
//! # #[cfg(target_os = "linux")] {
//! use std::time::{Duration, Instant};
//! use tabiya_arena::{Question, Terms, connect};
//!
//! // `cat` says back what it is told.
//! let mut agent = connect(&"process:cat".parse().unwrap(), &Terms::default()).unwrap();
//! let question = Question::new(r#"{"turn":"white"}"#, Instant::now() + Duration::from_secs(10));
//! assert_eq!(agent.ask(&question).unwrap(), r#"{"turn":"white"}"#);
//!
//! let farewell = agent.finish();
//! assert_eq!(farewell.fault, None);
//! assert_eq!(farewell.exit.as_deref(), Some("exit status: 0"));
//! # }
//! ```

mod address;
mod agent;
mod analyse;
mod bout;
mod chance;
mod chat;
mod contest;
mod crew;
mod elo;
mod endpoint;
mod error;
mod http;
mod journal;
mod launch;
mod lines;
mod meeting;
mod openings;
#[cfg(target_os = "linux")]
mod process;
mod resume;
mod rulebook;
mod search;
mod seat;
mod secrets;
mod sheet;
mod table;
mod terms;
mod tune;
#[cfg(target_os = "linux")]
mod uci;
mod url;
mod value_file;

pub use address::{Address, AddressError};
pub use agent::{ANSWER_LIMIT, Agent, Answers, Farewell, Fault, Question};
pub use analyse::{
    Analysis, Bin, BranchingAt, Histogram, Interim, Share, SideFigures, Skill, Spread, Stage, Study, Unfit,
};
pub use chat::ChatAgent;
pub use contest::{Contender, Match, PATIENCE, recorded};
pub use elo::Elo;
pub use error::MatchError;
pub use http::HttpAgent;
pub use launch::{INHERITED, Launch, Limits};
pub use lines::{FileLine, FileLines};
pub use meeting::Meeting;
pub use openings::Openings;
#[cfg(target_os = "linux")]
pub use process::ProcessAgent;
pub use resume::Resumed;
pub use search::{Search, Think, UciSettings};
pub use seat::{Asked, Pace, Seat, consider, share};
pub use table::{DEPARTURES, FAULTS, Standing, Table};
pub use terms::{Terms, connect, end_agents};
pub use tune::{Lap, Tuned, Tuning};
#[cfg(target_os = "linux")]
pub use uci::UciAgent;
pub use value_file::{read_values, values_json};
