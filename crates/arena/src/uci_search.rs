//! The setup of a UCI engine and the commands that start a search.

use std::time::Duration;

/// The setup of an engine before its game.
#[derive(Clone, Debug)]
pub struct UciSettings {
    /// The engine's name of the game (`UCI_Variant`). Without it the engine plays its default game.
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

#[cfg(target_os = "linux")]
impl UciSearch<'_> {
    /// Returns the `position` and `go` commands, which are sent together to save a round trip.
    pub(crate) fn commands(&self) -> String {
        let mut text = String::from("position ");
        match self.start {
            None => text.push_str("startpos"),
            Some(fen) => {
                text.push_str("fen ");
                text.push_str(&one_line(fen));
            }
        }
        if !self.moves.is_empty() {
            text.push_str(" moves");
        }
        for played in self.moves {
            text.push(' ');
            text.push_str(&one_line(played));
        }
        text.push_str("\ngo ");
        text.push_str(&self.time.parameters());
        text.push('\n');
        text
    }
}

#[cfg(target_os = "linux")]
impl UciTime {
    fn parameters(self) -> String {
        match self {
            Self::MoveTime(time) => move_time_parameter(time),
            Self::Clock { remaining, increment, moves_to_go, move_time } => {
                let [white, black] = remaining.map(|time| time.as_millis());
                let [white_adds, black_adds] = increment.map(|time| time.as_millis());
                let mut text = format!("wtime {white} btime {black} winc {white_adds} binc {black_adds}");
                if let Some(moves) = moves_to_go {
                    text.push_str(&format!(" movestogo {moves}"));
                }
                if let Some(time) = move_time {
                    text.push_str(&format!(" {}", move_time_parameter(time)));
                }
                text
            }
        }
    }
}

/// Returns at least one millisecond: engines do not accept zero.
#[cfg(target_os = "linux")]
fn move_time_parameter(time: Duration) -> String {
    format!("movetime {}", time.as_millis().max(1))
}

/// Replaces control characters, which could end the line and start another command.
#[cfg(target_os = "linux")]
pub(crate) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn searches_become_uci_commands() {
        let moves = ["e2e4".to_owned(), "e7e5".to_owned()];
        let time = UciTime::Clock {
            remaining: [Duration::from_secs(60), Duration::from_millis(59_500)],
            increment: [Duration::from_secs(1); 2],
            moves_to_go: Some(20),
            move_time: Some(Duration::from_millis(450)),
        };
        let clock = UciSearch { start: None, moves: &moves, time };
        assert_eq!(
            clock.commands(),
            "position startpos moves e2e4 e7e5\ngo wtime 60000 btime 59500 winc 1000 binc 1000 movestogo 20 movetime 450\n"
        );
        let fixed = UciSearch {
            start: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1\nquit"),
            moves: &[],
            time: UciTime::MoveTime(Duration::ZERO),
        };
        assert_eq!(fixed.commands(), "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 quit\ngo movetime 1\n");
    }
}
