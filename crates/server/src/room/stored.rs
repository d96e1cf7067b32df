//! The stored form of a room: its configuration and its journal. Variants and fields that were renamed keep their stored
//! names, so that older databases stay readable.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabiya_engine::{Player, PlayerSet};
use tabiya_referee::{DiceSecret, Event, Game, LogEntry};

use super::offers::NextRoom;
use crate::api_error::ApiError;
use crate::http_types::{ChoiceBody, ClockBody};
use crate::keys::Key;
use crate::loaded_game::GameSource;
use crate::settings::Settings;
use crate::socket_types::AgentAnswerView;

/// The configuration of a room. It never changes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RoomConfig {
    pub(crate) source: GameSource,
    pub(crate) choice: ChoiceBody,
    /// The hash of the rules. A game cannot continue under other rules.
    pub(crate) hash: String,
    pub(crate) seats: Vec<SeatConfig>,
    /// The key for spectators.
    pub(crate) watch: Key,
    pub(crate) clock: Option<ClockBody>,
    pub(crate) start: Option<String>,
    /// The seed of the built-in players.
    pub(crate) seed: u64,
    /// The secret of the dice, in hexadecimal digits. Games without dice have none; games that older versions or the operator
    /// started without one use the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dice: Option<String>,
    /// When the room was opened, in seconds since 1970.
    #[serde(default)]
    pub(crate) opened: Option<u64>,
    #[serde(default)]
    pub(crate) waits: Waits,
}

impl RoomConfig {
    /// Parses a stored configuration.
    pub(crate) fn parse(text: &str) -> Result<Self, ApiError> {
        let why = "this game was saved by another version and cannot be read";
        serde_json::from_str(text).map_err(|_| ApiError::rejected("unreadable", why))
    }

    /// Returns the secret of the dice.
    pub(crate) fn dice_secret(&self) -> Option<DiceSecret> {
        self.dice.as_deref()?.parse().ok()
    }

    /// Returns the seat of a key; `None` for the key for spectators.
    pub(crate) fn seat_of_key(&self, key: &str) -> Result<Option<usize>, ApiError> {
        let fits = |seat: &SeatConfig| matches!(&seat.occupant, Occupant::Human(own) if own.matches(key));
        match self.seats.iter().position(fits) {
            None if !self.watch.matches(key) => Err(ApiError::room_not_found()),
            seat => Ok(seat),
        }
    }
}

/// How long people are waited for, in milliseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) struct Waits {
    join_ms: u64,
    leave_ms: u64,
}

impl Waits {
    pub(crate) fn new(join: Duration, leave: Duration) -> Self {
        Waits { join_ms: join.as_millis() as u64, leave_ms: leave.as_millis() as u64 }
    }

    /// Returns the time after which a game with a clock is aborted if a person never came.
    pub(crate) fn join(&self) -> Duration {
        Duration::from_millis(self.join_ms)
    }

    /// Returns the time after which the other side may claim the game of a person who left.
    pub(crate) fn leave(&self) -> Duration {
        Duration::from_millis(self.leave_ms)
    }
}

impl Default for Waits {
    fn default() -> Self {
        let settings = Settings::default();
        Waits::new(settings.join_time, settings.leave_time)
    }
}

/// The configuration of a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SeatConfig {
    pub(crate) players: Vec<usize>,
    #[serde(rename = "who")]
    pub(crate) occupant: Occupant,
}

/// The occupant of a seat: a person with a key, or a program by its name.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Occupant {
    Human(Key),
    Player(String),
    Agent(String),
}

impl SeatConfig {
    /// Returns the players of the seat.
    pub(crate) fn set(&self) -> PlayerSet {
        self.players.iter().map(|player| Player(*player as u8)).collect()
    }

    /// Returns whether a person has the seat.
    pub(crate) fn is_human(&self) -> bool {
        matches!(self.occupant, Occupant::Human(_))
    }
}

/// An entry of a room's journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JournalEntry {
    /// An event of the game.
    Done {
        player: usize,
        #[serde(rename = "deed")]
        event: GameEvent,
        ms: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<Box<AgentAnswerView>>,
    },
    /// A rejected answer of an agent.
    Asked(Box<AgentAnswerView>),
    /// An undo: the first `keep` events remain.
    Undo { keep: usize },
    /// The person of a seat came for the first time, or with another name.
    Came {
        seat: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// The room of the rematch was opened.
    Next(NextRoom),
}

/// Parses a stored journal and leaves out what was undone, so that a room is restored in one pass over what remains. Entries
/// about people come first: an undo does not touch them.
pub(crate) fn remaining_entries(journal: &[String]) -> Result<Vec<JournalEntry>, ApiError> {
    let mut about_people = Vec::new();
    let mut entries: Vec<(usize, JournalEntry)> = Vec::new();
    let mut events = 0;
    for (number, text) in journal.iter().enumerate() {
        let unreadable = |_| {
            let why = format!("entry {number} of {} of this game cannot be read", journal.len());
            ApiError::rejected("unreadable", why)
        };
        match serde_json::from_str(text).map_err(unreadable)? {
            JournalEntry::Undo { keep } => {
                while entries.last().is_some_and(|(before, _)| *before >= keep) {
                    entries.pop();
                }
                events = events.min(keep);
            }
            entry @ (JournalEntry::Came { .. } | JournalEntry::Next(_)) => about_people.push(entry),
            entry @ JournalEntry::Asked(_) => entries.push((events, entry)),
            entry @ JournalEntry::Done { .. } => {
                entries.push((events, entry));
                events += 1;
            }
        }
    }
    Ok(about_people.into_iter().chain(entries.into_iter().map(|(_, entry)| entry)).collect())
}

