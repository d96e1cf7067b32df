//! The parts of a file that have a name.

use std::ops::Range;

use super::symbols::entries;
use super::tree::{Form, Id, Tree};
use crate::MAX_BYTES;

/// A part of a file that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineEntry {
    /// The key of the file that it belongs to: `pieces`, `players`, `conditions`, `endings`, `options`, `presets` or `layouts`.
    pub section: &'static str,
    /// Its code or name.
    pub name: String,
    /// The bytes of the whole part.
    pub span: Range<usize>,
    /// The bytes of the code or name.
    pub name_span: Range<usize>,
}

/// Lists, and the keys that name their entries.
const LISTS: [(&str, &[&str]); 4] =
    [("players", &["name"]), ("conditions", &["code"]), ("pieces", &["code"]), ("endings", &["id", "code"])];

/// Objects whose keys are names.
const MAPS: [&str; 3] = ["options", "presets", "layouts"];

/// Lists the pieces, players, conditions, endings, options, presets and layouts of a file, in text order.
///
/// ```
/// let entries = tabiya_spec::editing::outline(r#"{ "players": ["RED", "BLACK"], "pieces": [{ "code": "KING" }"#);
/// let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
/// assert_eq!(names, ["RED", "BLACK", "KING"]);
/// ```
pub fn outline(text: &str) -> Vec<OutlineEntry> {
    if text.len() > MAX_BYTES {
        return Vec::new();
    }
    let tree = Tree::parse(text);
    let Some(root) = tree.root() else { return Vec::new() };
    let mut found = Vec::new();
    for (section, keys) in LISTS {
        for entry in entries(&tree, root, section) {
            let named = keys.iter().find_map(|key| tree.get(entry, key));
            let named = named.or((tree.node(entry).form == Form::Text).then_some(entry));
            found.extend(named.and_then(|named| {
                let name = tree.string(named)?.into_owned();
                let (span, name_span) = (tree.node(entry).span.clone(), tree.node(named).span.clone());
                Some(OutlineEntry { section, name, span, name_span })
            }));
        }
    }
    for section in MAPS {
        let members: Vec<Id> =
            tree.get(root, section).into_iter().flat_map(|map| tree.children(map)).collect();
        found.extend(members.into_iter().filter_map(|id| {
            let node = tree.node(id);
            let span = node.key.start..node.span.end.max(node.key.end);
            Some(OutlineEntry {
                section,
                name: tree.key(id)?.into_owned(),
                span,
                name_span: node.key.clone(),
            })
        }));
    }
    found.sort_by_key(|entry| entry.span.start);
    found
}
