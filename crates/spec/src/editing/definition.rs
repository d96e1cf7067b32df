//! Where a code is defined, and which code stands at a position.

use std::ops::Range;

use super::Definition;
use super::cursor::{Cursor, ValueAt};
use super::grammar;
use super::references::{self, Named};
use super::symbols::{Kind, Symbols, extended};
use super::tree::{Form, Tree};
use crate::short::ReadParent;

pub(super) fn definition(text: &str, offset: usize, files: Option<&ReadParent<'_>>) -> Option<Definition> {
    let tree = Tree::parse(text);
    let cursor = Cursor::at(&tree, offset)?;
    if let Some((_, origin)) =
        extended(&tree).filter(|(_, span)| span.contains(&offset) || span.end == offset)
    {
        let parent = Symbols::of(&tree, files).parents.into_iter().next()?;
        return Some(Definition { game: Some(parent.game), span: 0..0, text: Some(parent.text), origin });
    }
    let code = code_at(&tree, &cursor)?;
    let mut symbols = Symbols::of(&tree, files);
    let symbol = symbols.find(code.kind, &code.name)?.clone();
    let parent = symbol.parent.map(|index| symbols.parents.swap_remove(index));
    let (game, text) = parent.map(|parent| (parent.game, parent.text)).unzip();
    Some(Definition { game, span: symbol.span, text, origin: code.span })
}

/// A code that the file uses.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) span: Range<usize>,
}

/// Returns the code at a position.
pub(super) fn code_at(tree: &Tree<'_>, cursor: &Cursor) -> Option<Code> {
    match cursor {
        Cursor::Key { object, member } => {
            let (member, name) = (*member, tree.key((*member)?)?.into_owned());
            let span = tree.node(member?).key.clone();
            let shapes = grammar::of(tree, *object);
            let is_fixed = |shape: &grammar::Shape| shape.keys().iter().any(|key| key.name == name);
            if shapes.iter().any(is_fixed) {
                return None;
            }
            let kind = shapes.iter().find_map(|shape| references::of_key(&shape.free_keys()?));
            let kind = kind.or_else(|| defined_key(tree, *object))?;
            Some(Code { kind, name, span })
        }
        Cursor::Value(ValueAt { parent: Some(parent), value: Some(value), is_inside: true }) => {
            let node = tree.node(*value);
            let name = tree.string(*value).filter(|_| node.form == Form::Text)?.into_owned();
            let shapes =
                grammar::inside(&grammar::of(tree, *parent), tree, *parent, tree.key(*value).as_deref());
            let is_keyword = |shape: &grammar::Shape| {
                shape.keywords().iter().any(|keyword| keyword.word == name)
                    || references::keywords(&shape.place).any(|(word, _)| word == name)
            };
            if shapes.iter().any(is_keyword) {
                return None;
            }
            let shapes = shapes.iter().filter(|shape| shape.is("string"));
            let kind = shapes.into_iter().find_map(|shape| match references::of_value(&shape.place)? {
                Named::Symbol(kind) | Named::Inherited(kind) => Some(kind),
                Named::Setting | Named::Game | Named::Betza => None,
            });
            let kind = kind.or_else(|| is_player(tree, *parent).then_some(Kind::Player))?;
            Some(Code { kind, name, span: node.span.clone() })
        }
        Cursor::Value(_) => None,
    }
}

/// Returns what the keys of an object define, if they do.
fn defined_key(tree: &Tree<'_>, object: super::tree::Id) -> Option<Kind> {
    let is_top = tree.parent(object).is_some() && tree.parent(object) == tree.root();
    (is_top && tree.key(object).as_deref() == Some("options")).then_some(Kind::Option)
}

/// Returns whether a list is that of the players, who may be given by their names alone.
fn is_player(tree: &Tree<'_>, list: super::tree::Id) -> bool {
    tree.parent(list) == tree.root() && tree.key(list).as_deref() == Some("players")
}
