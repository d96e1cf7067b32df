//! Errors of matches.

use std::io;
use std::path::Path;

/// The reason why a match cannot be played, or not to its end.
#[derive(Debug)]
#[non_exhaustive]
pub enum MatchError {
    /// The configuration is invalid.
    Settings(String),
    /// The game cannot be set up.
    Game(String),
    /// An agent could not be started for its first game.
    CouldNotStart {
        /// The agent.
        agent: String,
        /// The reason.
        why: String,
    },
    /// The folder holds a match with other settings. Each difference is a sentence.
    Different(Vec<String>),
    /// Another process plays the match in this folder.
    Busy,
    /// The journal does not fit the match.
    Journal {
        /// The line, counted from 1.
        line: usize,
        /// The difference.
        why: String,
    },
    /// A file cannot be read or written.
    File {
        /// The path.
        name: String,
        /// The reason.
        why: String,
    },
}

impl MatchError {
    /// Returns a function that adds the path to an I/O error.
    pub(crate) fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| MatchError::File { name: path.display().to_string(), why: error.to_string() }
    }
}

tabiya_engine::error_messages! { MatchError:
    MatchError::Settings(why) => "{why}";
    MatchError::Game(why) => "the game cannot be set up: {why}";
    MatchError::CouldNotStart { agent, why } => "{agent} {why}";
    MatchError::Different(differences) => "the folder holds another match:\n  {}", differences.join("\n  ");
    MatchError::Busy => "another process is playing the match in this folder";
    MatchError::Journal { line, why } => "games.jsonl, line {line}: {why}";
    MatchError::File { name, why } => "{name}: {why}";
}
