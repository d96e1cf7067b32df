//! Help while a game file is being written: completion, explanations and definitions at a position of the text.
//!
//! The functions are pure: they take the text and a byte offset. They accept any text, however incomplete, and any offset;
//! a text over [`MAX_BYTES`] has no answers. The language server, `tabiya lsp`, is built on them.
//!
//! - [`complete`] returns what can be written at a position;
//! - [`hover`] explains what stands there;
//! - [`definition`] returns where a code is defined;
//! - [`outline`] lists the pieces, players, conditions, endings and options of a file;
//! - [`is_game`] distinguishes game files from other JSON files.
//!
//! A file may extend games of the library. [`Loader`] has the same functions for files that extend other files.
//!
//! ```
//! use tabiya_spec::editing::complete;
//!
//! let text = r#"{ "extends": "chess", "leader": "KI"#;
//! let found = complete(text, text.len());
//! let king = found.iter().find(|completion| completion.label == "KING").unwrap();
//! assert_eq!(king.insert, "\"KING\"");
//! assert_eq!(&text[king.replaced.clone()], "\"KI");
//! ```

mod complete;
mod cursor;
mod definition;
mod grammar;
mod hover;
mod outline;
mod references;
mod symbols;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;
use std::ops::Range;

use crate::{Loader, MAX_BYTES, library};

pub(crate) use grammar::keys_of;
use tree::Tree;

pub use outline::{OutlineEntry, outline};

/// Something that can be written at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The word to show: `leader`, `KING`.
    pub label: String,
    /// The text to insert: `"leader": `, `"KING"`.
    pub insert: String,
    /// The bytes that it replaces.
    pub replaced: Range<usize>,
    /// What it is.
    pub kind: CompletionKind,
    /// One sentence about it; may be empty.
    pub description: String,
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CompletionKind {
    /// A key of an object.
    Key,
    /// A keyword of the format.
    Keyword,
    /// The code of a piece.
    Piece,
    /// The name of a player.
    Player,
    /// The code of a `POSITION` condition.
    Condition,
    /// A flag that pieces carry.
    Flag,
    /// The name of an option.
    Option,
    /// A value: of an option or a tag, `true` or `false`.
    Value,
    /// The code or the id of an ending.
    Ending,
    /// A game of the library.
    Game,
    /// A letter of Betza notation.
    Letter,
    /// An object with a keyword, such as `{ "condition": "FIRST_MOVE" }`.
    Object,
}

impl CompletionKind {
    /// Returns the kind in words, such as `condition`.
    pub fn as_str(self) -> &'static str {
        match self {
            CompletionKind::Key => "key",
            CompletionKind::Keyword => "keyword",
            CompletionKind::Piece => "piece",
            CompletionKind::Player => "player",
            CompletionKind::Condition => "condition",
            CompletionKind::Flag => "flag",
            CompletionKind::Option => "option",
            CompletionKind::Value => "value",
            CompletionKind::Ending => "ending",
            CompletionKind::Game => "game",
            CompletionKind::Letter => "letter",
            CompletionKind::Object => "object",
        }
    }
}

/// An explanation of what stands at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it explains.
    pub span: Range<usize>,
    /// What they are: ``key `leader` ``.
    pub title: String,
    /// Sentences about it, with code between backticks; may be empty.
    pub text: String,
    /// Lines of fixed width: a drawing, or rules in English; may be empty.
    pub block: String,
}

/// Formats the explanation as plain text.
impl fmt::Display for Hover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [&self.title, &self.text, &self.block];
        let parts: Vec<&str> = parts.into_iter().map(String::as_str).filter(|it| !it.is_empty()).collect();
        f.write_str(&parts.join("\n\n"))
    }
}

/// Where a code is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The game that defines it: its name in the library, or the path of a file; `None` for the text itself.
    pub game: Option<String>,
    /// The bytes of the code in that text.
    pub span: Range<usize>,
    /// The text of that game; `None` for the text itself.
    pub text: Option<String>,
    /// The bytes of the code that was asked about.
    pub origin: Range<usize>,
}

