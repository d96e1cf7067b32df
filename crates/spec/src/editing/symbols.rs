//! The codes that a file and the games that it extends define.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::tree::{Form, Id, Tree};
use crate::short::{ReadParent, Sources};

/// What a code stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Piece,
    Player,
    Region,
    Flag,
    Option,
    TagValue,
    Ending,
    Counter,
}

/// A code and where it is defined.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// The code in the text that defines it.
    pub(super) span: Range<usize>,
    /// One sentence about it.
    pub(super) about: String,
    /// The game that defines it, as an index into [`Symbols::parents`]; `None` for the file itself.
    pub(super) parent: Option<usize>,
    /// The values of an option, as JSON.
    pub(super) values: Vec<String>,
}

/// A game that the file extends.
#[derive(Clone, Debug)]
pub(super) struct Parent {
    /// The name in the library, or the path.
    pub(super) game: String,
    pub(super) text: String,
}

/// All codes: those of the file first, then those of the nearest game that it extends.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    pub(super) list: Vec<Symbol>,
    pub(super) parents: Vec<Parent>,
    /// Codes that the file removes.
    removed: HashSet<(Kind, String)>,
}

impl Symbols {
    /// Collects the codes of a file and of the games that it extends.
    pub(super) fn of(tree: &Tree<'_>, files: Option<&ReadParent<'_>>) -> Self {
        let mut symbols = Symbols::default();
        symbols.add_all(tree, None);
        let Some((name, span)) = extended(tree) else {
            symbols.add_usual_players(tree);
            return symbols;
        };
        let sources = Sources::extending("", Some((name, span)), files);
        for (index, inherited) in sources.inherited().iter().enumerate() {
            let text = sources.text[inherited.span.clone()].to_owned();
            symbols.add_all(&Tree::parse(&text), Some(index));
            symbols.parents.push(Parent { game: inherited.game.clone(), text });
        }
        symbols.add_usual_players(tree);
        symbols
    }

    /// Iterates over the codes of a kind, each once.
    pub(super) fn all(&self, kind: Kind) -> impl Iterator<Item = &Symbol> {
        let mut seen = HashSet::new();
        let symbols = self.list.iter().filter(move |symbol| symbol.kind == kind);
        let kept = symbols.filter(move |it| !self.removed.contains(&(kind, it.name.clone())));
        kept.filter(move |symbol| seen.insert(symbol.name.as_str()))
    }

    /// Returns where a code is defined, the file itself first.
    pub(super) fn find(&self, kind: Kind, name: &str) -> Option<&Symbol> {
        self.list.iter().find(|symbol| symbol.kind == kind && symbol.name == name)
    }

    pub(super) fn has(&self, kind: Kind) -> bool {
        self.list.iter().any(|symbol| symbol.kind == kind)
    }

    fn add(&mut self, tree: &Tree<'_>, kind: Kind, id: Id, about: String, parent: Option<usize>) {
        let Some(name) = tree.string(id).filter(|name| !name.is_empty()) else { return };
        let span = tree.node(id).span.clone();
        self.list.push(Symbol { kind, name: name.into_owned(), span, about, parent, values: Vec::new() });
    }

    fn add_all(&mut self, tree: &Tree<'_>, parent: Option<usize>) {
        let Some(root) = tree.root().filter(|root| tree.node(*root).form == Form::Object) else { return };
        self.add_pieces(tree, root, parent);
        for player in entries(tree, root, "players") {
            let name =
                if tree.node(player).form == Form::Object { tree.get(player, "name") } else { Some(player) };
            if let Some(name) = name {
                self.add(tree, Kind::Player, name, "A player.".into(), parent);
                self.note_removal(tree, Kind::Player, player, name);
            }
        }
        for condition in entries(tree, root, "conditions") {
            if let Some(code) = tree.get(condition, "code") {
                self.add(tree, Kind::Region, code, "Squares of a `POSITION` condition.".into(), parent);
            }
        }
        for ending in entries(tree, root, "endings") {
            for key in ["id", "code"] {
                if let Some(code) = tree.get(ending, key) {
                    self.add(tree, Kind::Ending, code, "An ending.".into(), parent);
                }
            }
        }
        self.add_options(tree, root, parent);
        for counter in tree.get(root, "counters").into_iter().flat_map(|counters| tree.children(counters)) {
            self.add_key(tree, Kind::Counter, counter, "A counter.".into(), parent, Vec::new());
        }
        if let Some(values) = tree.get(root, "tag").and_then(|tag| tree.get(tag, "values")) {
            for value in tree.children(values) {
                self.add_key(tree, Kind::TagValue, value, "A value of the tag.".into(), parent, Vec::new());
            }
        }
    }

