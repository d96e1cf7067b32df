//! Parses the commands of a human player. A line that is neither a command nor a square is a move.

use std::path::PathBuf;

use serde_json::Value;
use tabiya_engine::{Board, Square};

/// A command of a human player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
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
    /// An action other than a move or a claim, by its word.
    Action(String),
    /// A claim, with or without its code.
    Claim(String),
    Help,
    Quit,
    /// A command without its argument.
    Incomplete(&'static str),
}

/// The help text.
// A line break after a backslash would remove the indentation of the first line.
pub(crate) const HELP: &str =
    "  e2e4, e2 e4, [4,1] [4,3]   make a move; a promotion as a7a8q, or it is asked for
  e2, [4,1]                  show where a piece can move
  P@e5, drop P e5            drop a piece from your hand; P@ shows where it can be dropped
  moves                      list the legal moves
  undo                       take back to your last decision
  board                      draw the board
  state                      print the state as text
  rules                      describe the rules
  save FILE, load FILE       save or load a game (save! FILE overwrites any file)
  draw, accept, decline      offer a draw; answer an offer
  claim [WHAT]               claim a draw that the rules allow
  exchange, withdraw TO      propose to exchange captured leaders; hand your army to a partner
  throw                      throw the die, if you could do something else first
  resign                     resign
  quit                       leave";

impl Command {
    /// Parses a line.
    pub(crate) fn parse(board: &Board, line: &str) -> Command {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let file = |what, request: fn(PathBuf) -> Command| {
            if rest.is_empty() { Command::Incomplete(what) } else { request(PathBuf::from(rest)) }
        };
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Command::Nothing,
            ("save", _) => file("save FILE", |file| Command::Save { file, force: false }),
            ("save!", _) => file("save! FILE", |file| Command::Save { file, force: true }),
            ("load", _) => file("load FILE", Command::Load),
            ("moves", "") => Command::Moves,
            ("undo", "") => Command::Undo,
            ("state", "") => Command::State,
            ("board", "") => Command::Board,
            ("rules", "") => Command::Rules,
            ("resign" | "draw" | "accept" | "decline" | "exchange" | "throw", "") => {
                Command::Action(word.to_ascii_lowercase())
            }
            ("withdraw", "") => Command::Action("withdraw".to_owned()),
            ("withdraw", name) => Command::Action(format!("withdraw {name}")),
            ("claim", code) => Command::Claim(code.to_owned()),
            ("help" | "?", "") => Command::Help,
            ("quit" | "exit", "") => Command::Quit,
            _ => square(board, line).map_or_else(|| Command::Move(line.to_owned()), Command::Targets),
        }
    }
}

/// Parses a single square: `e2` or `[4,1]`.
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

    fn check(line: &str, expected: &Command) {
        let rules = tabiya_spec::library::load("chess").expect("a library game").rules;
        assert_eq!(Command::parse(rules.board(), line), *expected, "{line}");
    }

    #[test]
    fn lines_are_parsed() {
        check("  ", &Command::Nothing);
        check("e2e4", &Command::Move("e2e4".into()));
        check("[4,1] [4,3]", &Command::Move("[4,1] [4,3]".into()));
        check("E2", &Command::Targets(Square(12)));
        check("[4, 1]", &Command::Targets(Square(12)));
        check("[99, 1]", &Command::Move("[99, 1]".into()));
        check("MOVES", &Command::Moves);
        check("save", &Command::Incomplete("save FILE"));
        check("save! my game.json", &Command::Save { file: "my game.json".into(), force: true });
        check("quit now", &Command::Move("quit now".into()));
    }
}