/// Returns whether a text is a game file, judging by its keys, so that an editor does not check other JSON files.
///
/// ```
/// use tabiya_spec::editing::is_game;
///
/// assert!(is_game(r#"{ "name": "Duel", "board": "#));
/// assert!(is_game(r#"{ "extends": "chess" }"#));
/// assert!(!is_game(r#"{ "name": "page", "version": "1.0.0" }"#));
/// assert!(!is_game(r#"{ "extends": "./tsconfig.base.json" }"#));
/// ```
pub fn is_game(text: &str) -> bool {
    // The beginning of a file over the limit decides.
    let tree = Tree::parse(&text[..cursor::floor(text, MAX_BYTES)]);
    let Some(root) = tree.root() else { return false };
    let has = |key: &str| tree.get(root, key).is_some();
    let is_ours = |schema: &str| schema == "schema.json" || schema.ends_with("games/schema.json");
    let parent = tree.text_of(root, "extends");
    ["pieces", "board", "setup"].into_iter().any(has)
        || tree.text_of(root, "$schema").is_some_and(|schema| is_ours(&schema))
        || parent.is_some_and(|parent| has("name") || library::find(&parent).is_some())
}

/// Returns whether a text can be the beginning of a game file: it has no key that a game file does not have.
///
/// ```
/// use tabiya_spec::editing::may_become_game;
///
/// assert!(may_become_game(""));
/// assert!(may_become_game(r#"{ "name": "Duel", "le"#));
/// assert!(!may_become_game(r#"{ "name": "page", "version": "1.0.0" }"#));
/// ```
pub fn may_become_game(text: &str) -> bool {
    let tree = Tree::parse(&text[..cursor::floor(text, MAX_BYTES)]);
    let Some(root) = tree.root() else { return text.trim().is_empty() };
    let known: Vec<&str> =
        grammar::root().iter().flat_map(grammar::Shape::keys).map(|key| key.name).collect();
    let is_known =
        |id| tree.key(id).is_none_or(|key| known.contains(&&*key) || tree.node(id).colon.is_none());
    tree.node(root).form == tree::Form::Object && tree.children(root).all(is_known)
}

/// Returns what can be written at a byte offset.
///
/// ```
/// use tabiya_spec::editing::complete;
///
/// let labels = |text: &str| complete(text, text.len()).into_iter().map(|it| it.label).collect::<Vec<_>>();
/// assert!(labels(r#"{ "name": "Duel", "lea"#).contains(&"leader".into()));
/// assert!(!labels(r#"{ "name": "Duel", "#).contains(&"name".into()));
/// assert_eq!(labels(r#"{ "pieces": [{ "code": "ROOK" }], "leader": "#), ["ROOK"]);
/// assert!(labels(r#"{ "extends": "c"#).contains(&"chess".into()));
/// ```
pub fn complete(text: &str, offset: usize) -> Vec<Completion> {
    Loader::default().complete(text, offset)
}

/// Explains what stands at a byte offset: a key, a keyword, a piece, a word of Betza notation, a code, or the extended game.
///
/// ```
/// use tabiya_spec::editing::hover;
///
/// let text = r#"{ "pieces": [{ "code": "ARCHBISHOP", "betza": "BN" }] }"#;
/// let word = hover(text, text.find("BN").unwrap()).unwrap();
/// assert!(word.block.contains("o o . o o"));
/// let key = hover(text, text.find("pieces").unwrap()).unwrap();
/// assert_eq!(key.text, "All kinds of pieces that can appear on the board.");
/// ```
pub fn hover(text: &str, offset: usize) -> Option<Hover> {
    Loader::default().hover(text, offset)
}

/// Returns where the code at a byte offset is defined: in this text, or in a game that it extends.
///
/// ```
/// use tabiya_spec::editing::definition;
///
/// let text = r#"{ "extends": "chess", "leader": "KING" }"#;
/// let king = definition(text, text.find("KING").unwrap()).unwrap();
/// assert_eq!(king.game.as_deref(), Some("chess"));
/// assert_eq!(&king.text.unwrap()[king.span], "\"KING\"");
/// ```
pub fn definition(text: &str, offset: usize) -> Option<Definition> {
    Loader::default().definition(text, offset)
}

impl Loader<'_> {
    /// Like [`complete`].
    pub fn complete(&self, text: &str, offset: usize) -> Vec<Completion> {
        if text.len() > MAX_BYTES {
            return Vec::new();
        }
        complete::complete(text, cursor::floor(text, offset), self.files())
    }

    /// Like [`hover`].
    pub fn hover(&self, text: &str, offset: usize) -> Option<Hover> {
        if text.len() > MAX_BYTES {
            return None;
        }
        hover::hover(text, cursor::floor(text, offset), self)
    }

    /// Like [`definition`].
    pub fn definition(&self, text: &str, offset: usize) -> Option<Definition> {
        if text.len() > MAX_BYTES {
            return None;
        }
        definition::definition(text, cursor::floor(text, offset), self.files())
    }
}
