//! The lines of a record file. Unknown, missing and duplicate keys are errors.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabiya_notation::{State, fen};

use super::choice::Choice;
use super::{LINE_LIMIT, VERSION};
use crate::session::MAX_PLIES;
use crate::{AnswerFormat, Laws, TimeControl, Verdict};

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// The start of a game.
    Start(Header),
    /// A throw of the die.
    Throw(Throw),
    /// An answer, or the lack of one.
    Answer(Answer),
    /// The end of a game.
    End(Finish),
}

/// How a game is set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the record format.
    pub tabiya: u32,
    /// The number of the game in its file. The lines of several games may be interleaved.
    pub id: u32,
    /// The number of the attempt. A game that does not count is played again.
    pub attempt: u32,
    /// The name of the game.
    pub game: String,
    /// The content hash of its rules.
    pub spec: String,
    /// The chosen array, rule set and options.
    #[serde(default, skip_serializing_if = "Choice::is_empty")]
    pub choice: Choice,
    /// The starting position, as board text.
    pub start: String,
    /// Moves that are made before the agents are asked.
    pub opening: Vec<String>,
    /// The seats, in the order of the players.
    pub seats: Vec<Seat>,
    /// The time control.
    pub clock: Control,
    /// How many rejected answers are forgiven on each move.
    pub retries: u32,
    /// Whether an object is extracted from other text.
    pub lenient: bool,
    /// The game is a draw after this many moves.
    pub max_plies: u32,
    /// The seed of the match. The dice of games 1 and 2 use it, those of games 3 and 4 the next one, and so on: both games of
    /// a pair have the same throws.
    pub seed: u64,
}

impl Header {
    /// A game from the start of the rules between unnamed agents, without clocks.
    pub fn new(id: u32, laws: &Laws, game: &str) -> Self {
        let rules = laws.rules();
        let seat = |player| Seat {
            player: rules.player(player).name.clone(),
            agent: "?".to_owned(),
            answers: AnswerFormat::Text,
        };
        Header {
            tabiya: VERSION,
            id,
            attempt: 1,
            game: game.to_owned(),
            spec: laws.hash().to_owned(),
            choice: Choice::default(),
            start: fen(rules, &State::new(rules.start())),
            opening: Vec::new(),
            seats: rules.players().map(seat).collect(),
            clock: Control::default(),
            retries: 0,
            lenient: false,
            max_plies: MAX_PLIES,
            seed: 0,
        }
    }
}

/// One seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The player of the game.
    pub player: String,
    /// The name of its agent.
    pub agent: String,
    /// The format in which the agent answers.
    pub answers: AnswerFormat,
}

/// A time control in whole microseconds, so that a replay computes exactly the same times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// For the whole game.
    pub game_us: Option<u64>,
    /// Added after every move.
    pub increment_us: u64,
    /// For one move, all answers to it together.
    pub move_us: Option<u64>,
    /// After a limit, until an answer counts as late.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub margin_us: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Control {
    /// The longest time, in microseconds: about four months.
    const LONGEST: u64 = 10_000_000_000_000;

    /// Whether no time is longer than the limit.
    pub(super) fn is_in_range(&self) -> bool {
        let Control { game_us, increment_us, move_us, margin_us } = *self;
        [game_us, Some(increment_us), move_us, Some(margin_us)]
            .into_iter()
            .flatten()
            .all(|time| time <= Self::LONGEST)
    }
}

impl From<TimeControl> for Control {
    fn from(control: TimeControl) -> Self {
        Control {
            game_us: control.game.map(micros),
            increment_us: micros(control.increment),
            move_us: control.per_move.map(micros),
            margin_us: micros(control.margin),
        }
    }
}

impl From<Control> for TimeControl {
    fn from(control: Control) -> Self {
        TimeControl {
            game: control.game_us.map(Duration::from_micros),
            increment: Duration::from_micros(control.increment_us),
            per_move: control.move_us.map(Duration::from_micros),
            margin: Duration::from_micros(control.margin_us),
        }
    }
}

/// A time in whole microseconds.
pub(super) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// A throw of the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throw {
    /// The number of the game.
    pub id: u32,
    /// The number of the move that follows, from 1.
    pub ply: u32,
    /// The face.
    pub face: u8,
}

