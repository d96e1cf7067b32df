//! Arrays from YAML. Everything that is wrong with a file is told at once, each with its line.

use std::fmt;

use serde::Deserialize;
use serde_saphyr::Spanned;

use crate::array::ArraySpec;
use crate::check::{Fault, Reader};

/// No array has so many letters.
const MOST_BYTES: usize = 4 << 20;

/// A file as it stands; what its words mean is looked at later.
#[derive(Deserialize)]
pub(crate) struct FileForm {
    pub(crate) arrays: Vec<ArrayForm>,
}

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

/// The arrays of a YAML file, or everything that is wrong with it.
///
/// ```
/// let bad = "arrays:\n  - name: Odd\n    turn_order: [blue, red, green, yellow]\n";
/// assert!(tabiya_enochian::read_arrays(bad).is_err());
/// ```
pub fn read_arrays(yaml: &str) -> Result<Vec<ArraySpec>, Faulty> {
    let alone = |line: u64, what: String| Faulty(vec![Fault { line, what }]);
    if yaml.len() > MOST_BYTES {
        return Err(alone(1, format!("the file has more than {MOST_BYTES} bytes")));
    }
    let file: FileForm = serde_saphyr::from_str(yaml).map_err(|error| {
        let line = error.location().map_or(1, |location| location.line());
        alone(line, error.to_string())
    })?;
    let mut reader = Reader::default();
    let arrays: Vec<ArraySpec> = file.arrays.iter().filter_map(|form| reader.array(form)).collect();
    if file.arrays.is_empty() {
        reader.faults.push(Fault { line: 1, what: "there is no array".to_owned() });
    }
    if reader.faults.is_empty() { Ok(arrays) } else { Err(Faulty(reader.faults)) }
}
