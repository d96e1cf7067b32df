//! Writes a game file in its shortest form: the inverse of [`crate::short`].
//!
//! Each pass proposes a shorter way to say something. A proposal is kept only if the file becomes shorter and every game that it
//! describes keeps its hash, so a pass need not prove that it is right.

mod betza_words;
mod pieces;
mod players;
mod small;
mod squares;

use serde_json::Value;

use crate::game::Game;
use crate::load::{Loaded, Loader};
use crate::{parse, short};

/// What the passes know about the game.
struct Context<'g> {
    game: &'g Game,
    /// The long form of the default game.
    long: Value,
    /// Returns false once the result is no longer wanted.
    may_continue: &'g dyn Fn() -> bool,
}

/// A change: the JSON pointer of an object, the key, and its new value; `None` removes the key.
struct Edit {
    object: String,
    key: String,
    value: Option<Value>,
}

impl Edit {
    fn set(object: impl Into<String>, key: &str, value: Value) -> Self {
        Edit { object: object.into(), key: key.to_owned(), value: Some(value) }
    }

    fn remove(object: impl Into<String>, key: &str) -> Self {
        Edit { object: object.into(), key: key.to_owned(), value: None }
    }

    fn apply(&self, file: &mut Value) {
        let Some(Value::Object(object)) = file.pointer_mut(&self.object) else { return };
        match &self.value {
            Some(value) => {
                object.insert(self.key.clone(), value.clone());
            }
            None => {
                object.shift_remove(&self.key);
            }
        }
    }
}

/// A pass returns groups of edits; those of a group belong together.
type Pass = fn(&Value, &Context<'_>) -> Vec<Vec<Edit>>;

const PASSES: [Pass; 9] = [
    small::words,
    players::setup,
    players::names,
    players::turns,
    squares::lists,
    squares::armies,
    small::castling,
    small::counts,
    pieces::moves,
];

impl Loader<'_> {
    /// Like [`format`](fn@format).
    ///
    /// # Errors
    ///
    /// The diagnostics, if one of them is an error.
    pub fn format(&self, bytes: &[u8]) -> Result<String, Box<Loaded>> {
        Ok(self.format_while(bytes, &|| true)?.unwrap_or_default())
    }

    /// Like [`format`](fn@format), but gives up once `may_continue` returns false, which it then must do forever. Formatting loads
    /// the file for every proposal, so that a server must bound its time.
    ///
    /// # Errors
    ///
    /// The diagnostics, if one of them is an error.
    pub fn format_while(
        &self,
        bytes: &[u8],
        may_continue: &dyn Fn() -> bool,
    ) -> Result<Option<String>, Box<Loaded>> {
        let (game, long) = self.game_and_long_form(bytes)?;
        let text = std::str::from_utf8(bytes).unwrap_or_default().trim_start_matches('\u{feff}');
        // The file is valid JSON, so this parser can read it too.
        let Ok(mut file) = serde_json::from_str::<Value>(text) else { return Ok(None) };
        let context = Context { game: &game, long, may_continue };
        let hashes = self.hashes(bytes, may_continue);
        let is_same = |file: &Value| self.hashes(file.to_string().as_bytes(), may_continue) == hashes;
        for pass in PASSES {
            if !may_continue() {
                return Ok(None);
            }
            let groups = pass(&file, &context);
            accept(&mut file, &groups, &is_same, may_continue);
        }
        Ok(may_continue().then(|| write(&file)))
    }
}

/// Applies the groups that keep all games as they are. All are tried at once, then halves, so that few bad ones cost little.
fn accept(
    file: &mut Value,
    groups: &[Vec<Edit>],
    is_same: &impl Fn(&Value) -> bool,
    may_continue: &dyn Fn() -> bool,
) {
    if !may_continue() {
        return;
    }
    let changed = with_edits(file, groups.iter().flatten());
    if is_shorter(&changed, file) && is_same(&changed) {
        *file = changed;
    } else if groups.len() > 1 {
        let (first, second) = groups.split_at(groups.len() / 2);
        accept(file, first, is_same, may_continue);
        accept(file, second, is_same, may_continue);
    }
}

