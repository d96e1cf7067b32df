//! The names of one kind that a game defines, and what to say about a name that is none of them.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use crate::code::Code;
use crate::diagnostic::Faults;
use crate::place::{At, Place};
use crate::read::{and_list, nearest, shorten};

/// All names of players, pieces or conditions.
///
/// They are *complete* if each could be read, none is blank or stands twice, and they are not too many. Otherwise a
/// name that is not among them may be the one that was lost, and nothing is said about it.
pub(super) struct Names<'g> {
    /// In the order of the file; never more than the limit, for these are gone through.
    list: Vec<&'g str>,
    set: HashSet<&'g str>,
    complete: bool,
    missed: Cell<bool>,
}

impl<'g> Names<'g> {
    /// `whole` says whether every entry that could hold a name was read.
    pub(super) fn new(names: impl Iterator<Item = &'g At<String>>, whole: bool, limit: usize) -> Self {
        let (mut list, mut set, mut complete) = (Vec::new(), HashSet::new(), whole);
        for name in names {
            let good = name.known().is_some_and(|name| !name.trim().is_empty());
            if good && set.insert(name.as_str()) && list.len() < limit {
                list.push(name.as_str());
            } else {
                complete = false;
            }
        }
        Names { list, set, complete, missed: Cell::new(false) }
    }

    /// Whether that name is defined.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.set.contains(name)
    }

    /// Whether it is certain that the name is not defined.
    pub(super) fn lacks(&self, name: &str) -> bool {
        self.complete && !self.contains(name)
    }

    /// Whether every definition was read and every use so far found one. Only then is it fair to say that
    /// something is never used: a misspelt use is one all the same.
    pub(super) fn all_found(&self) -> bool {
        self.complete && !self.missed.get()
    }

    /// Notes that a use was not found.
    pub(super) fn miss(&self) {
        self.missed.set(true);
    }

    /// Every name, in the order of the file.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'g str> + '_ {
        self.list.iter().copied()
    }

    /// Reports a name that is not defined.
    pub(super) fn resolve(&self, name: &At<String>, kind: Kind, faults: &mut Faults<'_>) {
        if name.known().is_some() {
            self.resolve_at(name, name.place(), None, kind, faults);
        } else {
            self.miss();
        }
    }

    /// The same for a name that is a key; `span` is where the key stands.
    pub(super) fn resolve_at(
        &self,
        name: &str,
        place: Place,
        span: Option<Range<usize>>,
        kind: Kind,
        faults: &mut Faults<'_>,
    ) {
        if self.contains(name) {
            return;
        }
        self.miss();
        if self.complete {
            let message = format!("There is no {} `{}`.", kind.noun(), shorten(name));
            let span = span.unwrap_or_else(|| faults.places().span(place));
            let help = self.advice(name, kind, faults);
            faults.report_span(kind.code(), place, span, message, Some(help));
        }
    }

    /// The name that was probably meant, or the ones there are.
    fn advice(&self, name: &str, kind: Kind, faults: &Faults<'_>) -> String {
        const SHOWN: usize = 12;
        let near = if faults.is_full() { None } else { nearest(name, self.iter()) };
        match near {
            Some(near) => format!("did you mean `{}`?", shorten(near)),
            None if self.list.len() <= SHOWN => format!("the {}s are {}", kind.noun(), and_list(&self.list)),
            None => format!("define it under `{}s`", kind.noun()),
        }
    }
}

/// What a name is the name of.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Piece,
    Player,
}

impl Kind {
    fn noun(self) -> &'static str {
        match self {
            Kind::Piece => "piece",
            Kind::Player => "player",
        }
    }

    fn code(self) -> Code {
        match self {
            Kind::Piece => Code::UnknownPiece,
            Kind::Player => Code::UnknownPlayer,
        }
    }
}
