//! What a line of UCI asks for.

use super::go::Go;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Who are you, and what can be set?
    Introduce,
    /// Are you there?
    Ready,
    /// The next position is of another game.
    NewGame,
    /// Set something.
    Set {
        /// What.
        name: String,
        /// To what; empty if nothing is said.
        value: String,
    },
    /// Set up a position.
    Position {
        /// Board text; without it, the start of the game.
        start: Option<String>,
        /// What was played since.
        moves: Vec<String>,
    },
    /// Search.
    Go(Go),
    /// Stop the search and tell what was found.
    Stop,
    /// Tell the board text.
    Show,
    /// Leave.
    Quit,
    /// Nothing, or something that makes no difference here.
    Nothing,
}

impl Request {
    /// Reads a line; or says why it asks for nothing.
    pub(super) fn parse(line: &str) -> Result<Request, String> {
        let mut words = line.split_whitespace();
        Ok(match words.next().unwrap_or_default() {
            "uci" => Request::Introduce,
            "isready" => Request::Ready,
            "ucinewgame" => Request::NewGame,
            "setoption" => set(words)?,
            "position" => position(words)?,
            "go" => Request::Go(Go::parse(words)),
            // The opponent has made the move that we were to think about: so much the better for what we have found.
            "stop" | "ponderhit" => Request::Stop,
            "d" => Request::Show,
            "quit" => Request::Quit,
            "" | "debug" | "register" => Request::Nothing,
            other => return Err(format!("there is no command `{}`", short(other))),
        })
    }

    /// Whether it can be done during a search.
    pub(super) fn is_urgent(&self) -> bool {
        matches!(self, Request::Introduce | Request::Ready | Request::Stop | Request::Quit | Request::Nothing)
    }
}

/// `name NAME [value VALUE]`; both may have blanks in them.
fn set<'w>(mut words: impl Iterator<Item = &'w str>) -> Result<Request, String> {
    if words.next() != Some("name") {
        return Err("write `setoption name NAME value VALUE`".to_owned());
    }
    let name: Vec<&str> = words.by_ref().take_while(|word| *word != "value").collect();
    let value: Vec<&str> = words.collect();
    Ok(Request::Set { name: name.join(" "), value: value.join(" ") })
}

/// `startpos` or `fen TEXT`, then `moves` and the moves.
fn position<'w>(mut words: impl Iterator<Item = &'w str>) -> Result<Request, String> {
    let kind = words.next().unwrap_or_default();
    let text: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
    let start = match (kind, text.is_empty()) {
        ("startpos", true) => None,
        ("fen", false) => Some(text.join(" ")),
        _ => return Err("write `position startpos moves …` or `position fen … moves …`".to_owned()),
    };
    Ok(Request::Position { start, moves: words.map(str::to_owned).collect() })
}

/// A word of the input, for an answer; a long one is cut, and control characters do not come back.
pub(super) fn short(word: &str) -> String {
    let clipped: String = word.chars().take(40).collect();
    let plain = clipped.replace(char::is_control, "\u{fffd}");
    if clipped.len() < word.len() { format!("{plain}…") } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let position = |start: Option<&str>, moves: &[&str]| Request::Position {
            start: start.map(str::to_owned),
            moves: moves.iter().map(|text| (*text).to_owned()).collect(),
        };
        let set = |name: &str, value: &str| Request::Set { name: name.to_owned(), value: value.to_owned() };
        for (line, expected) in [
            ("uci", Request::Introduce),
            ("  isready\t", Request::Ready),
            ("", Request::Nothing),
            ("position startpos", position(None, &[])),
            ("position startpos moves e2e4 e7e5", position(None, &["e2e4", "e7e5"])),
            ("position fen 8/8/8/8/8/8/8/K1k5  w - -", position(Some("8/8/8/8/8/8/8/K1k5 w - -"), &[])),
            ("position fen x w moves a1a2", position(Some("x w"), &["a1a2"])),
            ("setoption name Clear Hash", set("Clear Hash", "")),
            ("setoption name Player value greedy", set("Player", "greedy")),
        ] {
            assert_eq!(Request::parse(line), Ok(expected), "{line}");
        }
        for line in
            ["bestmove e2e4", "position", "position fen", "position fen moves e2e4", "setoption", "x\0"]
        {
            let why = Request::parse(line).expect_err(line);
            assert!(!why.contains(char::is_control), "{why}");
        }
    }
}
