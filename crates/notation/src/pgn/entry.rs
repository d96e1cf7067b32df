//! Splits a file into games without knowing their rules.

use super::lexer::{Lexer, Place, Token};
use super::{PgnError, result, tags};
use crate::symbols::clip;

/// The maximum number of tags; each is compared with all others.
const MAX_TAGS: usize = 500;

/// One game of a file, with parsed tags and unparsed moves.
#[derive(Clone, Debug)]
pub struct Entry<'t> {
    /// Names and values of all tags, in order.
    pub tags: Vec<(String, String)>,
    /// The place of each tag.
    pub(super) tag_places: Vec<Place>,
    pub(super) items: Vec<(Place, Item<'t>)>,
    pub(super) result: (Place, &'t str),
}

/// A part of the movetext. Variations are left out.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'t> {
    Move(&'t str),
    Comment(&'t str),
    Nag(u8),
}

impl Entry<'_> {
    /// Returns the value of a tag. `Variant` names the game.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tags::find(&self.tags, name)
    }
}

/// Splits a text into games.
pub fn entries(text: &str) -> Entries<'_> {
    Entries { lexer: Lexer::new(text), ahead: None }
}

/// The iterator of [`entries`]. After an invalid game it continues with the next.
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
            let progress = match next {
                Some(Ok((place, token))) => draft.take(place, token),
                Some(Err(error)) => Progress::Lost(error),
                None if draft.is_empty() => return None,
                None => Progress::Lost(draft.unfinished(self.lexer.place())),
            };
            match progress {
                Progress::More => {}
                Progress::Done(place, word) => return Some(Ok(draft.finish((place, word)))),
                Progress::Early(error, place, token) => {
                    self.ahead = Some((place, token));
                    return Some(Err(error));
                }
                Progress::Lost(error) => {
                    self.lexer.recover(false);
                    return Some(Err(error));
                }
                Progress::LostTags(error) => {
                    self.lexer.recover(true);
                    return Some(Err(error));
                }
            }
        }
    }
}

/// The effect of a token on the game being read.
enum Progress<'t> {
    /// The token is part of the game.
    More,
    /// The token is the result.
    Done(Place, &'t str),
    /// The token belongs to the next game, and this one has no result.
    Early(PgnError, Place, Token<'t>),
    /// The token is an error.
    Lost(PgnError),
    /// The token is an error and a tag.
    LostTags(PgnError),
}

/// The game being read.
#[derive(Default)]
struct Draft<'t> {
    tags: Vec<(String, String)>,
    tag_places: Vec<Place>,
    items: Vec<(Place, Item<'t>)>,
    has_moves: bool,
    /// The number of open variations. Counting instead of recursing makes deep nesting cheap.
    depth: usize,
    /// The beginning of the outermost open variation.
    opened: Option<Place>,
}

impl<'t> Draft<'t> {
    fn is_empty(&self) -> bool {
        self.tags.is_empty() && !self.has_moves
    }

    fn take(&mut self, place: Place, token: Token<'t>) -> Progress<'t> {
        match token {
            Token::Tag(name, value) => return self.take_tag(place, name, value),
            Token::Open if !self.has_moves => {
                return Progress::Lost(place.error("a variation precedes the first move"));
            }
            Token::Open => {
                self.opened.get_or_insert(place);
                self.depth += 1;
            }
            Token::Close if self.depth == 0 => {
                return Progress::Lost(place.error("`)` does not close a variation"));
            }
            Token::Close => {
                self.depth -= 1;
                self.opened = self.opened.filter(|_| self.depth > 0);
            }
            _ if self.depth > 0 => {}
            Token::Comment(text) => self.items.push((place, Item::Comment(text))),
            Token::Nag(nag) => self.items.push((place, Item::Nag(nag))),
            Token::Word(word) if result::is_result(word) => return Progress::Done(place, word),
            // May follow a move as a separate word.
            Token::Word("e.p." | "ep") => {}
            Token::Word(word) => {
                self.has_moves |= !word.trim_matches(['!', '?']).is_empty();
                self.items.push((place, Item::Move(word)));
            }
        }
        Progress::More
    }

    fn take_tag(&mut self, place: Place, name: &'t str, value: String) -> Progress<'t> {
        if self.is_empty() {
            // Comments before the first tag are about the file.
            self.items.clear();
        }
        let is_next_game = self.tags.first().is_some_and(|(first, _)| first == name);
        if is_next_game || !self.items.is_empty() {
            return Progress::Early(self.unfinished(place), place, Token::Tag(name, value));
        }
        if self.tags.len() >= MAX_TAGS {
            return Progress::LostTags(place.error(format!("a game has at most {MAX_TAGS} tags")));
        }
        if tags::find(&self.tags, name).is_some() {
            return Progress::LostTags(place.error(format!("the tag {} appears twice", clip(name))));
        }
        self.tags.push((name.to_owned(), value));
        self.tag_places.push(place);
        Progress::More
    }

    /// Returns the error for a game that ends here without a result.
    fn unfinished(&self, place: Place) -> PgnError {
        match self.opened {
            Some(opened) => opened.error("the variation is not closed"),
            None => place.error("the previous game has no result (1-0, 0-1, 1/2-1/2 or *)"),
        }
    }

    fn finish(self, result: (Place, &'t str)) -> Entry<'t> {
        Entry { tags: self.tags, tag_places: self.tag_places, items: self.items, result }
    }
}
