//! What a UCI engine is told before it searches, as data and as the text of the protocol.

use std::time::Duration;

/// How an engine is set up before its game.
#[derive(Clone, Debug)]
pub struct UciSettings {
    /// The game, as the engine calls it (`UCI_Variant`); without it, the engine plays what it plays by itself.
    pub variant: Option<String>,
    /// Options and their values. The engine must offer each of them.
    pub options: Vec<(String, String)>,
    /// How long it may take until it is ready to play; ten seconds unless told otherwise.
    pub handshake: Duration,
}

impl Default for UciSettings {
    fn default() -> Self {
        Self { variant: None, options: Vec::new(), handshake: Duration::from_secs(10) }
    }
}

/// A position to search, by how it came about, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// Where the game began, as FEN; `None` for the usual start.
    pub start: Option<&'a str>,
    /// Every move since then.
    pub moves: &'a [String],
    /// How long to think.
    pub think: Think,
}

/// How long an engine should think. The deadline of the question is another matter: it is when we stop waiting.
#[derive(Clone, Copy, Debug)]
pub enum Think {
    /// So long for this move.
    MoveTime(Duration),
    /// As the clocks of the two sides suggest, the first to move first.
    Clock {
        /// What is left.
        remaining: [Duration; 2],
        /// What each move adds.
        increment: [Duration; 2],
        /// How many moves until time is added, if it is.
        moves_to_go: Option<u32>,
        /// The most for this move, if it has a limit of its own.
        move_time: Option<Duration>,
    },
}

impl Search<'_> {
    /// The two commands, which travel together so that a move is one round trip.
    #[cfg(target_os = "linux")]
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
        text.push_str(&self.think.words());
        text.push('\n');
        text
    }
}

#[cfg(target_os = "linux")]
impl Think {
    fn words(self) -> String {
        match self {
            Self::MoveTime(time) => move_time_words(time),
            Self::Clock { remaining, increment, moves_to_go, move_time } => {
                let [white, black] = remaining.map(|time| time.as_millis());
                let [white_adds, black_adds] = increment.map(|time| time.as_millis());
                let mut words = format!("wtime {white} btime {black} winc {white_adds} binc {black_adds}");
                if let Some(moves) = moves_to_go {
                    words.push_str(&format!(" movestogo {moves}"));
                }
                if let Some(time) = move_time {
                    words.push_str(&format!(" {}", move_time_words(time)));
                }
                words
            }
        }
    }
}

/// Of no time at all an engine would make nothing.
#[cfg(target_os = "linux")]
fn move_time_words(time: Duration) -> String {
    format!("movetime {}", time.as_millis().max(1))
}

/// The text with nothing in it that could end the line and begin a command of its own.
#[cfg(target_os = "linux")]
pub(crate) fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn searches_are_written_as_uci_wants_them() {
        let moves = ["e2e4".to_owned(), "e7e5".to_owned()];
        let think = Think::Clock {
            remaining: [Duration::from_secs(60), Duration::from_millis(59_500)],
            increment: [Duration::from_secs(1); 2],
            moves_to_go: Some(20),
            move_time: Some(Duration::from_millis(450)),
        };
        let clock = Search { start: None, moves: &moves, think };
        assert_eq!(
            clock.commands(),
            "position startpos moves e2e4 e7e5\ngo wtime 60000 btime 59500 winc 1000 binc 1000 movestogo 20 movetime 450\n"
        );
        let fixed = Search {
            start: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1\nquit"),
            moves: &[],
            think: Think::MoveTime(Duration::ZERO),
        };
        assert_eq!(fixed.commands(), "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 quit\ngo movetime 1\n");
    }
}
