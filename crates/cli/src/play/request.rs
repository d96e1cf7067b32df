//! What a line asks for. Whatever is no command and no single square is meant as a move.

use std::path::PathBuf;

use serde_json::Value;
use tabiya_engine::{Board, Square};

/// A request of a human.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Nothing,
    Move(String),
    Targets(Square),
    Moves,
    Undo,
    Save {
        file: PathBuf,
        force: bool,
    },
    Load(PathBuf),
    State,
    Board,
    Rules,
    /// Something beside a move, by its word.
    Action(String),
    /// A claim, by its code or without one.
    Claim(String),
    Help,
    Quit,
    /// A command without what it needs.
    Incomplete(&'static str),
}

/// The commands, for people.
// The first line stands behind the quote: a line break after a backslash would take the blanks before it along.
pub(crate) const HELP: &str =
    "  e2e4, e2 e4, [4,1] [4,3]   make a move; a promotion as a7a8q, or it is asked for
  e2, [4,1]                  show where a piece can go
  moves                      list the legal moves
  undo                       take back to your last decision
  board                      draw the board
  state                      print the state as text
  rules                      tell the rules
  save FILE, load FILE       keep the game, fetch it back (save! FILE overwrites any file)
  draw, accept, decline      offer a draw; answer an offer
  claim [WHAT]               claim a draw that the rules allow
  exchange, withdraw TO      propose to exchange prisoners; hand your army over to a partner
  throw                      throw the die, where you could do something before
  resign                     give up
  quit                       leave";

impl Request {
    /// Reads a line.
    pub(crate) fn parse(board: &Board, line: &str) -> Request {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let file = |what, request: fn(PathBuf) -> Request| {
            if rest.is_empty() { Request::Incomplete(what) } else { request(PathBuf::from(rest)) }
        };
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Request::Nothing,
            ("save", _) => file("save FILE", |file| Request::Save { file, force: false }),
            ("save!", _) => file("save! FILE", |file| Request::Save { file, force: true }),
            ("load", _) => file("load FILE", Request::Load),
            ("moves", "") => Request::Moves,
            ("undo", "") => Request::Undo,
            ("state", "") => Request::State,
            ("board", "") => Request::Board,
            ("rules", "") => Request::Rules,
            ("resign" | "draw" | "accept" | "decline" | "exchange" | "throw", "") => {
                Request::Action(word.to_ascii_lowercase())
            }
            ("withdraw", "") => Request::Action("withdraw".to_owned()),
            ("withdraw", name) => Request::Action(format!("withdraw {name}")),
            ("claim", code) => Request::Claim(code.to_owned()),
            ("help" | "?", "") => Request::Help,
            ("quit" | "exit", "") => Request::Quit,
            _ => square(board, line).map_or_else(|| Request::Move(line.to_owned()), Request::Targets),
        }
    }
}

/// A single square: `e2` or `[4,1]`.
fn square(board: &Board, line: &str) -> Option<Square> {
    if !line.starts_with('[') {
        return board.parse(&line.to_ascii_lowercase());
    }
    let value: Value = serde_json::from_str(line).ok()?;
    match value.as_array()?.as_slice() {
        [x, y] => board.square(coordinate(x)?, coordinate(y)?),
        _ => None,
    }
}

fn coordinate(value: &Value) -> Option<i32> {
    value.as_i64().and_then(|number| i32::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &Request) {
        let rules = tabiya_spec::library::load("chess").expect("a library game").rules;
        assert_eq!(Request::parse(rules.board(), line), *expected, "{line}");
    }

    #[test]
    fn lines_are_understood() {
        check("  ", &Request::Nothing);
        check("e2e4", &Request::Move("e2e4".into()));
        check("[4,1] [4,3]", &Request::Move("[4,1] [4,3]".into()));
        check("E2", &Request::Targets(Square(12)));
        check("[4, 1]", &Request::Targets(Square(12)));
        check("[99, 1]", &Request::Move("[99, 1]".into()));
        check("MOVES", &Request::Moves);
        check("save", &Request::Incomplete("save FILE"));
        check("save! my game.json", &Request::Save { file: "my game.json".into(), force: true });
        check("quit now", &Request::Move("quit now".into()));
    }
}
