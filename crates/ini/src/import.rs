//! Imports one variant of a file: applies the keys of its ancestors and its own, and lists what has no equivalent.

use std::collections::BTreeMap;

use tabiya_spec::diagnostic::Severity;

use crate::game;
use crate::keys::{self, KEYS, Meaning};
use crate::pieces::{CUSTOM, TYPES};
use crate::sections::{self, Entry, IniError, Place, Section};
use crate::variant::Variant;

/// The largest file that is read.
const SIZE_MAX: usize = 4 << 20;

/// An imported variant.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Imported {
    /// The name of the variant.
    pub variant: String,
    /// The game file, in its shortest form.
    pub json: String,
    /// Keys that games cannot express. Without them the game has other rules.
    pub left_out: Vec<LeftOut>,
    /// Keys that do not concern the rules, or that the game expresses in another way with the same results.
    pub notes: Vec<LeftOut>,
}

/// A key that is not part of the imported game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// The line in the file, counted from 1; `None` for a key of a built-in variant.
    pub line: Option<usize>,
    /// The built-in variant that has the key.
    pub inherited: Option<String>,
    /// The key.
    pub key: String,
    /// The value, as written.
    pub value: String,
    /// Why it is left out, as a sentence.
    pub reason: String,
}

impl LeftOut {
    fn new(entry: &Entry<'_>, reason: String) -> Self {
        let (line, inherited) = match entry.place {
            Place::Line(line) => (Some(line), None),
            Place::Builtin(name) => (None, Some(name.to_owned())),
        };
        LeftOut { line, inherited, key: entry.key.to_owned(), value: entry.value.to_owned(), reason }
    }
}

/// Returns the names of the variants in a file.
///
/// # Errors
///
/// The first line that cannot be read.
pub fn variants(text: &str) -> Result<Vec<String>, IniError> {
    Ok(checked(text)?.iter().map(|section| section.name.to_owned()).collect())
}

/// Imports a variant of a file, or a built-in one. Without a name, the file must have exactly one.
///
/// # Errors
///
/// A file that cannot be read, a variant or a parent that does not exist, or a variant from which no valid game follows.
pub fn import(text: &str, name: Option<&str>) -> Result<Imported, IniError> {
    let own = checked(text)?;
    let name = match (name, &own[..]) {
        (Some(name), _) => name,
        (None, [only]) => only.name,
        (None, []) => return Err(IniError { line: None, message: "The file has no variant.".into() }),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|it| it.name).collect();
            let message = format!("The file has several variants; name one of {}.", names.join(", "));
            return Err(IniError { line: None, message });
        }
    };
    let builtin = sections::builtin();
    let chain = sections::chain(&own, &builtin, name)?;
    let mut applied = Applied::default();
    for section in &chain {
        applied.apply(section);
    }
    let Applied { variant, mut left_out, mut notes, .. } = applied.finish();
    let written = game::write(&variant, name)
        .map_err(|message| IniError { line: None, message: format!("The variant `{name}`: {message}") })?;
    let entries = || chain.iter().rev().flat_map(|section| section.entries.iter().rev());
    let at_entry = |(key, reason): (String, String)| {
        let place = entries().find(|entry| entry.key == key);
        let fallback = Entry { key: &key, value: "", place: Place::Builtin("chess") };
        LeftOut::new(place.unwrap_or(&fallback), reason)
    };
    left_out.extend(written.left_out.into_iter().map(at_entry));
    notes.extend(written.notes.into_iter().map(at_entry));
    let json = shortest(&written.json).map_err(|message| IniError { line: None, message })?;
    left_out.sort_by_key(|it| it.line.unwrap_or(0));
    Ok(Imported { variant: name.to_owned(), json, left_out, notes })
}

fn checked(text: &str) -> Result<Vec<Section<'_>>, IniError> {
    if text.len() > SIZE_MAX {
        return Err(IniError { line: None, message: "The file has more than 4 MiB.".into() });
    }
    sections::parse(text)
}

/// Returns the shortest form of a file, or its problems.
fn shortest(json: &str) -> Result<String, String> {
    tabiya_spec::format(json.as_bytes()).map_err(|loaded| {
        let errors = loaded.diagnostics.iter().filter(|it| it.severity() == Severity::Error);
        let problems: Vec<String> = errors.map(|it| it.message.clone()).collect();
        format!("No valid game follows from it. {}", problems.join(" "))
    })
}

/// The keys of a chain of variants, applied one after the other.
#[derive(Default)]
struct Applied<'t> {
    variant: Variant,
    left_out: Vec<LeftOut>,
    notes: Vec<LeftOut>,
    /// Keys that need a missing mechanic, each with its last value.
    missing: BTreeMap<&'t str, (Entry<'t>, &'static [&'static str], &'static str)>,
}

impl<'t> Applied<'t> {
    fn apply(&mut self, section: &Section<'t>) {
        let is_piece = |entry: &&Entry<'t>| {
            TYPES.iter().any(|it| it.key == entry.key) || crate::pieces::custom(entry.key).is_some()
        };
        let pieces = section.entries.iter().filter(is_piece);
        let mut pieces: Vec<&Entry<'t>> = pieces.collect();
        pieces.sort_by_key(|entry| {
            TYPES.iter().position(|it| it.key == entry.key).unwrap_or(CUSTOM + TYPES.len())
        });
        for entry in pieces {
            let result = keys::piece(&mut self.variant, entry.key, entry.value);
            self.read(entry, result);
        }
        for (index, entry) in section.entries.iter().enumerate() {
            if section.entries[index + 1..].iter().any(|other| other.key == entry.key) {
                let reason = "The key stands again further down, where it counts.".to_owned();
                self.notes.push(LeftOut::new(entry, reason));
            }
        }
        for (key, meaning) in KEYS {
            // A later line replaces an earlier one.
            let Some(entry) = section.entries.iter().rev().find(|entry| entry.key == *key) else { continue };
            match meaning {
                Meaning::Rule(apply) => {
                    let result = apply(&mut self.variant, entry.value);
                    self.read(entry, Some(result));
                }
                Meaning::Missing { without, needs } => {
                    self.missing.insert(key, (*entry, without, needs));
                }
                Meaning::NoRule(reason) => {
                    if let Place::Line(_) = entry.place {
                        self.notes.push(LeftOut::new(entry, format!("Not needed: {reason}.")));
                    }
                }
            }
        }
        for entry in section.entries.iter().filter(|entry| !is_piece(entry)) {
            if KEYS.iter().any(|(key, _)| *key == entry.key) {
                continue;
            }
            let result = keys::mobility(&mut self.variant, entry.key, entry.value);
            let unknown = result.is_none();
            self.read(entry, result);
            if unknown {
                let names = KEYS.iter().map(|(key, _)| *key).chain(TYPES.iter().map(|it| it.key));
                let near = sections::nearest(entry.key, names);
                let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
                self.left_out.push(LeftOut::new(entry, format!("There is no key `{}`.{near}", entry.key)));
            }
        }
    }

    fn read(&mut self, entry: &Entry<'t>, result: Option<Result<(), String>>) {
        if let Some(Err(reason)) = result {
            self.left_out.push(LeftOut::new(entry, reason));
        }
    }

    /// Lists the missing mechanics that the variant really uses.
    fn finish(mut self) -> Self {
        for (entry, without, needs) in self.missing.values() {
            if !without.contains(&entry.value) {
                let reason = format!("Games cannot express this yet: {needs}.");
                self.left_out.push(LeftOut::new(entry, reason));
            }
        }
        self
    }
}
