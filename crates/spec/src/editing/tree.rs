//! A tolerant parser: the values of a text that is being typed, with their byte ranges.
//!
//! It accepts any text. Missing commas, brackets, values and closing quotes are guessed: a string ends at the end of its line,
//! a key inside a list ends the list, and a closing bracket closes everything that was opened after its partner. Time and memory
//! are linear in the length of the text.

use std::borrow::Cow;
use std::ops::Range;

/// The number of values that are read. What follows is ignored.
const MAX_NODES: usize = 1 << 20;

/// The deepest nesting that is read. Deeper brackets are ignored.
const MAX_DEPTH: usize = 256;

/// An index into [`Tree`].
pub(super) type Id = u32;

/// No value.
const NONE: Id = Id::MAX;

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Object,
    List,
    Text,
    /// A number, `true`, `false`, `null`, or anything else.
    Word,
    /// A key has no value yet.
    Missing,
}

/// A value and, in an object, its key.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) form: Form,
    pub(super) span: Range<usize>,
    /// The key with its quotes; empty in a list.
    pub(super) key: Range<usize>,
    /// The end of the colon after the key.
    pub(super) colon: Option<usize>,
    parent: Id,
    first: Id,
    last: Id,
    next: Id,
    /// Whether the closing bracket or quote was found.
    pub(super) is_closed: bool,
}

/// The values of a text. The first is the document.
#[derive(Clone, Debug)]
pub(super) struct Tree<'t> {
    pub(super) text: &'t str,
    nodes: Vec<Node>,
}

impl<'t> Tree<'t> {
    /// Parses a text.
    pub(super) fn parse(text: &'t str) -> Self {
        Parser::new(text).run()
    }

    /// Returns the document, if there is one.
    pub(super) fn root(&self) -> Option<Id> {
        (!self.nodes.is_empty()).then_some(0)
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        some(self.node(id).parent)
    }

    /// Iterates over the members of an object or the entries of a list.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(some(self.node(id).first), |id| some(self.node(*id).next))
    }

    /// Returns the value of a key.
    pub(super) fn get(&self, object: Id, key: &str) -> Option<Id> {
        self.children(object).find(|id| self.key(*id).as_deref() == Some(key))
    }

    /// Returns the string under a key.
    pub(super) fn text_of(&self, object: Id, key: &str) -> Option<Cow<'t, str>> {
        self.get(object, key).and_then(|id| self.string(id))
    }

    /// Returns the key of a value.
    pub(super) fn key(&self, id: Id) -> Option<Cow<'t, str>> {
        let key = &self.node(id).key;
        (!key.is_empty()).then(|| unquote(&self.text[key.clone()]))
    }

    /// Returns the contents of a string.
    pub(super) fn string(&self, id: Id) -> Option<Cow<'t, str>> {
        let node = self.node(id);
        (node.form == Form::Text).then(|| unquote(&self.text[node.span.clone()]))
    }

    /// Returns the text of a value as written.
    pub(super) fn raw(&self, id: Id) -> &'t str {
        &self.text[self.node(id).span.clone()]
    }

    /// Returns the values around a value, from the document to itself.
    pub(super) fn steps(&self, id: Id) -> Vec<Id> {
        let mut steps: Vec<Id> = std::iter::successors(Some(id), |id| self.parent(*id)).collect();
        steps.reverse();
        steps
    }

    /// Returns the innermost value whose range, with its key, contains an offset. The ends belong to it, except those of
    /// closed brackets.
    pub(super) fn innermost(&self, offset: usize) -> Option<Id> {
        let mut id = self.root().filter(|id| self.contains(*id, offset))?;
        while let Some(child) = self.children(id).find(|child| self.contains(*child, offset)) {
            id = child;
        }
        Some(id)
    }

    fn contains(&self, id: Id, offset: usize) -> bool {
        let node = self.node(id);
        let start = if node.key.is_empty() { node.span.start } else { node.key.start };
        let is_bracket = matches!(node.form, Form::Object | Form::List);
        let after = match node.form {
            Form::Missing => node.key.end.max(node.colon.unwrap_or(0)).max(node.span.end),
            _ => node.span.end,
        };
        if is_bracket && node.key.is_empty() && offset == start {
            return false;
        }
        start <= offset && (offset < after || offset == after && !(is_bracket && node.is_closed))
    }
}

fn some(id: Id) -> Option<Id> {
    (id != NONE).then_some(id)
}

/// Removes the quotes of a string and resolves its escapes. An unterminated string has one quote, a bare word none.
fn unquote(raw: &str) -> Cow<'_, str> {
    let Some(inner) = raw.strip_prefix('"') else { return Cow::Borrowed(raw) };
    if !inner.contains('\\') {
        return Cow::Borrowed(inner.strip_suffix('"').unwrap_or(inner));
    }
    match serde_json::from_str(raw) {
        Ok(text) => Cow::Owned(text),
        Err(_) => Cow::Borrowed(inner.strip_suffix('"').unwrap_or(inner)),
    }
}

