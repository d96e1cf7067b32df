//! Matches between agents: programs, UCI engines, chat models and the built-in players.
//!
//! A [`MatchConfig`] describes a match: the game, the two agents, the number of games and the conditions. A
//! [`MatchRunner`] plays it, writes every answer to a journal from which an interrupted match can be resumed, and
//! returns the [`Standings`]. The user guide is `docs/arena.md`.
//!
//! ```
//! use tabiya_arena::{MatchConfig, MatchRunner};
//!
//! let chess = tabiya_spec::library::load("chess").unwrap();
//! let agents = ["player:random", "player:random"].map(|address| address.parse().unwrap());
//! let config = MatchConfig { games: 4, seed: 7, ..MatchConfig::new("chess", chess, agents) };
//! let standings = MatchRunner::open(&config, None).unwrap().play(2, &|_| {}).unwrap();
//! assert_eq!(standings.played, 4);
//! ```
//!
//! # Agents
//!
//! An [`Address`] names an agent. [`connect`] turns the address into an [`Agent`], which answers a [`Question`] with
//! text or fails with an [`AgentFault`], in either case before the deadline. Agents know no rules.
//!
//! | address | agent |
//! |---|---|
//! | `process:CMD` | a process that reads one state per line and writes one JSON object per line |
//! | `http:URL` | an endpoint that receives the state by POST and responds with the JSON object |
//! | `uci:CMD` | a UCI engine |
//! | `chat:URL#MODEL` | a model behind an OpenAI-compatible endpoint |
//! | `player:NAME` | a built-in player; the match calls it directly |
//!
//! `process:` and `uci:` agents are isolated with Linux system calls. On other platforms they fail with
//! [`AgentFault::CouldNotStart`].
//!
//! ```
//! # #[cfg(target_os = "linux")] {
//! use std::time::{Duration, Instant};
//! use tabiya_arena::{AgentOptions, Question, connect};
//!
//! // `cat` answers with the question.
//! let mut agent = connect(&"process:cat".parse().unwrap(), &AgentOptions::default()).unwrap();
//! let question = Question::new(r#"{"turn":"white"}"#, Instant::now() + Duration::from_secs(10));
//! assert_eq!(agent.ask(&question).unwrap(), r#"{"turn":"white"}"#);
//!
//! let report = agent.finish();
//! assert_eq!(report.fault, None);
//! assert_eq!(report.exit.as_deref(), Some("exit status: 0"));
//! # }
//! ```
//!
//! # Measuring and tuning games
//!
//! A [`Study`] plays a game with built-in players and reports in an [`Analysis`] how balanced, long and decisive it is.
//! A [`Tuning`] learns piece values from self-play.

mod address;
mod agent;
mod agent_options;
mod analyse;
mod config;
mod elo;
mod endpoint;
mod error;
mod game_runner;
mod http;
mod journal;
mod openings;
mod parallel;
mod pgn;
#[cfg(target_os = "linux")]
mod process;
mod record_reader;
mod resume;
mod runner;
mod seat;
mod secrets;
mod seeds;
mod self_play;
mod standings;
mod tune;
#[cfg(target_os = "linux")]
mod uci;
mod uci_search;
mod url;
mod value_file;

pub use address::{Address, AddressError};
pub use tabiya_referee::AgentFault;

pub use agent::{ANSWER_LIMIT, Agent, ExitReport, Question};
pub use agent_options::{AgentOptions, INHERITED_VARIABLES, ProcessLimits, connect, kill_agents};
pub use analyse::{
    Analysis, Bin, BoardUse, BranchingAt, Comparison, Difference, Histogram, OpeningDiversity, PieceStats,
    Proportion, SideStats, SizeEstimate, SkillResult, Stage, Study, StudyError, StudyProgress, Summary,
};
pub use config::{AgentConfig, DEFAULT_MOVE_TIMEOUT, DEFAULT_TIME_MARGIN, MatchConfig, choice_record};
pub use elo::Elo;
pub use error::MatchError;
pub use http::HttpAgent;
pub use openings::Openings;
pub use parallel::map_in_order;
#[cfg(target_os = "linux")]
pub use process::ProcessAgent;
pub use record_reader::{RecordLine, RecordReader};
pub use resume::Resumed;
pub use runner::MatchRunner;
pub use seat::{Seat, ThinkTime, TurnRequest, choose_action, time_for_move};
pub use self_play::{Ply, SelfPlay};
pub use standings::{EXIT_FAULTS, LOSING_FAULTS, Standing, Standings};
pub use tune::{Tuned, Tuning, TuningProgress};
#[cfg(target_os = "linux")]
pub use uci::UciAgent;
pub use uci_search::{UciSearch, UciSettings, UciTime};
pub use value_file::{read_values, values_json};