/// An event of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GameEvent {
    /// A player's action as text: a move, an offer, a claim.
    #[serde(rename = "say")]
    Action(String),
    /// A player resigned for this army alone. In older journals, the action `resign` is that of the whole seat.
    ResignArmy,
    /// A flag fell.
    #[serde(rename = "flag")]
    FlagFell,
    /// A program loses for a fault outside the rules of the game.
    Forfeit(String),
    /// The game ends without a result.
    #[serde(rename = "break")]
    Abort(String),
}

impl GameEvent {
    /// Parses the event in the game to which it belongs.
    pub(super) fn parse(self, game: &Game) -> Result<Event, ApiError> {
        Ok(match self {
            GameEvent::Action(text) => {
                let action = game.parse_action(&text);
                Event::Action(action.map_err(|error| ApiError::rejected("illegal", error.to_string()))?)
            }
            GameEvent::ResignArmy => Event::ResignArmy,
            GameEvent::FlagFell => Event::Flag,
            GameEvent::Forfeit(reason) => Event::Forfeit(reason),
            GameEvent::Abort(reason) => Event::Abort(reason),
        })
    }
}

impl From<&LogEntry> for GameEvent {
    fn from(entry: &LogEntry) -> Self {
        match &entry.event {
            Event::Action(_) => GameEvent::Action(entry.text.clone()),
            Event::ResignArmy => GameEvent::ResignArmy,
            Event::Flag => GameEvent::FlagFell,
            Event::Forfeit(reason) => GameEvent::Forfeit(reason.clone()),
            Event::Abort(reason) => GameEvent::Abort(reason.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_older_databases_can_be_read() {
        let entries = [
            r#"{"done":{"player":0,"deed":{"say":"e2e4"},"ms":12}}"#,
            r#"{"done":{"player":1,"deed":"flag","ms":0}}"#,
            r#"{"done":{"player":1,"deed":"resign_army","ms":0}}"#,
            r#"{"done":{"player":1,"deed":{"forfeit":"timeout"},"ms":0}}"#,
            r#"{"done":{"player":1,"deed":{"break":"broken"},"ms":0}}"#,
            r#"{"undo":{"keep":3}}"#,
            r#"{"came":{"seat":1,"name":"Ada"}}"#,
            r#"{"next":{"id":"a","keys":["b",null],"watch":"c"}}"#,
        ];
        for text in entries {
            let entry: JournalEntry = serde_json::from_str(text).expect(text);
            assert_eq!(serde_json::to_string(&entry).unwrap(), text);
        }
        let seat = r#"{"players":[0],"who":{"player":"level3"}}"#;
        let config: SeatConfig = serde_json::from_str(seat).unwrap();
        assert_eq!(serde_json::to_string(&config).unwrap(), seat);
    }

    #[test]
    fn undone_entries_are_left_out() {
        let done = |text: &str| format!(r#"{{"done":{{"player":0,"deed":{{"say":"{text}"}},"ms":0}}}}"#);
        let undo = |keep: usize| format!(r#"{{"undo":{{"keep":{keep}}}}}"#);
        let asked = r#"{"asked":{"seen":2,"player":0,"agent":"x","state":null,"answer":null,"verdict":"","why":null,"ms":0}}"#;
        let check = |journal: &[String], expected: &[&str]| {
            let entries = remaining_entries(journal).unwrap();
            let texts: Vec<String> = entries
                .iter()
                .map(|entry| match entry {
                    JournalEntry::Done { event: GameEvent::Action(text), .. } => text.clone(),
                    other => format!("{other:?}").chars().take(5).collect(),
                })
                .collect();
            assert_eq!(texts, expected);
        };
        check(&[done("a"), undo(0), done("b")], &["b"]);
        check(&[done("a"), done("b"), asked.into(), done("c"), undo(2), done("d")], &["a", "b", "d"]);
        check(
            &[done("a"), done("b"), asked.into(), done("c"), undo(3), done("d")],
            &["a", "b", "Asked", "c", "d"],
        );
        check(&[done("a"), done("b"), undo(1), undo(0), done("c"), done("d"), undo(1)], &["c"]);
        let came = r#"{"came":{"seat":1,"name":"Ada"}}"#;
        let next = r#"{"next":{"id":"a","keys":["b",null],"watch":"c"}}"#;
        check(
            &[done("a"), came.into(), done("b"), next.into(), undo(1), done("c")],
            &["Came ", "Next(", "a", "c"],
        );
        assert_eq!(remaining_entries(&["?".into()]).unwrap_err().body.rule, "unreadable");
    }
}
