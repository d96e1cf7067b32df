//! The lines of a record, as they stand in a file. What nobody knows, what is missing and what stands twice is refused.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabiya_notation::{State, fen};

use super::choice::Choice;
use super::laws::Laws;
use super::{LINE_LIMIT, VERSION};
use crate::protocol::{Refused, Rule};
use crate::{Event, TimeControl};

/// One line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// A game begins.
    Start(Header),
    /// The die was thrown.
    Throw(Throw),
    /// Somebody has answered, or failed to.
    Answer(Answer),
    /// A game is over.
    End(Finish),
}

/// How a game was set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the form.
    pub tabiya: u32,
    /// The number of the game in its file. The lines of several games may stand between each other.
    pub id: u32,
    /// Which attempt at the game it is; a game that nobody could help is played again.
    pub attempt: u32,
    /// What the game is called.
    pub game: String,
    /// The hash of its rules.
    pub spec: String,
    /// What was chosen among what the game leaves open.
    #[serde(default, skip_serializing_if = "Choice::is_empty")]
    pub choice: Choice,
    /// Where it started, as board text.
    pub start: String,
    /// Moves that were made before anybody was asked.
    pub opening: Vec<String>,
    /// Who sits where, in the order of the players.
    pub seats: Vec<Seat>,
    /// How the clocks were set.
    pub clock: Control,
    /// How many outputs that cannot be accepted are forgiven on each move.
    pub retries: u32,
    /// Whether an object is taken out of the text around it.
    pub lenient: bool,
    /// After so many moves nobody has won.
    pub max_plies: u32,
    /// Where chance started from. A die starts from it in the first two games, from one more in the next two, and so on:
    /// both games of a pair have the same throws.
    pub seed: u64,
}

impl Header {
    /// A game from the start of its rules between nameless people, without clocks.
    pub fn new(id: u32, laws: &Laws, game: &str) -> Self {
        let rules = laws.rules();
        let seat = |player| Seat {
            player: rules.player(player).name.clone(),
            agent: "?".to_owned(),
            answers: Form::Text,
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
            max_plies: super::MAX_PLIES,
            seed: 0,
        }
    }
}

/// Who sits at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The player of the game.
    pub player: String,
    /// Who plays for it.
    pub agent: String,
    /// How that one answers.
    pub answers: Form,
}

/// In which form somebody answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// One object of the agent protocol.
    Object,
    /// Move text.
    Text,
}

/// A time control in whole microseconds, so that its arithmetic can be checked to the last of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// For the whole game.
    pub game_us: Option<u64>,
    /// Added after every move.
    pub increment_us: u64,
    /// For one move, all answers to it together.
    pub move_us: Option<u64>,
}

impl Control {
    /// The longest time that may be given, in microseconds: some months.
    const LONGEST: u64 = 10_000_000_000_000;

    /// Whether no time is longer than a game can be.
    pub(super) fn is_sane(&self) -> bool {
        let Control { game_us, increment_us, move_us } = *self;
        [game_us, Some(increment_us), move_us].into_iter().flatten().all(|time| time <= Self::LONGEST)
    }
}

impl From<TimeControl> for Control {
    fn from(control: TimeControl) -> Self {
        Control {
            game_us: control.game.map(micros),
            increment_us: micros(control.increment),
            move_us: control.per_move.map(micros),
        }
    }
}

impl From<Control> for TimeControl {
    fn from(control: Control) -> Self {
        TimeControl {
            game: control.game_us.map(Duration::from_micros),
            increment: Duration::from_micros(control.increment_us),
            per_move: control.move_us.map(Duration::from_micros),
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
    /// Before which move, counted from 1.
    pub ply: u32,
    /// What it showed.
    pub face: u8,
}

/// What somebody said, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The number of the game.
    pub id: u32,
    /// Which move it was about, counted from 1, those of the opening included.
    pub ply: u32,
    /// Whose turn it was.
    pub seat: String,
    /// The text as it came; `None` if there was none, or more than anybody reads.
    pub output: Option<String>,
    /// What it was.
    pub verdict: Verdict,
    /// The move that was made, or announced with a claim that held, as move text.
    #[serde(rename = "move")]
    pub played: Option<String>,
    /// Why it was not accepted.
    pub why: Option<String>,
    /// How long it took.
    pub taken_us: u64,
    /// What is left on the clock of the seat afterwards.
    pub left_us: Option<u64>,
    /// Whether it was not accepted and another answer was asked for.
    pub forgiven: bool,
    /// Whether the object was taken out of other text.
    pub extracted: bool,
}

/// What an answer was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A legal move.
    Move,
    /// A claim that held.
    Claim,
    /// The offer of a draw.
    Offer,
    /// Agreement to a draw.
    Accept,
    /// Refusal of a draw.
    Decline,
    /// Resignation.
    Resign,
    /// The proposal to exchange captured leaders.
    Exchange,
    /// An army that is handed over.
    Withdraw,
    /// A throw of the die that could have waited.
    Throw,
    /// Well formed, and against the rules.
    Illegal,
    /// Not what an answer looks like.
    Malformed,
    /// None in time.
    Timeout,
    /// None any more: the process ended.
    Exited,
    /// None any more: a pipe was closed.
    Closed,
    /// More than an answer may hold.
    TooLong,
    /// Given without being asked.
    Unsolicited,
    /// None: there was no way to ask. This is nobody's fault.
    Unreachable,
    /// None: the agent never came to the board.
    CouldNotStart,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 18] = [
        Verdict::Move,
        Verdict::Claim,
        Verdict::Offer,
        Verdict::Accept,
        Verdict::Decline,
        Verdict::Resign,
        Verdict::Exchange,
        Verdict::Withdraw,
        Verdict::Throw,
        Verdict::Illegal,
        Verdict::Malformed,
        Verdict::Timeout,
        Verdict::Exited,
        Verdict::Closed,
        Verdict::TooLong,
        Verdict::Unsolicited,
        Verdict::Unreachable,
        Verdict::CouldNotStart,
    ];

    /// The word that programs see.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Move => "move",
            Verdict::Claim => "claim",
            Verdict::Offer => "offer",
            Verdict::Accept => "accept",
            Verdict::Decline => "decline",
            Verdict::Resign => "resign",
            Verdict::Exchange => "exchange",
            Verdict::Withdraw => "withdraw",
            Verdict::Throw => "throw",
            Verdict::Illegal => "illegal",
            Verdict::Malformed => "malformed",
            Verdict::Timeout => "timeout",
            Verdict::Exited => "exited",
            Verdict::Closed => "closed",
            Verdict::TooLong => "too_long",
            Verdict::Unsolicited => "unsolicited",
            Verdict::Unreachable => "unreachable",
            Verdict::CouldNotStart => "could_not_start",
        }
    }

    /// The verdict of that word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.word() == word)
    }

    /// Of an output that is not accepted.
    pub(super) fn of_refused(refused: &Refused) -> Self {
        if refused.rule == Rule::Malformed { Verdict::Malformed } else { Verdict::Illegal }
    }

    /// Whether it is about what was said. If not, it is about something that happened, which nobody can check again.
    pub fn is_about_output(self) -> bool {
        self <= Verdict::Malformed
    }
}

