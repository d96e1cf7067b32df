//! How a match talks to those who play it. Nothing here knows a rule: a question goes out, an answer or a [`Fault`]
//! comes back, and both come in time.
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
mod chat;
mod endpoint;
mod http;
mod launch;
#[cfg(target_os = "linux")]
mod process;
mod search;
mod secrets;
mod terms;
#[cfg(target_os = "linux")]
mod uci;

pub use address::{Address, AddressError};
pub use agent::{ANSWER_LIMIT, Agent, Answers, Farewell, Fault, Question};
pub use chat::ChatAgent;
pub use http::HttpAgent;
pub use launch::{INHERITED, Launch, Limits};
#[cfg(target_os = "linux")]
pub use process::ProcessAgent;
pub use search::{Search, Think, UciSettings};
pub use terms::{Terms, connect};
#[cfg(target_os = "linux")]
pub use uci::UciAgent;
