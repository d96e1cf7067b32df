//! Explanations of what stands at a position.

use std::borrow::Cow;
use std::ops::Range;

use super::Hover;
use super::complete::about_game;
use super::cursor::{Cursor, ValueAt};
use super::definition::{Code, code_at};
use super::grammar::{self, Shape};
use super::references::{self, Named};
use super::symbols::{Kind, Symbols, entries};
use super::tree::{Id, Tree};
use crate::{Choices, Game, Loader, betza, english_piece, english_squares, move_drawing};

pub(super) fn hover(text: &str, offset: usize, loader: &Loader<'_>) -> Option<Hover> {
    let tree = Tree::parse(text);
    let cursor = Cursor::at(&tree, offset)?;
    let hoverer = Hoverer { tree: &tree, loader };
    if let Some(code) = code_at(&tree, &cursor) {
        return Some(hoverer.code(&code));
    }
    match &cursor {
        Cursor::Key { object, member: Some(member) } => {
            hoverer.key(*object, *member).or_else(|| hoverer.piece_around(*member))
        }
        Cursor::Value(place @ ValueAt { parent: Some(parent), value: Some(value), is_inside: true }) => {
            hoverer.value(*parent, *value).or_else(|| hoverer.piece_around(place.value?))
        }
        Cursor::Key { object, member: None } => hoverer.piece_around(*object),
        Cursor::Value(place) => hoverer.piece_around(place.value.or(place.parent)?),
    }
}

struct Hoverer<'t> {
    tree: &'t Tree<'t>,
    loader: &'t Loader<'t>,
}

