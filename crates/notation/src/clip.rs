//! Shortening text for messages.

use std::borrow::Cow;

/// Returns the first `limit` characters of a text, followed by `…` if it is longer.
///
/// ```
/// assert_eq!(tabiya_notation::clip("a long text", 6), "a long…");
/// assert_eq!(tabiya_notation::clip("short", 6), "short");
/// ```
pub fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((cut, _)) => format!("{}…", &text[..cut]).into(),
        None => text.into(),
    }
}
