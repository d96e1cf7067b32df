//! What the text expects at a position: a key, or a value.

use std::ops::Range;

use super::tree::{Form, Id, Tree};

/// What stands at a position, or is expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cursor {
    /// A key of an object. The member is there if its key is being written.
    Key { object: Id, member: Option<Id> },
    /// A value.
    Value(ValueAt),
}

/// The place of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueAt {
    /// The object or list around it.
    pub(super) parent: Option<Id>,
    /// The value or, in an object, the key whose value is missing.
    pub(super) value: Option<Id>,
    /// Whether the position is within the value, not only where one is expected.
    pub(super) is_inside: bool,
}

impl Cursor {
    /// Returns what is expected at an offset.
    pub(super) fn at(tree: &Tree<'_>, offset: usize) -> Option<Self> {
        let Some(id) = tree.innermost(offset) else {
            let is_empty = tree.root().is_none();
            return is_empty.then_some(Cursor::Value(ValueAt {
                parent: None,
                value: None,
                is_inside: false,
            }));
        };
        let (node, parent) = (tree.node(id), tree.parent(id));
        let is_key = !node.key.is_empty();
        if let Some(object) = parent.filter(|_| is_key && offset <= node.key.end) {
            return Some(Cursor::Key { object, member: Some(id) });
        }
        if is_key && node.colon.is_none_or(|colon| offset < colon) {
            return None;
        }
        let is_before = is_key && offset < node.span.start || node.form == Form::Missing;
        let value = |is_inside| Some(Cursor::Value(ValueAt { parent, value: Some(id), is_inside }));
        match node.form {
            _ if is_before => value(false),
            Form::Text | Form::Word => value(true),
            // The position of an opening bracket that follows a key.
            Form::Object | Form::List if offset == node.span.start => value(true),
            Form::Object => Some(Cursor::Key { object: id, member: None }),
            Form::List => Some(Cursor::Value(ValueAt { parent: Some(id), value: None, is_inside: false })),
            Form::Missing => None,
        }
    }
}

/// Returns the bytes that a completion replaces: the string or word under the cursor, or nothing.
///
/// A string that seems to have lost its closing quote, and so contains what follows, is replaced up to the cursor.
pub(super) fn replaced(text: &str, token: &Range<usize>, offset: usize) -> Range<usize> {
    if !(token.start..=token.end).contains(&offset) {
        return offset..offset;
    }
    let rest = &text[offset..token.end];
    let is_closed = text[token.clone()].len() > 1 && text[token.clone()].ends_with('"');
    let is_plain = !rest.contains([',', ':', '{', '}', '[', ']']);
    let is_bare = !text[token.clone()].starts_with('"');
    token.start..if is_plain && (is_closed || is_bare) { token.end } else { offset }
}

/// Returns the offset, moved to the start of its character.
pub(super) fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