impl Hoverer<'_> {
    /// Explains a key.
    fn key(&self, object: Id, member: Id) -> Option<Hover> {
        let tree = self.tree;
        let name = tree.key(member)?;
        let shapes = grammar::of(tree, object);
        let fitting = shapes.iter().filter(|shape| shape.fits(tree, object, None));
        let found = fitting.flat_map(Shape::keys).find(|key| key.name == name)?;
        let shapes = grammar::inside(&shapes, tree, object, Some(&name));
        let mut text = found.about.to_owned();
        let words = shapes.iter().filter(|shape| !shape.is_choice).flat_map(Shape::keywords);
        for keyword in words {
            let about = if keyword.about.is_empty() { String::new() } else { format!(": {}", keyword.about) };
            text += &format!("\n- `{}`{about}", keyword.word);
        }
        let required = if found.is_required { " (required)" } else { "" };
        Some(Hover {
            span: tree.node(member).key.clone(),
            title: format!("key `{name}`{required}"),
            text: text.trim().to_owned(),
            block: String::new(),
        })
    }

    /// Explains a keyword, a word of Betza notation or the extended game.
    fn value(&self, parent: Id, value: Id) -> Option<Hover> {
        let tree = self.tree;
        let (word, span) = (tree.string(value)?, tree.node(value).span.clone());
        let shapes = grammar::inside(&grammar::of(tree, parent), tree, parent, tree.key(value).as_deref());
        let keywords = shapes.iter().flat_map(Shape::keywords).map(|keyword| (keyword.word, keyword.about));
        let others = shapes.iter().flat_map(|shape| references::keywords(&shape.place));
        if let Some((word, about)) = keywords.chain(others).find(|(other, _)| *other == word) {
            let (title, text) = (format!("keyword `{word}`"), about.to_owned());
            return Some(Hover { span, title, text, block: String::new() });
        }
        let named =
            shapes.iter().filter(|shape| shape.is("string")).find_map(|it| references::of_value(&it.place));
        match named? {
            Named::Betza => Some(betza_word(&word, span)),
            Named::Game => self.game(&word, span),
            Named::Symbol(_) | Named::Inherited(_) | Named::Setting => None,
        }
    }

    /// Explains the game that the file extends.
    fn game(&self, name: &str, span: Range<usize>) -> Option<Hover> {
        let symbols = Symbols::of(self.tree, self.loader.files());
        let parent = symbols.parents.first()?;
        let chain: Vec<String> = symbols.parents.iter().skip(1).map(|it| format!("`{}`", it.game)).collect();
        let more = if chain.is_empty() { String::new() } else { format!(" (through {})", chain.join(", ")) };
        let title = format!("this file extends `{name}`{more}");
        let pieces: Vec<&str> = symbols.all(Kind::Piece).map(|it| it.name.as_str()).collect();
        let text = format!("{}\n\nThe pieces are {}.", about_game(&parent.text), pieces.join(", "));
        Some(Hover { span, title, text, block: String::new() })
    }

    /// Explains a code.
    fn code(&self, code: &Code) -> Hover {
        let Code { kind, name, span } = code;
        let symbols = Symbols::of(self.tree, self.loader.files());
        let symbol = symbols.find(*kind, name);
        if *kind == Kind::Piece && symbol.is_some() {
            return self.piece(name, span.clone());
        }
        let noun = match kind {
            Kind::Piece => "piece",
            Kind::Player => "player",
            Kind::Region => "condition",
            Kind::Flag => "flag",
            Kind::Option => "option",
            Kind::TagValue => "tag value",
            Kind::Counter => "counter",
            Kind::Ending => "ending",
        };
        let title = format!("{noun} `{name}`");
        let Some(symbol) = symbol else {
            let text = format!("The file defines no such {noun}.");
            return Hover { span: span.clone(), title, text, block: String::new() };
        };
        let mut text = symbol.about.clone();
        if let Some(parent) = symbol.parent.and_then(|index| symbols.parents.get(index)) {
            text += &format!(" Defined in `{}`.", parent.game);
        }
        if !symbol.values.is_empty() {
            text += &format!(" Values: {}.", symbol.values.join(", "));
        }
        let squares = (*kind == Kind::Region).then(|| self.loaded()).flatten();
        let block = squares.and_then(|game| english_squares(&game, name)).unwrap_or_default();
        Hover { span: span.clone(), title, text, block }
    }

    /// Explains the piece around a value, at the value.
    fn piece_around(&self, id: Id) -> Option<Hover> {
        let tree = self.tree;
        let pieces = entries(tree, tree.root()?, "pieces");
        let piece = tree.steps(id).into_iter().find(|step| pieces.contains(step))?;
        let node = tree.node(id);
        let code = tree.text_of(piece, "code")?;
        Some(self.piece(&code, node.span.clone()))
    }

    /// Explains a piece: its rules in English and a drawing. If the file has errors, the word of Betza notation is explained
    /// instead.
    fn piece(&self, code: &str, span: Range<usize>) -> Hover {
        let title = format!("piece `{code}`");
        let game = self.loaded();
        let rules = game.as_ref().and_then(|game| Some((game, english_piece(game, code)?)));
        if let Some((game, rules)) = rules {
            let drawing = move_drawing::of_piece(&game.rules, code);
            let drawing = drawing.map(|lines| drawn(&lines)).unwrap_or_default();
            return Hover { span, title, text: String::new(), block: drawing + &rules };
        }
        let symbols = Symbols::of(self.tree, self.loader.files());
        let word = self.word(code, &symbols);
        let text = if game.is_some() {
            "It is not part of the game with its default options.".to_owned()
        } else {
            "The file has errors; its rules are known once they are fixed.".to_owned()
        };
        let block = word.map(|word| betza_word(&word, 0..0).block).unwrap_or_default();
        Hover { span, title, text, block }
    }

    /// Returns the word of Betza notation of a piece, in the file or in a game that it extends.
    fn word(&self, code: &str, symbols: &Symbols) -> Option<String> {
        let own = word_in(self.tree, code);
        own.or_else(|| symbols.parents.iter().find_map(|parent| word_in(&Tree::parse(&parent.text), code)))
    }

    fn loaded(&self) -> Option<Game> {
        self.loader.load_with(self.tree.text.as_bytes(), &Choices::default()).game
    }
}

fn word_in(tree: &Tree<'_>, code: &str) -> Option<String> {
    let pieces = entries(tree, tree.root()?, "pieces").into_iter();
    let mut found = pieces.filter(|piece| tree.text_of(*piece, "code").as_deref() == Some(code));
    found.find_map(|piece| tree.text_of(piece, "betza")).map(Cow::into_owned)
}

/// Explains a word of Betza notation.
fn betza_word(word: &str, span: Range<usize>) -> Hover {
    let title = format!("Betza notation `{}`", crate::read::shorten(word));
    match betza::parse(word) {
        Ok(leaps) => {
            let block = drawn(&move_drawing::of_word(&leaps)) + &move_drawing::describe_word(word);
            Hover { span, title, text: String::new(), block }
        }
        Err(error) => {
            let text = format!("{} Help: {}.", error.message, error.help);
            Hover { span, title, text, block: String::new() }
        }
    }
}

/// Returns a drawing with its legend, and an empty line after it.
fn drawn(lines: &[String]) -> String {
    format!("{}\n\n{}\n\n", lines.join("\n"), move_drawing::legend(lines))
}
