//! An open document.

use std::time::Instant;

use gen_lsp_types::{TextDocumentContentChangeEvent as Change, Uri};
use tabiya_spec::{Loader, editing};

use super::positions::Lines;
use super::uri;
use crate::game_source;

/// The largest text that is kept, some times the size of the largest game file, so that a document that grew too large can
/// be made smaller again.
const MAX_TEXT: usize = 64 << 20;

/// An open document.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) version: i32,
    /// Counts the changes, because versions of clients may repeat.
    pub(super) edition: u64,
    /// The text, unless it is too large to be kept.
    pub(super) text: Option<String>,
    /// When the document is checked, if it has changed.
    pub(super) check_at: Option<Instant>,
    /// Whether diagnostics are shown that have to be cleared.
    pub(super) has_diagnostics: bool,
}

impl Document {
    pub(super) fn new(version: i32, text: String) -> Self {
        let text = Some(text).filter(|text| text.len() <= MAX_TEXT);
        Document { version, edition: 0, text, check_at: Some(Instant::now()), has_diagnostics: false }
    }

    /// Applies a change: a range with its new text, or the whole text.
    pub(super) fn change(&mut self, change: Change) {
        match (change, &mut self.text) {
            (Change::TextDocumentContentChangeWholeDocument(whole), text) => *text = Some(whole.text),
            (Change::TextDocumentContentChangePartial(part), Some(text)) => {
                let lines = Lines::new(text);
                let (start, end) = (lines.offset(part.range.start), lines.offset(part.range.end));
                text.replace_range(start.min(end)..start.max(end), &part.text);
            }
            (Change::TextDocumentContentChangePartial(_), None) => {}
        }
        self.text.take_if(|text| text.len() > MAX_TEXT);
    }

    /// Returns the text if it is a game file, or may become one.
    pub(super) fn game_text(&self) -> Option<&str> {
        self.text.as_deref().filter(|text| editing::is_game(text) || editing::may_become_game(text))
    }
}

/// Calls `read` with a loader for a document. A file may extend files below its folder; a document without a path extends only
/// games of the library.
pub(super) fn with_loader<A>(uri: &Uri, read: impl FnOnce(Loader<'_>) -> A) -> A {
    match uri::to_path(uri).filter(|path| path.is_absolute()) {
        Some(path) => game_source::with_loader(&path, read),
        None => read(Loader::default()),
    }
}