/// Rewrites a game file into its shortest form. The games that it describes, and so their hashes, stay the same.
///
/// ```
/// let long = br#"{ "name": "Kings", "leader": { "piece": "KING" }, "board": { "dimensions": [2, 1] },
///     "players": [{ "name": "WHITE", "direction": [[1,0],[0,1]], "starting_positions": [{ "piece": "KING", "positions": [[0,0]] }] }],
///     "turns": { "order": ["WHITE"] }, "pieces": [{ "code": "KING", "moves": [{ "id": 4, "step": [1,0],
///       "actions": [{ "state": "EMPTY", "action": "MOVE" }, { "state": "ENEMY", "action": "CAPTURE" }] }] }] }"#;
/// let short = tabiya_spec::format(long).unwrap();
/// assert!(short.contains(r#""setup": "K1""#));
/// assert!(short.contains(r#"{ "code": "KING", "betza": "rW" }"#));
/// ```
///
/// # Errors
///
/// The diagnostics, if one of them is an error.
pub fn format(bytes: &[u8]) -> Result<String, Box<Loaded>> {
    Loader::default().format(bytes)
}

/// Returns a word of Betza notation that says as many as possible of a list of moves in the long form without `id`, and the
/// moves that it does not say. `slots` is the length of the turn order.
pub fn betza_words(moves: &[Value], slots: usize) -> (String, Vec<Value>) {
    let cover = betza_words::cover(moves, slots);
    (cover.word, cover.rest)
}

/// Lays out a file as [`format`](fn@format) does, without rewriting anything; `None` if it is not JSON.
pub fn lay_out(text: &str) -> Option<String> {
    let json = parse::document(text, &mut crate::diagnostic::Diagnostics::new(text))?;
    Some(short::write(&json))
}

fn with_edits<'e>(file: &Value, edits: impl Iterator<Item = &'e Edit>) -> Value {
    let mut changed = file.clone();
    edits.for_each(|edit| edit.apply(&mut changed));
    changed
}

/// Returns whether a file is shorter than another and has all its comments.
fn is_shorter(one: &Value, other: &Value) -> bool {
    one != other && one.to_string().len() <= other.to_string().len() && comments(one) == comments(other)
}

/// Counts the comments of a file.
fn comments(value: &Value) -> usize {
    match value {
        Value::Object(object) => {
            usize::from(object.contains_key(short::COMMENT)) + object.values().map(comments).sum::<usize>()
        }
        Value::Array(list) => list.iter().map(comments).sum(),
        _ => 0,
    }
}

/// Writes a file, with its keys in a fixed order.
fn write(file: &Value) -> String {
    let text = file.to_string();
    lay_out(&text).unwrap_or(text)
}

/// Returns whether a value depends on choices among options.
fn has_choices(value: &Value) -> bool {
    match value {
        Value::Object(object) => {
            let words = ["only_if", "option", "entries", "square"];
            object.keys().any(|key| words.contains(&key.as_str())) || object.values().any(has_choices)
        }
        Value::Array(list) => list.iter().any(has_choices),
        _ => false,
    }
}

/// Returns the objects of a list with their JSON pointers.
fn objects<'v>(file: &'v Value, pointer: &str) -> Vec<(String, &'v serde_json::Map<String, Value>)> {
    let list = file.pointer(pointer).and_then(Value::as_array);
    let entries = list.into_iter().flatten().enumerate();
    entries.filter_map(|(index, entry)| Some((format!("{pointer}/{index}"), entry.as_object()?))).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{Choices, expand, library};

    #[test]
    fn formatting_can_be_stopped_at_any_time() {
        let chess = library::find("chess").unwrap().json.as_bytes();
        let long = expand(chess, &Choices::default()).unwrap();
        let format = |calls: usize| {
            let left = Cell::new(calls);
            let may_continue = || {
                left.set(left.get().saturating_sub(1));
                left.get() > 0
            };
            Loader::default().format_while(long.as_bytes(), &may_continue).unwrap()
        };
        for calls in [0, 1, 2, 5, 10, 20] {
            assert_eq!(format(calls), None, "{calls}");
        }
        assert!(format(100_000).unwrap().contains("fmWifmnDfceF"));
    }
}
