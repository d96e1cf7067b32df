//! Reads arrays from YAML.
//!
//! All problems of a file are reported at once, each with its line. A part with the wrong form (a word instead of a list)
//! cannot be read further, so only its first problem is reported.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_saphyr::Spanned;

use crate::array::ArraySpec;
use crate::check::{ArrayError, Reader, line};
use crate::header::{BoardForm, ControllersForm, DiagonalSystems, Dice, Teams};

/// The maximum size of a file.
const MAX_BYTES: usize = 4 << 20;

pub(crate) type Word = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArrayForm {
    pub(crate) name: Word,
    #[serde(default)]
    pub(crate) about: String,
    #[serde(default)]
    pub(crate) source: String,
    pub(crate) turn_order: Option<Spanned<Vec<Word>>>,
    pub(crate) historical_order: Option<Spanned<Vec<Word>>>,
    pub(crate) controller_map: Option<Spanned<BTreeMap<u8, Vec<Word>>>>,
    pub(crate) throne_squares: Option<Spanned<BTreeMap<String, Vec<Word>>>>,
    pub(crate) pawn_directions: Option<Spanned<BTreeMap<String, Word>>>,
    #[serde(default)]
    pub(crate) promotion_zones: BTreeMap<String, Word>,
    pub(crate) first_sharer: Option<Word>,
    pub(crate) prime_player: Option<Word>,
    pub(crate) piece_placements: Option<Spanned<Vec<Spanned<PlacementForm>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlacementForm {
    pub(crate) square: Word,
    pub(crate) army: Word,
    pub(crate) kind: Word,
    pub(crate) patron: Option<Word>,
    pub(crate) diagonal_system: Option<Word>,
}

/// All problems of a file of arrays. Displays as one line per problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadArraysError(pub Vec<ArrayError>);

impl fmt::Display for ReadArraysError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for error in &self.0 {
            writeln!(f, "{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ReadArraysError {}

/// Defines a part of a file. Each part is read separately, so that a wrong form in one does not hide the problems of
/// the others.
macro_rules! part {
    ($name:ident, $key:ident: $type:ty) => {
        #[derive(Deserialize)]
        struct $name {
            $key: Option<$type>,
        }
    };
}

part!(Board, board: BoardForm);
part!(Armies, armies: Spanned<Vec<Word>>);
part!(TeamNames, teams: Spanned<Teams>);
part!(Players, controller_map: ControllersForm);
part!(Masks, diagonal_systems: DiagonalSystems);
part!(Die, die: Dice);
part!(Arrays, arrays: Vec<ArrayForm>);

const KEYS: [&str; 7] = ["board", "armies", "teams", "controller_map", "diagonal_systems", "die", "arrays"];

/// The top-level keys of a file.
struct Keys(Vec<Word>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Keys;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping with `arrays`")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(Names)
    }
}

/// Reads the arrays of a YAML file.
///
/// The other parts of the file (board, armies, teams, players, diagonal systems, die) are optional. If present, they must
/// agree with the game.
///
/// # Errors
///
/// Returns every problem of the file with its line.
///
/// # Examples
///
/// ```
/// let bad = "arrays:\n  - name: Odd\n    turn_order: [blue, red, green, yellow]\n";
/// assert!(tabiya_enochian::read_arrays(bad).is_err());
/// ```
pub fn read_arrays(yaml: &str) -> Result<Vec<ArraySpec>, ReadArraysError> {
    let mut reader = Reader::default();
    if yaml.len() > MAX_BYTES {
        reader.report(1, format!("the file has more than {MAX_BYTES} bytes"));
        return Err(ReadArraysError(reader.errors));
    }
    if let Some(Keys(keys)) = reader.read(yaml) {
        for key in keys.iter().filter(|key| !KEYS.contains(&key.value.as_str())) {
            let known = KEYS.join(", ");
            reader.report(line(key), format!("unknown key `{}`; the keys are {known}", key.value));
        }
    }
    if let Some(Board { board: Some(board) }) = reader.read(yaml) {
        reader.board(&board);
    }
    if let Some(Armies { armies: Some(armies) }) = reader.read(yaml) {
        reader.turn_order(&armies, "armies");
    }
    if let Some(TeamNames { teams: Some(teams) }) = reader.read(yaml) {
        reader.teams(line(&teams), &teams.value);
    }
    if let Some(Players { controller_map: Some(maps) }) = reader.read(yaml) {
        reader.controller_maps(&maps);
    }
    if let Some(Masks { diagonal_systems: Some(systems) }) = reader.read(yaml) {
        reader.diagonal_systems(&systems);
    }
    if let Some(Die { die: Some(dice) }) = reader.read(yaml) {
        reader.dice(&dice);
    }
    let mut arrays = Vec::new();
    if let Some(Arrays { arrays: forms }) = reader.read(yaml) {
        let forms = forms.unwrap_or_default();
        reader.names(&forms);
        arrays = forms.iter().filter_map(|form| reader.array(form)).collect();
        if forms.is_empty() {
            reader.report(1, "the file has no arrays".to_owned());
        }
    }
    if reader.errors.is_empty() {
        return Ok(arrays);
    }
    reader.errors.sort_by_key(|error| error.line);
    Err(ReadArraysError(reader.errors))
}

impl Reader {
    /// Reads a part of the file. An error that occurs in every part is reported once.
    fn read<'y, T: Deserialize<'y>>(&mut self, yaml: &'y str) -> Option<T> {
        let error = match serde_saphyr::from_str(yaml) {
            Ok(part) => return Some(part),
            Err(error) => error,
        };
        let line = error.location().map_or(1, |location| location.line());
        let error = ArrayError { line, message: reason(&error.to_string()) };
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
        None
    }
}

/// Strips the place and the advice for programmers from an error of the YAML parser.
fn reason(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let place = first.strip_prefix("line ").and_then(|rest| rest.split_once(": "));
    let message = place.map_or(first, |(_, message)| message);
    message.split_once(", set DuplicateKeyPolicy").map_or(message, |(message, _)| message).to_owned()
}
