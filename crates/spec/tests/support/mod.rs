//! Reads `docs/diagnostics.md` for tests: its base game, its sections and their changes.

#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod damage;

use serde_json::Value;

/// The document.
pub(crate) const DOCUMENT: &str = include_str!("../../../../docs/diagnostics.md");

/// A fenced block: its label and its contents.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) info: String,
    pub(crate) body: String,
}

/// A section about one code.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) blocks: Vec<Block>,
}

impl Section {
    /// Returns the pointer at which the example is reported.
    pub(crate) fn pointer(&self) -> Option<&str> {
        let line = self.text.lines().find_map(|line| line.strip_prefix("Reported at "))?;
        match line {
            "the whole file." => Some(""),
            _ => line.strip_prefix('`')?.strip_suffix("`."),
        }
    }
}

/// Returns all sections about codes, in document order.
pub(crate) fn sections() -> Vec<Section> {
    let chapters = DOCUMENT.split("\n## ");
    let parts = chapters.flat_map(|chapter| chapter.split("\n### ").skip(1));
    parts
        .map(|part| {
            let (name, text) = part.split_once('\n').expect("a heading and a text");
            Section { name: name.into(), text: text.into(), blocks: blocks(text) }
        })
        .collect()
}

/// Returns the text of the base game.
pub(crate) fn base() -> String {
    let base = blocks(DOCUMENT).into_iter().find(|block| block.info == "json base");
    base.expect("the document has a base game").body
}

/// Applies changes to the base game: each a pointer and the new text at that place.
pub(crate) fn changed<'t>(changes: impl IntoIterator<Item = (&'t str, &'t str)>) -> String {
    let mut game: Value = serde_json::from_str(&base()).expect("the base game is JSON");
    let mut texts = Vec::new();
    for (index, (pointer, text)) in changes.into_iter().enumerate() {
        // A placeholder, because the new text may not survive parsing and printing.
        let stand_in = format!("@{index}@");
        put(&mut game, pointer, stand_in.clone().into());
        texts.push((format!("\"{stand_in}\""), text));
    }
    let whole = serde_json::to_string_pretty(&game).expect("JSON can be written");
    texts.iter().fold(whole, |whole, (stand_in, text)| whole.replace(stand_in, text))
}

/// Returns the line and column, counted from 1, of a byte offset.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

fn blocks(text: &str) -> Vec<Block> {
    let mut fences = text.split("\n```");
    fences.next();
    let mut found = Vec::new();
    while let (Some(block), Some(_)) = (fences.next(), fences.next()) {
        let (info, body) = block.split_once('\n').expect("a fence ends its line");
        found.push(Block { info: info.into(), body: body.into() });
    }
    found
}

fn put(game: &mut Value, pointer: &str, value: Value) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer below the root");
    match game.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {parent}")) {
        Value::Object(object) => {
            object.insert(key.into(), value);
        }
        Value::Array(list) if key == "-" => list.push(value),
        Value::Array(list) => list[key.parse::<usize>().expect("an index")] = value,
        _ => panic!("{parent} has no parts"),
    }
}
