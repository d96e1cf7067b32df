//! What a saved game says, before anybody has believed it. A key that nobody knows, or that stands twice, is refused:
//! whoever wrote it meant something by it, and it would be lost without a word.

use serde_json::Value;
use tabiya_notation::object_keys;
use tabiya_referee::MAX_PLIES;
use tabiya_referee::record::Choice;

use crate::text::truncate;

/// The most actions of a saved game; some are not moves.
const MAX_ACTIONS: usize = 4 * MAX_PLIES as usize;

/// The version of the form.
pub(super) const VERSION: u64 = 1;

const KEYS: [&str; 9] = ["tabiya", "game", "spec", "choice", "players", "start", "moves", "seed", "throws"];

/// A saved game, read but not yet played.
#[derive(Debug)]
pub(super) struct Form {
    /// The name of the game, for people.
    pub(super) game: String,
    /// The hash of its rules.
    pub(super) spec: String,
    /// What was chosen among what the game leaves open.
    pub(super) choice: Choice,
    /// How many people played, if that was said.
    pub(super) players: Option<u32>,
    /// Where it started, as board text.
    pub(super) start: String,
    /// Its turns, oldest first.
    pub(super) moves: Vec<String>,
    /// What the die was thrown from, and what it showed.
    pub(super) seed: u64,
    pub(super) throws: Vec<u8>,
}

impl Form {
    /// Reads it, or says what is wrong.
    pub(super) fn read(text: &str) -> Result<Form, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if value["tabiya"] != VERSION {
            return Err("it does not begin with \"tabiya\": 1".to_owned());
        }
        known_once(&object_keys(text).unwrap_or_default())?;
        let word = |key: &str| value[key].as_str().map(str::to_owned);
        let moves = value["moves"].as_array().ok_or("it has no list of moves")?;
        if moves.len() > MAX_ACTIONS {
            return Err("it has too many moves".to_owned());
        }
        let moves = moves.iter().map(|played| played.as_str().map(str::to_owned));
        let none = Value::Array(Vec::new());
        let throws = value.get("throws").unwrap_or(&none).as_array().ok_or("the throws are not a list")?;
        let throws = throws.iter().map(face);
        Ok(Form {
            game: word("game").unwrap_or_default(),
            spec: word("spec").ok_or("it does not name its rules")?,
            choice: choice(value.get("choice"))?,
            players: people(value.get("players"))?,
            start: word("start").ok_or("it does not say where the game started")?,
            moves: moves.collect::<Option<_>>().ok_or("a move is not a text")?,
            seed: value.get("seed").map_or(Some(0), Value::as_u64).ok_or("the seed is not a whole number")?,
            throws: throws.collect::<Option<_>>().ok_or("a throw is not a face of a die")?,
        })
    }
}

fn choice(value: Option<&Value>) -> Result<Choice, String> {
    let Some(value) = value else { return Ok(Choice::default()) };
    serde_json::from_value(value.clone()).map_err(|error| format!("its choice cannot be read: {error}"))
}

fn people(value: Option<&Value>) -> Result<Option<u32>, String> {
    let Some(value) = value else { return Ok(None) };
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.map(Some).ok_or_else(|| "the number of its players is not a whole number".to_owned())
}

fn face(value: &Value) -> Option<u8> {
    value.as_u64().and_then(|number| u8::try_from(number).ok())
}

fn known_once(keys: &[String]) -> Result<(), String> {
    const SHOWN: usize = 40;
    for (index, key) in keys.iter().enumerate() {
        if !KEYS.contains(&key.as_str()) {
            return Err(format!("it has an unknown key `{}`", truncate(key, SHOWN)));
        }
        if keys[..index].contains(key) {
            return Err(format!("the key `{key}` stands twice"));
        }
    }
    Ok(())
}