/// A key that waits for its value.
#[derive(Clone, Debug, Default)]
struct Pending {
    key: Range<usize>,
    colon: Option<usize>,
}

struct Parser<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    /// The open objects and lists, each with the key that waits for its value.
    open: Vec<(Id, Pending)>,
    /// Brackets beyond the limit of the nesting.
    skipped: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Self {
        Parser { text, nodes: Vec::new(), open: Vec::new(), skipped: 0 }
    }

    fn run(mut self) -> Tree<'t> {
        let bytes = self.text.as_bytes();
        let mut at = 0;
        while at < bytes.len() && self.nodes.len() < MAX_NODES {
            let start = at;
            match bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b'{' | b'[' => {
                    at += 1;
                    self.open_bracket(start, if bytes[start] == b'{' { Form::Object } else { Form::List });
                }
                b'}' | b']' => {
                    at += 1;
                    self.close_bracket(start, if bytes[start] == b'}' { Form::Object } else { Form::List });
                }
                b':' => {
                    at += 1;
                    self.colon(at);
                }
                b',' => {
                    at += 1;
                    self.flush(start);
                }
                b'"' => {
                    let (end, is_closed) = string_end(bytes, at);
                    at = end;
                    self.scalar(Form::Text, start..end, is_closed);
                }
                _ => {
                    let is_word = |byte: &&u8| !b" \t\r\n{}[]:,\"".contains(byte);
                    at += bytes[at..].iter().take_while(is_word).count();
                    if !self.text[start..at].starts_with('\u{feff}') {
                        self.scalar(Form::Word, start..at, true);
                    }
                }
            }
        }
        let end = if at < bytes.len() { at } else { bytes.len() };
        while let Some((id, _)) = self.open.last() {
            let id = *id;
            self.flush(end);
            self.nodes[id as usize].span.end = end;
            self.open.pop();
        }
        Tree { text: self.text, nodes: self.nodes }
    }

    fn is_in_object(&self) -> bool {
        self.open.last().is_some_and(|(id, _)| self.nodes[*id as usize].form == Form::Object)
    }

    /// Adds a value to the innermost bracket.
    fn push(&mut self, form: Form, span: Range<usize>, is_closed: bool) -> Option<Id> {
        let (parent, pending) = match self.open.last_mut() {
            Some((parent, pending)) => (*parent, std::mem::take(pending)),
            // A second document is ignored.
            None if !self.nodes.is_empty() => return None,
            None => (NONE, Pending::default()),
        };
        let id = self.nodes.len() as Id;
        let Pending { key, colon } = pending;
        let node = Node { form, span, key, colon, parent, first: NONE, last: NONE, next: NONE, is_closed };
        self.nodes.push(node);
        if let Some(parent) = some(parent) {
            match some(self.nodes[parent as usize].last) {
                Some(last) => self.nodes[last as usize].next = id,
                None => self.nodes[parent as usize].first = id,
            }
            self.nodes[parent as usize].last = id;
        }
        Some(id)
    }

    /// Ends a member whose value is missing.
    fn flush(&mut self, at: usize) {
        let waits = self.open.last().is_some_and(|(_, pending)| !pending.key.is_empty());
        if waits && self.is_in_object() {
            self.push(Form::Missing, at..at, true);
        }
    }

    fn scalar(&mut self, form: Form, span: Range<usize>, is_closed: bool) {
        let is_in_object = self.is_in_object();
        match self.open.last_mut() {
            Some((_, pending)) if is_in_object && pending.colon.is_none() => {
                if !pending.key.is_empty() {
                    self.flush(span.start);
                }
                if let Some((_, pending)) = self.open.last_mut() {
                    *pending = Pending { key: span, colon: None };
                }
            }
            _ => {
                self.push(form, span, is_closed);
            }
        }
    }

    fn colon(&mut self, end: usize) {
        if self.is_in_object() {
            self.take_back_key();
        } else {
            self.leave_list();
        }
        if let Some((_, pending)) = self.open.last_mut()
            && !pending.key.is_empty()
        {
            pending.colon = Some(end);
        }
    }

    /// Makes a string that was read as a value the next key: the value before it is missing.
    fn take_back_key(&mut self) {
        let Some((object, pending)) = self.open.last_mut() else { return };
        let newest = self.nodes.len() - 1;
        if !pending.key.is_empty() || self.nodes[*object as usize].last as usize != newest {
            return;
        }
        let value = &mut self.nodes[newest];
        if value.form == Form::Text {
            *pending = Pending { key: value.span.clone(), colon: None };
            (value.form, value.span.end) = (Form::Missing, value.span.start);
        }
    }

    /// Closes a list in which a key was found: the last string becomes a key of the object around it.
    fn leave_list(&mut self) {
        let is_object = |(id, _): &(Id, Pending)| self.nodes[*id as usize].form == Form::Object;
        let Some(depth) = self.open.iter().rposition(is_object) else { return };
        let Some((list, _)) = self.open.last() else { return };
        let list = *list as usize;
        let Some(last) = some(self.nodes[list].last) else { return };
        // Only the newest value can be taken back.
        if last as usize + 1 != self.nodes.len() || self.nodes[last as usize].form != Form::Text {
            return;
        }
        let Some(taken) = self.nodes.pop() else { return };
        let before = self.nodes[list].first;
        if before == last {
            (self.nodes[list].first, self.nodes[list].last) = (NONE, NONE);
        } else {
            // Every list is left at most once, so that this walk costs no more than parsing.
            let mut id = before;
            while self.nodes[id as usize].next != last {
                id = self.nodes[id as usize].next;
            }
            self.nodes[id as usize].next = NONE;
            self.nodes[list].last = id;
        }
        while self.open.len() > depth + 1 {
            if let Some((id, _)) = self.open.pop() {
                self.nodes[id as usize].span.end = taken.span.start;
            }
        }
        if let Some((_, pending)) = self.open.last_mut() {
            *pending = Pending { key: taken.span, colon: None };
        }
    }

    fn open_bracket(&mut self, start: usize, form: Form) {
        if self.open.len() >= MAX_DEPTH {
            self.skipped += 1;
        } else if let Some(id) = self.push(form, start..start + 1, false) {
            self.open.push((id, Pending::default()));
        }
    }

    fn close_bracket(&mut self, start: usize, form: Form) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        let Some(depth) = self.open.iter().rposition(|(id, _)| self.nodes[*id as usize].form == form) else {
            return;
        };
        while self.open.len() > depth {
            self.flush(start);
            let is_partner = self.open.len() == depth + 1;
            if let Some((id, _)) = self.open.pop() {
                let node = &mut self.nodes[id as usize];
                node.span.end = if is_partner { start + 1 } else { start };
                node.is_closed = is_partner;
            }
        }
    }
}