/// An answer and its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The number of the game.
    pub id: u32,
    /// The number of the move, from 1, including the opening.
    pub ply: u32,
    /// The player who was asked.
    pub seat: String,
    /// The output as it came; `None` if there was none or it was too long.
    pub output: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// The move that was made, or announced with a claim that held.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// Why the answer was not accepted.
    pub why: Option<String>,
    /// The time that the answer took.
    pub taken_us: u64,
    /// The time left on the player's clock.
    pub left_us: Option<u64>,
    /// Whether the answer was rejected and the agent is asked again.
    pub forgiven: bool,
    /// Whether the object was extracted from other text.
    pub extracted: bool,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// The number of the game.
    pub id: u32,
    /// The winners; empty for a draw, `None` if the game does not count.
    pub winners: Option<Vec<String>>,
    /// The reason.
    pub reason: String,
    /// The player whose fault ended the game.
    pub by: Option<String>,
    /// The number of moves, including the opening.
    pub plies: u32,
    /// The last position, as board text.
    pub state: String,
    /// Agents that did not exit properly. This does not change the result.
    pub departures: Vec<Departure>,
}

/// An agent that did not exit properly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// Its seat.
    pub seat: String,
    /// Its fault.
    pub fault: String,
    /// How its process ended.
    pub exit: Option<String>,
    /// The end of its standard error.
    pub stderr: String,
}

/// Why a text is not a line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError(String);

tabiya_engine::error_messages! { LineError:
    LineError(reason) => "{reason}";
}

impl Line {
    /// Parses a line.
    ///
    /// # Errors
    ///
    /// Says which key is wrong.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        if text.len() > LINE_LIMIT {
            return Err(LineError(format!("it has more than {LINE_LIMIT} bytes")));
        }
        let line: Line = serde_json::from_str(text).map_err(|error| LineError(reason(&error)))?;
        match &line {
            Line::Start(header) if header.tabiya != VERSION => {
                Err(LineError(format!("it has version {}, not {VERSION}", header.tabiya)))
            }
            _ => Ok(line),
        }
    }

    /// The number of its game.
    pub fn id(&self) -> u32 {
        match self {
            Line::Start(header) => header.id,
            Line::Throw(throw) => throw.id,
            Line::Answer(answer) => answer.id,
            Line::End(finish) => finish.id,
        }
    }
}

/// Writes the line with its line break.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
    }
}

/// The message of the JSON parser without its line number, which is always 1. It may quote the line, so it is cut.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let words = text.rsplit_once(" at line ").map_or(text.as_str(), |(words, _)| words);
    words.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = r#"{"line":"answer","id":1,"ply":1,"seat":"WHITE","output":"e2e4","verdict":"move","move":"e2e4","why":null,"taken_us":5,"left_us":null,"forgiven":false,"extracted":false}"#;

    #[test]
    fn lines_round_trip() {
        let line = Line::parse(ANSWER).unwrap();
        assert_eq!(line.to_string(), format!("{ANSWER}\n"));
        assert_eq!(line.id(), 1);
    }

    #[test]
    fn invalid_lines_are_errors() {
        let cases = [
            ("", "EOF"),
            ("{}", "missing field `line`"),
            ("[]", "line"),
            (&ANSWER.replace("\"ply\":1,", ""), "missing field `ply`"),
            (&ANSWER.replace("\"ply\":1,", "\"ply\":-1,"), "invalid value"),
            (&ANSWER.replace("\"ply\":1,", "\"ply\":1,\"ply\":2,"), "duplicate field `ply`"),
            (&ANSWER.replace("\"ply\":1,", "\"ply\":1,\"plie\":2,"), "unknown field `plie`"),
            (&ANSWER.replace("\"verdict\":\"move\"", "\"verdict\":\"good\""), "unknown verdict `good`"),
            (&format!("{ANSWER} {{}}"), "trailing characters"),
            (&" ".repeat(LINE_LIMIT + 1), "more than"),
        ];
        for (text, why) in cases {
            let error = Line::parse(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
            assert!(error.len() < 400, "{error}");
        }
    }
}
