//! Where a value stands in its file.
//!
//! A diagnostic is only as good as its place, so every value that is read keeps one: a byte range, and the way to
//! it from the root of the document. Ways are stored as links to the parent, so that a million squares cost a
//! million small records and no strings.

use std::ops::{Deref, Range};

/// A value of the file; an index into [`Places`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place(u32);

impl Place {
    /// The document itself.
    pub const ROOT: Place = Place(0);
}

/// All places of one file.
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

    /// The bytes of the file that hold the value.
    pub fn span(&self, place: Place) -> Range<usize> {
        let span = &self.0[place.0 as usize].span;
        span.start as usize..span.end as usize
    }

    /// How many of the objects around the value have it under that key.
    pub(crate) fn nesting(&self, place: Place, key: &str) -> usize {
        let (mut count, mut at) = (0, place);
        while at != Place::ROOT {
            let entry = &self.0[at.0 as usize];
            count += usize::from(matches!(&entry.step, Step::Key(name) if **name == *key));
            at = entry.parent;
        }
        count
    }

    /// The JSON pointer (RFC 6901) to the value: `/pieces/0/moves/2`, or the empty string for the whole document.
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

/// Files are refused above [`crate::MAX_BYTES`], far below 4 GiB.
fn narrow(span: Range<usize>) -> Range<u32> {
    span.start as u32..span.end as u32
}

/// A value with its place.
///
/// A value that was missing or of the wrong type has been reported already; a default stands in for it, so that
/// reading goes on, and [`At::known`] keeps later checks from complaining about the stand-in.
#[derive(Clone, Debug, Default)]
pub struct At<T> {
    value: T,
    place: Place,
    known: bool,
}

impl<T> At<T> {
    /// A value that was read.
    pub fn new(value: T, place: Place) -> Self {
        At { value, place, known: true }
    }

    pub(crate) fn reading(value: T, place: Place, known: bool) -> Self {
        At { value, place, known }
    }

    /// Where it stands. For an absent key: the object that lacks it.
    pub fn place(&self) -> Place {
        self.place
    }

    /// The value, if the file really says it (and, for a list, if every element could be read).
    pub fn known(&self) -> Option<&T> {
        self.known.then_some(&self.value)
    }

    /// The value itself.
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
