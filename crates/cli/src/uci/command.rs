//! Parses UCI commands.

use super::go::Go;
use crate::text::{clip, sanitize};

/// A UCI command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `uci`: asks for name and options.
    Uci,
    /// `isready`.
    IsReady,
    /// `ucinewgame`.
    NewGame,
    /// `setoption`.
    SetOption {
        name: String,
        /// The value; empty if there is none.
        value: String,
    },
    /// `position`.
    Position {
        /// Board text, or `None` for the start of the game.
        start: Option<String>,
        /// Moves played from there.
        moves: Vec<String>,
    },
    /// `go`: starts a search.
    Go(Go),
    /// `stop`: ends the search and asks for its best move.
    Stop,
    /// `ponderhit`: the opponent has made the expected move, and the clock starts.
    PonderHit,
    /// `d`: asks for the board text.
    Show,
    /// `quit`.
    Quit,
    /// An empty line, or a command without effect.
    Ignored,
}

impl Command {
    /// Parses a line, or returns why it is invalid.
    pub(super) fn parse(line: &str) -> Result<Command, String> {
        let mut words = line.split_whitespace();
        Ok(match words.next().unwrap_or_default() {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "ucinewgame" => Command::NewGame,
            "setoption" => set_option(words)?,
            "position" => position(words)?,
            "go" => Command::Go(Go::parse(words)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "d" => Command::Show,
            "quit" => Command::Quit,
            "" | "debug" | "register" => Command::Ignored,
            other => return Err(format!("there is no command `{}`", quote(other))),
        })
    }

    /// Returns whether the command can be executed during a search.
    pub(super) fn is_immediate(&self) -> bool {
        matches!(
            self,
            Command::Uci
                | Command::IsReady
                | Command::Stop
                | Command::PonderHit
                | Command::Quit
                | Command::Ignored
        )
    }
}

/// Parses `name NAME [value VALUE]`; both may contain blanks.
fn set_option<'w>(mut words: impl Iterator<Item = &'w str>) -> Result<Command, String> {
    if words.next() != Some("name") {
        return Err("write `setoption name NAME value VALUE`".to_owned());
    }
    let name: Vec<&str> = words.by_ref().take_while(|word| *word != "value").collect();
    let value: Vec<&str> = words.collect();
    Ok(Command::SetOption { name: name.join(" "), value: value.join(" ") })
}

/// Parses `startpos` or `fen TEXT`, then `moves` and the moves.
fn position<'w>(mut words: impl Iterator<Item = &'w str>) -> Result<Command, String> {
    let kind = words.next().unwrap_or_default();
    let text: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
    let start = match (kind, text.is_empty()) {
        ("startpos", true) => None,
        ("fen", false) => Some(text.join(" ")),
        _ => return Err("write `position startpos moves …` or `position fen … moves …`".to_owned()),
    };
    Ok(Command::Position { start, moves: words.map(str::to_owned).collect() })
}

/// Returns a word of the input for a message: truncated, without control characters.
pub(super) fn quote(word: &str) -> String {
    sanitize(&clip(word, 40)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parsed() {
        let position = |start: Option<&str>, moves: &[&str]| Command::Position {
            start: start.map(str::to_owned),
            moves: moves.iter().map(|text| (*text).to_owned()).collect(),
        };
        let set =
            |name: &str, value: &str| Command::SetOption { name: name.to_owned(), value: value.to_owned() };
        for (line, expected) in [
            ("uci", Command::Uci),
            ("  isready\t", Command::IsReady),
            ("", Command::Ignored),
            ("position startpos", position(None, &[])),
            ("position startpos moves e2e4 e7e5", position(None, &["e2e4", "e7e5"])),
            ("position fen 8/8/8/8/8/8/8/K1k5  w - -", position(Some("8/8/8/8/8/8/8/K1k5 w - -"), &[])),
            ("position fen x w moves a1a2", position(Some("x w"), &["a1a2"])),
            ("setoption name Clear Hash", set("Clear Hash", "")),
            ("setoption name Player value greedy", set("Player", "greedy")),
        ] {
            assert_eq!(Command::parse(line), Ok(expected), "{line}");
        }
        for line in
            ["bestmove e2e4", "position", "position fen", "position fen moves e2e4", "setoption", "x\0"]
        {
            let why = Command::parse(line).expect_err(line);
            assert!(!why.contains(char::is_control), "{why}");
        }
    }
}
