//! A file cut into games, without the rules of any of them.

use super::lexer::{Lexer, Place, Token};
use super::{PgnError, score, tags};
use crate::letters::clip;

/// More tags than anybody has a use for; each is compared with all others.
const MOST_TAGS: usize = 500;

/// One game of a file: its tags are read, its moves are not.
#[derive(Clone, Debug)]
pub struct Entry<'t> {
    /// Names and values of all tags, in order.
    pub tags: Vec<(String, String)>,
    /// Where each tag stands.
    pub(super) tag_places: Vec<Place>,
    pub(super) items: Vec<(Place, Item<'t>)>,
    pub(super) result: (Place, &'t str),
}

/// What stands between the tags and the result, variations left out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'t> {
    Move(&'t str),
    Comment(&'t str),
    Glyph(u8),
}

impl Entry<'_> {
    /// The value of a tag; `Variant` says which game it is.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tags::find(&self.tags, name)
    }
}

/// Cuts a text into games.
pub fn entries(text: &str) -> Entries<'_> {
    Entries { lexer: Lexer::new(text), ahead: None }
}

/// The games of a text. After one that cannot be read comes the next one.
#[derive(Clone, Debug)]
pub struct Entries<'t> {
    lexer: Lexer<'t>,
    /// A tag that turned out to belong to the next game.
    ahead: Option<(Place, Token<'t>)>,
}

impl<'t> Iterator for Entries<'t> {
    type Item = Result<Entry<'t>, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut draft = Draft::default();
        loop {
            let next = match self.ahead.take() {
                Some(ahead) => Some(Ok(ahead)),
                None => self.lexer.next(),
            };
            let step = match next {
                Some(Ok((place, token))) => draft.take(place, token),
                Some(Err(error)) => Step::Lost(error),
                None if draft.is_empty() => return None,
                None => Step::Lost(draft.unfinished(self.lexer.place())),
            };
            match step {
                Step::More => {}
                Step::Done(place, word) => return Some(Ok(draft.finish((place, word)))),
                Step::Early(error, place, token) => {
                    self.ahead = Some((place, token));
                    return Some(Err(error));
                }
                Step::Lost(error) => {
                    self.lexer.recover(false);
                    return Some(Err(error));
                }
                Step::LostTags(error) => {
                    self.lexer.recover(true);
                    return Some(Err(error));
                }
            }
        }
    }
}

/// What a word does to a game that is being read.
enum Step<'t> {
    /// It is part of it.
    More,
    /// It is its result.
    Done(Place, &'t str),
    /// It belongs to the next game, and this one is not finished.
    Early(PgnError, Place, Token<'t>),
    /// It is a mistake.
    Lost(PgnError),
    /// It is a mistake, and a tag.
    LostTags(PgnError),
}

/// A game that is being read.
#[derive(Default)]
struct Draft<'t> {
    tags: Vec<(String, String)>,
    tag_places: Vec<Place>,
    items: Vec<(Place, Item<'t>)>,
    has_moves: bool,
    /// How many variations are open: counted, so that depth costs nothing.
    depth: usize,
    /// Where the outermost of them begins.
    opened: Option<Place>,
}

impl<'t> Draft<'t> {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.has_moves
    }

    fn take(&mut self, place: Place, token: Token<'t>) -> Step<'t> {
        match token {
            Token::Tag(name, value) => return self.take_tag(place, name, value),
            Token::Open if !self.has_moves => {
                return Step::Lost(place.error("a variation stands before the first move"));
            }
            Token::Open => {
                self.opened.get_or_insert(place);
                self.depth += 1;
            }
            Token::Close if self.depth == 0 => {
                return Step::Lost(place.error("`)` ends a variation that has not begun"));
            }
            Token::Close => {
                self.depth -= 1;
                self.opened = self.opened.filter(|_| self.depth > 0);
            }
            _ if self.depth > 0 => {}
            Token::Comment(text) => self.items.push((place, Item::Comment(text))),
            Token::Glyph(glyph) => self.items.push((place, Item::Glyph(glyph))),
            Token::Word(word) if score::is_result(word) => return Step::Done(place, word),
            // It may stand behind a move as a word of its own.
            Token::Word("e.p." | "ep") => {}
            Token::Word(word) => {
                self.has_moves |= !word.trim_matches(['!', '?']).is_empty();
                self.items.push((place, Item::Move(word)));
            }
        }
        Step::More
    }

    fn take_tag(&mut self, place: Place, name: &'t str, value: String) -> Step<'t> {
        if self.is_empty() {
            // What stands before the first tag is about the file.
            self.items.clear();
        }
        let begins_again = self.tags.first().is_some_and(|(first, _)| first == name);
        if begins_again || !self.items.is_empty() {
            return Step::Early(self.unfinished(place), place, Token::Tag(name, value));
        }
        if self.tags.len() >= MOST_TAGS {
            return Step::LostTags(place.error(format!("a game has at most {MOST_TAGS} tags")));
        }
        if tags::find(&self.tags, name).is_some() {
            return Step::LostTags(place.error(format!("the tag {} stands twice", clip(name))));
        }
        self.tags.push((name.to_owned(), value));
        self.tag_places.push(place);
        Step::More
    }

    /// The error of a game that ends there without a result.
    fn unfinished(&self, place: Place) -> PgnError {
        match self.opened {
            Some(opened) => opened.error("the variation has no end"),
            None => place.error("the game before this has no result (1-0, 0-1, 1/2-1/2 or *)"),
        }
    }

    fn finish(self, result: (Place, &'t str)) -> Entry<'t> {
        Entry { tags: self.tags, tag_places: self.tag_places, items: self.items, result }
    }
}
