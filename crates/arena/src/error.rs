//! Why a match cannot be played, or not to its end.

use std::fmt;
use std::io;
use std::path::Path;

/// Why a match cannot be played.
#[derive(Debug)]
#[non_exhaustive]
pub enum MatchError {
    /// What was asked for makes no match.
    Settings(String),
    /// The game cannot be set up.
    Game(String),
    /// An agent could not be started even once.
    CouldNotStart {
        /// Which.
        agent: String,
        /// Why.
        why: String,
    },
    /// The folder holds a match with other settings; each difference is a sentence.
    Different(Vec<String>),
    /// Somebody else plays the match of this folder right now.
    Busy,
    /// The journal does not fit the match.
    Journal {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A file cannot be read or written.
    File {
        /// Which.
        name: String,
        /// Why.
        why: String,
    },
}

impl MatchError {
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        MatchError::File { name: path.display().to_string(), why: error.to_string() }
    }
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Settings(why) => f.write_str(why),
            MatchError::Game(why) => write!(f, "the game cannot be set up: {why}"),
            MatchError::CouldNotStart { agent, why } => write!(f, "{agent} {why}"),
            MatchError::Different(differences) => {
                write!(f, "the folder holds another match:\n  {}", differences.join("\n  "))
            }
            MatchError::Busy => f.write_str("the match in this folder is being played right now"),
            MatchError::Journal { line, why } => write!(f, "games.jsonl, line {line}: {why}"),
            MatchError::File { name, why } => write!(f, "{name}: {why}"),
        }
    }
}

impl std::error::Error for MatchError {}