/// Returns the end of a string and whether it has a closing quote. A line break ends it.
fn string_end(bytes: &[u8], start: usize) -> (usize, bool) {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'"' => return (at + 1, true),
            b'\n' | b'\r' => return (at, false),
            b'\\' if bytes.get(at + 1).is_some_and(|byte| !b"\r\n".contains(byte)) => at += 2,
            _ => at += 1,
        }
    }
    (bytes.len(), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a tree on one line; `?` is a missing value, and `~` follows what is not closed.
    fn show(text: &str) -> String {
        let tree = Tree::parse(text);
        tree.root().map_or_else(String::new, |root| show_node(&tree, root))
    }

    fn show_node(tree: &Tree<'_>, id: Id) -> String {
        let node = tree.node(id);
        let parts: Vec<String> = tree.children(id).map(|child| show_node(tree, child)).collect();
        let end = if node.is_closed { "" } else { "~" };
        let value = match node.form {
            Form::Object => format!("{{{}}}{end}", parts.join(" ")),
            Form::List => format!("[{}]{end}", parts.join(" ")),
            Form::Text => format!("'{}'{end}", tree.string(id).unwrap_or_default()),
            Form::Word => tree.raw(id).to_owned(),
            Form::Missing => "?".to_owned(),
        };
        tree.key(id).map_or(value.clone(), |key| format!("{key}:{value}"))
    }

    #[test]
    fn valid_json_is_read() {
        assert_eq!(show(r#"{ "a": [1, "b\n", {}], "c": { "d": true } }"#), "{a:[1 'b\n' {}] c:{d:true}}");
    }

    #[test]
    fn damaged_json_is_guessed() {
        for (text, expected) in [
            ("", ""),
            ("{ \"lea", "{lea:?}~"),
            ("{ lea", "{lea:?}~"),
            ("{ \"leader\": ", "{leader:?}~"),
            ("{ \"a\": , \"b\": 1 }", "{a:? b:1}"),
            ("{ \"a\": 1 \"b\": 2 }", "{a:1 b:2}"),
            ("{ \"a\" \"b\": 2 }", "{a:? b:2}"),
            ("{ \"a\": [1, \"b\": 2 }", "{a:[1]~ b:2}"),
            ("{ \"a\": [\n \"b\": 2 }", "{a:[]~ b:2}"),
            ("{ \"a\": [{ \"b\": 1 ] }", "{a:[{b:1}~]}"),
            ("{ \"a\": \"KI\n, \"b\": 1 }", "{a:'KI'~ b:1}"),
            ("{ \"a\":\n\"b\": 1 }", "{a:? b:1}"),
            ("] } { \"a\": 1 ] }", "{a:1}"),
            ("[1] [2]", "[1]"),
            ("{ { } }", "{{}}"),
            ("\"a\\", "'a\\'~"),
            (": , }", ""),
            ("\u{feff}{}", "{}"),
        ] {
            assert_eq!(show(text), expected, "{text:?}");
        }
    }

    #[test]
    fn deep_nesting_is_bounded() {
        let text = "[".repeat(100_000) + &"]".repeat(100_000);
        let tree = Tree::parse(&text);
        assert_eq!(tree.nodes.len(), MAX_DEPTH);
        assert!(tree.node(0).is_closed);
    }
}
