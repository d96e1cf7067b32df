//! Arrays from YAML. Everything that is wrong with a file is told at once, each with its line; of faults in the form of
//! one part (a word where a list must be), which end the reading of that part, the first.

use std::fmt;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_saphyr::Spanned;

use crate::array::ArraySpec;
use crate::check::{Fault, Reader, line};
use crate::frame::{BoardForm, ControllersForm, Dice, Networks, Teams};

/// No array has so many letters.
const MOST_BYTES: usize = 4 << 20;

pub(crate) type Word = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArrayForm {
    pub(crate) name: Word,
    #[serde(default)]
    pub(crate) about: String,
    #[serde(default)]
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) turn_order: Option<Spanned<Vec<Word>>>,
    #[serde(default)]
    pub(crate) historical_order: Option<Spanned<Vec<Word>>>,
    #[serde(default)]
    pub(crate) controller_map: std::collections::BTreeMap<u8, Vec<Word>>,
    #[serde(default)]
    pub(crate) throne_squares: Option<Spanned<std::collections::BTreeMap<String, Vec<Word>>>>,
    #[serde(default)]
    pub(crate) pawn_directions: Option<Spanned<std::collections::BTreeMap<String, Word>>>,
    #[serde(default)]
    pub(crate) promotion_zones: std::collections::BTreeMap<String, Word>,
    #[serde(default)]
    pub(crate) first_sharer: Option<Word>,
    #[serde(default)]
    pub(crate) prime_player: Option<Word>,
    #[serde(default)]
    pub(crate) piece_placements: Option<Spanned<Vec<Spanned<PlacementForm>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlacementForm {
    pub(crate) square: Word,
    pub(crate) army: Word,
    pub(crate) kind: Word,
    #[serde(default)]
    pub(crate) patron: Option<Word>,
    #[serde(default)]
    pub(crate) diagonal_system: Option<Word>,
}

/// Everything that is wrong with a file of arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faulty(pub Vec<Fault>);

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.0 {
            writeln!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faulty {}

/// One part of a file. Each is read by itself, so that a fault of form in one does not hide those of the others.
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
part!(Masks, diagonal_systems: Networks);
part!(Die, die: Dice);
part!(Arrays, arrays: Vec<ArrayForm>);

const KEYS: [&str; 7] = ["board", "armies", "teams", "controller_map", "diagonal_systems", "die", "arrays"];

/// The keys of a file, where they stand.
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

/// The arrays of a YAML file, or everything that is wrong with it. What stands around the arrays (board, armies, teams,
/// players, networks, die) may be left out; if it is there, it must be as it is in the game.
///
/// ```
/// let bad = "arrays:\n  - name: Odd\n    turn_order: [blue, red, green, yellow]\n";
/// assert!(tabiya_enochian::read_arrays(bad).is_err());
/// ```
pub fn read_arrays(yaml: &str) -> Result<Vec<ArraySpec>, Faulty> {
    let mut reader = Reader::default();
    if yaml.len() > MOST_BYTES {
        reader.complain(1, format!("the file has more than {MOST_BYTES} bytes"));
        return Err(Faulty(reader.faults));
    }
    if let Some(Keys(keys)) = reader.read(yaml) {
        for key in keys.iter().filter(|key| !KEYS.contains(&key.value.as_str())) {
            let known = KEYS.join(", ");
            reader.complain(line(key), format!("there is no key `{}`; the keys are {known}", key.value));
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
            reader.complain(1, "there is no array".to_owned());
        }
    }
    if reader.faults.is_empty() {
        return Ok(arrays);
    }
    reader.faults.sort_by_key(|fault| fault.line);
    Err(Faulty(reader.faults))
}

impl Reader {
    /// A part of the file. A fault that every part meets is told once.
    fn read<'y, T: Deserialize<'y>>(&mut self, yaml: &'y str) -> Option<T> {
        let error = match serde_saphyr::from_str(yaml) {
            Ok(part) => return Some(part),
            Err(error) => error,
        };
        let line = error.location().map_or(1, |location| location.line());
        let fault = Fault { line, what: reason(&error.to_string()) };
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
        None
    }
}

/// What the reader of YAML says, without the place, which is told anyway, and without advice for programmers.
fn reason(error: &str) -> String {
    let first = error.lines().next().unwrap_or_default();
    let first = first.strip_prefix("error: ").unwrap_or(first);
    let place = first.strip_prefix("line ").and_then(|rest| rest.split_once(": "));
    let said = place.map_or(first, |(_, said)| said);
    said.split_once(", set DuplicateKeyPolicy").map_or(said, |(said, _)| said).to_owned()
}
