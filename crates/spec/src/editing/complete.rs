//! What can be written at a position.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::cursor::{Cursor, ValueAt, replaced};
use super::grammar::{self, Shape};
use super::references::{self, Named};
use super::symbols::{Kind, Symbol, Symbols, extended};
use super::tree::{Form, Id, Tree};
use super::{Completion, CompletionKind};
use crate::betza;
use crate::library;
use crate::short::ReadParent;

pub(super) fn complete(text: &str, offset: usize, files: Option<&ReadParent<'_>>) -> Vec<Completion> {
    let tree = Tree::parse(text);
    let Some(cursor) = Cursor::at(&tree, offset) else { return Vec::new() };
    let symbols = Symbols::of(&tree, files);
    let mut completer = Completer { tree: &tree, symbols, offset, found: Vec::new(), seen: HashSet::new() };
    match cursor {
        Cursor::Key { object, member } => completer.keys(object, member),
        Cursor::Value(place) => completer.values(&place),
    }
    completer.found
}

struct Completer<'t> {
    tree: &'t Tree<'t>,
    symbols: Symbols,
    offset: usize,
    found: Vec<Completion>,
    seen: HashSet<String>,
}

impl Completer<'_> {
    fn push(&mut self, kind: CompletionKind, label: &str, insert: String, at: &Range<usize>, about: &str) {
        if self.seen.insert(insert.clone()) {
            let (label, description) = (label.to_owned(), about.to_owned());
            self.found.push(Completion { label, insert, replaced: at.clone(), kind, description });
        }
    }

    /// Offers the keys of an object that it does not have yet; required keys come first.
    fn keys(&mut self, object: Id, member: Option<Id>) {
        let tree = self.tree;
        let own = member.map(|member| tree.node(member).clone());
        if own.as_ref().is_some_and(|it| is_after(tree.text, &it.key, self.offset)) {
            return;
        }
        let at =
            own.as_ref().map_or(self.offset..self.offset, |it| replaced(tree.text, &it.key, self.offset));
        let end = if own.is_some_and(|it| it.colon.is_some()) { "" } else { ": " };
        let others = tree.children(object).filter(|id| Some(*id) != member);
        let present: HashSet<String> = others.filter_map(|id| tree.key(id)).map(Cow::into_owned).collect();
        let written = member.and_then(|member| tree.key(member));
        let all = grammar::of(tree, object);
        let fitting = all.iter().filter(|shape| shape.fits(tree, object, written.as_deref()));
        let has_options = self.symbols.has(Kind::Option);
        let is_patch = tree.root().is_some_and(|root| tree.get(root, "extends").is_some());
        // A placeholder for an option has no keys beside its own.
        let shapes: Vec<&Shape> =
            fitting.filter(|shape| !shape.is_choice || has_options && present.is_empty()).collect();
        let is_offered = |name: &str| match name {
            "only_if" => has_options,
            "remove" => is_patch,
            _ => true,
        };
        for required in [true, false] {
            for key in shapes.iter().flat_map(|shape| shape.keys()) {
                if key.is_required == required && !present.contains(key.name) && is_offered(key.name) {
                    let insert = format!("\"{}\"{end}", key.name);
                    self.push(CompletionKind::Key, key.name, insert, &at, key.about);
                }
            }
        }
        for kind in shapes.iter().filter_map(|shape| references::of_key(&shape.free_keys()?)) {
            for symbol in self.symbols_of(kind) {
                if !present.contains(&symbol.name) {
                    let insert = format!("{}{end}", quote(&symbol.name));
                    self.push(kind.into(), &symbol.name, insert, &at, &symbol.about);
                }
            }
        }
    }

    fn symbols_of(&self, kind: Kind) -> Vec<Symbol> {
        self.symbols.all(kind).cloned().collect()
    }

    fn values(&mut self, place: &ValueAt) {
        let tree = self.tree;
        let Some(parent) = place.parent else {
            let at = self.offset..self.offset;
            return self.push(
                CompletionKind::Object,
                "{ }",
                "{\n  \"name\": \"\"\n}\n".into(),
                &at,
                "A game.",
            );
        };
        let key = place.value.and_then(|value| tree.key(value));
        let shapes = grammar::inside(&grammar::of(tree, parent), tree, parent, key.as_deref());
        let shapes: Vec<Shape> = shapes.into_iter().filter(|shape| !shape.is_choice).collect();
        let token = place.value.filter(|_| place.is_inside).map(|value| tree.node(value));
        let token = token.filter(|node| matches!(node.form, Form::Text | Form::Word));
        if token.is_some_and(|it| is_after(tree.text, &it.span, self.offset)) {
            return;
        }
        let at = token.map_or(self.offset..self.offset, |it| replaced(tree.text, &it.span, self.offset));
        for shape in &shapes {
            for keyword in shape.keywords() {
                self.push(CompletionKind::Keyword, keyword.word, quote(keyword.word), &at, keyword.about);
            }
            for (word, about) in references::keywords(&shape.place) {
                self.push(CompletionKind::Keyword, word, quote(word), &at, about);
            }
            let named = references::of_value(&shape.place);
            if let Some(named) = named.filter(|_| shape.is("string")) {
                self.named(named, place, &at);
            }
            if shape.is("boolean") && named != Some(Named::Setting) {
                for word in ["true", "false"] {
                    self.push(CompletionKind::Value, word, word.into(), &at, "");
                }
            }
        }
        // Whole objects are offered only where nothing is written yet.
        if token.is_none() {
            for shape in &shapes {
                self.objects(shape, &at);
            }
        }
    }

    /// Offers what a string names.
    fn named(&mut self, named: Named, place: &ValueAt, at: &Range<usize>) {
        match named {
            Named::Symbol(kind) => {
                // A list rarely has the same entry twice.
                let list = place.parent.filter(|parent| self.tree.node(*parent).form == Form::List);
                let others = list.into_iter().flat_map(|list| self.tree.children(list));
                let others =
                    others.filter(|id| Some(*id) != place.value).filter_map(|id| self.tree.string(id));
                let present: HashSet<String> = others.map(Cow::into_owned).collect();
                for symbol in self.symbols_of(kind).iter().filter(|it| !present.contains(&it.name)) {
                    self.push(kind.into(), &symbol.name, quote(&symbol.name), at, &symbol.about);
                }
            }
            Named::Inherited(kind) => {
                let own: HashSet<&str> = self
                    .symbols
                    .list
                    .iter()
                    .filter(|it| it.kind == kind && it.parent.is_none())
                    .map(|it| it.name.as_str())
                    .collect();
                let inherited: Vec<Symbol> = self
                    .symbols
                    .all(kind)
                    .filter(|it| it.parent.is_some() && !own.contains(it.name.as_str()))
                    .cloned()
                    .collect();
                for symbol in inherited {
                    let about = format!("{} Inherited; this entry changes it.", symbol.about);
                    self.push(kind.into(), &symbol.name, quote(&symbol.name), at, &about);
                }
            }
            Named::Setting => self.settings(place, at),
            Named::Game => {
                for game in library::games() {
                    let about = about_game(game.json);
                    self.push(CompletionKind::Game, game.name, quote(game.name), at, &about);
                }
            }
            Named::Betza => self.letters(place),
        }
    }

    /// Offers the values of the option that the nearest key names.
    fn settings(&mut self, place: &ValueAt, at: &Range<usize>) {
        let key = |id: Option<Id>| id.and_then(|id| self.tree.key(id));
        let Some(option) = key(place.value).or_else(|| key(place.parent)) else { return };
        let values = self.symbols.find(Kind::Option, &option).map(|it| it.values.clone()).unwrap_or_default();
        for value in values {
            let label = value.trim_matches('"').to_owned();
            self.push(CompletionKind::Value, &label, value, at, "");
        }
    }

    /// Offers the letters of Betza notation, inside the quotes.
    fn letters(&mut self, place: &ValueAt) {
        let node = place.value.filter(|_| place.is_inside).map(|value| self.tree.node(value));
        let Some(node) = node.filter(|node| node.form == Form::Text) else { return };
        if self.offset <= node.span.start {
            return;
        }
        let at = self.offset..self.offset;
        for (letter, about) in betza::letters() {
            self.push(CompletionKind::Letter, &letter.to_string(), letter.to_string(), &at, about);
        }
    }

    /// Offers objects by their keyword.
    fn objects(&mut self, shape: &Shape, at: &Range<usize>) {
        if let Some((key, word)) = shape.tag() {
            let insert = format!("{{ \"{key}\": {} }}", quote(word));
            self.push(CompletionKind::Object, word, insert, at, shape.about_form());
        }
        if let Some(key) = shape.open_tag() {
            for symbol in self.symbols_of(Kind::Region) {
                let insert = format!("{{ \"{key}\": {} }}", quote(&symbol.name));
                self.push(CompletionKind::Object, &symbol.name, insert, at, shape.about_form());
            }
        }
    }
}

