//! The setup of a UCI engine, and the searches that it is asked for.

use std::time::Duration;

/// The setup of an engine before its game.
#[derive(Clone, Debug)]
pub struct UciSettings {
    /// The engine's name of the game (`UCI_Variant`), unless the options give another. Without either, the engine plays
    /// its default game.
    pub variant: Option<String>,
    /// Names and values of options. The engine must offer each of them.
    pub options: Vec<(String, String)>,
    /// Time until the engine must be ready to play. The default is ten seconds.
    pub handshake: Duration,
}

impl Default for UciSettings {
    fn default() -> Self {
        Self { variant: None, options: Vec::new(), handshake: Duration::from_secs(10) }
    }
}

/// A position to search, given by its moves, and the time for the search.
#[derive(Clone, Copy, Debug)]
pub struct UciSearch<'a> {
    /// The first position as FEN; `None` for the start position.
    pub start: Option<&'a str>,
    /// All moves since then.
    pub moves: &'a [String],
    /// The time for the search.
    pub time: UciTime,
}

/// The time of a `go` command. The deadline of the question is separate: it is the end of our wait.
#[derive(Clone, Copy, Debug)]
pub enum UciTime {
    /// A fixed time for this move.
    MoveTime(Duration),
    /// The clocks of the two sides, the first to move first.
    Clock {
        /// Time left.
        remaining: [Duration; 2],
        /// Time added by each move.
        increment: [Duration; 2],
        /// The number of moves until time is added, if the time control has one.
        moves_to_go: Option<u32>,
        /// The limit for this move, if there is one.
        move_time: Option<Duration>,
    },
}
