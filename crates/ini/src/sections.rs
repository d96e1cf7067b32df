//! The text of a variants.ini: sections with their parents, and keys with their values and lines.

use std::fmt;

/// The longest chain of variants that inherit from each other.
const MAX_DEPTH: usize = 64;

/// The variants that need no file.
const BUILTIN: &str = include_str!("builtin.ini");

/// A variant as written: `[name:parent]` and what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section<'t> {
    pub(crate) name: &'t str,
    pub(crate) parent: Option<&'t str>,
    /// The line of the name, counted from 1.
    pub(crate) line: usize,
    pub(crate) entries: Vec<Entry<'t>>,
}

/// A line `key = value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'t> {
    pub(crate) key: &'t str,
    pub(crate) value: &'t str,
    pub(crate) place: Place<'t>,
}

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place<'t> {
    /// A line of the file, counted from 1.
    Line(usize),
    /// A variant that needs no file.
    Builtin(&'t str),
}

/// A file that cannot be read, or a variant that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IniError {
    /// The line, counted from 1, if the problem has one.
    pub line: Option<usize>,
    /// What is wrong and what to do, in sentences.
    pub message: String,
}

impl fmt::Display for IniError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for IniError {}

/// Returns the sections of a file.
pub(crate) fn parse(text: &str) -> Result<Vec<Section<'_>>, IniError> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let error = |message: String| Err(IniError { line: Some(index + 1), message });
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(head) = line.strip_prefix('[') {
            let Some(head) = head.strip_suffix(']') else {
                return error("The name of a variant ends with `]`.".into());
            };
            let (name, parent) = match head.split_once(':') {
                Some((name, parent)) => (name.trim(), Some(parent.trim())),
                None => (head.trim(), None),
            };
            if name.is_empty() || parent.is_some_and(str::is_empty) {
                return error("A variant is written `[name]` or `[name:parent]`.".into());
            }
            if sections.iter().any(|other| other.name == name) {
                return error(format!("The variant `{name}` is defined twice."));
            }
            sections.push(Section { name, parent, line: index + 1, entries: Vec::new() });
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            return error("A line is `key = value`, `[name:parent]` or a comment after `#`.".into());
        };
        let Some(section) = sections.last_mut() else {
            return error("The first line of a variant is its name: `[name]`.".into());
        };
        section.entries.push(Entry { key: key.trim(), value: value.trim(), place: Place::Line(index + 1) });
    }
    Ok(sections)
}

/// Returns the variants that need no file.
pub(crate) fn builtin() -> Vec<Section<'static>> {
    let mut sections = parse(BUILTIN).expect("the built-in variants are valid");
    for section in &mut sections {
        section.entries.iter_mut().for_each(|entry| entry.place = Place::Builtin(section.name));
    }
    sections
}

/// Returns a variant after its parents, the first ancestor first. Variants of the file hide built-in ones.
pub(crate) fn chain<'s, 't>(
    own: &'s [Section<'t>],
    builtin: &'s [Section<'t>],
    name: &str,
) -> Result<Vec<&'s Section<'t>>, IniError> {
    let find = |name: &str, before: usize| {
        let mut own = own[..before.min(own.len())].iter().enumerate().rev();
        own.find(|(_, section)| section.name == name)
            .or_else(|| builtin.iter().find(|section| section.name == name).map(|it| (0, it)))
    };
    let missing = |name: &str, line: Option<usize>| {
        let names = own.iter().chain(builtin).map(|section| section.name);
        let message = match nearest(name, names) {
            Some(same) if same == name => {
                format!("The variant `{name}` is defined after this one; put it before.")
            }
            Some(near) => format!("There is no variant `{name}`. Did you mean `{near}`?"),
            None => format!("There is no variant `{name}`."),
        };
        IniError { line, message }
    };
    // A variant inherits from one that is defined before it, so a chain always ends.
    let mut found = vec![find(name, own.len()).ok_or_else(|| missing(name, None))?];
    while let Some((index, parent)) = found.last().and_then(|(index, it)| Some((*index, it.parent?))) {
        if found.len() > MAX_DEPTH {
            let message = format!("More than {MAX_DEPTH} variants inherit from each other.");
            return Err(IniError { line: None, message });
        }
        let is_own = found.last().is_some_and(|(_, it)| own.iter().any(|other| std::ptr::eq(other, *it)));
        let next = if is_own { find(parent, index) } else { find(parent, 0) };
        let line = found.last().filter(|_| is_own).map(|(_, it)| it.line);
        found.push(next.ok_or_else(|| missing(parent, line))?);
    }
    Ok(found.into_iter().rev().map(|(_, section)| section).collect())
}

/// Returns the most similar of the names.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = 1 + name.chars().count() / 4;
    let distance = |other: &str| strsim::osa_distance(&name.to_lowercase(), &other.to_lowercase());
    names.map(|other| (distance(other), other)).filter(|(it, _)| *it <= limit).min().map(|(_, other)| other)
}