/// Returns what a game of the library says about itself.
pub(super) fn about_game(json: &str) -> String {
    let tree = Tree::parse(json);
    let root = tree.root();
    let text = |key: &str| root.and_then(|root| tree.text_of(root, key)).unwrap_or_default();
    let parent = extended(&tree).map(|(name, _)| format!(" It extends `{name}`.")).unwrap_or_default();
    let name = text("name");
    let about = text("about");
    let about = about.trim_end_matches('.');
    if about.is_empty() { format!("{name}.{parent}") } else { format!("{name}: {about}.{parent}") }
}

/// Returns whether a position is behind the closing quote of a string.
fn is_after(text: &str, token: &Range<usize>, offset: usize) -> bool {
    let token_text = &text[token.clone()];
    offset == token.end && token_text.len() > 1 && token_text.starts_with('"') && token_text.ends_with('"')
}

fn quote(word: &str) -> String {
    serde_json::Value::from(word).to_string()
}

impl From<Kind> for CompletionKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Piece => CompletionKind::Piece,
            Kind::Player => CompletionKind::Player,
            Kind::Region => CompletionKind::Condition,
            Kind::Flag => CompletionKind::Flag,
            Kind::Option => CompletionKind::Option,
            Kind::TagValue | Kind::Counter => CompletionKind::Value,
            Kind::Ending => CompletionKind::Ending,
        }
    }
}