    fn add_pieces(&mut self, tree: &Tree<'_>, root: Id, parent: Option<usize>) {
        for piece in entries(tree, root, "pieces") {
            let Some(code) = tree.get(piece, "code") else { continue };
            self.add(tree, Kind::Piece, code, about_piece(tree, piece), parent);
            self.note_removal(tree, Kind::Piece, piece, code);
            // Flags are defined by the effects that set them.
            let mut open: Vec<Id> = tree.get(piece, "moves").into_iter().collect();
            while let Some(id) = open.pop() {
                open.extend(tree.children(id));
                if tree.text_of(id, "action").as_deref() == Some("SET_STATE")
                    && let Some(flag) = tree.get(id, "state")
                {
                    self.add(tree, Kind::Flag, flag, "A flag that a move sets.".into(), parent);
                }
            }
        }
    }

    fn add_options(&mut self, tree: &Tree<'_>, root: Id, parent: Option<usize>) {
        let Some(options) = tree.get(root, "options") else { return };
        for option in tree.children(options) {
            let about = tree.text_of(option, "about").map_or_else(|| "An option.".into(), Cow::into_owned);
            let values = tree.get(option, "values").into_iter().flat_map(|values| tree.children(values));
            let values = values.map(|value| tree.raw(value).to_owned()).collect();
            self.add_key(tree, Kind::Option, option, about, parent, values);
        }
    }

    /// Adds a code that is the key of a value.
    fn add_key(
        &mut self,
        tree: &Tree<'_>,
        kind: Kind,
        id: Id,
        about: String,
        parent: Option<usize>,
        values: Vec<String>,
    ) {
        let Some(name) = tree.key(id).map(Cow::into_owned) else { return };
        let span = tree.node(id).key.clone();
        self.list.push(Symbol { kind, name, span, about, parent, values });
    }

    fn note_removal(&mut self, tree: &Tree<'_>, kind: Kind, entry: Id, code: Id) {
        let is_removed = tree.get(entry, "remove").is_some_and(|it| tree.raw(it) == "true");
        if let Some(name) = tree.string(code).filter(|_| is_removed) {
            self.removed.insert((kind, name.into_owned()));
        }
    }

    /// Adds the players of a file that names none.
    fn add_usual_players(&mut self, tree: &Tree<'_>) {
        if self.has(Kind::Player) {
            return;
        }
        let setup = tree.root().and_then(|root| tree.get(root, "setup"));
        for name in ["WHITE", "BLACK"] {
            let span = setup.map_or(0..0, |id| tree.node(id).key.clone());
            let about = "A player; the usual two, because the file names none.".into();
            let name = name.into();
            self.list.push(Symbol {
                kind: Kind::Player,
                name,
                span,
                about,
                parent: None,
                values: Vec::new(),
            });
        }
    }
}

/// Returns the game that a file extends, and the place of its name.
pub(super) fn extended(tree: &Tree<'_>) -> Option<(String, Range<usize>)> {
    let id = tree.get(tree.root()?, "extends")?;
    Some((tree.string(id)?.into_owned(), tree.node(id).span.clone()))
}

/// Returns the entries of a list of the file, with those of groups that depend on options.
pub(super) fn entries(tree: &Tree<'_>, root: Id, key: &str) -> Vec<Id> {
    let mut found = Vec::new();
    let mut open: Vec<Id> = tree.get(root, key).into_iter().flat_map(|list| tree.children(list)).collect();
    open.reverse();
    while let Some(id) = open.pop() {
        match tree.get(id, "entries") {
            Some(group) => {
                let inner: Vec<Id> = tree.children(group).collect();
                open.extend(inner.into_iter().rev());
            }
            None => found.push(id),
        }
    }
    found
}

/// Describes a piece in one sentence.
fn about_piece(tree: &Tree<'_>, piece: Id) -> String {
    let name = tree.text_of(piece, "name").map(|name| format!(" called {name}")).unwrap_or_default();
    match tree.text_of(piece, "betza") {
        Some(word) => format!("A piece{name} that moves as `{word}`."),
        None => format!("A piece{name}."),
    }
}
