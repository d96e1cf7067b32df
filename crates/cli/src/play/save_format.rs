//! Parses saved games. Unknown and repeated keys are errors, so that no content is ignored silently.

use serde_json::Value;
use tabiya_notation::object_keys;
use tabiya_referee::record::Choice;

use crate::text::clip;

/// The most actions of a saved game; some are not moves.
const MAX_ACTIONS: usize = 65_536;

/// The version of the format.
pub(super) const VERSION: u64 = 1;

const KEYS: [&str; 9] = ["tabiya", "game", "spec", "choice", "players", "start", "moves", "seed", "throws"];

/// The contents of a saved game, not yet replayed.
#[derive(Debug)]
pub(super) struct SavedData {
    /// The name of the game, for readers.
    pub(super) game: String,
    /// The hash of its rules.
    pub(super) spec: String,
    /// The array, rules and options.
    pub(super) choice: Choice,
    /// The number of participants, if the file names it.
    pub(super) players: Option<u32>,
    /// The starting position as board text.
    pub(super) start: String,
    /// The turns, oldest first.
    pub(super) moves: Vec<String>,
    /// The seed of the die, and its throws.
    pub(super) seed: u64,
    pub(super) throws: Vec<u8>,
}

impl SavedData {
    /// Parses a file, or returns what is wrong with it.
    pub(super) fn read(text: &str) -> Result<SavedData, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if value["tabiya"] != VERSION {
            return Err("it has no \"tabiya\": 1".to_owned());
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
        Ok(SavedData {
            game: word("game").unwrap_or_default(),
            spec: word("spec").ok_or("it does not name its rules")?,
            choice: choice(value.get("choice"))?,
            players: participants(value.get("players"))?,
            start: word("start").ok_or("it has no starting position")?,
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

fn participants(value: Option<&Value>) -> Result<Option<u32>, String> {
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
            return Err(format!("it has an unknown key `{}`", clip(key, SHOWN)));
        }
        if keys[..index].contains(key) {
            return Err(format!("the key `{key}` is repeated"));
        }
    }
    Ok(())
}