impl From<Event> for Verdict {
    fn from(event: Event) -> Self {
        match event {
            Event::Moved => Verdict::Move,
            Event::Claimed => Verdict::Claim,
            Event::Offered => Verdict::Offer,
            Event::Accepted => Verdict::Accept,
            Event::Declined => Verdict::Decline,
            Event::Resigned => Verdict::Resign,
            Event::Proposed => Verdict::Exchange,
            Event::Withdrew => Verdict::Withdraw,
            Event::Thrown => Verdict::Throw,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finish {
    /// The number of the game.
    pub id: u32,
    /// Who won; nobody, if it is a draw; `None` if the game does not count.
    pub winners: Option<Vec<String>>,
    /// Why.
    pub reason: String,
    /// Who brought it about by a fault of his own.
    pub by: Option<String>,
    /// How many moves were made, those of the opening included.
    pub plies: u32,
    /// The last position, as board text.
    pub state: String,
    /// What was wrong with how agents left. It does not change the result.
    pub departures: Vec<Departure>,
}

/// How an agent left that did not leave well.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Departure {
    /// Where it sat.
    pub seat: String,
    /// What it was guilty of.
    pub fault: String,
    /// How its process ended.
    pub exit: Option<String>,
    /// Its last words on standard error.
    pub stderr: String,
}

/// Why a text is no line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineError(String);

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LineError {}

impl Line {
    /// Reads a line.
    pub fn parse(text: &str) -> Result<Self, LineError> {
        if text.len() > LINE_LIMIT {
            return Err(LineError(format!("it has more than {LINE_LIMIT} bytes")));
        }
        let line: Line = serde_json::from_str(text).map_err(|error| LineError(reason(&error)))?;
        match &line {
            Line::Start(header) if header.tabiya != VERSION => {
                Err(LineError(format!("it is of version {}, and this is version {VERSION}", header.tabiya)))
            }
            _ => Ok(line),
        }
    }

    /// The number of the game that it belongs to.
    pub fn id(&self) -> u32 {
        match self {
            Line::Start(header) => header.id,
            Line::Throw(throw) => throw.id,
            Line::Answer(answer) => answer.id,
            Line::End(finish) => finish.id,
        }
    }
}

/// The text of the line, with its end.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
    }
}

/// What the reader says, without the number of the line, which is always the first; and not at any length, for it names
/// what it found.
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
    fn a_line_is_written_as_it_is_read() {
        let line = Line::parse(ANSWER).unwrap();
        assert_eq!(line.to_string(), format!("{ANSWER}\n"));
        assert_eq!(line.id(), 1);
    }

    #[test]
    fn what_is_no_line_says_so() {
        let cases = [
            ("", "EOF"),
            ("{}", "missing field `line`"),
            ("[]", "line"),
            (&ANSWER.replace("\"ply\":1,", ""), "missing field `ply`"),
            (&ANSWER.replace("\"ply\":1,", "\"ply\":-1,"), "invalid value"),
            (&ANSWER.replace("\"ply\":1,", "\"ply\":1,\"ply\":2,"), "duplicate field `ply`"),
            (&ANSWER.replace("\"ply\":1,", "\"ply\":1,\"plie\":2,"), "unknown field `plie`"),
            (&ANSWER.replace("\"verdict\":\"move\"", "\"verdict\":\"good\""), "unknown variant `good`"),
            (&format!("{ANSWER} {{}}"), "trailing characters"),
            (&" ".repeat(LINE_LIMIT + 1), "more than"),
        ];
        for (text, why) in cases {
            let error = Line::parse(text).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
            assert!(error.len() < 400, "{error}");
        }
    }

    #[test]
    fn every_verdict_has_its_word() {
        for verdict in Verdict::ALL {
            assert_eq!(Verdict::of_word(verdict.word()), Some(verdict));
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.word());
        }
        assert!(Verdict::Malformed.is_about_output() && !Verdict::Timeout.is_about_output());
    }
}
