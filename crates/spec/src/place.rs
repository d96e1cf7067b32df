//! The position of a value in its file.
//!
//! Every value keeps its position for diagnostics: a byte range and its path from the root of the document. Paths are
//! stored as links to the parent, so that a million squares cost a million small records and no strings.

use std::ops::{Deref, Range};

/// The position of a value; an index into [`Places`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place(u32);

impl Place {
    /// The document itself.
    pub const ROOT: Place = Place(0);
}

/// All positions in one file.
#[derive(Clone, Debug)]
pub struct Places(Vec<Entry>);

#[derive(Clone, Debug)]
struct Entry {
    span: Range<u32>,
    parent: Place,
    step: Step,
}

/// One step of a JSON pointer.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Key(Box<str>),
    Index(u32),
}

impl Places {
    pub(crate) fn new(root: Range<usize>) -> Self {
        Places(vec![Entry { span: narrow(root), parent: Place::ROOT, step: Step::Index(0) }])
    }

    pub(crate) fn add(&mut self, parent: Place, step: Step, span: Range<usize>) -> Place {
        let place = Place(self.0.len() as u32);
        self.0.push(Entry { span: narrow(span), parent, step });
        place
    }

    /// Returns the byte range of the value.
    pub fn span(&self, place: Place) -> Range<usize> {
        let span = &self.0[place.0 as usize].span;
        span.start as usize..span.end as usize
    }

    /// Counts the ancestors of a value, itself included, that are stored under this key.
    pub(crate) fn nesting(&self, place: Place, key: &str) -> usize {
        let (mut count, mut at) = (0, place);
        while at != Place::ROOT {
            let entry = &self.0[at.0 as usize];
            count += usize::from(matches!(&entry.step, Step::Key(name) if **name == *key));
            at = entry.parent;
        }
        count
    }

    /// Returns the JSON pointer (RFC 6901) to the value: `/pieces/0/moves/2`, or the empty string for the document.
    pub fn pointer(&self, place: Place) -> String {
        let mut steps = Vec::new();
        let mut at = place;
        while at != Place::ROOT {
            let entry = &self.0[at.0 as usize];
            steps.push(&entry.step);
            at = entry.parent;
        }
        let mut pointer = String::new();
        for step in steps.into_iter().rev() {
            pointer.push('/');
            match step {
                Step::Key(key) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}

/// Narrows a span. Files are smaller than [`crate::MAX_BYTES`], far below 4 GiB.
fn narrow(span: Range<usize>) -> Range<u32> {
    span.start as u32..span.end as u32
}

/// A value and its position.
///
/// A missing or mistyped value has been reported and replaced by a default, so that reading can continue.
/// [`At::known`] keeps later checks from judging the default.
#[derive(Clone, Debug, Default)]
pub struct At<T> {
    value: T,
    place: Place,
    known: bool,
}

impl<T> At<T> {
    /// Creates a value that was read from the file.
    pub fn new(value: T, place: Place) -> Self {
        At { value, place, known: true }
    }

    pub(crate) fn with_known(value: T, place: Place, known: bool) -> Self {
        At { value, place, known }
    }

    /// Returns the position. For an absent key, it is that of the object that lacks it.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Returns the value if the file contains it and, for a list, if every element could be read.
    pub fn known(&self) -> Option<&T> {
        self.known.then_some(&self.value)
    }

    /// Returns the value without its position.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}
