//! The names that a game defines, and diagnostics for unknown names.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use crate::read::quoted_list;

use super::prelude::*;

/// All names of players, pieces or conditions.
///
/// The names are *complete* if each could be read, none is blank or duplicate, and there are not too many. Otherwise
/// an unknown name may be one that was lost, so it is not reported.
pub(super) struct Names<'g> {
    /// In file order, up to the limit.
    list: Vec<&'g str>,
    set: HashSet<&'g str>,
    complete: bool,
    missed: Cell<bool>,
}

impl<'g> Names<'g> {
    /// Collects names. `whole` says whether every entry with a name was read.
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

    /// Whether the name is defined.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.set.contains(name)
    }

    /// Whether the name is certainly undefined.
    pub(super) fn lacks(&self, name: &str) -> bool {
        self.complete && !self.contains(name)
    }

    /// Whether every definition was read and every use so far refers to one. Only then can a name be reported as
    /// unused: a misspelt use is a use, too.
    pub(super) fn all_found(&self) -> bool {
        self.complete && !self.missed.get()
    }

    /// Records an unresolved use.
    pub(super) fn miss(&self) {
        self.missed.set(true);
    }

    /// Returns all names in file order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &'g str> + '_ {
        self.list.iter().copied()
    }

    /// Reports an undefined name.
    pub(super) fn resolve(&self, name: &At<String>, kind: NameKind, diags: &mut Diagnostics<'_>) {
        if name.known().is_some() {
            self.resolve_at(name, name.place(), None, kind, diags);
        } else {
            self.miss();
        }
    }

    /// Reports an undefined name that is a key; `span` is the key's byte range.
    pub(super) fn resolve_at(
        &self,
        name: &str,
        place: Place,
        span: Option<Range<usize>>,
        kind: NameKind,
        diags: &mut Diagnostics<'_>,
    ) {
        if self.contains(name) {
            return;
        }
        self.miss();
        if self.complete {
            let message = format!("There is no {} `{}`.", kind.noun(), shorten(name));
            let span = span.unwrap_or_else(|| diags.places().span(place));
            let help = self.advice(name, kind, diags);
            diags.report_span(kind.code(), place, span, message, Some(help));
        }
    }

    /// Suggests the nearest name, or lists the defined ones.
    fn advice(&self, name: &str, kind: NameKind, diags: &Diagnostics<'_>) -> String {
        const SHOWN: usize = 12;
        match diags.suggest(name, self.iter()) {
            Some(help) => help,
            None if self.list.len() <= SHOWN => {
                format!("the {}s are {}", kind.noun(), quoted_list(&self.list))
            }
            None => format!("define it under `{}s`", kind.noun()),
        }
    }
}

/// The kind of thing that a name refers to.
#[derive(Clone, Copy)]
pub(super) enum NameKind {
    Piece,
    Player,
}

impl NameKind {
    fn noun(self) -> &'static str {
        match self {
            NameKind::Piece => "piece",
            NameKind::Player => "player",
        }
    }

    fn code(self) -> Code {
        match self {
            NameKind::Piece => Code::UnknownPiece,
            NameKind::Player => Code::UnknownPlayer,
        }
    }
}
